"""One-dependence scores against the plain loop: 10 000 rows, 100 columns of five levels, 1000 rows whose loss counts.

usage: python benchmarks/one_dependence.py

Needs a C compiler, and a quiet machine. Writes one_dependence.md next to this file.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick.criteria import EXPONENTS, DependenceTables, one_dependence
from entropick.criteria._dependence import LevelCounts
from entropick.encode import CodeTable
from entropick.engine import make_engine

HERE = Path(__file__).parent
N_ROWS, N_COLUMNS, N_LEVELS, N_LOSSES = 10_000, 100, 5, 1000
SIX = np.array([1, 0.7, 0.5, 0.35, 0.25, 0.15])


def plain(folder: Path) -> ctypes.CDLL:
    """The plain loop, compiled."""
    library = folder / "plain.so"
    source = HERE / "plain_one_dependence.c"
    subprocess.run(["cc", "-O3", "-shared", "-fPIC", str(source), "-o", str(library), "-lm"], check=True)
    return ctypes.CDLL(str(library))


def plain_scorer(
    library: ctypes.CDLL, table: CodeTable, tables: DependenceTables, rows: NDArray[np.int64]
) -> Callable[[NDArray[np.bool_]], NDArray[np.float64]]:
    """The function from masks to mean losses by the plain loop, which wants the tables in an order of its own."""
    levels, offsets = table.levels.astype(np.int32), tables.offsets
    parts: dict[str, list[NDArray[np.float32]]] = {"others": [], "own": []}
    start, position = np.empty((table.n_columns, table.n_columns), dtype=np.int64), 0
    for i in range(table.n_columns):
        of_i = slice(offsets[i], offsets[i] + levels[i])
        for j in range(table.n_columns):
            of_j = slice(offsets[j], offsets[j] + levels[j])
            for name, part in parts.items():
                pair = getattr(tables, name)[of_i, :, of_j].transpose(0, 2, 1)  # parent, child, class
                part.append((pair[np.arange(levels[i]), np.arange(levels[i])] if i == j else pair).ravel())
            start[i, j] = position
            position += part[-1].size
    others, own = (np.concatenate(part).astype(np.float32) for part in parts.values())
    codes = np.stack(table.columns)
    classes, prior = table.classes.astype(np.uint8), tables.log_prior.astype(np.float32)
    loss_rows = rows.astype(np.int32)

    def score(masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        out, at = np.empty(len(masks)), [as_pointer(a) for a in (codes, levels, classes, others, own, start, prior)]
        library.plain_one_dependence(
            *(at[0], table.n_columns, table.n_rows, at[1], at[2], len(prior), at[3], at[4], at[5], at[6]),
            *(as_pointer(loss_rows), len(loss_rows), as_pointer(masks), len(masks), as_pointer(SIX), len(SIX)),
            as_pointer(out),
        )
        return out

    return score


def as_pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    """Where an array begins."""
    return ctypes.c_void_p(array.ctypes.data)


def seconds(score: Callable[[NDArray[np.bool_]], object], masks: NDArray[np.bool_], times: int = 5) -> float:
    """The least time of a few calls."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        score(masks)
        found.append(time.perf_counter() - start)
    return min(found)


def measure(library: ctypes.CDLL, n_classes: int) -> Iterator[str]:
    """A line of the table for each batch of masks."""
    rng = np.random.default_rng(0)
    classes = rng.integers(0, n_classes, N_ROWS)
    codes = (
        rng.integers(0, N_LEVELS, (N_COLUMNS, N_ROWS)) + (rng.random((N_COLUMNS, N_ROWS)) < 0.3) * classes
    ) % N_LEVELS
    table = CodeTable(tuple(codes.astype(np.uint8)), np.full(N_COLUMNS, N_LEVELS), classes)
    tables = one_dependence.tables(LevelCounts(table, one_dependence.most_levels))
    rows = np.sort(rng.permutation(N_ROWS)[:N_LOSSES])
    theirs = plain_scorer(library, table, tables, rows)
    sizes = rng.integers(5, 21, 400)
    random = rng.random((400, N_COLUMNS)).argsort(axis=1) < sizes[:, None]
    flips = np.eye(N_COLUMNS, dtype=bool) ^ (np.arange(N_COLUMNS) < 15)
    for name, masks in (("400 random subsets of 5 to 20 columns", random), ("all flips of 15 columns", flips)):
        few = masks[:40]
        slow = seconds(theirs, few) / len(few)
        times = [
            seconds(make_engine("native", table, n_threads).dependence(tables, rows).means, masks) / len(masks)
            for n_threads in (1, 2)
        ]
        ours = " | ".join(f"{1e6 * fast:.0f} µs, {slow / fast:.1f} ×" for fast in times)
        yield f"| {n_classes} | {name} | {1e6 * slow:.0f} µs | {ours} |"


def main() -> None:
    page = [
        "# One-dependence scores against a plain loop\n",
        f"{N_ROWS} rows, {N_COLUMNS} columns of {N_LEVELS} levels, {N_LOSSES} rows whose loss counts; time of a",
        "subset. The plain loop is one thread of C at -O3, single precision, with six exponents. Ours is in double",
        f"precision and finds the best of {len(EXPONENTS)} exponents. Written by `benchmarks/one_dependence.py`.\n",
        "| classes | subsets | plain loop | one thread | two threads |",
        "|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        loop = plain(Path(folder))
        page += [line for n_classes in (2, 10) for line in measure(loop, n_classes)]
    text = "\n".join(page) + "\n"
    print(text)
    Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
