"""Which subsets a search may visit, and which of two is better."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from entropick._checks import check_number, check_size
from entropick._errors import Mention, ParameterError
from entropick._masks import Mask


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
        Roughly the largest possible score: H(y) for information. Tolerances are shares of it.
    never : tuple of int
        Columns that are in no subset, such as constant ones.
    hints : tuple of masks
        Subsets that are worth trying first, such as the best pairs of columns. A search may ignore them.
    is_smooth : bool
        Whether subsets that differ little have similar scores, as those of a model do, so that fewer samples tell where
        the good ones are.
    """

    n_columns: int
    always: tuple[int, ...] = ()
    exactly: int | None = None
    max_features: int | None = None
    scale: float = 1.0
    never: tuple[int, ...] = ()
    hints: tuple[Mask, ...] = field(default=(), repr=False, compare=False)
    is_smooth: bool = False
    base: Mask = field(init=False, repr=False, compare=False)  # the smallest subset: the columns of `always`
    free: NDArray[np.int64] = field(init=False, repr=False, compare=False)  # columns that a subset may have or not
    largest: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        m = self.n_columns
        check_number("n_columns", m, 1, integer=True)
        check_number("scale", self.scale, 0)
        for name, size in (("n_features_to_select", self.exactly), ("max_features", self.max_features)):
            check_size(name, size, m)
        for name, columns in (("always", self.always), ("never", self.never)):
            for column in columns:
                if not (_is_integer(column) and 0 <= column < m):
                    raise ParameterError(name, f"must hold column numbers from 0 to {m - 1}", column)
        base = np.zeros(m, dtype=np.bool_)
        base[list(self.always)] = True
        is_free = ~base
        is_free[list(self.never)] = False
        most = int(base.sum()) + int(is_free.sum())
        limits = [size for size in (self.exactly, self.max_features) if size is not None]
        largest = min([m, *limits])
        if self.exactly is not None and self.exactly > most:
            most_text = f"must be at most {most}, the number of columns not in never"
            raise ParameterError("n_features_to_select", most_text, self.exactly)
        if base.sum() > largest:
            names = f"names {int(base.sum())} columns, but at most {largest} may be selected"
            raise ParameterError("always", names)
        if self.exactly is not None and self.exactly > largest:
            expected = "must not exceed ", Mention("max_features"), f", which is {self.max_features}"
            raise ParameterError("n_features_to_select", expected, self.exactly)
        object.__setattr__(self, "base", base)
        object.__setattr__(self, "free", np.flatnonzero(is_free))
        object.__setattr__(self, "largest", min(largest, most))

    @property
    def whole(self) -> Mask:
        """All columns that a subset may have."""
        mask = self.base.copy()
        mask[self.free] = True
        return mask

    def allows(self, masks: Mask) -> Mask:
        """Which of the masks, shape (n_masks, n_columns), are in this space."""
        sizes = masks.sum(axis=1)
        fits = sizes == self.exactly if self.exactly is not None else sizes <= self.largest
        return np.asarray(fits & masks[:, self.base].all(axis=1) & ~masks[:, list(self.never)].any(axis=1))


def _is_integer(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


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


def pick_best_flip(mask: Mask, columns: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
    """Index of the column whose flip makes the best mask, by the rule of `pick_best`.

    Examples
    --------
    >>> pick_best_flip(np.array([True, False, False]), np.array([0, 1, 2]), np.array([0.5, 0.7, 0.7]))
    1
    """
    top = np.flatnonzero(scores == scores.max())
    removed = top[mask[columns[top]]]  # one column less is better than one more
    return int(removed[columns[removed].argmax()] if len(removed) else top[columns[top].argmin()])


def is_better(score: float, mask: Mask, than_score: float, than_mask: Mask) -> bool:
    """Whether a subset beats another by the rule of `pick_best`."""
    if score != than_score:
        return score > than_score
    size, than_size = int(mask.sum()), int(than_mask.sum())
    if size != than_size:
        return size < than_size
    return bool(mask.tolist() > than_mask.tolist())
