"""Tables whose answer is known: drawn anew for every seed, with fresh rows of the same kind for the models."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.datasets import make_classification, make_friedman1, make_friedman2, make_friedman3

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from problems import Problem, corral, led_digits, monk_1, parity_of_three

Rng = np.random.Generator
Rows = tuple[NDArray[Any], NDArray[Any]]


class Answer(NamedTuple):
    """A table, fresh rows, the columns to be found and those to be left; others may be in or out."""

    fit: Rows
    fresh: Rows
    relevant: set[int]
    noise: set[int]


@dataclass(frozen=True)
class Generated:
    name: str
    kind: Literal["classes", "numbers"]
    make: Callable[[Rng], Answer]
    words: str

    def draw(self, seed: int) -> tuple[Answer, pd.DataFrame]:
        """The answer of this seed, and the columns to fit as a frame."""
        answer = self.make(np.random.default_rng(seed))
        return answer, frame(answer.fit[0])


def frame(X: NDArray[Any]) -> pd.DataFrame:
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])


def known(problem: Callable[[Rng], Problem]) -> Callable[[Rng], Answer]:
    """A problem of the tests, where every column that is not relevant is noise."""

    def make(rng: Rng) -> Answer:
        X, y, relevant = problem(rng)
        fresh_X, fresh_y, _ = problem(rng)
        return Answer((X, y), (fresh_X, fresh_y), relevant, set(range(X.shape[1])) - relevant)

    return make


def halves(X: NDArray[Any], y: NDArray[Any], relevant: set[int], noise: set[int], rng: Rng) -> Answer:
    """Half of the rows to fit, half fresh."""
    order = rng.permutation(len(X))
    one, two = order[: len(X) // 2], order[len(X) // 2 :]
    return Answer((X[one], y[one]), (X[two], y[two]), relevant, noise)


def redundant(rng: Rng) -> Answer:
    seed = int(rng.integers(2**31))
    X, y = make_classification(4000, 500, n_informative=5, n_redundant=15, shuffle=False, random_state=seed)
    return halves(X, y, set(), set(range(20, 500)), rng)


def pair(rng: Rng) -> Answer:
    """No column tells anything alone; the two tell .35 bits."""
    X = rng.integers(3, size=(3200, 1000))
    y = ((X[:, 0] + X[:, 1]) % 3 == 0) ^ (rng.random(3200) < 0.15)
    return halves(X, y.astype(int), {0, 1}, set(range(2, 1000)), rng)


def friedman(
    make: Callable[..., Any], relevant: set[int], given: int, rows: int, noise: float
) -> Callable[[Rng], Answer]:
    """A function of Friedman's, noise of a share of its standard deviation, and enough noise columns to make 50."""

    def draw(rng: Rng) -> Answer:
        X, y = make(2 * rows, noise=0.0, random_state=int(rng.integers(2**31)))
        X = np.hstack([X, rng.random((2 * rows, 50 - X.shape[1]))])
        return halves(X, y + noise * y.std() * rng.normal(size=len(y)), relevant, set(range(given, 50)), rng)

    return draw


def linear(rng: Rng) -> Answer:
    """Neighbours have correlation .7, and every sixth of 60 columns counts, with weights 1 and −1."""
    X = rng.normal(size=(600, 60))
    for j in range(1, 60):
        X[:, j] = 0.7 * X[:, j - 1] + np.sqrt(1 - 0.49) * X[:, j]
    relevant = list(range(0, 60, 6))
    signal = X[:, relevant] @ np.resize([1.0, -1.0], len(relevant))
    y = signal + signal.std() * rng.normal(size=600)
    return halves(X, y, set(relevant), set(range(60)) - set(relevant), rng)


def nothing(kind: str) -> Callable[[Rng], Answer]:
    def draw(rng: Rng) -> Answer:
        y = rng.integers(2, size=600) if kind == "classes" else rng.normal(size=600)
        return halves(rng.normal(size=(600, 100)), y, set(), set(range(100)), rng)

    return draw


GENERATED = (
    Generated("corral", "classes", known(corral), "(A0 ∧ A1) ∨ (B0 ∧ B1), a decoy; 256 × 6"),
    Generated("led", "classes", known(led_digits), "seven segments, 10 % wrong, 17 noise bits; 4000 × 24"),
    Generated("monk", "classes", known(monk_1), "a0 = a1 or a4 = 0; the fresh rows are the same 432; 432 × 6"),
    Generated("noise", "classes", nothing("classes"), "coins for y, nothing to find; 300 × 100"),
    Generated("pair", "classes", pair, "two columns that tell .35 bits together, nothing alone; 1600 × 1000"),
    Generated("redundant", "classes", redundant, "5 informative, 15 redundant, 480 noise columns; 2000 × 500"),
    Generated("xor", "classes", known(parity_of_three), "the parity of 3 of 20 bits; 500 × 20"),
    Generated("friedman_1", "numbers", friedman(make_friedman1, set(range(5)), 5, 500, 0.3), "500 × 50"),
    # The first column of Friedman's second function, and the fourth of both, have next to no effect: either is right.
    Generated("friedman_2", "numbers", friedman(make_friedman2, {1, 2}, 4, 500, 0.3), "500 × 50"),
    Generated("friedman_3", "numbers", friedman(make_friedman3, {0, 1, 2}, 4, 500, 0.3), "500 × 50"),
    Generated("linear", "numbers", linear, "10 of 60 correlated columns; 300 × 60"),
    Generated("noise_number", "numbers", nothing("numbers"), "a normal y, nothing to find; 300 × 100"),
)
