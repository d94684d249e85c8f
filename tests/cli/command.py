"""The command as a process of its own, as users run it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


def entropick(*arguments: object, folder: Path, stdin: bytes = b"", **environment: str) -> Outcome:
    done = subprocess.run(
        [sys.executable, "-m", "entropick", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=folder,
        timeout=120,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1", **environment},
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


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
