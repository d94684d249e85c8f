"""A table whose rows are in shards."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from entropick.encode import Codes, CodeTable
from entropick.shards._shards import Shards

T = TypeVar("T")
Rows = NDArray[np.int64]


@dataclass(frozen=True)
class ShardedTable(CodeTable):
    """A table of codes in shards of rows; here are only its levels and the class of every row.

    Whatever adds up over rows is added up where they are (`each`, `total`); some rows are fetched by `locate` and
    `take_rows`. Columns and numbers can be indexed by rows, which fetches them.

    Attributes
    ----------
    shards : Shards
        The rows, with codes, classes, and numbers where columns or the target have any.
    sizes : ndarray of int
        The number of rows of each shard.
    which : ndarray of int, optional
        The columns of the shards that are those of the table; all if None.
    """

    shards: Shards[CodeTable] = field(kw_only=True, repr=False)
    sizes: Rows = field(kw_only=True)
    which: Rows | None = field(kw_only=True, default=None)

    @classmethod
    def of(
        cls,
        shards: Shards[CodeTable],
        sizes: Rows,
        levels: NDArray[np.int64],
        classes: NDArray[np.integer],
        *,
        ordered: NDArray[np.int64] | None = None,
        labels: tuple[Any, ...] | None = None,
        is_numeric: bool = False,
    ) -> ShardedTable:
        """The table of some shards.

        Parameters
        ----------
        shards, sizes
            See the attributes.
        levels, classes, ordered, labels
            As of a `CodeTable`.
        is_numeric : bool
            Whether y is a number.
        """
        table = cls((), levels, classes, ordered, labels=labels, shards=shards, sizes=sizes)  # type: ignore[arg-type]
        return table._with_fetched(is_numeric)

    def _with_fetched(self, is_numeric: bool) -> ShardedTable:
        """The table, with columns and numbers that are fetched from itself."""
        columns = tuple(Fetched(self, _codes, j) for j in range(len(self.levels)))
        return replace(
            self,
            columns=columns,  # type: ignore[arg-type]
            numbers=Fetched(self, _target, 0) if is_numeric else None,  # type: ignore[arg-type]
        )

    def each(self, statistic: Callable[..., T], *arguments: Sequence[Any]) -> Iterator[T]:
        """What a function makes of one shard after the other, with its own of further arguments."""
        return self.shards.each(partial(_on_columns, statistic=statistic, which=self.which), *arguments)

    def shared_out(self, values: NDArray[Any]) -> list[NDArray[Any]]:
        """Values of all rows: those of each shard."""
        return np.split(values, np.cumsum(self.sizes)[:-1])

    def meet(self, split: Callable[..., list[Any]], merge: Callable[[list[Any]], T], n_parts: int) -> Iterator[T]:
        """Split the rows of each shard into pieces, and merge those of the same number; see `Shards.meet`."""
        return self.shards.meet(partial(_split_columns, split=split, which=self.which), merge, n_parts)

    def fetch(self, function: Callable[[CodeTable, Rows], T], rows: Rows) -> list[T]:
        """What a function makes of some rows of each shard; the rows of all must rise."""
        return list(self.shards.each(partial(_on_rows, function=function, which=self.which), self.local(rows)))

    def local(self, rows: Rows) -> list[Rows]:
        """Which rows of each shard some rows are, which must rise."""
        ends = np.cumsum(self.sizes)
        of_shards = np.split(rows, np.searchsorted(rows, ends[:-1]))
        return [own - start for own, start in zip(of_shards, ends - self.sizes, strict=True)]

    def locate(self, rows: Rows) -> tuple[CodeTable, Rows]:
        """A table in memory that has some rows of this one, and where it has them; classes keep their numbers."""
        there, where = np.unique(rows, return_inverse=True)
        found = self.fetch(_copied, there)
        columns, values, numbers = zip(*found, strict=True)
        table = CodeTable(
            tuple(np.concatenate(own) for own in zip(*columns, strict=True)),
            self.levels,
            self.classes[there].astype(np.int64),
            self.ordered,
            values=tuple(_joined(own) for own in zip(*values, strict=True)),
            labels=self.labels,
            numbers=_joined(numbers),
        )
        return table, where.reshape(-1)

    def in_memory(self) -> CodeTable:
        """The table with all its rows in memory."""
        return self.locate(np.arange(self.n_rows))[0]

    def take(self, columns: Rows) -> ShardedTable:
        """The table with some of its columns."""
        which = columns if self.which is None else self.which[columns]
        ordered = None if self.ordered is None else self.ordered[columns]
        narrow = replace(
            self, levels=self.levels[columns], ordered=ordered, which=which, known_content=None, of_columns={}
        )
        return narrow._with_fetched(self.numbers is not None)

    def reordered(self, columns: Rows) -> ShardedTable:
        """The table with its columns in another order, which they have by their content."""
        content, places = self.content, np.empty(len(columns), dtype=np.int64)
        places[columns] = np.arange(len(columns))
        return replace(self.take(columns), known_content=replace(content, columns=places[content.columns]))

    def take_rows(self, rows: Rows, whole: bool = True) -> CodeTable:
        """Some rows, in memory; classes that are not in them are left out."""
        return CodeTable.take_rows(*self.locate(rows), whole=whole)

    def numbers_of(self, j: int) -> NDArray[np.float64] | None:
        """The numbers of a column, of all rows."""
        found: NDArray[np.float64] | None = _joined(self.fetch(partial(_numbers, j=j), np.arange(self.n_rows)))
        return found

    def read(self, most: int) -> ShardedTable:
        """The table: its numbers stay where they are."""
        return self

    @property
    def copies(self) -> dict[int, int]:
        """The columns, unless constant, with the same codes and numbers as one before them, and which that is."""
        if "copies" not in self.of_columns:
            hashes = list(zip(*self.each(_column_digests), strict=True))
            first: dict[Any, int] = {}
            varied = np.flatnonzero(self.found_levels > 1).tolist()
            self.of_columns["copies"] = {j: i for j in varied if (i := first.setdefault(hashes[j], j)) != j}
        found: dict[int, int] = self.of_columns["copies"]
        return found

    def digest(self) -> str:
        """A hash of all codes and classes, and of how they are shared out."""
        return _hashed(self.each(CodeTable.digest))

    def digest_of_numbers(self) -> str:
        """A hash of the numbers of all columns and of y."""
        return _hashed(self.each(CodeTable.digest_of_numbers))


class Fetched:
    """A column of codes or of numbers that is fetched when it is indexed by rows."""

    def __init__(self, table: ShardedTable, read: Callable[..., Any], j: int) -> None:
        self.table, self.read, self.j = table, read, j

    def __len__(self) -> int:
        return self.table.n_rows

    def __getitem__(self, rows: Any) -> Any:
        rows = np.arange(len(self))[rows]
        there, where = np.unique(rows, return_inverse=True)
        return _joined(self.table.fetch(partial(self.read, j=self.j), there))[where.reshape(-1)]


def _on_columns(shard: CodeTable, *own: Any, statistic: Callable[..., T], which: Rows | None) -> T:
    return statistic(shard if which is None else shard.take(which), *own)


def _split_columns(shard: CodeTable, n_parts: int, split: Callable[..., list[Any]], which: Rows | None) -> list[Any]:
    return split(shard if which is None else shard.take(which), n_parts)


def _on_rows(shard: CodeTable, rows: Rows, function: Callable[[CodeTable, Rows], T], which: Rows | None) -> T:
    return function(shard if which is None else shard.take(which), rows)


def _copied(shard: CodeTable, rows: Rows) -> tuple[tuple[Codes, ...], list[Any], Any]:
    """Codes, numbers and target of some rows; nothing is read for none."""
    numbers = None if shard.numbers is None else shard.numbers[rows]
    values = [_numbers(shard, rows, j) for j in range(shard.n_columns)]
    return tuple(column[rows] for column in shard.columns), values, numbers


def _codes(shard: CodeTable, rows: Rows, j: int) -> Codes:
    return shard.columns[j][rows]


def _numbers(shard: CodeTable, rows: Rows, j: int) -> NDArray[np.float64] | None:
    numbers = shard.numbers_of(j)
    return None if numbers is None else numbers[rows]


def _target(shard: CodeTable, rows: Rows, j: int) -> Any:
    return None if shard.numbers is None else shard.numbers[rows]


def _joined(parts: Sequence[NDArray[Any] | None]) -> Any:
    """Arrays as one; None if there are none."""
    known = [part for part in parts if part is not None]
    return np.concatenate(known) if known else None


def _column_digests(shard: CodeTable) -> list[bytes]:
    """A hash of the codes and numbers of each column."""
    found = []
    for j, column in enumerate(shard.columns):
        state = hashlib.sha256(column.tobytes())
        numbers = shard.numbers_of(j)
        if numbers is not None:
            state.update((numbers + 0.0).tobytes())  # −0 is 0
        found.append(state.digest())
    return found


def _hashed(digests: Iterator[str]) -> str:
    return hashlib.blake2b(" ".join(digests).encode(), digest_size=16).hexdigest()
