"""The C++ engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from entropick import _kernels
from entropick.criteria import EXPONENTS, DependenceTables, Ridge
from entropick.encode import CodeTable
from entropick.engine._base import Engine
from entropick.engine._fixed import FixedTables

_FEW_CLASSES = 64  # each has words of its own in every bit set, however few its rows
_CALL = 1 << 27  # rows × masks (or pairs of columns) per call into C++; Ctrl-C is checked in between
_COUNTED = 1 << 20  # cells of single columns that are counted together
_EVIDENCE = 1 << 22  # masks × rows × classes per call: doubles held there
_WORK = 1 << 33  # these × pairs of columns
_RIDGE_CALL = 1 << 31  # the same, of features³ × masks
_CENTERS = 3  # subsets that others are near to, as many as a growing set comes back to


class NativeEngine(Engine):
    """Bit planes, threads over subsets; see ``cpp/score.hpp`` and ``cpp/pairs.hpp``."""

    _centers: Sequence[tuple[Ridge, NDArray[np.bool_], _kernels.RidgeCenter]] = ()

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        """The rows, sorted by class."""
        return np.argsort(self.table.classes, kind="stable")

    @cached_property
    def _class_starts(self) -> list[int]:
        return [0, *np.cumsum(self.table.class_sizes).tolist()]

    @cached_property
    def _planes(self) -> _kernels.BitPlanes:
        planes = _kernels.BitPlanes(self.table.n_columns, self._class_starts)
        for j, column in enumerate(self.table.columns):
            planes.add_column(j, column[self._order])
        planes.seal()
        return planes

    @cached_property
    def _is_narrow(self) -> NDArray[np.bool_]:
        """The columns whose pairs are counted by bit sets: those with few levels, unless there are many classes."""
        few = self.table.levels <= _kernels.LevelSets.MAX_SET_LEVELS
        return np.asarray(few & (len(self.table.class_sizes) <= max(_FEW_CLASSES, self.table.n_rows // 64)))

    @cached_property
    def _narrow(self) -> NDArray[np.int64]:
        return np.flatnonzero(self._is_narrow)

    @cached_property
    def _level_sets(self) -> _kernels.LevelSets:
        sets = _kernels.LevelSets(self.table.levels[self._narrow].tolist(), self._class_starts)
        for k, j in enumerate(self._narrow):
            sets.set_column(k, self.table.columns[j][self._order].astype(np.uint8, copy=False))
        return sets

    @cached_property
    def _wide(self) -> NDArray[np.int64]:
        return np.flatnonzero(~self._is_narrow)

    @cached_property
    def _pair_tables(self) -> tuple[FixedTables, FixedTables]:
        joint, with_classes = self._entropies
        joint.fill(np.arange(1, self.table.n_rows + 1))
        return joint, with_classes

    def pair_entropies(
        self, columns: Sequence[int] | NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """H(f, s) and H(f, s, y) for every s of ``columns`` and every column f; for f = s, H(s) and H(s, y)."""
        columns = np.asarray(columns, dtype=np.int64)
        joint, with_classes = np.empty((2, len(columns), self.table.n_columns))
        is_narrow = self._is_narrow[columns]
        wide = {int(s): i for i, s in enumerate(columns) if not is_narrow[i]}
        for s, i in wide.items():
            joint[i], with_classes[i] = self._with_every(s, np.arange(self.table.n_columns))
        some, places = columns[is_narrow], np.flatnonzero(is_narrow)
        if len(some):
            both = np.ix_(places, self._narrow)
            joint[both], with_classes[both] = self._narrow_entropies(some)
        for f in self._wide.tolist() if len(some) else ():
            i = wide.get(f, -1)
            values = self._with_every(f, some) if i < 0 else (joint[i, some], with_classes[i, some])
            joint[places, f], with_classes[places, f] = values
        return joint, with_classes

    def _with_every(self, s: int, columns: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """H(f, s) and H(f, s, y) of one column s, however many levels there are."""
        return self.entropy.each(columns, s), self.entropy_with_classes.each(columns, s)

    def _narrow_entropies(self, columns: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """H(f, s) and H(f, s, y) for every s of some narrow columns and every narrow column f."""
        joint, with_classes = self._pair_tables
        blocks, cells = np.empty((2, len(columns), len(self._narrow)), dtype=np.int64)
        places = np.searchsorted(self._narrow, columns)
        batch = max(1, _CALL // (self.table.n_rows * len(self._narrow)))
        for part in (slice(start, start + batch) for start in range(0, len(columns), batch)):
            self._level_sets.score(
                places[part].tolist(), joint.t1, with_classes.t2, blocks[part], cells[part], self.n_threads
            )
        return joint.bits(blocks), with_classes.bits(cells)

    def partition(self, masks: NDArray[np.bool_]) -> NDArray[np.uint32]:
        """The blocks of every mask: for every row some row of its block, the same for all, shape (n_masks, n_rows)."""
        blocks = np.empty((len(masks), self.table.n_rows), dtype=np.uint32)
        self._planes.partition(_bytes(masks), blocks, self.n_threads)
        found = np.empty_like(blocks)
        found[:, self._order] = self._order[blocks]  # the planes have the rows in the order of the classes
        return found

    def dependence(self, tables: DependenceTables, rows: NDArray[np.int64]) -> NativeLosses:
        """What a model that counts levels together loses, on these rows and on all."""
        return NativeLosses(tables, self.table, rows, self.n_threads)

    def ridge(
        self, ridge: Ridge, members: NDArray[np.bool_], near: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """V(U)/V(∅) of subsets of features, and the place of the penalty; see ``ridge.hpp`` and ``near.hpp``."""
        members = np.ascontiguousarray(members)
        ratios, places = np.empty(len(members)), np.empty(len(members), dtype=np.int64)
        kernel = _ridge(ridge) if near is None else self._center(ridge, near)
        largest = min(int(members.sum(axis=1).max(initial=0)), ridge.n_rows)
        batch = max(self.n_threads, _RIDGE_CALL // (1 + largest**3))
        for some in (slice(start, start + batch) for start in range(0, len(members), batch)):
            kernel.solve(members[some].view(np.uint8), self.n_threads, ratios[some], places[some])
        return ratios, places

    def _center(self, ridge: Ridge, near: NDArray[np.bool_]) -> _kernels.RidgeCenter:
        """The subset that others are near to; the last few are kept, since questions about it come in several calls."""
        for known, member, kernel in self._centers:
            if known is ridge and not (member != near).any():
                return kernel
        center = ridge.around(near)
        kernel = _kernels.RidgeCenter(
            _ridge(ridge), center.member.view(np.uint8), center.values, center.columns, center.targets
        )
        self._centers = [(ridge, near, kernel), *self._centers[: _CENTERS - 1]]
        return kernel

    def sums(self, masks: NDArray[np.bool_], tables: FixedTables) -> NDArray[np.int64]:
        """Σ_blocks T1[a] + Σ_cells T2[c][q] of every mask."""
        sums = np.empty(len(masks), dtype=np.int64)
        batch = max(self.n_threads, _CALL // (self.table.n_rows * (1 + self.table.n_columns // 64)))
        for start in range(0, len(masks), batch):
            sums[start : start + batch] = self._sums(masks[start : start + batch], tables)
        return sums

    def sums_of_each(self, columns: NDArray[np.int64], tables: FixedTables) -> NDArray[np.int64]:
        """The same of single columns: of a table that has more columns than rows, many counted together."""
        table = self.table
        if table.n_columns < table.n_rows:
            return super().sums_of_each(columns, tables)
        sums = [np.empty(0, dtype=np.int64)]
        step = max(1, _COUNTED // table.n_rows)
        for some in (columns[start : start + step] for start in range(0, len(columns), step)):
            starts = np.cumsum(table.levels[some]) - table.levels[some]
            n_levels, n_classes = int(table.levels[some].sum()), len(table.class_sizes)
            places = np.array([table.columns[j] for j in some], dtype=np.int64) + starts[:, None]
            both = np.bincount((places + table.classes * n_levels).ravel(), minlength=n_classes * n_levels)
            counts = both.reshape(n_classes, n_levels)
            sizes = counts.sum(axis=0)
            tables.fill(np.unique(sizes))
            values = tables.t1[sizes] + tables.t2[tables.offsets[:-1, None] + counts].sum(axis=0)
            sums.append(np.add.reduceat(values, starts))
        return np.concatenate(sums)

    def _sums(self, masks: NDArray[np.bool_], tables: FixedTables) -> NDArray[np.int64]:
        sums, duplicate_of = np.empty(len(masks), dtype=np.int64), np.empty(len(masks), dtype=np.int64)
        missing = self._planes.score(masks.view(np.uint8), tables.t1, tables.t2, sums, duplicate_of, self.n_threads)
        owners, sizes = missing.T
        tables.fill(np.unique(sizes))
        np.add.at(sums, owners, tables.t1[sizes])
        return sums[duplicate_of]


class NativeLosses:
    """Tiles of rows, threads over tiles and masks; see ``cpp/one_dependence.hpp``."""

    def __init__(self, tables: DependenceTables, table: CodeTable, rows: NDArray[np.int64], n_threads: int) -> None:
        self.tables, self.table, self.rows, self.n_threads = tables, table, rows, n_threads
        self._kernel = _kernels.Dependence(
            tables.others, tables.own, tables.log_prior, EXPONENTS.tolist(), tables.has_parents
        )
        self._sample = self._places(rows)

    def means(self, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The mean loss of each mask at its best exponent, in nats."""
        means = np.empty(len(masks))
        for some in self._batches(masks, len(self.rows)):
            self._score(masks[some], means[some], np.empty((0, 0)))
        return means

    def losses(self, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The loss of each row at the mask's best exponent, shape (n_masks, n_rows)."""
        losses = np.empty((len(masks), len(self.rows)))
        for some in self._batches(masks, len(self.rows)):
            self._score(masks[some], np.empty(len(masks[some])), losses[some])
        return losses

    def sums(self, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The sum of the losses of all rows of the table, shape (n_masks, n_exponents)."""
        n_rows = self.table.n_rows
        size = max(1, _EVIDENCE // max(2 * len(self.tables.log_prior), len(self.tables.maps)))
        total = np.zeros((len(masks), len(EXPONENTS)))
        for start in range(0, n_rows, size):
            places, classes = self._places(np.arange(start, min(n_rows, start + size)))
            for some in self._batches(masks, len(classes)):
                sums = np.empty((len(masks[some]), len(EXPONENTS)))
                self._kernel.sums(places, classes, _bytes(masks[some]), sums, self.n_threads)
                total[some] += sums
        return total

    def _score(self, masks: NDArray[np.bool_], means: NDArray[np.float64], losses: NDArray[np.float64]) -> None:
        self._kernel.score(*self._sample, _bytes(masks), means, losses, self.n_threads)

    def _places(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        return self.tables.places(self.table, rows), self.table.classes[rows].astype(np.int32)

    def _batches(self, masks: NDArray[np.bool_], n_rows: int) -> list[slice]:
        """Masks that go into one call: what it holds and how long it takes are bounded."""
        cells = n_rows * len(self.tables.log_prior)
        most = int(masks.sum(axis=1).max(initial=1))
        size = max(1, min(_EVIDENCE // cells, _WORK // (cells * most**2)))
        return [slice(start, start + size) for start in range(0, len(masks), size)]


def _ridge(ridge: Ridge) -> _kernels.Ridge:
    return _kernels.Ridge(
        ridge.gram, ridge.cross, ridge.X, ridge.Y, ridge.total, ridge.n_rows, list(ridge.penalties), ridge.price
    )


def _bytes(masks: NDArray[np.bool_]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(masks, dtype=np.bool_).view(np.uint8)
