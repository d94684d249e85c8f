"""The information that a naive Bayes model can use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from entropick.criteria._tables import Floats

if TYPE_CHECKING:
    from entropick.encode import CodeTable

_KEPT = 1 << 24  # doubles kept for as long as the criterion is bound
_BLOCK = 1 << 18  # doubles held at once, in each of the arrays below


@dataclass(frozen=True)
class Usable:
    """H(y) less the leave-one-out log loss of categorical naive Bayes on U, in bits.

    For a row of values x_j, class c has the log score ln b_c + Σ_{j∈U} ln((N_jc(x_j) + α) / (b_c + α L_j)), all
    counts without the row itself: N_jc(v) rows of class c have value v in column j, L_j values occur in it.
    (A class of one row keeps half a row in ln b_c when that row is left out, so that the loss stays finite.)
    The scores add over columns, so those of a batch of subsets are a product of matrices, made in blocks of
    rows so that memory stays bounded.

    Parameters
    ----------
    alpha : float
        Added to every count; more than 0.
    """

    alpha: float = 1.0

    def bind(self, table: CodeTable) -> Callable[[NDArray[np.bool_]], Floats]:
        """The function from masks to scores on this table."""
        if not 0 < self.alpha < np.inf:
            raise ValueError(f"alpha must be more than 0, and finite; got {self.alpha!r}.")
        return _NaiveBayesLoss(table, self.alpha)


class _NaiveBayesLoss:
    def __init__(self, table: CodeTable, alpha: float) -> None:
        self.table = table
        offsets = np.concatenate([[0], np.cumsum(table.levels)])
        self.offsets = offsets[:-1, None]
        sizes = table.class_sizes.astype(np.float64)
        counts = np.hstack(  # N_jc(v) at [c, offset of j + v]
            [
                np.bincount(table.classes * width + column, minlength=len(sizes) * width).reshape(len(sizes), width)
                for column, width in zip(table.columns, table.levels.tolist(), strict=True)
            ]
        )
        present = [int(found.sum()) for found in np.split(counts.any(axis=0), offsets[1:-1])]
        levels = np.repeat(np.array(present), table.levels)
        others = np.log(counts + alpha) - np.log(sizes[:, None] + alpha * levels)
        own = np.log(np.maximum(counts - 1, 0) + alpha) - np.log(sizes[:, None] - 1 + alpha * levels)
        prior, own_prior = np.log(sizes), np.log(np.maximum(sizes - 1, 0.5))
        # Rounded to multiples of a power of two that leave every sum exact in a double, products and sums come out
        # the same in whatever order the BLAS takes them: equal for any batch and any number of threads.
        largest = max(float(np.abs(array).max(initial=0.0)) for array in (others, own, prior, own_prior))
        self.grid = 2.0 ** (49 - int(np.ceil(np.log2((table.n_columns + 1) * (largest + 1)))))
        self.others, self.own = self._round(others), self._round(own)
        self.prior, self.own_prior = self._round(prior), self._round(own_prior)
        self.codes = np.stack(table.columns)
        every = np.arange(table.n_columns)
        is_small = (len(sizes) - 1) * table.n_columns * table.n_rows <= _KEPT
        self.kept: tuple[Floats, Floats] | None = None
        if is_small:
            self.kept = self._leads(every, slice(None))

    def _round(self, x: Floats) -> Floats:
        return np.round(x * self.grid) / self.grid

    def __call__(self, masks: NDArray[np.bool_]) -> Floats:
        table, n_rivals = self.table, max(1, len(self.prior) - 1)
        used = np.flatnonzero(masks.any(axis=0))
        choice = masks[:, used].astype(np.float64)
        loss = np.zeros(len(masks))
        # The blocks of rows depend on the table alone, so that a sum over rows does not depend on the other masks.
        n_rows = max(1, _BLOCK // (n_rivals * table.n_columns))
        n_masks = max(1, _BLOCK // (n_rivals * n_rows))
        for start in range(0, table.n_rows, n_rows):
            rows = slice(start, start + n_rows)
            leads, ahead = self._leads(used, rows)
            for first in range(0, len(masks), n_masks):
                batch = slice(first, first + n_masks)
                logits = choice[batch] @ leads  # (rival, mask, row)
                logits += ahead[:, None, :]
                loss[batch] += _log_one_and_sum_exp(logits).sum(axis=1)
        return np.asarray(table.class_entropy - loss / table.n_rows / np.log(2))

    def _leads(self, used: NDArray[np.int64], rows: slice) -> tuple[Floats, Floats]:
        """By how much each rival class is ahead of a row's own, which has the row left out.

        Of every used column, shape (rival, column, row), and before any column, shape (rival, row).
        """
        if self.kept is not None:
            return self.kept[0][:, used, rows], self.kept[1][:, rows]
        y, n_classes = self.table.classes[rows], len(self.prior)
        at = self.offsets[used] + self.codes[used, rows]
        rivals = [(y + step) % n_classes for step in range(1, n_classes)]
        own = self.own[y, at]
        leads = np.empty((len(rivals), *at.shape))
        for lead, rival in zip(leads, rivals, strict=True):
            np.subtract(self.others[rival, at], own, out=lead)
        return leads, np.array([self.prior[rival] - self.own_prior[y] for rival in rivals]).reshape(-1, len(y))


def _log_one_and_sum_exp(x: Floats) -> Floats:
    """The ln(1 + Σ exp x) over the first axis."""
    peak = x.max(axis=0, initial=0.0)
    x -= peak
    np.exp(x, out=x)
    total = np.exp(-peak)
    for part in x:  # one after the other, so that the sum does not depend on how many rows and masks there are
        total += part
    return np.asarray(peak + np.log(total, out=total))
