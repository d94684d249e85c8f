"""One command on a table of 1,000,000 rows and 50 columns: memory, time, and when the progress bar first appears.

The command runs in a terminal of its own, so that everything it draws can be timed.
python benchmarks/big_file.py [--rows 1000000]
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import resource
import select
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

ROWS = 1_000_000
ALLOWANCE = 400e6  # bytes besides three times the file


@dataclass(frozen=True)
class Run:
    seconds: float
    peak: float  # bytes
    frames: list[tuple[float, str]]  # when something was drawn, and what
    status: int


def make_table(path: Path, rows: int) -> None:
    """Forty real columns and ten of words; four of the reals and one of the words make the target."""
    rng = np.random.default_rng(0)
    reals = rng.normal(size=(rows, 40))
    words = rng.integers(0, 6, size=(rows, 10))
    signal = reals[:, 3] + reals[:, 11] * reals[:, 17] + 0.8 * (words[:, 2] == 1) + 0.5 * reals[:, 29]
    target = np.where(signal + 0.5 * rng.normal(size=rows) > 0.5, "yes", "no")
    columns = {f"real_{j}": reals[:, j].round(6) for j in range(40)}
    levels = np.array(["red", "green", "blue", "black", "white", "grey"])
    texts = {f"word_{j}": levels[words[:, j]] for j in range(10)}
    pl.DataFrame({**columns, **texts, "outcome": target}).write_csv(path)


def run(arguments: list[str]) -> Run:
    """Run a command in a terminal and watch it."""
    began = time.monotonic()
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(COLUMNS="120", LINES="40", TERM="xterm")
        os.execv(sys.executable, [sys.executable, "-m", "entropick", *arguments])
    frames: list[tuple[float, str]] = []
    while True:
        ready, _, _ = select.select([terminal], [], [], 0.02)
        if ready:
            try:
                drawn = os.read(terminal, 1 << 16)
            except OSError:
                break
            if not drawn:
                break
            frames.append((time.monotonic() - began, drawn.decode("utf-8", "replace")))
    _, status = os.waitpid(child, 0)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024.0
    return Run(time.monotonic() - began, peak, frames, os.waitstatus_to_exitcode(status))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=ROWS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "big.csv"
        make_table(table, options.rows)
        size = table.stat().st_size
        page = Path(folder) / "big.html"
        ran = run(["select", str(table), "--target", "outcome", "--report", str(page)])
        bar = [(when, text) for when, text in ran.frames if "━" in text or "╸" in text]
        states = {re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text) for when, text in bar}
        gaps = np.diff([when for when, _ in bar])
        limit = 3 * size + ALLOWANCE
        verdict = "met" if ran.peak < limit else "EXCEEDED"
        lines = [
            "# One command on a large file",
            "",
            "`python benchmarks/big_file.py` writes this page.",
            "",
            f"- table: {options.rows:,} rows, 50 columns and a target, {size / 1e6:.0f} MB as CSV",
            f"- `entropick select big.csv -t outcome --report big.html`: {ran.seconds:.1f} s, exit status {ran.status}",
            f"- peak memory: {ran.peak / 1e6:.0f} MB of {limit / 1e6:.0f} MB (3 times the file plus 400 MB): {verdict}",
            f"- progress bar: after {bar[0][0]:.2f} s, then {len(states)} updates, at most {max(gaps):.2f} s apart",
        ]
        print("\n".join(lines))
        if options.rows == ROWS:
            Path(__file__).with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
