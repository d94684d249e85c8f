"""Errors that say what was expected, what was given and how to fix it; the command names its options in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from entropick._words import did_you_mean


@dataclass(frozen=True)
class Mention:
    """A parameter named in a sentence, with or without a value; the command shows its option instead.

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
    """A parameter has an invalid value: which parameter, what was expected, what was given and how to fix it.

    Parameters
    ----------
    parameter : str
        Its name in Python.
    expected : str, Mention or sequence of them
        What the sentence says about it, starting with the verb.
    got : object
        The value given; ``...`` if there is none to show.
    hint : str, Mention or sequence of them
        How to fix it.
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
        """The full sentence; ``write`` turns a mention into text, ``none`` is added where None is allowed."""
        or_none = none if self.optional else ""
        got = "" if self.got is ... else f"; got {self.got!r}"
        hint = f": {_written(self.hint, write)}" if self.hint else ""
        return f"{write(Mention(self.parameter))} {_written(self.expected, write)}{or_none}{got}{hint}."

    def __str__(self) -> str:
        return self.sentence()


class UnknownNameError(ParameterError):
    """A name that is not in the registry.

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
        """The full sentence."""
        known = ", ".join(map(repr, self.known))
        near = did_you_mean(self.got, self.known)
        return f"unknown {_written(self.kind, write)} {self.got!r}. Known: {known}.{near}"


def _written(words: Words, write: Callable[[Mention], str]) -> str:
    parts = (words,) if isinstance(words, str | Mention) else words
    return "".join(write(part) if isinstance(part, Mention) else part for part in parts)
