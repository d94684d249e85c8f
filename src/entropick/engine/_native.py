"""The C++ engine."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from entropick import _kernels
from entropick.engine._base import Engine
from entropick.engine._fixed import FixedTables

_CALL = 1 << 27  # rows × masks of one call into C++, wide masks counting more: Ctrl-C is looked at in between


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
    def _narrow(self) -> NDArray[np.int64]:
        """The columns whose pairs are counted by bit sets: those of few levels, unless there are many classes."""
        few = self.table.levels <= _kernels.LevelSets.MAX_LEVELS
        return np.flatnonzero(few & (64 * len(self.table.class_sizes) <= self.table.n_rows))

    @cached_property
    def _level_sets(self) -> _kernels.LevelSets:
        sets = _kernels.LevelSets(self.table.levels[self._narrow].tolist(), self._class_starts)
        for k, j in enumerate(self._narrow):
            sets.set_column(k, self.table.columns[j][self._order].astype(np.uint8, copy=False))
        return sets

    def pair_entropies(self, s: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """H(f, s) and H(f, s, y) of every column f together with column s, which with itself is alone."""
        narrow = self._narrow
        place = int(np.searchsorted(narrow, s))
        if place == len(narrow) or narrow[place] != s:
            return super().pair_entropies(s)
        joint, with_classes = self.entropy, self.entropy_with_classes
        joint.tables.fill(np.arange(1, self.table.n_rows + 1))
        blocks, cells = np.empty(len(narrow), dtype=np.int64), np.empty(len(narrow), dtype=np.int64)
        self._level_sets.score(place, joint.tables.t1, with_classes.tables.t2, blocks, cells, self.n_threads)
        wide = np.setdiff1d(np.arange(self.table.n_columns, dtype=np.int64), narrow)
        h_fs, h_fsy = np.empty(self.table.n_columns), np.empty(self.table.n_columns)
        h_fs[narrow], h_fsy[narrow] = joint.tables.bits(blocks), with_classes.tables.bits(cells)
        if len(wide):
            h_fs[wide], h_fsy[wide] = joint.each(wide, s), with_classes.each(wide, s)
        return h_fs, h_fsy

    def sums(self, masks: NDArray[np.bool_], tables: FixedTables) -> NDArray[np.int64]:
        """Σ_blocks T1[a] + Σ_cells T2[c][q] of every mask."""
        sums = np.empty(len(masks), dtype=np.int64)
        batch = max(self.n_threads, _CALL // (self.table.n_rows * (1 + self.table.n_columns // 64)))
        for start in range(0, len(masks), batch):
            sums[start : start + batch] = self._sums(masks[start : start + batch], tables)
        return sums

    def _sums(self, masks: NDArray[np.bool_], tables: FixedTables) -> NDArray[np.int64]:
        sums, twins = np.empty(len(masks), dtype=np.int64), np.empty(len(masks), dtype=np.int64)
        missing = self._planes.score(masks.view(np.uint8), tables.t1, tables.t2, sums, twins, self.n_threads)
        owners, sizes = missing.T
        tables.fill(np.unique(sizes))
        np.add.at(sums, owners, tables.t1[sizes])
        return sums[twins]
