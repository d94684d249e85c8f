"""Parquet files: read by name, in types that fit all of them, and the same ones in every pass."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from entropick._files import FileState
from entropick._words import did_you_mean
from entropick.encode import RawColumn
from entropick.shards._chunks import kept_numbers
from entropick.shards._files import PolarsChunk, chunk_ranges

if TYPE_CHECKING:
    import polars as pl


_INDEX = re.compile(r"__index_level_\d+__")  # what pandas calls an index without a name


@dataclass(frozen=True)
class ParquetFile:
    """A file as it was when it was first looked at.

    Attributes
    ----------
    path : Path
        Where it is.
    name : str
        What it is called in errors.
    state : FileState
        What tells it from another one that takes its place.
    types : mapping of str to DataType
        Its columns, without an index of pandas that has no name.
    n_rows : int
        How many rows it has.
    has_index : bool
        Whether it has such an index.
    """

    path: Path
    name: str
    state: FileState
    types: Mapping[str, pl.DataType] = field(default_factory=dict)
    n_rows: int = 0
    has_index: bool = False

    @classmethod
    def of(cls, path: Path, name: str) -> ParquetFile:
        """The file at a path."""
        import polars as pl

        if path.is_dir():
            raise ValueError(
                f"every file must be Parquet; {name!r} is a folder: name the files in it, such as '{path}/*.parquet'."
            )
        place = path.absolute()
        file = cls(place, name, FileState.of(place))
        with file.scanned() as frame:
            types = {column: kind for column, kind in frame.collect_schema().items() if not _INDEX.fullmatch(column)}
            has_index = len(types) < len(frame.collect_schema())
            return replace(file, types=types, n_rows=int(frame.select(pl.len()).collect().item()), has_index=has_index)

    @contextmanager
    def scanned(self) -> Iterator[pl.LazyFrame]:
        """The file as a lazy frame; a ValueError tells if it cannot be read, or is not what it was any more.

        It is opened here, because polars takes some characters of a path for a pattern or a protocol, and no path that
        is not UTF-8; and because what is open is still the same file after another has taken its name.
        """
        import polars as pl

        with self.path.open("rb") as file:
            self.state.check(file, self.called)
            try:
                yield pl.scan_parquet(file, hive_partitioning=False)
            except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
                self.state.check(file, self.called)
                raise ValueError(f"{self.called} must be Parquet; it cannot be read: {first_line(error)}.") from error
            self.state.check(file, self.called)  # or it was written to meanwhile

    @property
    def called(self) -> str:
        """Its name in errors."""
        return f"file {self.name!r}"


class ParquetFiles:
    """Files with the same columns, one below the other.

    A column has the type that holds the values of all files. Nothing else is told by paths: keys in the names of
    folders are not columns.

    Parameters
    ----------
    paths : sequence of Path
        The files.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.files = [ParquetFile.of(path, name) for path, name in zip(paths, short_names(paths), strict=True)]
        self.types = common_types(self.files)
        self.n_rows = sum(file.n_rows for file in self.files)

    @property
    def told(self) -> str:
        """What should be known of how they are read, as a sentence; empty if nothing."""
        if not any(file.has_index for file in self.files):
            return ""
        return "the index that pandas wrote has no name and is not read as a column."

    def read(self, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """All rows, of all columns or of some, in this order."""
        import polars as pl

        types = self._of(self.types if columns is None else columns)
        parts = [_rows(file, types) for file in self.files]
        return pl.concat(parts, how="vertical")

    def chunks(self, columns: Sequence[str], target: str, keep: bool) -> list[FileChunk]:
        """The rows that have a target, in chunks.

        Parameters
        ----------
        columns : sequence of str
            What can be read of them.
        target : str
            The column without which a row is left out.
        keep : bool
            Whether numbers are kept with the codes that are made of them, and not read again.
        """
        types = self._of([*columns, target])
        return [
            FileChunk(file.called, target, file, types, start, n_rows, keep)
            for file in self.files
            for start, n_rows in chunk_ranges(file.n_rows, len(types))
        ]

    def collect(self, *expressions: pl.Expr) -> list[tuple[Any, ...]]:
        """A row of values for each file."""
        found = []
        for file in self.files:
            names = {name for expression in expressions for name in expression.meta.root_names()}
            with file.scanned() as frame:
                found.append(frame.with_columns(_casts(file, self._of(names))).select(*expressions).collect().row(0))
        return found

    def _of(self, columns: Iterator[str] | Any) -> dict[str, pl.DataType]:
        return {name: self.types[name] for name in columns}


@dataclass(frozen=True)
class FileChunk(PolarsChunk):
    """Some rows of a file; it can be sent to where the file is.

    Attributes
    ----------
    file : ParquetFile
        The file.
    types : mapping of str to DataType
        The columns that can be read, and what each is cast to.
    start, n_rows : int
        Its first row, and how many there are.
    keep : bool
        Whether numbers are kept with codes.
    """

    file: ParquetFile
    types: Mapping[str, pl.DataType] = field(repr=False)
    start: int
    n_rows: int
    keep: bool

    def read(self, names: Sequence[str]) -> pl.DataFrame:
        """Some columns, of all rows."""
        return _rows(self.file, {name: self.types[name] for name in names}, self.start, self.n_rows)

    def numbers(
        self, columns: Sequence[RawColumn], are_numbers: Sequence[bool]
    ) -> Sequence[NDArray[np.float64] | None]:
        """The numbers of columns that were read: these if they are kept, or what reads them again."""
        if not self.keep:
            return super().numbers(columns, are_numbers)
        return kept_numbers(columns, are_numbers)


def _rows(
    file: ParquetFile, types: Mapping[str, pl.DataType], start: int = 0, n_rows: int | None = None
) -> pl.DataFrame:
    """Some rows of some columns of a file, cast to the common types."""
    with file.scanned() as frame:
        return frame.slice(start, n_rows).select(list(types)).with_columns(_casts(file, types)).collect()


def _casts(file: ParquetFile, types: Mapping[str, pl.DataType]) -> list[pl.Expr]:
    import polars as pl

    return [pl.col(name).cast(kind) for name, kind in types.items() if file.types[name] != kind]


def common_types(files: Sequence[ParquetFile]) -> dict[str, pl.DataType]:
    """The type of each column that holds the values of all files; a ValueError unless all have the same columns."""
    first = files[0]
    types = dict(first.types)
    for file in files[1:]:
        for one, other in ((first, file), (file, first)):
            if missing := [column for column in one.types if column not in other.types]:
                raise ValueError(
                    f"all files must have the same columns; {other.name!r} lacks {missing[0]!r}, which {one.name!r} "
                    f"has.{did_you_mean(missing[0], list(other.types))}"
                )
        for column, kind in types.items():
            both = common_type(kind, file.types[column])
            if both is None:
                known = next(some for some in files if common_type(some.types[column], file.types[column]) is None)
                raise ValueError(
                    f"a column must hold the same in all files; {column!r} is {known.types[column]} in {known.name!r} "
                    f"and {file.types[column]} in {file.name!r}."
                )
            types[column] = both
    return types


def common_type(one: pl.DataType, other: pl.DataType) -> pl.DataType | None:
    """The type that holds the values of both; None if they are of different kinds.

    Examples
    --------
    >>> import polars as pl
    >>> common_type(pl.Int64(), pl.Float32()), common_type(pl.UInt64(), pl.Int8()), common_type(pl.Null(), pl.String())
    (Float64, Int128, String)
    >>> common_type(pl.Int64(), pl.String()) is None
    True
    """
    import polars as pl

    if one == other or other == pl.Null:
        return one
    if one == pl.Null:
        return other
    if one.is_numeric() and other.is_numeric():
        if one.is_integer() and other.is_integer() and pl.UInt64 in (one, other):
            return pl.Int128()  # polars would take floats, which skip integers
        nothing = [pl.DataFrame(schema={"": kind}) for kind in (one, other)]
        both = pl.concat(nothing, how="vertical_relaxed").dtypes[0]
        return pl.Float64() if both.is_float() else both
    if isinstance(one, pl.Enum | pl.Categorical) and isinstance(other, pl.Enum | pl.Categorical):
        return pl.Categorical()  # of other dictionaries
    return None


def short_names(paths: Sequence[Path]) -> list[str]:
    """The names of files, with folders where two would be the same.

    Examples
    --------
    >>> short_names([Path("a/x.parquet"), Path("a/y.parquet")]), short_names([Path("a/b/x.pq"), Path("a/c/x.pq")])
    (['x.parquet', 'y.parquet'], ['b/x.pq', 'c/x.pq'])
    """
    names = [path.name for path in paths]
    if len(set(names)) == len(names):
        return names
    whole = [path.absolute() for path in paths]
    top = os.path.commonpath([path.parent for path in whole])
    return [path.relative_to(top).as_posix() for path in whole]


def first_line(error: BaseException) -> str:
    """The first line of what an error says."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
