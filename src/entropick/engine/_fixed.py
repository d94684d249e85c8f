"""The tables of a criterion as integers, so that sums are exact in any order."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from entropick.criteria import Tables

UNKNOWN = np.iinfo(np.int64).min
_EAGER = 1024  # block sizes whose entries are computed up front; larger ones when they occur
_AT_ONCE = 1 << 20  # entries of T2 computed together


class FixedTables:
    """T1 and T2 in multiples of ``2**-shift`` nats.

    Rounding the entries changes a score by less than 2·10⁻⁹ bits up to 10⁸ rows. In return every engine, any number of
    threads and any order of the blocks give the same number to the last bit, and equal partitions have equal scores.

    An engine looks them up in ``t1`` and ``t2``, arrays as long as the table, or has those computed that occur, by
    `blocks` and `cells`.
    """

    def __init__(self, tables: Tables, class_sizes: NDArray[np.int64]) -> None:
        n = int(class_sizes.sum())
        self.tables = tables
        self.n = n
        self.class_sizes = class_sizes
        self.offsets = np.concatenate([[0], np.cumsum(class_sizes + 1)])
        sizes = np.arange(1, min(n, _EAGER) + 1, dtype=np.int64)
        # There are too many larger sizes to check them all; the largest possible one is among those checked.
        some = np.union1d(sizes, np.geomspace(min(n, _EAGER), n, 100).astype(np.int64))
        blocks = np.asarray(tables.block(some), dtype=np.float64)
        cells = max(_largest("cell", tables.cell(c, counts), counts) for c, counts in self._counts())
        per_row = max(cells, _largest("block", blocks, some), np.log(n) + 2)
        # Blocks and cells together stay below 2⁶³; the remaining sizes are checked in blocks.
        self.shift = 61 - int(np.ceil(np.log2(per_row * n)))
        self.limit = 2.0 ** (61 - self.shift) / n

    def _counts(self) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """Each class with the counts from 1 to its size, some at a time."""
        for c, size in enumerate(self.class_sizes.tolist()):
            for first in range(1, size + 1, _AT_ONCE):
                yield c, np.arange(first, min(size, first + _AT_ONCE - 1) + 1, dtype=np.int64)

    @cached_property
    def t1(self) -> NDArray[np.int64]:
        """The values of blocks, by size; UNKNOWN where not needed yet."""
        t1 = np.full(self.n + 1, UNKNOWN, dtype=np.int64)
        t1[0] = 0
        few = np.arange(1, min(self.n, _EAGER) + 1, dtype=np.int64)
        t1[few] = self.blocks(few)
        return t1

    @cached_property
    def t2(self) -> NDArray[np.int64]:
        """The values of cells: those of class c, for counts 0 to b_c, start at ``offsets[c]``."""
        t2 = np.zeros(self.n + len(self.class_sizes), dtype=np.int64)
        for c, counts in self._counts():
            t2[self.offsets[c] + counts] = self.cells(c, counts)
        return t2

    def fill(self, sizes: NDArray[np.int64]) -> None:
        """Compute the entries of T1 for these sizes, all at least 1."""
        sizes = sizes[self.t1[sizes] == UNKNOWN]
        if len(sizes):
            self.t1[sizes] = self.blocks(sizes)

    def blocks(self, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
        """The values of blocks of these sizes, all at least 1."""
        values = np.asarray(self.tables.block(sizes), dtype=np.float64)
        if _largest("block", values, sizes) > self.limit:
            raise ValueError(
                f"the criterion's block values must not jump from one size to the next; expected at most "
                f"{self.limit:.3g} per row, got {np.abs(values / sizes).max():.3g}."
            )
        return self._fix(values)

    def cells(self, c: int, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The values of cells of class c with these counts, all at least 1."""
        return self._fix(np.asarray(self.tables.cell(c, counts), dtype=np.float64))

    def bits(self, sums: NDArray[np.int64]) -> NDArray[np.float64]:
        """Scores in bits from the sums over blocks and cells."""
        nats = self.tables.constant + sums * 2.0**-self.shift / self.n
        return np.asarray(nats / np.log(2))

    def digest(self) -> str:
        """A hash of the constant and of all entries except those computed when they occur."""
        state = hashlib.blake2b(repr((self.shift, float(self.tables.constant))).encode(), digest_size=16)
        state.update(self.blocks(np.arange(1, min(self.n, _EAGER) + 1, dtype=np.int64)).data)
        for c, counts in self._counts():
            state.update(self.cells(c, counts).data)
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
