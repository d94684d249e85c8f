"""The rows of a CSV file as text, in parts: read by polars where quotes are unambiguous, else by Python's csv."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO

from entropick.cli._csv import Dialect
from entropick.cli._scan import LONGEST, Block, RowError, blocks, lines_before

if TYPE_CHECKING:
    import polars as pl

MISSING = ("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "-NaN", "-nan", "null", "NULL", "None", "<NA>", "?")
_ROWS = 20_000  # read by Python's csv before they become columns
csv.field_size_limit(LONGEST)


def text_parts(
    open_file: Callable[[], BinaryIO], dialect: Dialect, places: Sequence[int], as_written: bool
) -> Iterator[pl.DataFrame]:
    """The cells of some columns as text, many rows at a time; a RowError names the first bad line.

    Parameters
    ----------
    open_file : callable
        Opens the file at its start.
    dialect : Dialect
        How the file separates its cells.
    places : sequence of int
        Positions of the columns, in ascending order.
    as_written : bool
        Whether only empty cells are missing; else words such as NA are too.
    """
    n_rows = 0  # including the header
    with open_file() as file:
        for block in blocks(file, dialect.delimiter, len(dialect.header)):
            if not block.is_plain:
                lines = lines_before(file, block.start)
                yield from _by_csv(file, lines, n_rows, dialect, places, as_written)
                return
            yield _by_polars(block, dialect, places, as_written).slice(dialect.has_header and not n_rows)
            n_rows += block.n_rows


def stripped(column: pl.Series) -> pl.Series:
    """Text without the spaces around it; words such as NA are missing."""
    text = column.str.strip_chars()
    return text.set(text.is_in(list(MISSING)), None)


def _by_polars(block: Block, dialect: Dialect, places: Sequence[int], as_written: bool) -> pl.DataFrame:
    import polars as pl

    if not block.data.isascii():
        block.data.decode("utf-8")  # the UnicodeDecodeError says where it is not UTF-8
    # After a header of our own, the first bytes of the file are not mistaken for a compressed file.
    header = dialect.delimiter.join(map(str, range(len(dialect.header)))).encode() + b"\n"
    frame = pl.read_csv(
        io.BytesIO(header + block.data),
        separator=dialect.delimiter,
        columns=list(places),
        infer_schema=False,
        null_values=None if as_written else list(MISSING),
        quote_char='"' if b'"' in block.data else None,
    )
    if frame.height != block.n_rows:
        raise RowError(f"must be CSV; {frame.height} rows were read instead of {block.n_rows}")
    return frame


def _by_csv(
    file: BinaryIO, line: int, n_rows: int, dialect: Dialect, places: Sequence[int], as_written: bool
) -> Iterator[pl.DataFrame]:
    """The rows after ``line`` lines and ``n_rows`` rows, each checked as it is read."""
    ended: list[bool] = []
    reader = csv.reader(_lines(file, ended), delimiter=dialect.delimiter)
    rows: list[list[str]] = []
    begin = line + 1
    try:
        for row in reader:
            if row:
                _check(row, begin, line + reader.line_num, n_rows, dialect, bool(ended))
                if n_rows or not dialect.has_header:
                    rows.append([row[place] for place in places])
                n_rows += 1
            if len(rows) == _ROWS:
                yield _frame(rows, places, as_written)
                rows = []
            begin = line + reader.line_num + 1
    except csv.Error as error:
        raise RowError(f"must be CSV; line {line + reader.line_num} cannot be split into values ({error})") from error
    yield _frame(rows, places, as_written)


def _lines(file: BinaryIO, ended: list[bool]) -> Iterator[str]:
    """The lines, then a blank one, which only a quote that is still open makes part of a row."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    yield from text
    text.detach()
    ended.append(True)
    yield "\n"


def _check(row: list[str], begin: int, line: int, number: int, dialect: Dialect, is_open: bool) -> None:
    if is_open:
        raise RowError(f"must close every quote; the row that starts on line {begin} has one that is never closed")
    n_fields, first = len(dialect.header), "header" if dialect.has_header else "first line"
    if len(row) != n_fields:
        values = f"{len(row)} value{'s' if len(row) != 1 else ''}"
        raise RowError(
            f"must have one value per column in every row: line {line} (row {number}) has {values}, the {first} has "
            f"{n_fields}"
        )


def _frame(rows: list[list[str]], places: Sequence[int], as_written: bool) -> pl.DataFrame:
    import polars as pl

    frame = pl.DataFrame(rows, schema={str(place): pl.String for place in places}, orient="row")
    missing = [""] if as_written else list(MISSING)
    return frame.with_columns(pl.when(~pl.all().is_in(missing)).then(pl.all()).name.keep())
