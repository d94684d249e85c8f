"""What a fit is doing when it is not searching, told to whoever is watching."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Watcher = Callable[[str, int, int], object]

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Inside, a function is told which stage a fit is in, and how many of how many parts are done.

    Examples
    --------
    >>> with watching(lambda name, done, total: print(name, done, "of", total)):
    ...     stage("counting sheep", 2, 10)
    counting sheep 2 of 10
    """
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def stage(name: str, done: int, total: int) -> None:
    """Tell the watcher, if there is one, which stage this is and how far it is."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(name, done, total)
