"""Signals as they are by default, whatever the job ignores, and processes that end with their test."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

DEFAULTS = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}


@contextmanager
def default_signals() -> Iterator[None]:
    """Inside, signals that end a process do so, here and in the processes that are started here.

    A job in the background ignores SIGINT, `nohup` ignores SIGHUP, and a process inherits what its parent ignores.
    """
    numbers = {getattr(signal, name): handler for name, handler in DEFAULTS.items() if hasattr(signal, name)}
    before = {number: signal.signal(number, handler) for number, handler in numbers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def no_signals() -> Iterator[None]:
    """Inside, a test that sends a signal fails, because the job that runs it may ignore that signal."""

    def refuse(*_: object) -> None:
        raise AssertionError("a test that sends signals must be marked: pytest.mark.signals")

    send = subprocess.Popen.send_signal

    def kill_only(process: subprocess.Popen[Any], number: int) -> None:
        (send if number == getattr(signal, "SIGKILL", None) else refuse)(process, number)

    with (
        mock.patch.object(signal, "raise_signal", refuse),
        mock.patch.object(subprocess.Popen, "send_signal", kill_only),
    ):
        yield


@contextmanager
def running(command: list[str], **how: Any) -> Iterator[subprocess.Popen[Any]]:
    """A process that does not outlive the block, and whose pipes are closed."""
    process = subprocess.Popen(command, **how)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
