"""Ctrl-C while subsets are being scored."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass
class Interrupts:
    """Whether Ctrl-C was pressed, and whether it may interrupt what is running."""

    seen: bool = False
    breakable: bool = False

    @contextmanager
    def breaking(self) -> Iterator[None]:
        """Inside, Ctrl-C interrupts at once: only the scores being computed can be lost."""
        self.breakable = True
        try:
            yield
        finally:
            self.breakable = False

    def check(self) -> None:
        """Raise the KeyboardInterrupt that was held back."""
        if self.seen:
            raise KeyboardInterrupt


@contextmanager
def holding_back(wanted: bool) -> Iterator[Interrupts]:
    """Inside, Ctrl-C waits for `Interrupts.check` or `Interrupts.breaking`, so that known scores stay consistent.

    Only in the main thread, where signals arrive, and if Python handles Ctrl-C; a second one interrupts at once.
    """
    interrupts = Interrupts()
    before = signal.getsignal(signal.SIGINT)
    if not wanted or threading.current_thread() is not threading.main_thread() or not callable(before):
        yield interrupts
        return

    def handle(number: int, frame: Any) -> None:
        again, interrupts.seen = interrupts.seen, True
        if again or interrupts.breakable:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, handle)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)
