"""Exact order statistics of columns in shards, by counting passes over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick.encode import Edges, quantile_edges, quantile_places
from entropick.shards._chunks import Chunk
from entropick.shards._shards import Shards

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]
Counts = NDArray[Any]  # whole numbers: how many rows there are, or the keys of numbers

_BITS = 16  # of a number that are looked at in one pass
_FEW = 1 << 16  # rows whose numbers are fetched, so that no further pass is needed
_TOGETHER = 32  # columns whose counts are held at once
_SIGN = np.uint64(1 << 63)


def quantile_bins(chunks: Shards[Chunk], rows: Mapping[str, int], n_bins: int) -> dict[str, Edges]:
    """Bins of about equally many rows, to the last bit those of a table in memory.

    Parameters
    ----------
    chunks : Shards
        The rows.
    rows : mapping of str to int
        The columns, and in how many rows each has a number; all have more different ones than bins.
    n_bins : int
        How many bins.
    """
    found: dict[str, Edges] = {}
    names = list(rows)
    for some in (names[first : first + _TOGETHER] for first in range(0, len(names), _TOGETHER)):
        places = {name: quantile_places(rows[name], n_bins) for name in some}
        ranks = {name: _ranks(places[name], rows[name]) for name in some}
        values, times = order_statistics(chunks, ranks)
        frequent = {name: np.unique(values[name][times[name] * n_bins >= rows[name]]) for name in some}
        near = _neighbours(chunks, {name: own for name, own in frequent.items() if len(own)})
        for name in some:
            low, high = np.split(values[name], 2)
            found[name] = quantile_edges(low, high, places[name], near.get(name, {}).get)
    return found


def _ranks(places: Floats, n_rows: int) -> Ints:
    below = np.floor(places).astype(np.int64)
    return np.concatenate([below, np.minimum(below + 1, n_rows - 1)])


def order_statistics(chunks: Shards[Chunk], ranks: Mapping[str, Ints]) -> tuple[dict[str, Floats], dict[str, Ints]]:
    """The values of given ranks, from 0 up, among the numbers of columns, and how many rows have each.

    Every number is a whole one of 64 bits in the same order. A pass counts how many numbers there are for each value of
    the next 16 bits, beginning with those that are known; so at most four passes tell all of them. A few numbers are
    fetched at once.
    """
    searches = [_Search(name, rank, k) for name, own in ranks.items() for k, rank in enumerate(own.tolist())]
    values = {name: np.empty(len(own)) for name, own in ranks.items()}
    times = {name: np.empty(len(own), dtype=np.int64) for name, own in ranks.items()}
    while searches:
        ranges = sorted({search.range for search in searches}, key=lambda range_: (range_.name, range_.known))
        total = reduce(_added, chunks.each(partial(_count, ranges=ranges)))
        found = dict(zip(ranges, total, strict=True))
        searches = [search for search in searches if not search.settle(found[search.range], values, times)]
    return values, times


@dataclass(frozen=True)
class _Range:
    """The numbers of a column whose first bits are known; they are counted by the next, or fetched."""

    name: str
    n_known: int = 0
    known: int = 0
    is_small: bool = False


class _Search:
    """The search for the value of one rank."""

    def __init__(self, name: str, rank: int, place: int) -> None:
        self.rank, self.place, self.range = rank, place, _Range(name)

    def settle(self, found: Counts, values: dict[str, Floats], times: dict[str, Ints]) -> bool:
        """Learn from what a pass found in the range; whether the value is known."""
        name = self.range.name
        if self.range.is_small:
            key = np.partition(found, self.rank)[self.rank]
            values[name][self.place] = _numbers(np.array([key], dtype=np.uint64))[0]
            times[name][self.place] = np.count_nonzero(found == key)
            return True
        up_to = np.cumsum(found)
        bits = int(np.searchsorted(up_to, self.rank, side="right"))
        self.rank -= int(up_to[bits] - found[bits])
        known, n_known = self.range.known << _BITS | bits, self.range.n_known + _BITS
        self.range = _Range(name, n_known, known, bool(found[bits] <= _FEW))
        if n_known == 64:
            values[name][self.place] = _numbers(np.array([known], dtype=np.uint64))[0]
            times[name][self.place] = found[bits]
        return n_known == 64


def _count(chunk: Chunk, ranges: Sequence[_Range]) -> list[Counts]:
    """The numbers of each range, or how many there are for each value of their next bits."""
    names = sorted({range_.name for range_ in ranges})
    keys = {name: _keys(numbers) for name, numbers in _present(chunk, names).items()}
    found: list[Counts] = []
    for range_ in ranges:
        own = keys[range_.name]
        if range_.n_known:
            own = own[own >> np.uint64(64 - range_.n_known) == np.uint64(range_.known)]
        if range_.is_small:
            found.append(own)
        else:
            bits = own >> np.uint64(64 - _BITS - range_.n_known) & np.uint64((1 << _BITS) - 1)
            found.append(np.bincount(bits.astype(np.int64), minlength=1 << _BITS))
    return found


def _added(first: list[Counts], second: list[Counts]) -> list[Counts]:
    """What two chunks found: numbers one after the other, counts added up."""
    both = zip(first, second, strict=True)
    return [np.concatenate(own) if own[0].dtype == np.uint64 else own[0] + own[1] for own in both]


def _present(chunk: Chunk, names: Sequence[str]) -> dict[str, Floats]:
    """The numbers of columns in a chunk, without missing ones."""
    found = {}
    for column in chunk.source(names):
        numbers = np.empty(0) if column.numbers is None else column.numbers
        found[column.name] = numbers[~np.isnan(numbers)]
    return found


def _keys(numbers: Floats) -> Keys:
    """Whole numbers in the order of these."""
    bits = (numbers + 0.0).view(np.uint64)  # −0 is 0
    return np.where(bits & _SIGN, ~bits, bits | _SIGN)


def _numbers(keys: Keys) -> Floats:
    return np.where(keys & _SIGN, keys ^ _SIGN, ~keys).view(np.float64)


def _neighbours(chunks: Shards[Chunk], values: Mapping[str, Floats]) -> dict[str, dict[float, tuple[float, float]]]:
    """The next smaller and the next larger number of some values of columns; infinite where there is none."""
    if not values:
        return {}
    parts = np.array(list(chunks.each(partial(_near, values=values))))  # chunk, value, end
    near = iter(np.stack([parts[..., 0].max(axis=0), parts[..., 1].min(axis=0)], axis=1).tolist())
    return {name: {value: tuple(next(near)) for value in own.tolist()} for name, own in values.items()}


def _near(chunk: Chunk, values: Mapping[str, Floats]) -> Floats:
    found = []
    for name, numbers in _present(chunk, list(values)).items():
        for value in values[name]:
            below, above = numbers[numbers < value], numbers[numbers > value]
            found.append((below.max(initial=-np.inf), above.min(initial=np.inf)))
    return np.array(found)
