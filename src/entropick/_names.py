"""Names that users type: looked up with a sentence that helps when they are unknown."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

T = TypeVar("T")


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """A question that names the nearest known name, or nothing.

    Examples
    --------
    >>> did_you_mean("relaible", ["plugin", "reliable"])
    " Did you mean 'reliable'?"
    """
    close = get_close_matches(str(name), [str(k) for k in known], n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


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
