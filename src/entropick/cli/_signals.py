"""Ctrl-C and requests to terminate: if other code swallows one, it is raised again before the next step."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # not every system has the last one


class TerminationError(BaseException):
    """The process was asked to terminate; like KeyboardInterrupt, only `main` handles it."""


_received: list[int] = []


@contextmanager
def recorded_signals() -> Iterator[None]:
    """Inside, signals to terminate are recorded and raised, so that half-written files are removed.

    A signal that is ignored, as under nohup, or that has another handler is left alone.
    """
    _received.clear()
    if threading.current_thread() is not threading.main_thread():
        yield  # signals reach the main thread only
        return
    ours = (signal.SIG_DFL, signal.default_int_handler)
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers if signal.getsignal(number) in ours}
    for number in before:
        signal.signal(number, _handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def received() -> int | None:
    """The first signal received since `recorded_signals` began, or None."""
    return _received[0] if _received else None


def raise_received() -> None:
    """Raise a signal that was swallowed, if there was one."""
    if _received:
        _raise(_received[0])


def _handle(number: int, frame: Any) -> None:
    first = not _received
    _received.append(number)
    if first or number == signal.SIGINT:  # a second request must not disturb the cleanup; a second Ctrl-C may
        _raise(number)


def _raise(number: int) -> None:
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise TerminationError(signal.Signals(number).name)
