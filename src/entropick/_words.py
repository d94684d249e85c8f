"""Names and numbers as text for sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """A question that suggests the closest known name, or an empty string.

    Examples
    --------
    >>> did_you_mean("relaible", ["plugin", "reliable"])
    " Did you mean 'reliable'?"
    """
    near = nearest(name, known)
    return "" if near is None else f" Did you mean {near!r}?"


def nearest(name: object, known: Iterable[object]) -> str | None:
    """The known name closest to the given one, or None."""
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


def percent(part: float, whole: float) -> str:
    """A share as a percentage, never below 0%.

    Examples
    --------
    >>> percent(0.5, 2.0)
    '25%'
    """
    return f"{max(0.0, part / whole):.0%}" if whole else "0%"


def grouped(number: int) -> str:
    """A number with commas between the thousands.

    Examples
    --------
    >>> grouped(1234567)
    '1,234,567'
    """
    return f"{number:,}"


def counted(number: int, what: str) -> str:
    """A count with its noun, singular or plural.

    Examples
    --------
    >>> counted(1, "step"), counted(2000, "subset")
    ('1 step', '2,000 subsets')
    """
    return f"{grouped(number)} {what}{'' if number == 1 else 's'}"


def shortened(name: str, most: int = 60) -> str:
    """A name cut to fit on a line.

    Examples
    --------
    >>> shortened("abcdefgh", 5)
    'abcd…'
    """
    name = "".join(letter if letter.isprintable() else " " for letter in name)
    return name if len(name) <= most else name[: most - 1] + "…"
