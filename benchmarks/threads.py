"""How the work of the default divides among threads. Writes threads.md."""

from __future__ import annotations

import argparse
import os
import platform
import time
import warnings
from pathlib import Path

import numpy as np

from entropick import CrossEntropySelector, __version__
from entropick._stages import watching


def fit(n: int, m: int, n_threads: int) -> tuple[float, dict[str, float]]:
    """Seconds of a fit, and of each of its stages."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, m))
    y = (X[:, :5].sum(axis=1) + rng.normal(size=n) > 0).astype(int)
    spent: dict[str, float] = {}
    now, since = "reading", time.perf_counter()

    def heard(stage: str, done: int, total: int | None) -> None:
        nonlocal now, since
        if stage != now:
            spent[now] = spent.get(now, 0.0) + time.perf_counter() - since
            now, since = stage, time.perf_counter()

    began = time.perf_counter()
    with warnings.catch_warnings(), watching(heard):
        warnings.simplefilter("ignore")
        CrossEntropySelector(random_state=0, n_jobs=n_threads).fit(X, y)
    heard("", 0, None)
    return time.perf_counter() - began, spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=200)
    parser.add_argument("--threads", default="1,2,4,8,16")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    given = parser.parse_args()
    numbers = [int(n) for n in given.threads.split(",") if int(n) <= (os.cpu_count() or 1)]
    fit(1000, 20, 1)  # what is set up once
    runs = {n: min((fit(given.rows, given.columns, n) for _ in range(2)), key=lambda run: run[0]) for n in numbers}
    one = runs[numbers[0]][0]
    stages = list(dict.fromkeys(stage for _, spent in runs.values() for stage in spent))
    lines = [
        "# Threads\n",
        f"""\
`CrossEntropySelector()` of entropick {__version__} on {given.rows} × {given.columns}, {os.cpu_count()} cores,
Python {platform.python_version()}, NumPy {np.__version__}; the quicker of two fits, in seconds. Serial part: what
Amdahl's law makes of the speed. Written by `benchmarks/threads.py`.
""",
        f"| threads | seconds | times as fast | serial part | {' | '.join(stages)} |",
        "|---" * (4 + len(stages)) + "|",
    ]
    for n, (seconds, spent) in runs.items():
        serial = f"{(n * seconds / one - 1) / (n - 1):.0%}" if n > 1 else ""
        parts = [f"{spent.get(stage, 0.0):.2f}" for stage in stages]
        lines.append(f"| {n} | {seconds:.2f} | {one / seconds:.2f} | {serial} | {' | '.join(parts)} |")
    text = "\n".join(lines) + "\n"
    print(text)
    given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
