"""What was chosen from each half of the rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from entropick.engine import Engine
from entropick.path._order import shared_entropy

_SHARED = 0.5  # of the entropy of the simpler of two columns: from here on one may replace the other


@dataclass(frozen=True)
class Choices:
    """What was chosen from halves of the rows.

    Attributes
    ----------
    masks : ndarray of bool, shape (n_halves, n_columns)
        The columns chosen from each half.
    groups : tuple of tuples of int
        Columns that replace each other: they say much the same, and each half has chosen one of them or another.
    rows : ndarray of int
        The rows of the table that halves were made of.
    in_half : ndarray of bool, shape (n_halves, n_rows)
        Which of these rows each half has; complementary halves follow each other.
    """

    masks: NDArray[np.bool_]
    groups: tuple[tuple[int, ...], ...]
    rows: NDArray[np.int64]
    in_half: NDArray[np.bool_]

    @property
    def frequency(self) -> NDArray[np.float64]:
        """The share of the halves from which each column was chosen."""
        return np.asarray(self.masks.mean(axis=0))


def replaceable(masks: NDArray[np.bool_], engine: Engine) -> tuple[tuple[int, ...], ...]:
    """The groups of columns that replace each other in the choices from halves.

    Two columns do if both were chosen but never together, and what they have in common, beyond what columns with so
    many levels have by chance, is at least half of what the simpler one has.
    """
    chosen = np.flatnonzero(masks.any(axis=0) & ~masks.all(axis=0))
    if len(chosen) < 2:
        return ()
    often = masks[:, chosen].astype(np.int64)
    alike = (often.T @ often == 0) & (shared_entropy(chosen, engine) >= _SHARED)
    _, label = connected_components(alike, directed=False)
    groups = (chosen[label == group] for group in range(label.max() + 1))
    return tuple(tuple(group.tolist()) for group in groups if len(group) > 1)
