"""What users pass: looked up, checked, and answered with a sentence that helps."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from difflib import get_close_matches
from math import inf, isfinite
from numbers import Integral, Real
from sys import float_info
from typing import Any, Self, TypeVar

T = TypeVar("T")


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """A question that names the nearest known name, or nothing.

    Examples
    --------
    >>> did_you_mean("relaible", ["plugin", "reliable"])
    " Did you mean 'reliable'?"
    """
    names = [str(k) for k in known]
    same = [other for other in names if other.lower() == str(name).lower()]
    close = same or get_close_matches(str(name), names, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


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


def look_up(kind: str, name: object, registry: Mapping[str, T]) -> T:
    """Entry ``name`` of a registry, or a ValueError that lists what there is.

    Examples
    --------
    >>> look_up("criterion", "plugim", {"plugin": 1})
    Traceback (most recent call last):
    ValueError: unknown criterion 'plugim'. Known: 'plugin'. Did you mean 'plugin'?
    """
    if isinstance(name, str) and name in registry:
        return registry[name]
    known = ", ".join(repr(k) for k in registry)
    raise ValueError(f"unknown {kind} {name!r}. Known: {known}.{did_you_mean(name, registry)}")


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
    """Raise a ValueError unless the value is a number from ``low`` (or above it) to ``high``, or an allowed None.

    Examples
    --------
    >>> check_number("n_bins", "5", 2, integer=True)
    Traceback (most recent call last):
    ValueError: n_bins must be an integer of at least 2; got '5'.
    """
    if value is None and optional:
        return
    if isinstance(value, Integral if integer else Real) and not isinstance(value, bool):
        number = float(value)
        if number <= high and (number > low if above else number >= low):
            return
    least = f"more than {low}" if above else f"of at least {low}"
    limits = f" between {low} and {high}" if high < float_info.max else f" {least}" if low > -inf else ""
    kind = "an integer" if integer else "a number"
    raise ValueError(f"{name} must be {kind}{limits}{', or None' if optional else ''}; got {value!r}.")


def check_size(name: str, value: Any, m: int) -> None:
    """Raise a ValueError unless the value is None or a number of columns, of which there are m."""
    if value is not None and (not isinstance(value, Integral) or isinstance(value, bool) or not 1 <= int(value) <= m):
        raise ValueError(f"{name} must be between 1 and {m}, the number of columns; got {value!r}.")


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
