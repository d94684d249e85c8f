"""The command, run in this process, or in one of its own where a process is the point."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import numpy as np
import polars as pl

from entropick.cli import main
from entropick.search._checkpoint import read

PLAIN = {"COLUMNS": "100", "NO_COLOR": "1"}  # what is written does not depend on the terminal of who tests
# For tests that need some selection, quickly, and are about something else.
QUICK = ("-c", "reliable", "--no-null", "--no-halves")


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


def entropick(*arguments: object, folder: Path, stdin: bytes = b"", **environment: str) -> Outcome:
    """What the command does, without the seconds that a process takes to begin.

    Streams, folder, environment, filters of warnings and handlers of signals are given back as they were.
    """
    with _streams(stdin) as (out, err), _elsewhere(folder, environment), _as_they_were():
        status = main([str(argument) for argument in arguments])
    return Outcome(status, out.getvalue().decode(), err.getvalue().decode())


def entropick_process(*arguments: object, folder: Path, stdin: bytes = b"", **environment: str) -> Outcome:
    """What `python -m entropick` does: for pipes, devices, encodings and all else that is of the process."""
    done = subprocess.run(
        [sys.executable, "-m", "entropick", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=folder,
        timeout=120,
        env={**os.environ, **PLAIN, **environment},
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


@contextlib.contextmanager
def _streams(stdin: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    out, err = io.BytesIO(), io.BytesIO()
    inside = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    outside = [io.TextIOWrapper(stream, encoding="utf-8", write_through=True) for stream in (out, err)]
    with mock.patch.multiple(sys, stdin=inside, stdout=outside[0], stderr=outside[1]):
        yield out, err
    for wrapper in outside:
        wrapper.detach()  # or its end would close what was captured


@contextlib.contextmanager
def _elsewhere(folder: Path, environment: dict[str, str]) -> Iterator[None]:
    with contextlib.chdir(folder), mock.patch.dict(os.environ, {**PLAIN, **environment}):
        yield


@contextlib.contextmanager
def _as_they_were() -> Iterator[None]:
    """Warnings are errors here, as in all tests; filters and handlers that the command sets do not outlive it."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with warnings.catch_warnings():
            yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def has_scores(checkpoint: Path) -> bool:
    """Whether a search has saved scores; its file is there before, empty or with a head only."""
    return checkpoint.exists() and checkpoint.stat().st_size > 0 and len(read(checkpoint)[1]) > 0


def wait_until(happened: Callable[[], object], process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    """Until the process has come so far; it must not end before."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)


def refused(outcome: Outcome) -> str:
    """The one sentence on standard error; nothing else is said."""
    assert outcome.status == 2, outcome
    assert outcome.out == ""
    assert outcome.err.startswith("entropick: ")
    assert outcome.err.count("\n") == 1, outcome.err
    assert "Traceback" not in outcome.err
    return outcome.err.removeprefix("entropick: ").strip()


def patients() -> pl.DataFrame:
    """A table as people have them: an id, words, numbers, gaps; the outcome is age over 60 exclusive-or smoking."""
    rng = np.random.default_rng(1)
    n = 400
    age, smoker = rng.integers(18, 90, n), rng.choice(["yes", "no", "former"], n)
    ill = (age > 60) ^ (smoker == "yes") ^ (rng.random(n) < 0.05)
    bmi = rng.normal(27, 4, n).round(1)
    return pl.DataFrame(
        {
            "patient": [f"P{i:04d}" for i in range(n)],
            "age": age,
            "bmi": [None if i % 9 == 0 else value for i, value in enumerate(bmi.tolist())],
            "smoker": smoker,
            "city": rng.choice(["Roma", "Pisa", "Ålesund"], n),
            "hospital": ["St. Anna, West"] * n,
            "zip": [f"{i % 50:05d}" for i in range(n)],
            "outcome": np.where(ill, "ill", "well"),
        }
    )
