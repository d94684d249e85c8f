"""Whether time limits are kept, default fits are quick and memory stays bounded, on tables that make one of it hard.

Every case runs in its own process, so that peak memory is measured separately. A time limit is kept within 10% and a
second; a model of your own may exceed it by the one subset it is working on.
python benchmarks/limits.py [--only WORD]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Table = tuple[NDArray[Any], NDArray[Any]]


def numbers(rows: int, columns: int, classes: int = 2) -> Table:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, size=(rows, columns)).astype(np.int8)
    y = (X[:, 0] > 0) ^ (X[:, 1] > 0) if classes == 2 else (X[:, :6] @ 3 ** np.arange(6) + X[:, 6]) % classes
    return X, y.astype(np.int64)


def reals(rows: int, columns: int) -> Table:
    X = np.random.default_rng(0).normal(size=(rows, columns))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(np.int64)


def words(rows: int, columns: int, levels: int, classes: int) -> Table:
    rng = np.random.default_rng(0)
    X = np.array([f"w{i}" for i in range(levels)], dtype=object)[rng.integers(0, levels, size=(rows, columns))]
    return X, rng.integers(0, classes, size=rows)


@dataclass(frozen=True)
class Case:
    """A table, how it is fitted, and the limits of the fit."""

    name: str
    make: Callable[[], Table]
    seconds: float | None = None
    search: str = "cross_entropy"
    settings: dict[str, Any] | None = None
    aim: float | None = None  # seconds that a fit without a limit should take at most
    memory: float | None = None  # bytes that the peak must stay below


def slow_model() -> dict[str, Any]:
    from sklearn.neighbors import KNeighborsClassifier

    from entropick import ClassifierScore

    return {"criterion": ClassifierScore(KNeighborsClassifier(3), cv=5)}


UNTESTED = {"null": False}
CASES = (
    Case("your own model (3-NN, 5 folds), 20,000 × 100", lambda: reals(20_000, 100), 2, settings={"slow": True}),
    Case(
        "auto, 20,000 × 100 with 5,000 levels, 500 classes",
        lambda: words(20_000, 100, 5000, 500),
        5,
        settings={"criterion": "auto"},
    ),
    Case(
        "exactly 5,000 of 20,000 columns, `reliable`, 200 rows",
        lambda: numbers(200, 20_000),
        2,
        settings={"criterion": "reliable", "n_features_to_select": 5000},
    ),
    Case(
        "exactly 20 of 20,000 columns, 200 rows", lambda: numbers(200, 20_000), 2, settings={"n_features_to_select": 20}
    ),
    Case("auto, 200,000 × 100, 100 classes", lambda: numbers(200_000, 100, 100), 2, settings={"criterion": "auto"}),
    Case("forward, 60 × 100,000", lambda: numbers(60, 100_000), 20, "forward"),
    Case("the default, 1,000,000 × 100", lambda: reals(1_000_000, 100), 2),
    Case("the default, 200 × 20,000", lambda: numbers(200, 20_000), 2),
    Case("the default, 200,000 × 100", lambda: reals(200_000, 100), 2),
    Case("backward, 200 × 20,000", lambda: numbers(200, 20_000), 3, "backward"),
    Case(
        "branch and bound, `reliable`, 200 × 20,000",
        lambda: numbers(200, 20_000),
        3,
        "branch_and_bound",
        {"criterion": "reliable"},
    ),
    Case("genetic, 200 × 20,000", lambda: numbers(200, 20_000), 3, "genetic"),
    Case("particle swarm, 200 × 20,000", lambda: numbers(200, 20_000), 3, "particle_swarm"),
    Case("to the end, 10,000 × 100", lambda: reals(10_000, 100), aim=40),
    Case("to the end, not compared with chance, 10,000 × 100", lambda: reals(10_000, 100), settings=UNTESTED, aim=10),
    Case("to the end, 72 × 7,000", lambda: reals(72, 7000), aim=80),
    Case("to the end, not compared with chance, 72 × 7,000", lambda: reals(72, 7000), settings=UNTESTED, aim=20),
    Case("to the end, 60 × 100,000", lambda: numbers(60, 100_000), memory=1e9),
    Case("to the end, 200 × 20,000", lambda: numbers(200, 20_000), memory=1e9),
    Case("to the end, exactly 20, 200 × 20,000", lambda: numbers(200, 20_000), settings={"n_features_to_select": 20}),
    Case("to the end, at most 20, 200 × 20,000", lambda: numbers(200, 20_000), settings={"max_features": 20}),
)


def run(case: Case) -> dict[str, Any]:
    """Fit in this process, and return what was measured."""
    from entropick import SubsetSelector

    settings = dict(case.settings or {})
    if settings.pop("slow", False):
        settings.update(slow_model())
    X, y = case.make()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0
    selector = SubsetSelector(case.search, max_seconds=case.seconds, random_state=0, **settings)
    began = time.monotonic()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        selector.fit(X, y)
    return {
        "seconds": time.monotonic() - began,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0,
        "before": before,
        "evaluations": selector.n_evaluations_,
        "columns": selector.n_features_,
        "warnings": [str(warning.message) for warning in caught],
    }


def verdict(case: Case, ran: dict[str, Any]) -> str:
    """Whether the limit is kept; a model of your own may exceed it if there is a warning."""
    if case.seconds is not None:
        limit = 1.1 * case.seconds + 1
        warned = any("was exceeded" in sentence for sentence in ran["warnings"])
        if ran["seconds"] > limit:
            return "exceeded, with a warning" if warned and "slow" in (case.settings or {}) else "EXCEEDED"
        return f"kept (at most {limit:.1f} s)"
    if case.aim is not None:
        return f"{'kept' if ran['seconds'] <= case.aim else 'EXCEEDED'} (aim: {case.aim:g} s)"
    if case.memory is not None:
        return f"{'kept' if ran['peak'] < case.memory else 'EXCEEDED'} (at most {case.memory / 1e6:.0f} MB)"
    return ""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="only cases whose name contains this word")
    parser.add_argument("--case", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case is not None:
        print(json.dumps(run(CASES[options.case])))
        return
    lines = [
        "# Limits of time and memory",
        "",
        "`python benchmarks/limits.py` writes this page. A time limit counts from the start of `fit`, encoding",
        "included; it is kept if `fit` returns within 10% and a second of it. The criterion is the default one",
        f"unless another is named; {os.cpu_count()} cores. Peak memory is that of the whole process; in brackets, that",
        "of the table and the libraries alone.",
        "",
        "| case | limit | took | subsets | columns kept | peak memory | |",
        "|---|---|---|---|---|---|---|",
    ]
    for number, case in enumerate(CASES):
        if options.only not in case.name:
            continue
        command = [sys.executable, __file__, "--case", str(number)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        ran = json.loads(done.stdout)
        limit = "" if case.seconds is None else f"{case.seconds:g} s"
        lines.append(
            f"| {case.name} | {limit} | {ran['seconds']:.1f} s | {ran['evaluations']} | {ran['columns']} | "
            f"{ran['peak'] / 1e6:.0f} MB ({ran['before'] / 1e6:.0f}) | {verdict(case, ran)} |"
        )
        print(lines[-1], *ran["warnings"], sep="\n    ", flush=True)
    if not options.only:
        Path(__file__).with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
