"""The readable twin: what the native engine must compute, in a few lines."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from entropick.encode import joint_codes
from entropick.engine._base import Engine
from entropick.engine._fixed import FixedTables


class NumpyEngine(Engine):
    """Partition the rows column by column, count blocks and cells, look up. One thread."""

    def sums(self, masks: NDArray[np.bool_], tables: FixedTables) -> NDArray[np.int64]:
        """Σ_blocks T1[a] + Σ_cells T2[c][q] of every mask."""
        return np.array([self._sum(mask, tables) for mask in masks], dtype=np.int64)

    def _sum(self, mask: NDArray[np.bool_], tables: FixedTables) -> int:
        table = self.table
        blocks = joint_codes((table.columns[j] for j in np.flatnonzero(mask)), table.n_rows)
        sizes = np.bincount(blocks)
        # A cell is a block and a class: with C classes, block·C + class.
        n_classes = len(table.class_sizes)
        cells, counts = np.unique(blocks * n_classes + table.classes, return_counts=True)
        tables.fill(np.unique(sizes))
        return int(tables.t1[sizes].sum() + tables.t2[tables.offsets[cells % n_classes] + counts].sum())
