"""Is the curve right? What it says of the number it chooses, beside what fresh rows say. Writes curve.md."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed, parallel_config
from numpy.typing import NDArray
from sklearn.datasets import make_classification, make_friedman1

from entropick import CrossEntropySelector, __version__
from entropick import path as paths
from entropick.encode import encode
from entropick.scorer import Scorers

Table = tuple[NDArray[Any], NDArray[Any]]
FRESH = 100  # rows a table


def sums(rng: np.random.Generator, n: int) -> Table:
    """A class that ten of thirty columns shift, some more than others."""
    X = rng.normal(size=(n, 30))
    return X, (X[:, :10] @ np.linspace(1.0, 0.1, 10) + rng.normal(size=n) > 0).astype(int)


def clusters(rng: np.random.Generator, n: int) -> Table:
    """Clusters on the corners of a cube of six of thirty columns."""
    X, y = make_classification(
        n, 30, n_informative=6, n_redundant=4, n_clusters_per_class=2, random_state=int(rng.integers(2**31))
    )
    return X, y


def friedman(rng: np.random.Generator, n: int) -> Table:
    X, y = make_friedman1(n, 20, noise=1.0, random_state=int(rng.integers(2**31)))
    return X, y


KINDS: dict[str, Callable[[np.random.Generator, int], Table]] = {
    "a class, ten of 30 columns": sums,
    "`make_classification`, ten of 30 columns": clusters,
    "`make_friedman1`, five of 20 columns": friedman,
}


class Said(NamedTuple):
    curve: float  # at the number that is chosen
    order: float  # the same columns, of fresh rows
    answer: float  # the answer, of fresh rows
    columns: int


def run(kind: str, n: int, seed: int) -> Said:
    X, y = KINDS[kind](np.random.default_rng([seed, n]), n + FRESH)
    known, target = X[:n], y[:n]
    walked: list[Any] = []
    walk = paths.walk

    def watched(halved: Any, *given: Any, **settings: Any) -> Any:
        walked.append((walk(halved, *given, **settings), settings["judge"]))
        return walked[-1][0]

    paths.walk = watched
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            selector = CrossEntropySelector(random_state=seed, n_jobs=1, decoys=0, null=False).fit(known, target)
    finally:
        paths.walk = walk
    (path, judge), k = walked[0], selector.n_features_
    order = encode(known, target).table.content.columns
    masks = np.zeros((len(judge.design[0]), X.shape[1]), dtype=np.bool_)
    for mask, own in zip(masks, judge.orders(path.places, path.last, path.near), strict=True):
        mask[order[own[:k]]] = True
    curve = selector.curve_
    assert curve is not None
    said = float(curve["predicted"][curve["sizes"].tolist().index(k)])
    losses = fresh_losses(X, y, n, np.vstack([np.zeros_like(masks[:1]), selector.support_[None], masks]))
    nothing, answer, of_order = losses[0].mean(), losses[1].mean(), losses[2:].mean()
    return Said(said, 1 - of_order / nothing, 1 - answer / nothing, k)


def fresh_losses(X: NDArray[Any], y: NDArray[Any], n: int, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The loss of every row after the first n: each is left out of the criterion's model of it and those."""
    losses = []
    for row in range(n, len(X)):
        rows = [*range(n), row]
        table = encode(X[rows], y[rows]).table
        model = Scorers(table, n_jobs=1)["auto"].model
        assert model is not None
        assert len(model.rows) == n + 1
        losses.append(model.losses(masks)[:, -1])
    return np.array(losses).T


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=40)
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    given = parser.parse_args()
    tasks = [(kind, seed) for kind in KINDS for seed in range(given.draws)]
    with parallel_config("loky", inner_max_num_threads=1):
        runs = Parallel(given.jobs)(delayed(run)(kind, given.rows, seed) for kind, seed in tasks)
    lines = [
        "# Is the curve right?\n",
        f"""\
What the curve says of the number of columns that it chooses, and what that many columns predict of {FRESH} fresh rows:
in the orders that were judged, and as they are in the answer. Shares of H(y), or R²; {given.draws} tables of
{given.rows} rows of each kind. entropick {__version__}. Written by `benchmarks/curve.py`.
""",
        "| | columns | the curve says | fresh rows say | difference, ± its standard error | the answer, there |",
        "|---|---|---|---|---|---|",
    ]
    for kind in KINDS:
        said = np.array([result for (name, _), result in zip(tasks, runs, strict=True) if name == kind])
        curve, order, answer, columns = said.mean(axis=0)
        apart = said[:, 0] - said[:, 1]
        error = apart.std(ddof=1) / np.sqrt(len(apart))
        lines.append(
            f"| {kind} | {columns:.1f} | {curve:.3f} | {order:.3f} | {apart.mean():+.3f} ± {error:.3f} | {answer:.3f} |"
        )
    text = "\n".join(lines) + "\n"
    print(text)
    given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
