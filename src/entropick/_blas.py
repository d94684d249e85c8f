"""The threads that matrix products use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import RLock, get_ident
from typing import Any

from threadpoolctl import ThreadpoolController


@contextmanager
def threads(n: int = 1) -> Iterator[None]:
    """Inside, the BLAS uses so many threads: more make small products slower, and far slower on a busy machine.

    The number belongs to the process, whichever thread sets it. So while several threads are inside, it is the smallest
    that any of them asked for, and the last to leave restores what the first one found.
    """
    me = object()
    try:
        _process.enter(me, n)
        with _of_this_thread(n):
            yield
    finally:
        _process.leave(me)


class _Process:
    """Who is inside, and what was before."""

    def __init__(self) -> None:
        self.lock = RLock()  # an RLock, because the garbage collector may close a generator that is inside
        self.asked: dict[object, tuple[int, int]] = {}  # the thread of each, and the number it asked for
        self.before: list[int] | None = None

    def enter(self, who: object, n: int) -> None:
        """Let somebody in who asks for n threads."""
        with self.lock:
            if self.before is None:
                self.before = [library.num_threads for library in _libraries(False)]
            self.asked[who] = (get_ident(), n)
            self._set()

    def leave(self, who: object) -> None:
        """Let somebody out, who may not have come in if that was interrupted."""
        with self.lock:
            self.asked.pop(who, None)
            self._set()

    def _set(self) -> None:
        if self.before is None:
            return
        least = min((n for _, n in self.asked.values()), default=None)
        for library, before in zip(_libraries(False), self.before, strict=True):
            wanted = before if least is None else least
            if library.num_threads != wanted:
                library.set_num_threads(wanted)
                _release(library)
        if least is None:
            self.before = None

    def after_fork(self) -> None:
        """Forget the threads that are not in the child; the next to leave restores what was before."""
        self.lock = RLock()
        self.asked = {who: (thread, n) for who, (thread, n) in self.asked.items() if thread == get_ident()}


@contextmanager
def _of_this_thread(n: int) -> Iterator[None]:
    """The same for libraries whose number belongs to a thread."""
    libraries = _libraries(True)
    before = [library.num_threads for library in libraries]
    try:
        for library in libraries:
            library.set_num_threads(n)
        yield
    finally:
        for library, own in zip(libraries, before, strict=True):
            library.set_num_threads(own)


@cache
def _libraries(of_thread: bool) -> list[Any]:
    """The libraries whose number of threads belongs to a thread, or to the process."""
    found = ThreadpoolController().select(user_api="blas").lib_controllers  # searching takes longer than a product
    return [library for library in found if _belongs_to_thread(library) == of_thread]


def _belongs_to_thread(library: Any) -> bool:
    return bool(library.internal_api == "openblas" and library.threading_layer == "openmp")


def _release(library: Any) -> None:
    """Let other threads set the number too: threadpoolctl, since 3.8, lets only the first one that did."""
    if hasattr(library, "clear_controlling_thread"):
        library.clear_controlling_thread()


_process = _Process()
if hasattr(os, "register_at_fork"):
    # While the lock is held no other thread is setting the number, so the child has no lock that nobody will release.
    os.register_at_fork(
        before=lambda: _process.lock.acquire(),
        after_in_parent=lambda: _process.lock.release(),
        after_in_child=_process.after_fork,
    )
