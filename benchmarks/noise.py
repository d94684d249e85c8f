"""Does the default say so when there is nothing to find, and does it find what is weak? Writes noise.md.

`--seeds 2` is a first look, which writes nothing: one table of noise of each kind and shape. What is done is kept in
noise.partial, and a run that was stopped goes on from there; the file is removed at the end.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed, parallel_config
from numpy.typing import NDArray

from entropick import CrossEntropySelector, __version__

Rng = np.random.Generator
Draw = Callable[[Rng, int, int], NDArray[Any]]

SHAPES = ((100, 20), (150, 60), (500, 30), (300, 100), (1000, 50), (200, 200), (100, 500), (300, 1000))
DEAR = (300, 1000)  # as long as all others together: a third of the tables
MOST = 0.05  # of noise tables that may give anything
PARTIAL = Path(__file__).with_suffix(".partial")


def coins(rng: Rng, n: int, m: int) -> NDArray[Any]:
    return rng.integers(2, size=(n, m))


def normals(rng: Rng, n: int, m: int) -> NDArray[Any]:
    return rng.normal(size=(n, m))


def levels(rng: Rng, n: int, m: int) -> NDArray[Any]:
    return rng.integers(5, size=(n, m))


KINDS: dict[str, tuple[Draw, Callable[[Rng, int], NDArray[Any]]]] = {
    "coins, y a coin": (coins, lambda rng, n: rng.integers(2, size=n)),
    "normals, y a coin": (normals, lambda rng, n: rng.integers(2, size=n)),
    "five levels, y of three classes": (levels, lambda rng, n: rng.integers(3, size=n)),
    "normals, y a number": (normals, lambda rng, n: rng.normal(size=n)),
    "five levels, y a number": (levels, lambda rng, n: rng.normal(size=n)),
}


def coin_among_coins(rng: Rng) -> tuple[NDArray[Any], NDArray[Any]]:
    X, y = coins(rng, 500, 30), rng.integers(2, size=500)
    X[:, 0] = np.where(rng.random(500) < 0.63, y, 1 - y)
    return X, y


def coin_among_many(rng: Rng) -> tuple[NDArray[Any], NDArray[Any]]:
    """1 − H(.724) = .15 bits."""
    X, y = coins(rng, 300, 1000), rng.integers(2, size=300)
    X[:, 0] = np.where(rng.random(300) < 0.724, y, 1 - y)
    return X, y


def pair_among_many(rng: Rng) -> tuple[NDArray[Any], NDArray[Any]]:
    """.35 bits with 15 % of the rows wrong, and nothing in either column alone."""
    X = rng.integers(3, size=(1600, 1000))
    return X, (((X[:, 0] + X[:, 1]) % 3 == 0) ^ (rng.random(1600) < 0.15)).astype(int)


POWER: dict[str, tuple[Callable[[Rng], tuple[NDArray[Any], NDArray[Any]]], set[int]]] = {
    "a coin that agrees with y in 63 % of 500 rows, 29 others": (coin_among_coins, {0}),
    "a coin worth .15 bits, 300 rows, 999 others": (coin_among_many, {0}),
    "a pair worth .35 bits and nothing alone, 1600 rows, 998 others": (pair_among_many, {0, 1}),
}


class Found(NamedTuple):
    columns: set[int]
    seconds: float


def fit(X: NDArray[Any], y: NDArray[Any], seed: int) -> Found:
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is nothing is a warning
        selector = CrossEntropySelector(random_state=seed, n_jobs=1).fit(X, y)
    return Found(set(np.flatnonzero(selector.get_support()).tolist()), time.process_time() - began)


def fit_noise(kind: str, shape: tuple[int, int], seed: int) -> Found:
    rng = np.random.default_rng([seed, *shape])
    draw, target = KINDS[kind]
    X = draw(rng, *shape)
    return fit(X, target(rng, shape[0]), seed)


def fit_power(name: str, seed: int) -> Found:
    X, y = POWER[name][0](np.random.default_rng(seed))
    return fit(X, y, seed)


def run_all(parallel: Parallel, fit_one: Callable[..., Found], tasks: Sequence[tuple[Any, ...]]) -> list[Found]:
    """What is found in each task; those that are done are not done again."""
    names = [json.dumps([fit_one.__name__, *task]) for task in tasks]
    done: dict[str, Found] = {}
    if PARTIAL.exists():
        for line in PARTIAL.read_text(encoding="utf-8").splitlines():
            name, columns, seconds = json.loads(line)
            done[name] = Found(set(columns), seconds)
    todo = [(name, task) for name, task in zip(names, tasks, strict=True) if name not in done]
    found = parallel(delayed(fit_one)(*task) for _, task in todo)
    with PARTIAL.open("a", encoding="utf-8") as file:
        for (name, _), run in zip(todo, found, strict=True):
            done[name] = run
            file.write(json.dumps([name, sorted(run.columns), run.seconds]) + "\n")
            file.flush()
    return [done[name] for name in names]


def noise_table(parallel: Parallel, seeds: int) -> list[str]:
    cells = {(kind, shape): max(1, seeds // 3) if shape == DEAR else seeds for kind in KINDS for shape in SHAPES}
    tasks = [(kind, shape, seed) for (kind, shape), times in cells.items() for seed in range(times)]
    runs = run_all(parallel, fit_noise, tasks)
    by_cell: dict[tuple[str, tuple[int, int]], list[Found]] = {cell: [] for cell in cells}
    for (kind, shape, _), found in zip(tasks, runs, strict=True):
        by_cell[kind, shape].append(found)
    given = sum(bool(found.columns) for found in runs)
    lines = [f"{given} of {len(runs)} tables of noise give any column; at most {MOST * len(runs):.0f} should.\n"]
    lines.append("| tables that do | " + " | ".join(f"{n} × {m}" for n, m in SHAPES) + " |")
    lines.append("|---" * (len(SHAPES) + 1) + "|")
    for kind in KINDS:
        row = [f"{sum(bool(f.columns) for f in by_cell[kind, shape])} of {cells[kind, shape]}" for shape in SHAPES]
        lines.append(f"| {kind} | {' | '.join(row)} |")
    times = [np.mean([f.seconds for kind in KINDS for f in by_cell[kind, shape]]) for shape in SHAPES]
    return [*lines, f"| seconds of processor time a fit | {' | '.join(f'{seconds:.1f}' for seconds in times)} |"]


def power_table(parallel: Parallel, seeds: int) -> list[str]:
    lines = ["| what there is to find | found in | other columns kept | seconds |", "|---|---|---|---|"]
    for name, (_, relevant) in POWER.items():
        runs = run_all(parallel, fit_power, [(name, seed) for seed in range(seeds)])
        found = sum(relevant <= run.columns for run in runs)
        others = np.mean([len(run.columns - relevant) for run in runs])
        seconds = np.mean([run.seconds for run in runs])
        lines.append(f"| {name} | {found} of {seeds} | {others:.1f} | {seconds:.2f} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10, help="of what there is to find; noise has six tenths")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    with parallel_config("loky", inner_max_num_threads=1):
        parallel = Parallel(n_jobs=given.jobs, return_as="generator")
        noise, power = noise_table(parallel, max(1, given.seeds * 6 // 10)), power_table(parallel, given.seeds)
    how = f"`CrossEntropySelector()` of entropick {__version__}, one thread a fit, {given.jobs} at a time."
    page = ["# Noise, and what is weak\n", f"{how} Written by `benchmarks/noise.py`.\n", *noise, "", *power]
    text = "\n".join(page) + "\n"
    print(text)
    if given.seeds >= 10:
        Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")
        PARTIAL.unlink()


if __name__ == "__main__":
    main()
