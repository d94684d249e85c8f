"""The engine of tables in shards: what adds up is added up where the rows are; blocks that span shards meet by key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from entropick import _blas
from entropick.criteria import EXPONENTS, DependenceTables
from entropick.encode import CodeTable
from entropick.engine._fixed import FixedTables
from entropick.engine._native import NativeEngine, NativeLosses
from entropick.shards import ShardedTable

Mask = NDArray[np.bool_]
Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]

_FEW_BLOCKS = 1 << 16  # possible cells of a subset that are counted one by one
_FEW_LEVELS = 64  # of a column whose pairs with all others are counted at once
_HELD = 1 << 23  # counts, or keys of blocks, held at once
_BLOCK = 1 << 20  # indicators held at once
_WORD = 64  # bits
_MIX = np.uint64(0x9E3779B97F4A7C15)


class ShardedEngine(NativeEngine):
    """Counts of shards, added up; see `ShardedTable`. Sums equal those of other engines to the last bit."""

    table: ShardedTable

    def sums(self, masks: Mask, tables: FixedTables) -> Ints:
        """Σ_blocks T1[a] + Σ_cells T2[c][q] of every mask."""
        unique, places = np.unique(masks, axis=0, return_inverse=True)
        n_classes = len(self.table.class_sizes)
        most = np.exp(unique @ np.log(self.table.levels)) * n_classes  # cells that are possible
        few = most <= _FEW_BLOCKS
        sums = np.empty(len(unique), dtype=np.int64)
        for some in _batches(np.flatnonzero(few), most[few]):
            counts = self.table.total(partial(_dense_counts, masks=unique[some], n_classes=n_classes))
            sums[some] = [_value(Sizes.of_counts(own), tables) for own in counts]
        sums[~few] = self._sums_of_many(unique[~few], tables)
        return sums[places.reshape(-1)]

    def _sums_of_many(self, masks: Mask, tables: FixedTables) -> Ints:
        """The sums of masks with many blocks: those with the same key meet, in parts that fit into memory."""
        sums = np.zeros(len(masks), dtype=np.int64)
        n_rows, n_classes = self.table.n_rows, len(self.table.class_sizes)
        for some in _batches(np.arange(len(masks)), np.full(len(masks), min(n_rows, _HELD))):
            split = partial(_split, masks=masks[some], n_threads=self.n_threads)
            for part in self.table.meet(split, partial(_merge, n_classes=n_classes), -(-n_rows // _HELD)):
                sums[some] += [_value(sizes, tables) for sizes in part]
        return sums

    @property
    def how(self) -> str:
        """What was done where."""
        return f"the table was kept in {len(self.table.shards)} shards on this disk, and read one at a time."

    @cached_property
    def _is_narrow(self) -> NDArray[np.bool_]:
        """The columns all of whose pairs are counted at once: those with few levels, unless there are many classes."""
        levels = self.table.levels
        narrow = levels <= _FEW_LEVELS
        return np.asarray(narrow & (len(self.table.class_sizes) * levels[narrow].sum() * _FEW_LEVELS <= _HELD))

    def _narrow_entropies(self, columns: Ints) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """H(f, s) and H(f, s, y) for every s of some narrow columns and every narrow column f."""
        table = self.table.take(self._narrow)
        places, n_classes = np.searchsorted(self._narrow, columns), len(table.class_sizes)
        joint, with_classes = np.empty((2, len(columns), table.n_columns))
        blocks, cells = self._entropies
        width = int(table.levels.sum()) * n_classes
        for some in _batches(np.arange(len(columns)), table.levels[places] * width):
            own = places[some]
            counts = table.total(partial(_pair_counts, columns=own, n_classes=n_classes))[0]
            joint[some] = blocks.bits(_by_pair(_looked_up(counts.sum(axis=0), blocks.blocks), table, own))
            of_cells = [_looked_up(of_class, partial(cells.cells, c)) for c, of_class in enumerate(counts)]
            with_classes[some] = cells.bits(_by_pair(sum(of_cells[1:], of_cells[0]), table, own))
        return joint, with_classes

    def dependence(self, tables: DependenceTables, rows: Ints) -> NativeLosses:
        """What a model that counts levels together loses, on these rows, which are fetched, and on all."""
        return _ShardedLosses(self.table, tables, rows, self.n_threads)


class _ShardedLosses(NativeLosses):
    """Losses on a sample of rows in memory, and their sums over all rows."""

    def __init__(self, table: ShardedTable, tables: DependenceTables, rows: Ints, n_threads: int) -> None:
        self.whole = table
        super().__init__(tables, *table.locate(rows), n_threads)

    def sums(self, masks: Mask) -> NDArray[np.float64]:
        """The sum of the losses of all rows of the table, shape (n_masks, n_exponents)."""
        of_shard = partial(_loss_sums, tables=self.tables, masks=masks, n_threads=self.n_threads)
        return self.whole.total(of_shard)[0]


def _loss_sums(shard: CodeTable, tables: DependenceTables, masks: Mask, n_threads: int) -> list[NDArray[np.float64]]:
    if not shard.n_rows:
        return [np.zeros((len(masks), len(EXPONENTS)))]
    return [NativeLosses(tables, shard, np.arange(0), n_threads).sums(masks)]


@dataclass(frozen=True)
class Sizes:
    """How large the blocks and the cells of a subset are: all that its score depends on.

    Attributes
    ----------
    blocks, times : ndarray of int
        The sizes of blocks, and how many have each.
    cells : list of (class, ndarray of int, ndarray of int)
        The same of the cells of each class.
    """

    blocks: Ints
    times: Ints
    cells: list[tuple[int, Ints, Ints]]

    @classmethod
    def of_counts(cls, counts: Ints) -> Sizes:
        """From the number of rows of each block and class, shape (n_blocks, n_classes)."""
        of_classes = enumerate(map(_sizes, counts.T))
        return cls(*_sizes(counts.sum(axis=1)), [(c, *found) for c, found in of_classes])


def _sizes(counts: Ints) -> tuple[Ints, Ints]:
    sizes, times = np.unique(counts[counts > 0], return_counts=True)
    return sizes.astype(np.int64), times.astype(np.int64)


def _value(sizes: Sizes, tables: FixedTables) -> int:
    """Σ_blocks T1[a] + Σ_cells T2[c][q]."""
    total = int(tables.blocks(sizes.blocks) @ sizes.times) if len(sizes.blocks) else 0
    return total + sum(int(tables.cells(c, found) @ times) for c, found, times in sizes.cells if len(found))


def _batches(places: Ints, work: NDArray[np.floating] | Ints) -> Iterator[Ints]:
    """Places, as many together as fit into memory."""
    first = 0
    while first < len(places):
        n = max(1, int(np.searchsorted(np.cumsum(work[first:]), _HELD, side="right")))
        yield places[first : first + n]
        first += n


def _dense_counts(shard: CodeTable, masks: Mask, n_classes: int) -> list[Ints]:
    """The number of rows of each possible block and class, of each mask."""
    found = []
    for mask in masks:
        key = np.zeros(shard.n_rows, dtype=np.int64)
        for j in np.flatnonzero(mask):
            key = key * shard.levels[j] + shard.columns[j]
        n_blocks = int(np.prod(shard.levels[mask]))
        counts = np.bincount(key * n_classes + shard.classes, minlength=n_blocks * n_classes)
        found.append(counts.reshape(n_blocks, n_classes))
    return found


@dataclass(frozen=True)
class _Blocks:
    """The blocks of a subset in some rows: what their rows have in its columns, and the rows of each class.

    Attributes
    ----------
    keys : ndarray of shape (n_blocks, n_words)
        The codes, as bits.
    owners, classes, counts : ndarray of int
        The block, the class and the number of rows of each cell.
    """

    keys: Keys
    owners: Ints
    classes: Ints
    counts: Ints

    def __sizeof__(self) -> int:
        """Bytes of its arrays, so that Dask knows what it moves and holds."""
        return sum(array.nbytes for array in (self.keys, self.owners, self.classes, self.counts))


def _split(shard: CodeTable, n_parts: int, masks: Mask, n_threads: int) -> list[list[_Blocks]]:
    """The blocks of each mask in a shard, shared out into parts by their keys."""
    parts: list[list[_Blocks]] = [[] for _ in range(n_parts)]
    if not shard.n_rows:
        return [[] for _ in range(n_parts)]
    engine, n_classes = NativeEngine(shard, n_threads), len(np.bincount(shard.classes))
    step = max(1, _HELD // shard.n_rows)
    for some in (masks[start : start + step] for start in range(0, len(masks), step)):
        for mask, first in zip(some, engine.partition(some), strict=True):
            # A cell is a block and a class; a block is told by one of its rows.
            cells, counts = np.unique(first.astype(np.int64) * n_classes + shard.classes, return_counts=True)
            rows, owners = np.unique(cells // n_classes, return_inverse=True)
            keys = _keys(shard, mask, rows)
            part_of = _hash(keys) % np.uint64(n_parts)
            for part in range(n_parts):
                ours = part_of == part
                place = np.cumsum(ours) - 1
                own = ours[owners]
                parts[part].append(_Blocks(keys[ours], place[owners[own]], cells[own] % n_classes, counts[own]))
    return parts


def _keys(shard: CodeTable, mask: Mask, rows: Ints) -> Keys:
    """The codes of some rows in the columns of a mask, as bits, in as many words as it takes."""
    words, used = [np.zeros(len(rows), dtype=np.uint64)], 0
    for j in np.flatnonzero(mask):
        bits = int(shard.levels[j] - 1).bit_length()
        if used + bits > _WORD:
            words.append(np.zeros(len(rows), dtype=np.uint64))
            used = 0
        words[-1] |= shard.columns[j][rows].astype(np.uint64) << np.uint64(used)
        used += bits
    return np.stack(words, axis=1)


def _hash(keys: Keys) -> Keys:
    """A number for each key, by which keys are shared out and sorted."""
    found = np.zeros(len(keys), dtype=np.uint64)
    for word in keys.T:
        found = (found ^ word) * _MIX
        found ^= found >> np.uint64(29)
    return found


def _merge(pieces: list[list[_Blocks]], n_classes: int) -> list[Sizes]:
    """The sizes of the blocks of each mask, from those in all shards."""
    known = [piece for piece in pieces if piece]
    return [_merged(of_mask, n_classes) for of_mask in zip(*known, strict=True)]


def _merged(parts: Sequence[_Blocks], n_classes: int) -> Sizes:
    starts = np.cumsum([0, *(len(part.keys) for part in parts)])
    number = _numbered(np.concatenate([part.keys for part in parts]))
    owners = np.concatenate([part.owners + start for part, start in zip(parts, starts, strict=False)])
    cells = number[owners] * n_classes + np.concatenate([part.classes for part in parts])
    counts = np.concatenate([part.counts for part in parts])
    of_cell, place = np.unique(cells, return_inverse=True)
    of_cells = np.bincount(place.reshape(-1), weights=counts, minlength=len(of_cell)).astype(np.int64)
    of_blocks = np.bincount(of_cell // n_classes, weights=of_cells).astype(np.int64)
    of_classes = ((c, *_sizes(of_cells[of_cell % n_classes == c])) for c in range(n_classes))
    return Sizes(*_sizes(of_blocks), list(of_classes))


def _numbered(keys: Keys) -> Ints:
    """A number from 0 up for each different key."""
    if keys.shape[1] == 1:
        return np.unique(keys[:, 0], return_inverse=True)[1].reshape(-1)
    hashes = _hash(keys)
    order = np.argsort(hashes, kind="stable")
    same_hash = hashes[order][1:] == hashes[order][:-1]
    same = (keys[order][1:] == keys[order][:-1]).all(axis=1)
    if (same_hash & ~same).any():  # two keys have the same hash, which is rare
        return np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1)
    number = np.empty(len(keys), dtype=np.int64)
    number[order] = np.cumsum(np.concatenate([np.zeros(len(keys[:1]), dtype=np.int64), ~same]))
    return number


def _pair_counts(shard: CodeTable, columns: Ints, n_classes: int) -> list[Ints]:
    """The rows of each class with each level of all columns and each of some, shape (classes, levels, some levels)."""
    starts, own_starts = _starts(shard.levels), _starts(shard.levels[columns])
    counts = np.zeros((n_classes, starts[-1], own_starts[-1]))
    order = np.argsort(shard.classes, kind="stable")
    size = max(1, _BLOCK // int(starts[-1]))
    for c, every in enumerate(np.split(order, np.searchsorted(shard.classes[order], np.arange(1, n_classes)))):
        for rows in (every[start : start + size] for start in range(0, len(every), size)):
            has = np.zeros((len(rows), starts[-1]), dtype=np.float32)  # exact: a block has less than 2²⁴ rows
            for column, start in zip(shard.columns, starts, strict=False):
                has[np.arange(len(rows)), start + column[rows]] = 1
            own = [has[:, starts[s] : starts[s + 1]] for s in columns]
            with _blas.threads(1):
                counts[c] += has.T @ np.concatenate(own, axis=1)
    return [counts.astype(np.int64)]


def _starts(levels: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(levels)])


def _looked_up(counts: Ints, values: Callable[[Ints], Ints]) -> Ints:
    """The values of counts, 0 for none."""
    sizes, places = np.unique(counts, return_inverse=True)
    found = np.zeros(len(sizes), dtype=np.int64)
    found[sizes > 0] = values(sizes[sizes > 0])
    return found[places.reshape(counts.shape)]


def _by_pair(values: Ints, table: CodeTable, columns: Ints) -> Ints:
    """Sums over the levels of pairs of columns, shape (some columns, columns)."""
    of_first = np.add.reduceat(values, _starts(table.levels)[:-1], axis=0)
    return np.asarray(np.add.reduceat(of_first, _starts(table.levels[columns])[:-1], axis=1).T)
