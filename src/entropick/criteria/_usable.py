"""The information that a naive Bayes model can use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from threadpoolctl import ThreadpoolController

from entropick._words import percent
from entropick.criteria._criterion import ModelCriterion, Score
from entropick.criteria._tables import Floats, Ints

if TYPE_CHECKING:
    from entropick.encode import CodeTable

_KEPT = 1 << 24  # doubles kept for as long as the criterion is bound
_DENSE = 1 << 22  # classes × levels up to which all summands are kept in a table
_TOGETHER = 64  # masks handled together
_BLOCK = 1 << 18  # doubles held at once, in each array below


@dataclass(frozen=True)
class Usable(ModelCriterion):
    """H(y) minus the leave-one-out log loss of categorical naive Bayes on U, in bits.

    For a row with values x_j, class c has the log score ln b_c + Σ_{j∈U} ln((N_jc(x_j) + α) / (b_c + α L_j)), where
    the row itself is not counted: N_jc(v) rows of class c have value v in column j, and L_j values occur in column j.
    (A class of one row counts as half a row in ln b_c when that row is held out, so that the loss stays finite.) Log
    scores add up over columns, so those of a batch of subsets are a matrix product, computed in blocks of rows to bound
    memory.

    Parameters
    ----------
    alpha : float
        Added to every count; more than 0.
    """

    alpha: float = 1.0

    name = "usable"

    def identity(self, table: CodeTable) -> str:
        """Its name and setting."""
        return f"{self.name} {self.alpha!r}"

    def claim(self, value: float, class_entropy: float) -> str:
        """How much naive Bayes can use."""
        return f"a naive Bayes model can use {value:.3f} of them ({percent(value, class_entropy)})"

    def bind(self, table: CodeTable) -> Score:
        """The function from masks to scores on this table."""
        if not 0 < self.alpha < np.inf:
            raise ValueError(f"alpha must be more than 0, and finite; got {self.alpha!r}.")
        return _NaiveBayesLoss(table, self.alpha)


usable = Usable()


class _NaiveBayesLoss:
    def __init__(self, table: CodeTable, alpha: float) -> None:
        self.table = table
        n_classes = len(table.class_sizes)
        is_dense = n_classes * int(table.levels.sum()) <= _DENSE
        self.terms = _Terms(table, alpha) if is_dense else _SparseTerms(table, alpha)
        self.block = _BLOCK if is_dense else 8 * _BLOCK
        # More threads make products this small slower, and far slower on a busy machine.
        self.one_thread = ThreadpoolController()
        self.codes: Ints = np.stack(table.columns)
        self.offsets: Ints = (np.cumsum(table.levels) - table.levels)[:, None]
        # The blocks of rows depend on the table alone, so that a sum over rows does not depend on the other masks.
        self.n_rivals = max(1, n_classes - 1)
        self.n_rows = max(1, self.block // (self.n_rivals * table.n_columns))
        self.kept: list[_Leads] = []
        if is_dense and (n_classes - 1) * table.n_columns * table.n_rows <= _KEPT:
            everything = np.arange(table.n_columns)
            self.kept = [self._leads(everything, start) for start in range(0, table.n_rows, self.n_rows)]

    def __call__(self, masks: NDArray[np.bool_]) -> Floats:
        table = self.table
        common = masks.mean(axis=0) > 0.5  # what most masks share is added up once; each differs in few columns
        n_masks = min(_TOGETHER, max(1, self.block // (self.n_rivals * self.n_rows)))
        parts = [_Part.of(masks, common, slice(first, first + n_masks)) for first in range(0, len(masks), n_masks)]
        used = np.flatnonzero(common | masks.any(axis=0))
        loss = np.zeros(len(masks))
        with self.one_thread.limit(limits=1, user_api="blas"):
            for i, start in enumerate(range(0, table.n_rows, self.n_rows)):
                leads = self.kept[i] if self.kept else self._leads(used, start)
                ahead = leads.ahead + leads.of(common).sum(axis=1)
                for part in parts:
                    logits = part.change @ leads.of(part.columns)  # (rival, mask, row)
                    logits += ahead[:, None, :]
                    loss[part.masks] += _log_one_and_sum_exp(logits).sum(axis=1)
        return np.asarray(table.class_entropy - loss / table.n_rows / np.log(2))

    def _leads(self, columns: Ints, start: int) -> _Leads:
        n_columns, n_classes = self.table.n_columns, len(self.table.class_sizes)
        rows = slice(start, start + self.n_rows)
        y = self.table.classes[rows]
        rivals = (y + np.arange(1, n_classes)[:, None]) % n_classes  # (rival, row)
        at = self.offsets[columns] + self.codes[columns, rows]
        prior, place = self.terms.prior, np.zeros(n_columns, dtype=np.int64)
        place[columns] = np.arange(len(columns))
        return _Leads(self.terms.leads(columns, at, y, rivals), prior.others[rivals] - prior.own[y], place)


class _Leads(NamedTuple):
    """How far each rival class is ahead of a row's own class, which is counted without the row, for a block of rows."""

    columns: Floats  # due to some columns, shape (rival, column, row)
    ahead: Floats  # before any column, shape (rival, row)
    place: Ints  # of each column of the table among those

    def of(self, columns: Ints | NDArray[np.bool_]) -> Floats:
        return self.columns.take(self.place[columns], axis=1)


class _Part(NamedTuple):
    """Some masks, the columns in which they differ from the common ones, and how: 1 has it, −1 lacks it."""

    masks: slice
    columns: Ints
    change: Floats

    @classmethod
    def of(cls, masks: NDArray[np.bool_], common: NDArray[np.bool_], some: slice) -> _Part:
        columns = np.flatnonzero((masks[some] != common).any(axis=0))
        return cls(some, columns, masks[some][:, columns].astype(np.float64) - common[columns])


class _Prior(NamedTuple):
    """The log score of every class before any column: as a rival, and as the class of the held-out row."""

    others: Floats
    own: Floats

    @classmethod
    def of(cls, sizes: Floats) -> _Prior:
        return cls(np.log(sizes), np.log(np.maximum(sizes - 1, 0.5)))

    def rounded(self, grid: float) -> _Prior:
        return _Prior(_round(self.others, grid), _round(self.own, grid))


class _Terms:
    """The summands of the log scores, for every class and level."""

    def __init__(self, table: CodeTable, alpha: float) -> None:
        sizes = table.class_sizes.astype(np.float64)
        counts = np.hstack(  # N_jc(v) at [c, offset of j + v]
            [
                np.bincount(table.classes * width + column, minlength=len(sizes) * width).reshape(len(sizes), width)
                for column, width in zip(table.columns, table.levels.tolist(), strict=True)
            ]
        )
        present = [int(found.sum()) for found in np.split(counts.any(axis=0), np.cumsum(table.levels)[:-1])]
        levels = np.repeat(np.array(present), table.levels)
        others = np.log(counts + alpha) - np.log(sizes[:, None] + alpha * levels)
        own = np.log(np.maximum(counts - 1, 0) + alpha) - np.log(sizes[:, None] - 1 + alpha * levels)
        prior = _Prior.of(sizes)
        grid = _grid(table.n_columns, (others, own, *prior))
        self.others, self.own, self.prior = _round(others, grid), _round(own, grid), prior.rounded(grid)

    def leads(self, used: Ints, at: Ints, y: Ints, rivals: Ints) -> Floats:
        """How far the rivals of each row are ahead of its own class, shape (rival, column, row).

        ``at`` is the position of the counts of each row's value, shape (column, row).
        """
        own = self.own[y, at]
        leads = np.empty((len(rivals), *at.shape))
        for lead, rival in zip(leads, rivals, strict=True):
            np.subtract(self.others[rival, at], own, out=lead)
        return leads


class _SparseTerms:
    """The same where classes × levels are too many to keep: only the nonzero counts are kept."""

    def __init__(self, table: CodeTable, alpha: float) -> None:
        sizes = table.class_sizes.astype(np.float64)
        ones, starts = np.ones(table.n_rows, dtype=np.int32), np.cumsum(table.levels) - table.levels
        of_columns = (
            sparse.coo_array((ones, (column, table.classes)), shape=(int(levels), len(sizes))).tocsr()
            for column, levels in zip(table.columns, table.levels, strict=True)
        )
        self.counts = sparse.vstack(list(of_columns), format="csr")  # N_jc(v) at [offset of j + v, c]
        present = np.add.reduceat((np.diff(self.counts.indptr) > 0).astype(np.int64), starts)
        logs = np.log(np.arange(table.class_sizes.max() + 1) + alpha)
        others, own = (np.log(some + alpha * present[:, None]) for some in (sizes, sizes - 1))  # (column, class)
        prior = _Prior.of(sizes)
        grid = _grid(table.n_columns, (2 * logs, 2 * others, 2 * own, *prior))
        self.logs, self.others, self.own = _round(logs, grid), _round(others, grid), _round(own, grid)
        self.prior = prior.rounded(grid)

    def leads(self, used: Ints, at: Ints, y: Ints, rivals: Ints) -> Floats:
        """How far the rivals of each row are ahead of its own class, shape (rival, column, row)."""
        counts = self.counts[at.reshape(-1)].toarray().reshape(*at.shape, -1)  # (column, row, class)
        row, column = np.arange(at.shape[1]), np.arange(len(used))[:, None]
        own = self.logs[np.maximum(counts[column, row, y] - 1, 0)] - self.own[used][:, y]
        leads = self.logs[counts[column[None], row, rivals[:, None, :]]]
        leads -= self.others[used[:, None], rivals[:, None, :]]
        leads -= own
        return np.asarray(leads)


def _grid(n_columns: int, summands: Iterable[Floats]) -> float:
    """Summands are rounded to multiples of one over this, so that every sum of them is exact in a double.

    Products and sums then do not depend on the order in which the BLAS computes them, so they are the same for any
    batch and any number of threads.
    """
    largest = max(float(np.abs(array).max(initial=0.0)) for array in summands)
    return float(2.0 ** (49 - int(np.ceil(np.log2((n_columns + 1) * (largest + 1))))))


def _round(x: Floats, grid: float) -> Floats:
    return np.asarray(np.round(x * grid) / grid)


def _log_one_and_sum_exp(x: Floats) -> Floats:
    """Compute ln(1 + Σ exp x) over the first axis."""
    peak = x.max(axis=0, initial=0.0)
    x -= peak
    np.exp(x, out=x)
    total = np.exp(-peak)
    for part in x:  # one at a time, so that the sum does not depend on the number of rows and masks
        total += part
    return np.asarray(peak + np.log(total, out=total))
