"""The tables of a criterion as integers, so that sums are exact in any order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from entropick.criteria import Tables

UNKNOWN = np.iinfo(np.int64).min
_EAGER = 1024  # block sizes whose entries are computed at once; the larger ones when they occur


class FixedTables:
    """T1 and T2 in multiples of ``2**-shift`` nats.

    Rounding an entry costs less than 10⁻⁹ bits of a score, and buys that every engine, any number of threads
    and any order of the blocks give the same number to the last bit; equal partitions have equal scores.

    Attributes
    ----------
    t1 : ndarray of shape (n + 1,)
        By block size; UNKNOWN where it was not needed yet.
    t2 : ndarray of shape (n + n_classes,)
        Ragged: class c has its counts 0 to b_c from ``offsets[c]`` on.
    """

    def __init__(self, tables: Tables, class_sizes: NDArray[np.int64]) -> None:
        n = int(class_sizes.sum())
        self.tables = tables
        self.n = n
        self.offsets = np.concatenate([[0], np.cumsum(class_sizes + 1)])
        cells = np.zeros(n + len(class_sizes))
        for c, size in enumerate(class_sizes):
            cells[self.offsets[c] + 1 : self.offsets[c + 1]] = tables.cell(c, np.arange(1, size + 1))
        # Known criteria stay below this bound; the sum of all blocks or cells must fit into 62 bits.
        bound = max(8 * n * (np.log(n) + 2), self._largest_sum(cells, class_sizes))
        self.shift = 61 - int(np.ceil(np.log2(bound)))
        self.limit = 2.0 ** (61 - self.shift) / n
        self.t2 = self._fix(cells)
        self.t1 = np.full(n + 1, UNKNOWN, dtype=np.int64)
        self.t1[0] = 0
        self.fill(np.arange(1, min(n, _EAGER) + 1))

    def fill(self, sizes: NDArray[np.int64]) -> None:
        """Compute the entries of T1 for these sizes, all at least 1."""
        sizes = sizes[self.t1[sizes] == UNKNOWN]
        if not len(sizes):
            return
        values = np.asarray(self.tables.block(sizes), dtype=np.float64)
        if not (np.abs(values) <= self.limit * sizes).all():  # NaN fails as well
            raise ValueError(
                f"the criterion's value of a block of {int(sizes[0])} rows must be a number below "
                f"{self.limit:.3g} per row; got {values[~(np.abs(values) <= self.limit * sizes)][0]!r}."
            )
        self.t1[sizes] = self._fix(values)

    def bits(self, sums: NDArray[np.int64]) -> NDArray[np.float64]:
        """Scores in bits from the sums over blocks and cells."""
        nats = self.tables.constant + np.ldexp(sums.astype(np.float64), -self.shift) / self.n
        return np.asarray(nats / np.log(2))

    def _fix(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        return np.rint(np.ldexp(values, self.shift)).astype(np.int64)

    def _largest_sum(self, cells: NDArray[np.float64], class_sizes: NDArray[np.int64]) -> float:
        if not np.isfinite(cells).all():
            raise ValueError("the criterion's value of a cell must be a finite number; got NaN or infinity.")
        counts = np.concatenate([np.maximum(np.arange(size + 1), 1) for size in class_sizes])
        return 2 * self.n * float(np.abs(cells / counts).max())
