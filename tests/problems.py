"""Problems whose relevant columns are known, made from their definitions: X, y and the relevant columns."""

from __future__ import annotations

import itertools
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Problem: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64], set[int]]


def corral(rng: np.random.Generator) -> Problem:
    """(A0 ∧ A1) ∨ (B0 ∧ B1), an irrelevant bit, and one that agrees with y in three rows of four."""
    X = rng.integers(2, size=(256, 6))
    y = (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])
    X[:, 5] = np.where(rng.random(256) < 0.75, y, 1 - y)
    return X, y, {0, 1, 2, 3}


def three_of_seven(rng: np.random.Generator) -> Problem:
    """At least 3 of the first 7 bits among 10."""
    X = rng.integers(2, size=(1024, 10))
    return X, (X[:, :7].sum(axis=1) >= 3).astype(int), set(range(7))


def monk_1(rng: np.random.Generator) -> Problem:
    """a0 = a1 or a4 = 0, over all 432 combinations of six attributes."""
    X = np.array(list(itertools.product(range(3), range(3), range(2), range(3), range(4), range(2))))
    X = X[rng.permutation(len(X))]
    return X, ((X[:, 0] == X[:, 1]) | (X[:, 4] == 0)).astype(int), {0, 1, 4}


def parity_of_three(rng: np.random.Generator) -> Problem:
    """XOR of three bits among 20."""
    X = rng.integers(2, size=(500, 20))
    return X, X[:, 0] ^ X[:, 1] ^ X[:, 2], {0, 1, 2}


def led_digits(rng: np.random.Generator) -> Problem:
    """The seven segments of a digit, each wrong in one row of ten, and 17 noise bits."""
    segments = "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011"
    shapes = np.array([[int(bit) for bit in digit] for digit in segments.split()])
    digits = rng.integers(10, size=4000)
    shown = shapes[digits] ^ (rng.random((4000, 7)) < 0.1)
    return np.hstack([shown, rng.integers(2, size=(4000, 17))]), digits, set(range(7))
