"""The C++ engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from entropick import _kernels
from entropick.criteria import Ridge
from entropick.engine._base import Engine
from entropick.engine._fixed import FixedTables

_CALL = 1 << 27  # rows × masks (or pairs of columns) per call into C++; Ctrl-C is checked in between
_RIDGE_CALL = 1 << 31  # the same, of features³ × masks


class NativeEngine(Engine):
    """Bit planes, threads over subsets; see ``cpp/score.hpp`` and ``cpp/pairs.hpp``."""

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
        return np.asarray(few & (64 * len(self.table.class_sizes) <= self.table.n_rows))

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
        narrow, wide = self._narrow, self._wide
        if not self._is_narrow[columns].all():
            return super().pair_entropies(columns)
        joint, with_classes = self._pair_tables
        blocks, cells = np.empty((2, len(columns), len(narrow)), dtype=np.int64)
        places = np.searchsorted(narrow, columns)
        batch = max(1, _CALL // (self.table.n_rows * len(narrow)))
        for some in (slice(start, start + batch) for start in range(0, len(columns), batch)):
            self._level_sets.score(
                places[some].tolist(), joint.t1, with_classes.t2, blocks[some], cells[some], self.n_threads
            )
        if not len(wide):
            return joint.bits(blocks), with_classes.bits(cells)
        h_fs, h_fsy = np.empty((2, len(columns), self.table.n_columns))
        h_fs[:, narrow], h_fsy[:, narrow] = joint.bits(blocks), with_classes.bits(cells)
        for i, s in enumerate(columns):
            h_fs[i, wide], h_fsy[i, wide] = self.entropy.each(wide, s), self.entropy_with_classes.each(wide, s)
        return h_fs, h_fsy

    def ridge(self, ridge: Ridge, members: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """V(U)/V(∅) of subsets of features, and the place of the penalty; see ``cpp/ridge.hpp``."""
        members = np.ascontiguousarray(members)
        ratios, places = np.empty(len(members)), np.empty(len(members), dtype=np.int64)
        kernel = _kernels.Ridge(ridge.gram, ridge.cross, ridge.total, ridge.n_rows, list(ridge.penalties), ridge.price)
        largest = int(members.sum(axis=1).max(initial=0))
        batch = max(self.n_threads, _RIDGE_CALL // (1 + largest**3))
        for some in (slice(start, start + batch) for start in range(0, len(members), batch)):
            kernel.solve(members[some].view(np.uint8), self.n_threads, ratios[some], places[some])
        return ratios, places

    def sums(self, masks: NDArray[np.bool_], tables: FixedTables) -> NDArray[np.int64]:
        """Σ_blocks T1[a] + Σ_cells T2[c][q] of every mask."""
        sums = np.empty(len(masks), dtype=np.int64)
        batch = max(self.n_threads, _CALL // (self.table.n_rows * (1 + self.table.n_columns // 64)))
        for start in range(0, len(masks), batch):
            sums[start : start + batch] = self._sums(masks[start : start + batch], tables)
        return sums

    def _sums(self, masks: NDArray[np.bool_], tables: FixedTables) -> NDArray[np.int64]:
        sums, duplicate_of = np.empty(len(masks), dtype=np.int64), np.empty(len(masks), dtype=np.int64)
        missing = self._planes.score(masks.view(np.uint8), tables.t1, tables.t2, sums, duplicate_of, self.n_threads)
        owners, sizes = missing.T
        tables.fill(np.unique(sizes))
        np.add.at(sums, owners, tables.t1[sizes])
        return sums[duplicate_of]
