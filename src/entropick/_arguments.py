"""What users pass: looked up, checked, and answered with a sentence that helps."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from difflib import get_close_matches
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any, Self, TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Mention:
    """A parameter that a sentence speaks of, with a value or without; the command writes its option in its place.

    Examples
    --------
    >>> str(Mention("max_features")), str(Mention("target", "classes"))
    ('max_features', "target='classes'")
    """

    parameter: str
    value: str | None = None

    def __str__(self) -> str:
        return self.parameter if self.value is None else f"{self.parameter}={self.value!r}"


Words: TypeAlias = "str | Mention | Sequence[str | Mention]"


class ParameterError(ValueError):
    """A parameter has a value that cannot be: which one, what was expected, what came, and the way out.

    Parameters
    ----------
    parameter : str
        Its name in Python.
    expected : str, Mention or sequence of them
        What the sentence says of it, with its verb.
    got : object
        The value that came; ``...`` if there is none to show.
    hint : str, Mention or sequence of them
        The way out.
    optional : bool
        Whether None is allowed too.

    Examples
    --------
    >>> error = ParameterError("n_jobs", "must be a number of threads", 0, ("try ", Mention("n_jobs"), "=-1"))
    >>> str(error)
    'n_jobs must be a number of threads; got 0: try n_jobs=-1.'
    >>> error.sentence(lambda mention: "--jobs")
    '--jobs must be a number of threads; got 0: try --jobs=-1.'
    """

    def __init__(
        self, parameter: str, expected: Words, got: object = ..., hint: Words = "", optional: bool = False
    ) -> None:
        super().__init__(parameter, expected, got, hint, optional)  # all of them, so that it can be pickled
        self.parameter = parameter
        self.expected = expected
        self.got = got
        self.hint = hint
        self.optional = optional

    def sentence(self, write: Callable[[Mention], str] = str, none: str = ", or None") -> str:
        """The whole of it in words; ``write`` says how parameters are called, ``none`` what an optional one may be."""
        or_none = none if self.optional else ""
        got = "" if self.got is ... else f"; got {self.got!r}"
        hint = f": {_written(self.hint, write)}" if self.hint else ""
        return f"{write(Mention(self.parameter))} {_written(self.expected, write)}{or_none}{got}{hint}."

    def __str__(self) -> str:
        return self.sentence()


class UnknownNameError(ParameterError):
    """A name that no registry has.

    Examples
    --------
    >>> str(UnknownNameError("criterion", "plugim", ["plugin"]))
    "unknown criterion 'plugim'. Known: 'plugin'. Did you mean 'plugin'?"
    """

    def __init__(self, kind: str | Mention, name: object, known: Sequence[str]) -> None:
        super().__init__(str(kind), f"must be one of {', '.join(map(repr, known))}", name)
        self.args = kind, name, known
        self.kind, self.known = kind, known

    def sentence(self, write: Callable[[Mention], str] = str, none: str = ", or None") -> str:
        """The whole of it in words."""
        known = ", ".join(map(repr, self.known))
        near = did_you_mean(self.got, self.known)
        return f"unknown {_written(self.kind, write)} {self.got!r}. Known: {known}.{near}"


def _written(words: Words, write: Callable[[Mention], str]) -> str:
    parts = (words,) if isinstance(words, str | Mention) else words
    return "".join(write(part) if isinstance(part, Mention) else part for part in parts)


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """A question that names the nearest known name, or nothing.

    Examples
    --------
    >>> did_you_mean("relaible", ["plugin", "reliable"])
    " Did you mean 'reliable'?"
    """
    near = nearest(name, known)
    return "" if near is None else f" Did you mean {near!r}?"


def nearest(name: object, known: Iterable[object]) -> str | None:
    """The known name that is most like a name, if one is."""
    names = [str(k) for k in known]
    same = [other for other in names if other.lower() == str(name).lower()]
    close = same or get_close_matches(str(name), names, n=1)
    return close[0] if close else None


def listed(names: Sequence[object], most: int = 5) -> str:
    """The first names in quotes, and how many more there are.

    Examples
    --------
    >>> listed(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    shown = ", ".join(repr(name) for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def as_plain(value: Any) -> Any:
    """A value as JSON has it: what is no number, text or list of them is its text, what is not finite is None.

    Examples
    --------
    >>> as_plain({"a": (1, float("nan")), "b": int})
    {'a': [1, None], 'b': "<class 'int'>"}
    """
    if hasattr(value, "tolist"):  # arrays and scalars of NumPy
        value = value.tolist()
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, dict):
        return {str(key): as_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else repr(value)


def look_up(kind: str | Mention, name: object, registry: Mapping[str, T]) -> T:
    """Entry ``name`` of a registry, or an `UnknownNameError` that lists what there is.

    Examples
    --------
    >>> look_up("criterion", "plugin", {"plugin": 1})
    1
    """
    if isinstance(name, str) and name in registry:
        return registry[name]
    raise UnknownNameError(kind, name, list(registry))


def check_number(
    name: str,
    value: Any,
    low: float = -inf,
    high: float = inf,
    *,
    integer: bool = False,
    above: bool = False,
    optional: bool = False,
) -> None:
    """Raise a ParameterError unless the value is a finite number from ``low`` (or above it) to ``high``, or None.

    Examples
    --------
    >>> check_number("n_bins", 5, 2, integer=True)
    >>> check_number("n_bins", "5", 2, integer=True)
    Traceback (most recent call last):
    entropick._arguments.ParameterError: n_bins must be an integer of at least 2; got '5'.
    """
    if value is None and optional:
        return
    is_number = isinstance(value, Integral if integer else Real) and not isinstance(value, bool)
    is_finite = is_number and (integer or _is_finite(value))
    if is_finite and value <= high and (value > low if above else value >= low):
        return
    least = f"more than {low}" if above else f"of at least {low}"
    within = f"{least} and at most {high}" if above else f"between {low} and {high}"
    limits = f" {within}" if isfinite(high) else f" {least}" if isfinite(low) else ""
    kind = "an integer" if integer else "a finite number" if is_number and not is_finite else "a number"
    raise ParameterError(name, f"must be {kind}{limits}", value, optional=optional)


def _is_finite(value: Any) -> bool:
    """Whether a number has a finite float."""
    try:
        return isfinite(value)
    except OverflowError:  # an integer or a fraction that is too large for one
        return False


def check_size(name: str, value: Any, m: int) -> None:
    """Raise a ParameterError unless the value is None or a number of columns, of which there are m."""
    if value is not None and (not isinstance(value, Integral) or isinstance(value, bool) or not 1 <= int(value) <= m):
        raise ParameterError(name, f"must be between 1 and {m}, the number of columns", value)


def check_flag(name: str, value: Any) -> None:
    """Raise a ParameterError unless the value is True or False.

    Examples
    --------
    >>> check_flag("polish", "no")
    Traceback (most recent call last):
    entropick._arguments.ParameterError: polish must be True or False; got 'no'.
    """
    import numpy as np  # not at the top: the help of the command does without it

    if not isinstance(value, bool | np.bool_):
        raise ParameterError(name, "must be True or False", value)


class Settings:
    """For dataclasses: fields as parameters, as scikit-learn's `clone` and grids want them."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Settings by name, those of a setting that has some itself as ``name__its``."""
        params = {item.name: getattr(self, item.name) for item in fields(self)}  # type: ignore[arg-type]
        for name, value in list(params.items()) if deep else ():
            if hasattr(value, "get_params") and not isinstance(value, type):
                params.update({f"{name}__{inner}": setting for inner, setting in value.get_params().items()})
        return params

    def set_params(self, **settings: Any) -> Self:
        """Change settings by name."""
        known = self.get_params(deep=False)
        for name, value in settings.items():
            outer, _, inner = name.partition("__")
            if outer not in known:
                raise ValueError(
                    f"unknown setting {outer!r} of {type(self).__name__}. Known: {', '.join(known)}."
                    f"{did_you_mean(outer, known)}"
                )
            if inner:
                getattr(self, outer).set_params(**{inner: value})
            else:
                setattr(self, outer, value)
        return self


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line of the caller's caller that is neither ours nor scikit-learn's."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back and str(frame.f_globals.get("__name__", "")).split(".")[0] in ("entropick", "sklearn"):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
