"""The tables of a criterion as integers, so that sums are exact in any order."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from entropick.criteria import Tables

UNKNOWN = np.iinfo(np.int64).min
_EAGER = 1024  # block sizes whose entries are computed up front; larger ones when they occur


class FixedTables:
    """T1 and T2 in multiples of ``2**-shift`` nats.

    Rounding the entries changes a score by less than 2·10⁻⁹ bits up to 10⁸ rows. In return every engine, any number of
    threads and any order of the blocks give the same number to the last bit, and equal partitions have equal scores.

    Attributes
    ----------
    t1 : ndarray of shape (n + 1,)
        By block size; UNKNOWN where not needed yet.
    t2 : ndarray of shape (n + n_classes,)
        Ragged: the entries of class c, for counts 0 to b_c, start at ``offsets[c]``.
    """

    def __init__(self, tables: Tables, class_sizes: NDArray[np.int64]) -> None:
        n = int(class_sizes.sum())
        self.tables = tables
        self.n = n
        self.offsets = np.concatenate([[0], np.cumsum(class_sizes + 1)])
        counts = np.concatenate([np.arange(size + 1, dtype=np.int64) for size in class_sizes])
        cells = np.zeros(n + len(class_sizes))
        for c in range(len(class_sizes)):
            ours = slice(self.offsets[c] + 1, self.offsets[c + 1])
            cells[ours] = tables.cell(c, counts[ours])
        sizes = np.arange(1, min(n, _EAGER) + 1, dtype=np.int64)
        # There are too many larger sizes to check them all; the largest possible one is among those checked.
        some = np.union1d(sizes, np.geomspace(min(n, _EAGER), n, 100).astype(np.int64))
        blocks = np.asarray(tables.block(some), dtype=np.float64)
        per_row = max(_largest("cell", cells, counts), _largest("block", blocks, some), np.log(n) + 2)
        # Blocks and cells together stay below 2⁶³; the remaining sizes are checked in fill.
        self.shift = 61 - int(np.ceil(np.log2(per_row * n)))
        self.limit = 2.0 ** (61 - self.shift) / n
        self.t2 = self._fix(cells)
        self.t1 = np.full(n + 1, UNKNOWN, dtype=np.int64)
        self.t1[0] = 0
        self.fill(sizes)

    def fill(self, sizes: NDArray[np.int64]) -> None:
        """Compute the entries of T1 for these sizes, all at least 1."""
        sizes = sizes[self.t1[sizes] == UNKNOWN]
        if not len(sizes):
            return
        values = np.asarray(self.tables.block(sizes), dtype=np.float64)
        if _largest("block", values, sizes) > self.limit:
            raise ValueError(
                f"the criterion's block values must not jump from one size to the next; expected at most "
                f"{self.limit:.3g} per row, got {np.abs(values / sizes).max():.3g}."
            )
        self.t1[sizes] = self._fix(values)

    def bits(self, sums: NDArray[np.int64]) -> NDArray[np.float64]:
        """Scores in bits from the sums over blocks and cells."""
        nats = self.tables.constant + sums * 2.0**-self.shift / self.n
        return np.asarray(nats / np.log(2))

    def digest(self) -> str:
        """A hash of the constant and of all entries except those computed when they occur."""
        state = hashlib.blake2b(repr((self.shift, float(self.tables.constant))).encode(), digest_size=16)
        for array in (self.t1[: _EAGER + 1], self.t2):
            state.update(array.data)
        return state.hexdigest()

    def _fix(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        return np.rint(np.ldexp(values, self.shift)).astype(np.int64)


def _largest(what: str, values: NDArray[np.float64], sizes: NDArray[np.int64]) -> float:
    """The largest value per row."""
    if values.shape != sizes.shape:
        raise ValueError(
            f"the criterion must return one {what} value per size; got shape {values.shape} for {len(sizes)} sizes."
        )
    if not np.isfinite(values).all():
        raise ValueError(f"the criterion's {what} values must be finite numbers; got NaN or infinity.")
    return float(np.abs(values / np.maximum(sizes, 1)).max())
