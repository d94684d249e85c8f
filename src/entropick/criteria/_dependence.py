"""What naive Bayes and its kin lose on rows left out: the tables they look up, and the NumPy code that defines them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from entropick._words import percent
from entropick.criteria._criterion import RowCriterion, RowModel
from entropick.criteria._crossed import count_pairs
from entropick.criteria._levels import level_maps, mapped
from entropick.criteria._rows import loss_rows
from entropick.criteria._tables import Floats, Ints

if TYPE_CHECKING:
    from entropick.encode import CodeTable
    from entropick.engine import Engine

EXPONENTS = np.array([1.0, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.07, 0.05, 0.035, 0.02])
BUDGET = 1 << 25  # doubles in the two tables of a model
_BLOCK = 1 << 20  # doubles held at once by the NumPy code
_HELD = 1 << 22  # counts of pairs held at once


@dataclass(frozen=True, eq=False)
class DependenceTables:
    """The logarithms that a model adds up, for every level of its parents, every class and every level of a column.

    All are multiples of a power of two so large that sums of them are exact, in any order.

    Attributes
    ----------
    maps : tuple of arrays
        The level of each code of every column: rare codes are put together.
    offsets : ndarray of shape (n_columns,)
        Level v of column j has number ``offsets[j] + v``.
    log_prior : ndarray of shape (n_classes,)
        ln π_c.
    others, own : ndarray of shape (n_parents, n_classes, n_levels)
        ln P(v | parent, c), for other classes than the row's, and for its own, where it is not counted itself. The
        parents are all levels, and a level with itself has ln P(c, v); or there is one, which is no column.
    has_parents : bool
        Whether the columns of a subset take turns as parents.
    """

    maps: tuple[NDArray[np.uint8], ...]
    offsets: Ints
    log_prior: Floats
    others: Floats
    own: Floats
    has_parents: bool

    def places(self, table: CodeTable, rows: Ints) -> NDArray[np.int32]:
        """The number of each row's level in each column of a table, shape (n_rows, n_columns)."""
        places = np.empty((len(rows), len(self.maps)), dtype=np.int32)
        for j, (column, new, offset) in enumerate(zip(table.columns, self.maps, self.offsets, strict=True)):
            np.add(mapped(column[rows], new), offset, out=places[:, j], casting="unsafe")
        return places

    def log_scores(self, mask: NDArray[np.bool_], table: CodeTable, rows: Ints) -> Floats:
        """Compute ln s_c of rows left out, shape (n_rows, n_classes)."""
        if not mask.any():
            return np.tile(self.log_prior, (len(rows), 1))
        at, y = self.places(table, rows)[:, mask].T, table.classes[rows]
        parents = at if self.has_parents else np.zeros((1, len(rows)), dtype=np.int32)
        every, row = np.arange(len(self.log_prior)), np.arange(len(rows))
        sums, own = np.zeros((*parents.shape, len(every))), np.zeros(parents.shape)
        for place in at:
            sums += self.others[parents[:, :, None], every, place[:, None]]
            own += self.own[parents, y, place]
        sums[:, row, y] = own
        return np.asarray(logsumexp(sums, axis=0)) if self.has_parents else sums[0] + self.log_prior

    def losses(self, mask: NDArray[np.bool_], table: CodeTable, rows: Ints) -> Iterator[Floats]:
        """−ln p_y of rows left out for every exponent, shape (n_exponents, n_rows), a block of rows at a time."""
        n_parents = int(mask.sum()) if self.has_parents else 1
        size = max(1, _BLOCK // (len(self.log_prior) * max(n_parents, len(EXPONENTS))))
        for some in (rows[start : start + size] for start in range(0, len(rows), size)):
            evidence = self.log_scores(mask, table, some) - self.log_prior
            logits = self.log_prior + EXPONENTS[:, None, None] * evidence
            yield logsumexp(logits, axis=2) - logits[:, np.arange(len(some)), table.classes[some]]


class DependenceLosses(Protocol):
    """What an engine makes of the tables and of the rows whose losses count while subsets are compared."""

    def means(self, masks: NDArray[np.bool_]) -> Floats:
        """The mean loss of each mask at its best exponent, in nats."""

    def losses(self, masks: NDArray[np.bool_]) -> Floats:
        """The loss of each row at the mask's best exponent, shape (n_masks, n_rows)."""

    def sums(self, masks: NDArray[np.bool_]) -> Floats:
        """The sum of the losses of all rows of the table, shape (n_masks, n_exponents)."""


@dataclass(frozen=True, eq=False)
class NumpyLosses:
    """The readable twin, mask by mask."""

    tables: DependenceTables
    table: CodeTable
    rows: Ints

    def means(self, masks: NDArray[np.bool_]) -> Floats:
        """The mean loss of each mask at its best exponent, in nats."""
        return np.asarray(self._sums(masks, self.rows).min(axis=1) / len(self.rows))

    def losses(self, masks: NDArray[np.bool_]) -> Floats:
        """The loss of each row at the mask's best exponent, shape (n_masks, n_rows)."""
        found = np.empty((len(masks), len(self.rows)))
        for mask, losses in zip(masks, found, strict=True):
            every = np.concatenate(list(self.tables.losses(mask, self.table, self.rows)), axis=1)
            losses[:] = every[every.sum(axis=1).argmin()]
        return found

    def sums(self, masks: NDArray[np.bool_]) -> Floats:
        """The sum of the losses of all rows of the table, shape (n_masks, n_exponents)."""
        return self._sums(masks, np.arange(self.table.n_rows))

    def _sums(self, masks: NDArray[np.bool_], rows: Ints) -> Floats:
        sums = [sum(block.sum(axis=1) for block in self.tables.losses(mask, self.table, rows)) for mask in masks]
        return np.array(sums, dtype=np.float64).reshape(-1, len(EXPONENTS))


class DependenceModel(RowModel):
    """The scores of masks on one table, in bits."""

    def __init__(self, table: CodeTable, tables: DependenceTables, engine: Engine | None) -> None:
        self.class_entropy, self.n_rows = table.class_entropy, table.n_rows
        self.rows = loss_rows(table)
        self._losses = engine.dependence(tables, self.rows) if engine else NumpyLosses(tables, table, self.rows)

    def __call__(self, masks: NDArray[np.bool_]) -> Floats:
        """Scores of masks, for comparing subsets."""
        return self._bits(masks, self._losses.means(masks))

    def losses(self, masks: NDArray[np.bool_]) -> Floats:
        """The leave-one-out loss of each of ``rows`` in nats, shape (n_masks, n_rows), at each mask's exponent."""
        return self._losses.losses(masks)

    def final(self, masks: NDArray[np.bool_]) -> Floats:
        """Scores of masks on all rows, each at its best exponent there."""
        return self._bits(masks, self._losses.sums(masks).min(axis=1) / self.n_rows)

    def _bits(self, masks: NDArray[np.bool_], means: Floats) -> Floats:
        return np.where(masks.any(axis=1), self.class_entropy - means / np.log(2), 0.0)


class DependenceCriterion(RowCriterion):
    """Base of the criteria whose models count how often levels occur together: naive Bayes and its kin.

    Attributes
    ----------
    model : str
        What the model is called in a sentence.
    most_levels : int
        Columns of more levels are reduced to their commonest and the rest.
    """

    model: str
    most_levels: int

    def claim(self, value: float, class_entropy: float | None) -> str:
        """How much the model can use."""
        return f"{self.model} can use {value:.3f} of them ({percent(value, class_entropy or 0.0)})"

    @abstractmethod
    def tables(self, counts: LevelCounts) -> DependenceTables:
        """What the model looks up."""

    def bind(self, table: CodeTable, engine: Engine | None = None) -> DependenceModel:
        """The model on this table."""
        self.check_columns(table)
        return DependenceModel(table, self.tables(LevelCounts(table, self.most_levels)), engine)


class LevelCounts:
    """How often the levels of a table's columns occur in each class, alone and in pairs."""

    def __init__(self, table: CodeTable, most_levels: int) -> None:
        self.table = table
        self.maps = level_maps(table, most_levels)
        self.levels = np.array([int(new.max()) + 1 for new in self.maps], dtype=np.int64)
        self.offsets = np.cumsum(self.levels) - self.levels
        self.n_levels = int(self.levels.sum())
        self.shares = 1 / np.repeat(self.levels, self.levels)  # 1/L_j of every level
        self.n_classes = len(table.class_sizes)

    def alone(self) -> Floats:
        """The rows of each class with each level, shape (n_classes, n_levels)."""
        return self.table.total(partial(_alone, maps=self.maps, n_classes=self.n_classes))[0]

    def in_pairs(self) -> Iterator[tuple[int, Floats]]:
        """Each class, and its rows with each two levels, shape (n_levels, n_levels)."""
        step = max(1, _HELD // max(1, self.n_levels**2))
        for first in range(0, self.n_classes, step):
            classes = range(first, min(self.n_classes, first + step))
            found = self.table.total(partial(_in_pairs, maps=self.maps, classes=classes))
            yield from zip(classes, found, strict=True)

    def rounded(self, logs: Floats) -> Floats:
        """Logarithms rounded so that every sum of one for each column is exact."""
        largest = np.log((self.table.n_rows + 1.0) * max(1, self.levels.max(initial=1)) * self.n_classes) + 1
        grid = 2.0 ** (52 - int(np.ceil(np.log2((len(self.maps) + 1) * largest))))
        return np.asarray(np.round(logs * grid) / grid)

    def made(self, others: Floats, own: Floats, *, has_parents: bool) -> DependenceTables:
        """The tables, with what all models share."""
        log_prior = np.log(self.table.class_sizes / self.table.n_rows)
        return DependenceTables(self.maps, self.offsets, log_prior, others, own, has_parents)


def _alone(table: CodeTable, maps: tuple[NDArray[np.uint8], ...], n_classes: int) -> list[Floats]:
    """The rows of each class with each level of all columns."""
    counts = []
    for column, new in zip(table.columns, maps, strict=True):
        n_levels = int(new.max()) + 1
        both = table.classes * n_levels + mapped(column, new)
        counts.append(np.bincount(both, minlength=n_classes * n_levels).reshape(n_classes, n_levels))
    return [np.concatenate([*counts, np.empty((n_classes, 0))], axis=1)]


def _in_pairs(table: CodeTable, maps: tuple[NDArray[np.uint8], ...], classes: range) -> list[Floats]:
    """The rows of some classes with each two levels."""
    columns = [mapped(column, new) for column, new in zip(table.columns, maps, strict=True)]
    n_levels = [int(new.max()) + 1 for new in maps]
    order = np.argsort(table.classes, kind="stable")
    ends = np.searchsorted(table.classes[order], [*classes, classes.stop])
    rows = [order[first:end] for first, end in pairwise(ends)]
    return [count_pairs([column[own] for column in columns], n_levels) for own in rows]
