"""A table whose codes are kept in files on this disk, made from what polars reads in chunks."""

from __future__ import annotations

import errno
import shutil
import tempfile
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from entropick.encode import CodeTable, RawColumn, Source, read_source
from entropick.shards._shards import LocalShards

if TYPE_CHECKING:
    import polars as pl

_CELLS = 12_000_000  # of a chunk
_ROWS = 1 << 18  # of a chunk at most; polars writes groups of so many


@dataclass(frozen=True)
class PolarsChunk(ABC):
    """Some rows, as polars reads them.

    Attributes
    ----------
    place : str
        Where they are, in words.
    target : str, optional
        A column; rows without a value in it are left out.
    """

    place: str
    target: str | None

    @abstractmethod
    def read(self, names: Sequence[str]) -> pl.DataFrame:
        """Some columns, of all rows."""

    def source(self, names: Sequence[str]) -> Source:
        """Some columns, in this order."""
        return read_source(self._frame(names))

    def rows(self, names: Sequence[str], rows: NDArray[np.int64]) -> pl.DataFrame:
        """Some rows of some columns, as a frame."""
        return self._frame(names)[rows]

    def _frame(self, names: Sequence[str]) -> pl.DataFrame:
        wanted = list(dict.fromkeys([*names, *([] if self.target is None else [self.target])]))
        frame = self.read(wanted)
        if self.target is not None:
            frame = frame.filter(~is_missing(frame[self.target]))
        return frame.select(names)

    def numbers(
        self, columns: Sequence[RawColumn], are_numbers: Sequence[bool]
    ) -> Sequence[NDArray[np.float64] | None]:
        """The numbers of columns, read again when they are used."""
        return Again(self, tuple(column.name for column in columns), tuple(are_numbers))


def is_missing(y: pl.Series) -> pl.Series:
    """Where a target has no value: null or NaN."""
    return y.is_null() | y.is_nan() if y.dtype.is_float() else y.is_null()


@dataclass(frozen=True)
class LazyChunk(PolarsChunk):
    """Some rows of a lazy polars frame, which must be the same whenever they are read.

    Attributes
    ----------
    frame : LazyFrame
        The frame.
    start, n_rows : int
        Its first row, and how many there are.
    is_last : bool
        Whether the frame ends with it.
    seen : dict
        A hash of each column that was read.
    """

    frame: pl.LazyFrame
    start: int
    n_rows: int
    is_last: bool
    seen: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    def read(self, names: Sequence[str]) -> pl.DataFrame:
        """Some columns, of all rows; a ValueError if they are not what they were."""
        import polars as pl

        try:
            frame = self.frame.slice(self.start, None if self.is_last else self.n_rows).select(names).collect()
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            why = (str(error).strip().splitlines() or [type(error).__name__])[0]
            text = f"{self._called} cannot be read: {why}"
            raise ValueError(f"{text}; did its files change?" if self.seen else text) from error
        changed = "its rows" if frame.height != self.n_rows else ""
        for column in frame if not changed else ():
            found = _hash(column)
            if self.seen.setdefault(column.name, found) != found:
                changed = f"those of {column.name!r}"
        if changed:
            raise ValueError(
                f"{self._called} must have the same values whenever it is read; {changed} have changed: sort what has "
                "no fixed order, draw no random rows, and let nobody write to its files."
            )
        return frame

    @property
    def _called(self) -> str:
        return f"{self.place} (rows {self.start + 1} to {self.start + self.n_rows})"


def _hash(column: pl.Series) -> int:
    """A hash of the values in their order."""
    import polars as pl

    if column.dtype == pl.Categorical:  # its codes may be others every time
        column = column.cast(pl.String)
    hashes = column.hash().to_numpy()
    return hash((len(column), int((hashes * np.arange(1, 2 * len(column), 2, dtype=np.uint64)).sum())))


class Again(Sequence[NDArray[np.float64] | None]):
    """The numbers of columns, all of which are read as soon as one is used."""

    def __init__(self, chunk: PolarsChunk, names: tuple[str, ...], are_numbers: tuple[bool, ...]) -> None:
        self.chunk, self.names, self.are_numbers = chunk, names, are_numbers

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, j: Any) -> Any:
        return self._found.get(self.names[j])

    @cached_property
    def _found(self) -> dict[str, NDArray[np.float64]]:
        names = [name for name, is_one in zip(self.names, self.are_numbers, strict=True) if is_one]
        return {column.name: column.as_numbers() for column in self.chunk.source(names)} if names else {}


def chunk_ranges(n_rows: int, n_columns: int) -> list[tuple[int, int]]:
    """The first row of each chunk of a table, and how many rows it has."""
    size = max(1, min(_ROWS, _CELLS // max(1, n_columns)))
    return [(start, min(size, n_rows - start)) for start in range(0, n_rows, size)]


class FileShards(LocalShards[PolarsChunk]):
    """Chunks whose codes are kept in files."""

    def __init__(self, chunks: Sequence[PolarsChunk]) -> None:
        super().__init__([partial(_itself, chunk) for chunk in chunks])

    def keep(self, function: Callable[[Any], CodeTable]) -> LocalShards[CodeTable]:
        """Tables of codes, written to files of a folder that is removed with the shards, or when Python ends."""
        folder = _Folder()
        loaders = [_written(table, folder, i) for i, table in enumerate(self.each(function))]
        return LocalShards(loaders)


class _Folder:
    """A folder that is removed with its last user, or when Python ends."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="entropick-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def _itself(chunk: PolarsChunk) -> PolarsChunk:
    return chunk


def _written(table: CodeTable, folder: _Folder, i: int) -> _Loader:
    """Write the codes, the classes and the numeric target of a table to a file."""
    path = folder.path / f"{i}.codes"
    arrays = _arrays(table)
    try:
        with path.open("wb") as file:
            for array in arrays:
                file.write(np.ascontiguousarray(array).data)
    except OSError as error:
        where = f"for the codes of the table, about a byte a cell, in {folder.path.parent}"
        sentences = {
            errno.ENOSPC: f"no space is left {where}: set TMPDIR to a folder with more",
            errno.EDQUOT: f"your quota has no space left {where}: set TMPDIR to a folder with more",
            errno.EFBIG: f"files may not be large enough {where}: raise the limit (ulimit -f)",
        }
        if error.errno not in sentences:
            raise
        raise OSError(error.errno, sentences[error.errno]) from error
    kinds = tuple(array.dtype for array in arrays)
    return _Loader(folder, path, kinds, table.n_rows, table.levels, table.values, table.numbers is not None)


def _arrays(table: CodeTable) -> list[NDArray[Any]]:
    numbers = [] if table.numbers is None else [table.numbers]
    return [*numbers, table.classes, *table.columns]  # the widest first, so that all are aligned


@dataclass(frozen=True)
class _Loader:
    """Opens the file of a shard; what is not used is not read."""

    folder: _Folder  # removed with the last of them
    path: Path
    kinds: tuple[Any, ...]
    n_rows: int
    levels: NDArray[np.int64]
    values: Any
    has_numbers: bool

    def __call__(self) -> CodeTable:
        """The table of the shard."""
        arrays = list(self._arrays())
        numbers = arrays.pop(0) if self.has_numbers else None
        values = Again(self.values.chunk, self.values.names, self.values.are_numbers)  # read anew for every use
        return CodeTable(tuple(arrays[1:]), self.levels, arrays[0], values=values, numbers=numbers)

    def _arrays(self) -> Iterator[NDArray[Any]]:
        if not self.n_rows:
            yield from (np.empty(0, dtype=kind) for kind in self.kinds)
            return
        content, start = np.memmap(self.path, dtype=np.uint8, mode="r"), 0
        for kind in self.kinds:
            end = start + self.n_rows * kind.itemsize
            yield np.asarray(content[start:end]).view(kind)
            start = end
