"""The C++ engine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from entropick.encode import CodeTable
from entropick.engine import _kernels
from entropick.engine._base import Engine
from entropick.engine._fixed import UNKNOWN, FixedTables

_CALL = 1 << 27  # rows × masks of one call into C++: Ctrl-C and deadlines are looked at in between


class NativeEngine(Engine):
    """Packed rows, threads over subsets; see ``cpp/score.hpp``."""

    def __init__(self, table: CodeTable, n_jobs: int = 1) -> None:
        super().__init__(table, n_jobs)
        order = np.argsort(table.classes, kind="stable")
        starts = np.concatenate([[0], np.cumsum(table.class_sizes)])
        self.planes = _kernels.BitPlanes(table.n_columns, starts.tolist())
        for j, column in enumerate(table.columns):
            self.planes.add_column(j, column[order])
        self.planes.seal()

    def sums(self, masks: NDArray[np.bool_], tables: FixedTables) -> NDArray[np.int64]:
        """Σ_blocks T1[a] + Σ_cells T2[c][q] of every mask."""
        sums = np.empty(len(masks), dtype=np.int64)
        batch = max(self.n_threads, _CALL // self.table.n_rows)
        for start in range(0, len(masks), batch):
            sums[start : start + batch] = self._sums(masks[start : start + batch], tables)
        return sums

    def _sums(self, masks: NDArray[np.bool_], tables: FixedTables) -> NDArray[np.int64]:
        sums = np.empty(len(masks), dtype=np.int64)
        missing = np.zeros(len(tables.t1), dtype=np.uint8)
        self.planes.score(masks.view(np.uint8), tables.t1, tables.t2, sums, missing, self.n_threads)
        sizes = np.flatnonzero(missing)
        if len(sizes):
            tables.fill(sizes)
            again = sums == UNKNOWN
            sums[again] = self._sums(masks[again], tables)
        return sums
