"""What the first columns of an order predict of rows that the order was not made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Curve:
    """How much so many columns predict of rows that they were not chosen from.

    Attributes
    ----------
    sizes : ndarray of int
        Numbers of columns, rising.
    predicted : ndarray of float
        What they predict: a share of H(y), or R².
    error : ndarray of float
        The standard error, over rows, of the difference from the best number.
    """

    sizes: Ints
    predicted: Floats
    error: Floats

    @property
    def best(self) -> int:
        """The number of columns that predicts most."""
        return int(self.sizes[self.predicted.argmax()])

    def enough(self, keep: float | str) -> int:
        """The fewest columns that predict so large a share of what the best number predicts, or 'one_se' less.

        Where nothing is predicted, it is the best number.

        Examples
        --------
        >>> curve = Curve(np.array([1, 2, 3]), np.array([0.5, 0.79, 0.8]), np.array([0.02, 0.02, 0.0]))
        >>> curve.enough(0.98), curve.enough(1.0), curve.enough("one_se")
        (2, 3, 2)
        """
        top = self.predicted.max()
        if keep == "one_se":
            is_enough = top - self.predicted <= self.error
        else:
            is_enough = self.predicted >= (float(keep) * top if top > 0 else top)
        return int(self.sizes[is_enough.argmax()])

    @property
    def fewest_alike(self) -> int:
        """The fewest columns that cannot be told from the best number with these rows."""
        return self.enough("one_se")


def grid(largest: int, factor: float, one_by_one: int, first: int = 1) -> list[int]:
    """The numbers of columns that are judged.

    Examples
    --------
    >>> grid(30, 1.2, 10)
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 22, 27, 30]
    """
    sizes = [*range(first, min(largest, max(first, one_by_one)) + 1)]
    while sizes and sizes[-1] < largest:
        sizes.append(min(largest, int(np.ceil(sizes[-1] * factor))))
    return sizes


def curve_of(sizes: Sequence[int], losses: Floats, nothing: Floats, scale: float) -> Curve:
    """The curve of losses of rows, shape (n_sizes, n_rows), beside those without columns, in units of a scale."""
    gains = (nothing.mean() - losses.mean(axis=1)) * scale
    best = losses[gains.argmax()]
    spread = (losses - best).std(axis=1, ddof=1) if losses.shape[1] > 1 else np.zeros(len(losses))
    return Curve(np.array(sizes, dtype=np.int64), gains, spread * abs(scale) / np.sqrt(losses.shape[1]))
