"""A criterion in the form that engines use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Tables:
    """``score(U) = constant + (Σ_blocks block(a) + Σ_cells cell(c, q)) / n``, in nats.

    A block is a set of rows that agree on every column of U, a its size; a cell is the part of a block that is of class
    c, q its size. Sums are over nonempty blocks and cells.

    Parameters
    ----------
    block : callable
        From sizes (int64 array, all at least 1) to the summand of a block of each size.
    cell : callable
        From a class number and sizes (int64 array, all at least 1) to the summand of a cell of each size.
    constant : float
        Added to every score.
    bound : callable, optional
        For exact search: returns two Tables, ``upper`` and ``lower``, such that score(V) ≤ upper(W) + lower(U) for all
        subsets V between U and W.
    """

    block: Callable[[Ints], Floats]
    cell: Callable[[int, Ints], Floats]
    constant: float
    bound: Callable[[], tuple[Tables, Tables]] | None = None


def no_value(c: int, q: Ints) -> Floats:
    """Summands of 0, for criteria without a term for cells."""
    return np.zeros(len(q))


def xlogx(x: Ints | Floats) -> Floats:
    """Compute x ln x, and 0 at 0.

    Examples
    --------
    >>> xlogx(np.array([0, 1, 2])).round(4)
    array([0.    , 0.    , 1.3863])
    """
    x = np.asarray(x, dtype=np.float64)
    return x * np.log(np.where(x > 0, x, 1.0))


def entropy_nats(class_sizes: Ints) -> float:
    """Entropy of the class shares, in nats."""
    n = float(class_sizes.sum())
    return float(np.log(n) - xlogx(class_sizes).sum() / n)
