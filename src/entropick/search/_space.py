"""Which subsets a search may visit, and which of two is better."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from entropick._arguments import Mention, ParameterError, check_number, check_size

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Space:
    """The subsets of ``n_columns`` columns that are allowed.

    Parameters
    ----------
    n_columns : int
        Number of columns.
    always : tuple of int
        Columns that are in every subset.
    exactly : int or None
        Size of every subset, if it is fixed.
    max_features : int or None
        Largest size.
    scale : float
        What the largest score is about: H(y) for information. Tolerances are shares of it.
    """

    n_columns: int
    always: tuple[int, ...] = ()
    exactly: int | None = None
    max_features: int | None = None
    scale: float = 1.0
    base: Mask = field(init=False, repr=False, compare=False)  # the smallest subset: the columns of `always`
    largest: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        m = self.n_columns
        check_number("n_columns", m, 1, integer=True)
        check_number("scale", self.scale, 0)
        for name, size in (("n_features_to_select", self.exactly), ("max_features", self.max_features)):
            check_size(name, size, m)
        for column in self.always:
            if not (_is_integer(column) and 0 <= column < m):
                raise ParameterError("always", f"must hold columns from 0 to {m - 1}", column)
        base = np.zeros(m, dtype=np.bool_)
        base[list(self.always)] = True
        limits = [size for size in (self.exactly, self.max_features) if size is not None]
        largest = min([m, *limits])
        if base.sum() > largest:
            names = f"names {int(base.sum())} columns, but at most {largest} may be selected"
            raise ParameterError("always", names)
        if self.exactly is not None and self.exactly > largest:
            expected = "must not exceed ", Mention("max_features"), f", which is {self.max_features}"
            raise ParameterError("n_features_to_select", expected, self.exactly)
        object.__setattr__(self, "base", base)
        object.__setattr__(self, "largest", largest)

    @property
    def free(self) -> NDArray[np.int64]:
        """The columns that a subset may have or not."""
        return np.flatnonzero(~self.base)

    def allows(self, masks: Mask) -> Mask:
        """Which of the masks, shape (n_masks, n_columns), are in this space."""
        sizes = masks.sum(axis=1)
        fits = sizes == self.exactly if self.exactly is not None else sizes <= self.largest
        return np.asarray(fits & masks[:, self.base].all(axis=1))


def _is_integer(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def flip_each(mask: Mask, columns: NDArray[np.int64]) -> Mask:
    """The mask with one of the columns flipped, a row for each of them."""
    masks = np.repeat(mask[None], len(columns), axis=0)
    masks[np.arange(len(columns)), columns] ^= True
    return masks


def pick_best(masks: Mask, scores: NDArray[np.float64]) -> int:
    """Index of the best mask: the highest score, then the fewest columns, then the lowest column numbers.

    Examples
    --------
    >>> masks = np.array([[1, 1, 0], [0, 1, 0], [0, 0, 1]], dtype=bool)
    >>> pick_best(masks, np.array([0.5, 0.5, 0.5]))
    1
    """
    top = np.flatnonzero(scores == scores.max())
    sizes = masks[top].sum(axis=1)
    top = top[sizes == sizes.min()]
    packed = np.packbits(masks[top], axis=1)
    return int(top[max(range(len(top)), key=lambda i: packed[i].tobytes())])


def is_better(score: float, mask: Mask, than_score: float, than_mask: Mask) -> bool:
    """Whether a subset beats another by the rule of `pick_best`."""
    if score != than_score:
        return score > than_score
    size, than_size = int(mask.sum()), int(than_mask.sum())
    if size != than_size:
        return size < than_size
    return bool(mask.tolist() > than_mask.tolist())
