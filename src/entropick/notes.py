"""What users should know about a run that succeeded: values that are part of its result."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """Something to know about a result.

    Attributes
    ----------
    code : str
        What kind of note it is, for programs: 'constant', 'id', 'leak', ...
    text : str
        A sentence for people.
    columns : tuple of str
        The columns it is about, if any.
    """

    code: str
    text: str
    columns: tuple[str, ...] = ()


_listener: ContextVar[Callable[[Note], object] | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Callable[[Note], object]) -> Iterator[None]:
    """Send notes to a function as they come up, instead of issuing them as warnings.

    Examples
    --------
    >>> heard = []
    >>> with listening(heard.append):
    ...     tell(Note("id", "column 'a' looks like an id.", ("a",)))
    >>> heard[0].code
    'id'
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def tell(note: Note, category: type[Warning] = UserWarning) -> None:
    """Send a note to the listener; if there is none, issue it as a warning."""
    listener = _listener.get()
    if listener is None:
        warn(note.text, category)
    else:
        listener(note)


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Issue a warning at the nearest calling line that is neither ours nor scikit-learn's."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back and str(frame.f_globals.get("__name__", "")).split(".")[0] in ("entropick", "sklearn"):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
