"""Who is sure and wrong, and how often: known answers beside useless columns, ours and Boruta's. Writes sure.md.

Boruta runs where it is installed (`pip install .[quality]`), on the first draws of each cell.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed, parallel_config
from numpy.typing import NDArray
from sklearn.datasets import load_iris, make_classification, make_friedman1
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from entropick import CrossEntropySelector, __version__

Rng = np.random.Generator


class Drawn(NamedTuple):
    X: NDArray[Any]
    y: NDArray[Any]
    real: set[int]
    useless: set[int]  # of the others, some may stand for a real one


class Cell(NamedTuple):
    words: str
    draw: Callable[[Rng], Drawn]
    independent: bool = True  # whether the useless columns are independent of each other


class Found(NamedTuple):
    real: float  # share of the real columns that are sure
    useless: int  # useless columns that are
    in_answer: float
    seconds: float


def drawn(X: NDArray[Any], y: NDArray[Any], real: set[int], alike: set[int] | None = None) -> Drawn:
    """All columns that are neither real nor like a real one are useless."""
    return Drawn(X, y, real, set(range(X.shape[1])) - real - (alike or set()))


def classes(rng: Rng, signal: NDArray[Any]) -> NDArray[Any]:
    """A signal with as much noise, cut at its median."""
    noisy = signal + signal.std() * rng.normal(size=len(signal))
    return np.asarray(noisy > np.median(noisy), dtype=np.int64)


def half_real(rng: Rng) -> Drawn:
    X = rng.normal(size=(1000, 20))
    return drawn(X, classes(rng, X[:, :10].sum(axis=1)), set(range(10)))


def three_of_many(rng: Rng) -> Drawn:
    X = rng.normal(size=(300, 1000))
    return drawn(X, classes(rng, X[:, :3].sum(axis=1)), {0, 1, 2})


def among_coins(rng: Rng) -> Drawn:
    X = rng.integers(2, size=(400, 33)).astype(float)
    X[:, :3] = rng.normal(size=(400, 3))
    return drawn(X, classes(rng, X[:, :3].sum(axis=1)), {0, 1, 2})


def among_rare(rng: Rng) -> Drawn:
    X = (rng.random((1000, 40)) < 0.02).astype(float)
    X[:, :3] = rng.normal(size=(1000, 3))
    return drawn(X, classes(rng, X[:, :3].sum(axis=1)), {0, 1, 2})


def blocks(rng: Rng) -> Drawn:
    """Eight blocks of five columns with r = .9; the first of two blocks are real."""
    shared = np.repeat(rng.normal(size=(400, 8)), 5, axis=1)
    X = np.sqrt(0.9) * shared + np.sqrt(0.1) * rng.normal(size=(400, 40))
    return drawn(X, classes(rng, X[:, 0] + X[:, 5]), {0, 5}, set(range(1, 10)))


def friedman(rng: Rng) -> Drawn:
    X, y = make_friedman1(300, 10, noise=1.0, random_state=int(rng.integers(2**31)))
    return drawn(X, y, set(range(5)))


def hypercube(rng: Rng) -> Drawn:
    seed = int(rng.integers(2**31))
    X, y = make_classification(500, 20, n_informative=5, n_redundant=2, shuffle=False, random_state=seed)
    return drawn(X, y, set(range(5)), {5, 6})


def nonsense(rng: Rng) -> Drawn:
    """The example of Boruta's manual: iris beside its own columns, shuffled."""
    X, y = load_iris(return_X_y=True)
    shuffled = np.column_stack([rng.permutation(column) for column in X.T])
    return drawn(np.hstack([X, shuffled]), y, set(range(4)))


CELLS = {
    "half": Cell("1000 × 20, ten real", half_real),
    "many": Cell("300 × 1000, three real", three_of_many),
    "coins": Cell("400 × 33, three real numbers among coins", among_coins),
    "rare": Cell("1000 × 40, three real numbers among indicators of 2 %", among_rare),
    "blocks": Cell("400 × 40, eight blocks with r = .9, two of them real", blocks, independent=False),
    "friedman1": Cell("`make_friedman1`, 300 × 10, five real", friedman),
    "make_classification": Cell("`make_classification`, 500 × 20, five real", hypercube),
    "iris": Cell("iris beside its columns, shuffled", nonsense),
}


def ours(X: NDArray[Any], y: NDArray[Any], seed: int) -> tuple[set[int], set[int]]:
    selector = CrossEntropySelector(random_state=seed, n_jobs=1).fit(X, y)
    sure = np.zeros(X.shape[1], dtype=bool) if selector.verdict_ is None else selector.verdict_ == "sure"
    return set(np.flatnonzero(sure).tolist()), set(np.flatnonzero(selector.support_).tolist())


def boruta(X: NDArray[Any], y: NDArray[Any], seed: int) -> tuple[set[int], set[int]]:
    from boruta import BorutaPy

    kind = RandomForestRegressor if y.dtype.kind == "f" else RandomForestClassifier
    forest = kind(100, max_depth=7, random_state=seed, n_jobs=1)
    support = BorutaPy(forest, "auto", max_iter=50, random_state=seed).fit(X, y).support_
    found = set(np.flatnonzero(support).tolist())
    return found, found


METHODS = {"entropick": ours, "Boruta": boruta}


def run(cell: str, method: str, seed: int) -> Found:
    X, y, real, useless = CELLS[cell].draw(np.random.default_rng([seed, list(CELLS).index(cell)]))
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sure, answer = METHODS[method](X, y, seed)
    seconds = time.process_time() - began
    return Found(len(sure & real) / len(real), len(sure & useless), len(answer & real) / len(real), seconds)


def share(values: NDArray[Any]) -> str:
    """A mean with its standard error."""
    return f"{values.mean():.2f} ± {values.std() / np.sqrt(len(values)):.2f}"


def page(found: dict[tuple[str, str], list[Found]], copies: int) -> list[str]:
    rival = f", Boruta {version('Boruta')}" if find_spec("boruta") else ""
    lines = [
        "# Sure, and wrong\n",
        f"""\
Known answers: real columns beside useless ones. With {copies} copies of the table, any useless column is to be sure
in at most {1 / (1 + copies):.2f} of the tables, and {1 / copies:.2f} useless columns on average where they are
independent of each other. Boruta promises nothing of the kind; it is here for its power.
entropick {__version__}{rival}; written by `benchmarks/sure.py`.
""",
        "| | tables | real ones sure | tables with a useless one sure | useless ones sure | seconds | as promised |",
        "|---|---|---|---|---|---|---|",
    ]
    for (name, method), runs in found.items():
        power, wrong = np.array([run.real for run in runs]), np.array([run.useless for run in runs])
        is_ours = method == "entropick"
        cells = [
            CELLS[name].words if is_ours else f"– {method}",
            str(len(runs)),
            *map(share, (power, wrong > 0, wrong)),
        ]
        cells += [f"{np.mean([run.seconds for run in runs]):.1f}"]
        cells += [promise(wrong, copies, CELLS[name].independent) if is_ours else ""]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def promise(wrong: NDArray[Any], copies: int, independent: bool) -> str:
    """Whether both bounds hold, within two standard errors."""

    def holds(values: NDArray[Any], most: float) -> bool:
        return bool(values.mean() <= most + 2 * values.std() / np.sqrt(len(values)))

    kept = holds(wrong > 0, 1 / (1 + copies)) and (not independent or holds(wrong, 1 / copies))
    return "yes" if kept else "**no**"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--rival-draws", type=int, default=20)
    parser.add_argument("--cells", default=",".join(CELLS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    given = parser.parse_args()
    draws = {"entropick": given.draws, "Boruta": given.rival_draws if find_spec("boruta") else 0}
    cells = given.cells.split(",")
    tasks = [(cell, method, seed) for cell in cells for method in METHODS for seed in range(draws[method])]
    tasks.sort(key=lambda task: task[0] != "many")  # the dearest first
    with parallel_config("loky", inner_max_num_threads=1):
        runs = Parallel(given.jobs)(delayed(run)(*task) for task in tasks)
    found = {(cell, method): list[Found]() for cell in cells for method in METHODS if draws[method]}
    for (cell, method, _), result in zip(tasks, runs, strict=True):
        found[cell, method].append(result)
    text = "\n".join(page(found, 4)) + "\n"
    print(text)
    given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
