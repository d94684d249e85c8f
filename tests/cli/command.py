"""The command as a process of its own, as users run it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


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
