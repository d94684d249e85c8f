"""The table that everything after the encoding works on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import joblib
import numpy as np
from numpy.typing import NDArray

from entropick._decimals import ten_decimals
from entropick.encode._content import Content, content_of, stratified
from entropick.encode._source import Source, read_source, take_columns, take_rows

MAX_LEVELS = 65_535
_SMALL = 5_000_000  # cells of a table whose numbers are kept while it is worked on

Codes: TypeAlias = NDArray[np.uint8] | NDArray[np.uint16]
T = TypeVar("T")


@dataclass(frozen=True)
class CodeTable:
    """Columns of small integers and the class of every row.

    Attributes
    ----------
    columns : tuple of arrays of shape (n_rows,)
        uint8 where the levels allow it, else uint16.
    levels : ndarray of shape (n_columns,)
        Codes of column j are below ``levels[j]``.
    classes : ndarray of shape (n_rows,)
        The class of every row, 0 to n_classes − 1; no class is empty.
    ordered : ndarray of shape (n_columns,) or None
        How many of the first codes of a column are in the order of its numbers; 0 if it has none. None if not known.
    X, y : any
        What the table was made from, for criteria that need more than codes; None if not known.
    values : sequence of arrays or None
        The numbers of the columns, None for those that have none, where they are not those of X.
    numbers : ndarray of shape (n_rows,) or None
        A numeric y as it came, ``classes`` being its bins; None for classes.
    labels : tuple or None
        The classes as they came; None if not known, or if they are bins of numbers.
    """

    columns: tuple[Codes, ...]
    levels: NDArray[np.int64]
    classes: NDArray[np.int64]
    ordered: NDArray[np.int64] | None = field(default=None, repr=False, compare=False)
    X: Any = field(default=None, repr=False, compare=False)
    y: Any = field(default=None, repr=False, compare=False)
    values: Sequence[NDArray[np.float64] | None] | None = field(default=None, repr=False, compare=False)
    labels: tuple[Any, ...] | None = field(default=None, repr=False, compare=False)
    numbers: NDArray[np.float64] | None = field(default=None, repr=False, compare=False)
    known_content: Content | None = field(default=None, repr=False, compare=False)
    # What was computed from the columns alone, by name: tables that differ in their target only share it.
    of_columns: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be computed again."""
        return {**vars(self), "of_columns": {}}

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.classes)

    @property
    def n_columns(self) -> int:
        """Number of columns, not counting the target."""
        return len(self.columns)

    def take(self, columns: NDArray[np.int64]) -> CodeTable:
        """The table with some of its columns."""
        return replace(
            self,
            columns=tuple(self.columns[j] for j in columns),
            levels=self.levels[columns],
            ordered=None if self.ordered is None else self.ordered[columns],
            X=None if self.X is None else take_columns(self.X, columns),
            values=None if self.values is None else _Columns(self.values, columns),
            known_content=None if self.known_content is None else self.known_content.of_columns(columns),
            of_columns={},
        )

    def reordered(self, columns: NDArray[np.int64]) -> CodeTable:
        """The table with its columns in another order, which they have by their content; it lacks X and y."""
        content = self.content
        places = np.empty(len(columns), dtype=np.int64)
        places[columns] = np.arange(len(columns))
        return replace(
            self,
            columns=tuple(self.columns[j] for j in columns),
            levels=self.levels[columns],
            ordered=None if self.ordered is None else self.ordered[columns],
            X=None,
            y=None,
            values=_OfTable(self, columns),
            known_content=replace(content, columns=places[content.columns]),
            of_columns={},
        )

    @cached_property
    def content(self) -> Content:
        """The order of rows, columns and classes by what they hold."""
        return content_of(self) if self.known_content is None else self.known_content

    def sample(self, most: int, rng: np.random.Generator) -> tuple[CodeTable, NDArray[np.int64]]:
        """The rows in the order of their content, at most so many: every class has its share; classes by their content.

        What is drawn from it by place, with a seed, does not depend on the order of rows or the names of classes. And
        which row of this table each of its rows is.
        """
        content = self.content
        new = np.empty(len(content.classes), dtype=np.int64)
        new[content.classes] = np.arange(len(new))
        rows = content.rows
        if len(rows) > most:
            rows = rows[stratified(new[self.classes[rows]], most, rng)]
        table, where = self.locate(rows)
        found = table.take_rows(where, whole=False)
        kept, classes = np.unique(new[self.classes[rows]], return_inverse=True)
        labels = None if self.labels is None else tuple(self.labels[content.classes[c]] for c in kept)
        order = Content(np.arange(len(rows)), content.columns, np.arange(len(kept)))
        return replace(found, classes=classes.reshape(-1), labels=labels, known_content=order), rows

    def take_rows(self, rows: NDArray[np.int64], whole: bool = True) -> CodeTable:
        """The table with some of its rows; classes that are not in them are left out.

        Unless it is to be ``whole``, it lacks X and y, and reads the numbers of a column when they are used.
        """
        kept, classes = np.unique(self.classes[rows], return_inverse=True)
        return replace(
            self,
            columns=tuple(column[rows] for column in self.columns),
            classes=classes.reshape(-1),
            X=None if self.X is None or not whole else take_rows(self.X, rows),
            y=None if self.y is None or not whole else take_rows(self.y, rows),
            values=self._values_of(rows, whole),
            labels=None if self.labels is None else tuple(self.labels[c] for c in kept),
            numbers=None if self.numbers is None else self.numbers[rows],
            known_content=None if self.known_content is None else self.known_content.of_rows(rows, kept),
            of_columns={},
        )

    def _values_of(self, rows: NDArray[np.int64], whole: bool) -> Sequence[NDArray[np.float64] | None] | None:
        if whole:
            return None if self.values is None else tuple(None if x is None else x[rows] for x in self.values)
        return _Numbers(self, rows)

    def each(self, statistic: Callable[..., T], *arguments: Sequence[Any]) -> Iterator[T]:
        """What a function makes of the rows: of all at once or, of a table in shards, of one shard after the other.

        Further arguments have a value for each shard.

        It must not depend on how the rows are shared out once its values are put together again.
        """
        yield statistic(self, *(own[0] for own in arguments))

    def shared_out(self, values: NDArray[Any]) -> list[NDArray[Any]]:
        """Values of all rows, as `each` passes them on: those of each shard."""
        return [values]

    def total(self, statistic: Callable[[CodeTable], Sequence[NDArray[Any]]]) -> list[NDArray[Any]]:
        """The sums over all rows of arrays that a function computes from rows."""
        found = self.each(statistic)
        total = list(next(found))
        for more in found:
            for ours, theirs in zip(total, more, strict=True):
                ours += theirs
        return total

    def locate(self, rows: NDArray[np.int64]) -> tuple[CodeTable, NDArray[np.int64]]:
        """A table in memory that has some rows of this one, and where it has them: itself, unless it is in shards."""
        return self, rows

    def in_memory(self) -> CodeTable:
        """The table with all its rows in memory."""
        return self

    def numbers_of(self, j: int) -> NDArray[np.float64] | None:
        """The numbers of a column, with NaN for missing ones; None if it has none, or if they are not known."""
        if self.values is not None or self._source is None:
            return None if self.values is None else self.values[j]
        if self.n_rows * self.n_columns > _SMALL:
            return self._source[j].numbers
        read: dict[int, NDArray[np.float64] | None] = self.of_columns.setdefault("numbers", {})
        if j not in read:
            read[j] = self._source[j].numbers
        return read[j]

    def read(self, most: int) -> CodeTable:
        """The table with the numbers of all columns read, unless it has too many cells."""
        if self.values is not None or self.X is None or self.n_rows * self.n_columns > most:
            return self
        return replace(self, values=tuple(map(self.numbers_of, range(self.n_columns))))

    @cached_property
    def _source(self) -> Source | None:
        return None if self.X is None else read_source(self.X)

    @cached_property
    def class_sizes(self) -> NDArray[np.int64]:
        """Number of rows in every class."""
        return np.bincount(self.classes)

    @cached_property
    def class_entropy(self) -> float:
        """H(y) in bits."""
        return count_entropy(self.class_sizes)

    @property
    def counts(self) -> tuple[NDArray[np.int64], ...]:
        """How many rows have each level of each column."""
        if "counts" not in self.of_columns:
            self.of_columns["counts"] = tuple(self.total(_level_counts))
        counts: tuple[NDArray[np.int64], ...] = self.of_columns["counts"]
        return counts

    @property
    def found_levels(self) -> NDArray[np.int64]:
        """How many levels of each column occur."""
        return np.array([np.count_nonzero(some) for some in self.counts], dtype=np.int64)

    @property
    def constant_columns(self) -> NDArray[np.int64]:
        """The columns with the same code in all rows."""
        return np.flatnonzero(self.found_levels <= 1)

    @property
    def copies(self) -> dict[int, int]:
        """The columns, unless constant, with the same codes and numbers as one before them, and which that is."""
        if "copies" not in self.of_columns:
            first: dict[bytes, list[int]] = {}
            copies: dict[int, int] = {}
            for j in np.flatnonzero(self.found_levels > 1).tolist():
                column = self.columns[j]
                known = first.setdefault(hashlib.sha256(column.tobytes()).digest(), [])
                same = next((i for i in known if self._same_numbers(i, j)), None)
                if same is None:
                    known.append(j)
                else:
                    copies[j] = same
            self.of_columns["copies"] = copies
        found: dict[int, int] = self.of_columns["copies"]
        return found

    def _same_numbers(self, i: int, j: int) -> bool:
        first, second = self.numbers_of(i), self.numbers_of(j)
        if first is None or second is None:
            return first is second
        return np.array_equal(first, second, equal_nan=True)

    def digest(self) -> str:
        """A hash of all codes and classes: only equal tables have equal hashes."""
        state = hashlib.blake2b(digest_size=16)
        state.update(repr((self.n_rows, self.levels.tolist())).encode())
        for array in (*self.columns, self.classes):
            state.update(np.ascontiguousarray(array).data)
        return state.hexdigest()

    def digest_of_numbers(self) -> str:
        """A hash of what the table was made from, or of the numbers of its columns, and of a numeric y."""
        X = np.ascontiguousarray(self.X) if isinstance(self.X, np.ndarray) else self.X
        X = [self.numbers_of(j) for j in range(self.n_columns)] if X is None else X
        return str(joblib.hash((X, self.numbers)))


def _level_counts(table: CodeTable) -> list[NDArray[np.int64]]:
    return [np.bincount(column, minlength=n) for column, n in zip(table.columns, table.levels, strict=True)]


def narrow(codes: NDArray[np.integer], levels: int) -> Codes:
    """The codes in the smallest type that fits."""
    return codes.astype(np.uint8, copy=False) if levels <= 256 else codes.astype(np.uint16, copy=False)


class _Columns(Sequence[NDArray[np.float64] | None]):
    """The numbers of some columns, read when they are used."""

    def __init__(self, values: Sequence[NDArray[np.float64] | None], columns: NDArray[np.int64]) -> None:
        self.values, self.columns = values, columns

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, j: Any) -> Any:
        return self.values[int(self.columns[j])]


class _OfTable(Sequence[NDArray[np.float64] | None]):
    """The numbers of some columns of a table, read when they are used."""

    def __init__(self, table: CodeTable, columns: NDArray[np.int64]) -> None:
        self.table, self.columns = table, columns

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, j: Any) -> Any:
        return self.table.numbers_of(int(self.columns[j]))


class _Numbers(Sequence[NDArray[np.float64] | None]):
    """The numbers of some rows of a table, column by column, read when they are used: a copy of all may be large."""

    def __init__(self, table: CodeTable, rows: NDArray[np.int64]) -> None:
        self.table, self.rows = table, rows

    def __len__(self) -> int:
        return self.table.n_columns

    def __getitem__(self, j: Any) -> Any:
        numbers = self.table.numbers_of(j)
        return None if numbers is None else numbers[self.rows]


def count_entropy(counts: NDArray[np.int64]) -> float:
    """Entropy in bits of positive counts, to ten decimals like all our information values.

    Examples
    --------
    >>> count_entropy(np.array([3, 3]))
    1.0
    """
    shares = counts / counts.sum()
    return float(ten_decimals(-(shares * np.log2(shares)).sum()))


def joint_codes(columns: Iterable[NDArray[np.integer]], n_rows: int) -> NDArray[np.int64]:
    """A number from 0 up for each combination of values that occurs: the partition into blocks.

    Examples
    --------
    >>> joint_codes([np.array([0, 0, 1, 1]), np.array([5, 5, 5, 7])], 4)
    array([0, 0, 1, 2])
    """
    blocks = np.zeros(n_rows, dtype=np.int64)
    for column in columns:
        widened = blocks * (int(column.max(initial=0)) + 1) + column
        blocks = np.unique(widened, return_inverse=True)[1].reshape(-1)
    return blocks
