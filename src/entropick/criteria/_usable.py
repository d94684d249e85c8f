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
        if not self.alpha > 0:
            raise ValueError(f"alpha must be more than 0; got {self.alpha!r}.")
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
        self.grid = 2.0 ** (50 - int(np.ceil(np.log2((table.n_columns + 1) * (largest + 1)))))
        self.others, self.own = self._round(others), self._round(own)
        self.prior, self.own_prior = self._round(prior), self._round(own_prior)

    def _round(self, x: Floats) -> Floats:
        return np.round(x * self.grid) / self.grid

    def __call__(self, masks: NDArray[np.bool_]) -> Floats:
        table, n_classes = self.table, len(self.prior)
        used = np.flatnonzero(masks.any(axis=0))
        choice = masks[:, used].astype(np.float64)
        loss = np.zeros(len(masks))
        # The blocks of rows depend on the table alone, so that a sum over rows does not depend on the other masks.
        n_rows = max(1, _BLOCK // (n_classes * table.n_columns))
        n_masks = max(1, _BLOCK // (n_classes * n_rows))
        for start in range(0, table.n_rows, n_rows):
            rows = slice(start, start + n_rows)
            y = table.classes[rows]
            likelihoods = self._likelihoods(used, rows, y)
            priors = np.where(y == np.arange(n_classes)[:, None], self.own_prior[:, None], self.prior[:, None])
            for first in range(0, len(masks), n_masks):
                batch = slice(first, first + n_masks)
                logits = np.stack([choice[batch] @ of_class for of_class in likelihoods])  # (class, mask, row)
                logits += priors[:, None, :]
                loss[batch] += (_log_sum_exp(logits) - np.take_along_axis(logits, y[None, None, :], axis=0)[0]).sum(
                    axis=1
                )
        return np.asarray(table.class_entropy - loss / table.n_rows / np.log(2))

    def _likelihoods(self, used: NDArray[np.int64], rows: slice, y: NDArray[np.int64]) -> Floats:
        """Log likelihoods of the used columns, shape (class, column, row), each row left out of its own class."""
        n_classes = len(self.prior)
        out = np.empty((n_classes, len(used), len(y)))
        for i, j in enumerate(used):
            at = self.offsets[j] + self.table.columns[j][rows]
            out[:, i] = self.others[:, at]
            out[y, i, np.arange(len(y))] = self.own[y, at]
        return out


def _log_sum_exp(x: Floats) -> Floats:
    """The ln Σ exp x over the first axis."""
    peak = x.max(axis=0)
    return np.asarray(peak + np.log(np.exp(x - peak).sum(axis=0)))
