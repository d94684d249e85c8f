"""A table whose codes are kept in files on this disk, made from a lazy polars frame."""

from __future__ import annotations

import errno
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
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
class LazyChunk:
    """Some rows of a lazy polars frame.

    Attributes
    ----------
    frame : LazyFrame
        The frame.
    start, n_rows : int
        Its first row, and how many there are.
    place : str
        Where they are, in words.
    target : str, optional
        A column; rows without a value in it are left out.
    """

    frame: pl.LazyFrame
    start: int
    n_rows: int
    place: str
    target: str | None = None

    def source(self, names: Sequence[str]) -> Source:
        """Some columns, in this order."""
        return read_source(self._frame(names))

    def rows(self, names: Sequence[str], rows: NDArray[np.int64]) -> pl.DataFrame:
        """Some rows of some columns, as a frame."""
        return self._frame(names)[rows]

    def _frame(self, names: Sequence[str]) -> pl.DataFrame:
        rows = self.frame.slice(self.start, self.n_rows)
        wanted = list(dict.fromkeys([*names, *([] if self.target is None else [self.target])]))
        frame = rows.select(wanted).collect()
        if self.target is not None:
            y = frame[self.target]
            frame = frame.filter(~(y.is_null() | y.is_nan() if y.dtype.is_float() else y.is_null()))
        return frame.select(names)

    def numbers(self, columns: Sequence[RawColumn]) -> Sequence[NDArray[np.float64] | None]:
        """The numbers of columns, read again when they are used."""
        return _Again(self, tuple(column.name for column in columns), tuple(c.numbers is not None for c in columns))


class _Again(Sequence[NDArray[np.float64] | None]):
    """The numbers of columns, all of which are read as soon as one is used."""

    def __init__(self, chunk: LazyChunk, names: tuple[str, ...], are_numbers: tuple[bool, ...]) -> None:
        self.chunk, self.names, self.are_numbers = chunk, names, are_numbers

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, j: Any) -> Any:
        return self._found.get(self.names[j])

    @cached_property
    def _found(self) -> dict[str, NDArray[np.float64] | None]:
        names = [name for name, is_one in zip(self.names, self.are_numbers, strict=True) if is_one]
        return {column.name: column.numbers for column in self.chunk.source(names)} if names else {}


def lazy_chunks(
    frames: Sequence[tuple[pl.LazyFrame, int, str]], n_columns: int, target: str | None = None
) -> FileShards:
    """Chunks of lazy frames, one after the other.

    Parameters
    ----------
    frames : sequence of (LazyFrame, int, str)
        The frames, how many rows each has, and where it is, in words.
    n_columns : int
        How many columns are read.
    target : str, optional
        A column; rows without a value in it are left out.
    """
    size = max(1, min(_ROWS, _CELLS // max(1, n_columns)))
    return FileShards(
        [
            LazyChunk(frame, start, min(size, n_rows - start), place, target)
            for frame, n_rows, place in frames
            for start in range(0, n_rows, size)
        ]
    )


class FileShards(LocalShards[LazyChunk]):
    """Chunks whose codes are kept in files."""

    def __init__(self, chunks: Sequence[LazyChunk]) -> None:
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


def _itself(chunk: LazyChunk) -> LazyChunk:
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
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise OSError(
            error.errno,
            f"no space is left for the codes of the table, about a byte a cell, in {folder.path.parent}: set "
            "TMPDIR to a folder with more",
        ) from error
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
        values = _Again(self.values.chunk, self.values.names, self.values.are_numbers)  # read anew for every use
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
