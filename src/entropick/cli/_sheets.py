"""The first visible sheet of a workbook, read as the same table would be from CSV."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from entropick._extras import need
from entropick._words import listed
from entropick.cli._cells import Cells
from entropick.cli._csv import named
from entropick.cli._formats import TABLE
from entropick.cli._rows import MISSING
from entropick.cli._types import typed_columns
from entropick.cli._workbook import first_visible, look_into

if TYPE_CHECKING:
    import polars as pl

PLACE = "\0place"  # the key of the note on where the table was found; no column can have that name
# As fastexcel writes the cells. Of a number it keeps nine decimals, and all digits before them.
_FRACTION = r"^-?(?:0|[1-9][0-9]*)\.[0-9]{0,8}[1-9]$|^-?0$"
_LONG = r"^-?[0-9]{39,}$"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?)?$"
_MIDNIGHT = r"^([0-9-]{10})[T ]00:00:00$"
_EARLY = "1903"  # before that year all times of a column together are durations, which begin at the end of 1899
_CLOCK = ((3600, 1 << 40), (60, 60), (1, 60))  # seconds in an hour, a minute and a second, and how many there may be


class Sheet:
    """The table on the first visible sheet of a workbook; all its rows decide what a column holds.

    Parameters
    ----------
    content : bytes
        The workbook.
    called : str
        Its name in errors.
    has_header : bool
        Whether the first line has the names of the columns; else they are called by their numbers, from 1.
    """

    def __init__(self, content: bytes, called: str, has_header: bool) -> None:
        fastexcel: Any = need("fastexcel", "excel", "reading a sheet")
        logging.getLogger("fastexcel").setLevel(logging.CRITICAL)  # it tells of every empty column
        self._called, self._has_header = called, has_header
        sheets = look_into(content, called, has_header)
        with _explained(called):
            self._book = fastexcel.read_excel(content)
            self._sheets = sheets or _told_by(self._book)
        self._cells = first_visible(self._sheets)
        text = self._text()
        self._top = _first_filled(text) if self._cells.top is None else self._cells.top
        self._lines = _without_words(text.slice(self._top + has_header))
        names = text.row(self._top) if has_header and text.height else range(1, text.width + 1)
        self.names = ["" if name is None else re.sub(_MIDNIGHT, r"\1", str(name)) for name in names]
        self.notes = {PLACE: hint} if (hint := self._way_out()) else {}
        if self.names.count("") > 1:
            raise ValueError(
                f"{called} must name its columns; {self.names.count('')} of {len(self.names)} have no name. {hint}"
            )
        n_unstored = self._cells.unstored.total()
        if n_unstored and all(column.null_count() == len(column) for column in self._lines):
            raise ValueError(
                f"{called} must have values; {n_unstored} formulas are all that sheet {self._cells.name!r} has below "
                "its header: open it in a spreadsheet program and save it, to store what they amount to."
            )

    def read(self) -> pl.DataFrame:
        """The table; what there is to say about its columns is then in ``notes``."""
        import polars as pl

        dates = self._dates()
        names = {place: name for place, name in enumerate(self.names) if place not in dates}

        def read(places: Sequence[int]) -> Iterator[pl.DataFrame]:
            yield self._lines.select(map(str, places))

        columns: dict[int, tuple[pl.Series, str | None]] = {place: (dates[place], None) for place in dates}
        columns |= dict(zip(names, typed_columns(read, names, ","), strict=True)) if names else {}
        frame = pl.DataFrame([columns[place][0].alias(name) for place, name in enumerate(named(self.names))])
        for place, name in enumerate(frame.columns):  # one without a name has one by now
            told = self._cells.told_of(place, frame.height)
            if (note := columns[place][1]) is not None:
                told.append(note.removeprefix(f"column {self.names[place]!r}: ").removesuffix("."))
            if told:
                self.notes[name] = f"column {name!r}: {'; '.join(told)}."
        if len(self._sheets) > 1:
            first = "first visible" if self._sheets[0].is_hidden else "first"
            self.notes[TABLE] = f"only the {first} of {len(self._sheets)} sheets, {self._cells.name!r}, was read."
        return frame

    def _as(self, dtype: str) -> pl.DataFrame:
        """All rows, from the first line on; what cannot be of the type is missing."""
        with _explained(self._called):
            sheet = self._book.load_sheet(
                self._cells.name, header_row=None, skip_rows=0, dtypes=dtype, schema_sample_rows=1
            )
            frame: pl.DataFrame = sheet.to_polars()
        frame.columns = [str(place) for place in range(frame.width)]
        return frame

    def _text(self) -> pl.DataFrame:
        """All cells as text that says no less than they do."""
        text, numbers = self._as("string"), self._as("float")
        if self._cells.has_durations:
            text = text.with_columns(text[column.name].fill_null(_clock(column)) for column in self._as("duration"))
        return text.with_columns(_exact(column, numbers[column.name]) for column in text)

    def _dates(self) -> dict[int, pl.Series]:
        """The columns of dates alone; in others they become text in ISO form, as do times and durations."""
        found: dict[int, pl.Series] = {}
        for place, text in enumerate(self._lines):
            is_date = text.str.contains(_DATE).fill_null(False)
            if not is_date.any():
                continue
            is_day = text.str.contains(_MIDNIGHT) | (text.str.len_chars() == 10)
            if (text.filter(is_date) < _EARLY).all() and not is_day.filter(is_date).all():
                durations = self._as("duration")[text.name].slice(self._top + self._has_header)
                text = text.set(is_date & durations.is_not_null(), None).fill_null(_clock(durations))
            elif (is_date | text.is_null()).all() and (dates := _as_dates(text)).null_count() == text.null_count():
                found[place] = dates
            else:
                text = text.str.slice(0, 10).zip_with(is_date & is_day, text)
            self._lines = self._lines.with_columns(text)
        return found

    def _way_out(self) -> str:
        """What to do if this is not the table that was meant, a sentence; empty if it can only be this one."""
        ways = []
        if self._has_header and "" in self.names:
            ways.append("delete the lines above the header if it is further down")
        where = f"sheet {self._cells.name!r}"
        if len(self._sheets) > 1:
            ways.append("to read another sheet, move it to the front or save it as CSV")
            where += f", the first visible one of {listed([sheet.name for sheet in self._sheets], 10)}"
        what = f"header was taken from line {self._top + 1} of" if self._has_header else "table was taken from"
        return f"The {what} {where}: {'; '.join(ways)}." if ways else ""


@contextmanager
def _explained(called: str) -> Iterator[None]:
    """What the reader raises as one sentence, even where it panics."""
    try:
        yield
    except BaseException as error:  # that of a panic is no Exception
        if type(error).__name__ != "PanicException" and "fastexcel" not in type(error).__module__:
            raise
        message = str(error).splitlines()[0]
        raise ValueError(f"{called} must be a workbook; it cannot be read: {message}.") from error


def _told_by(book: Any) -> list[Cells]:
    """The sheets, as far as the reader tells: those behind the first visible one may be hidden as well."""
    sheets = [Cells(name) for name in book.sheet_names]
    for sheet in sheets:
        sheet.is_hidden = book.load_sheet(sheet.name, header_row=None, dtypes="string").visible != "visible"
        if not sheet.is_hidden:
            break
    return sheets


def _first_filled(frame: pl.DataFrame) -> int:
    """The first row that has a value, 0 if there is none."""
    import polars as pl

    filled = frame.select(pl.any_horizontal(pl.all().is_not_null())).to_series() if frame.width else pl.Series([False])
    return filled.arg_max() or 0


def _without_words(frame: pl.DataFrame) -> pl.DataFrame:
    """Words such as NA are missing, as in CSV files."""
    import polars as pl

    return frame.with_columns(pl.when(~pl.all().is_in(list(MISSING))).then(pl.all()).name.keep())


def _exact(text: pl.Series, numbers: pl.Series) -> pl.Series:
    """The cells of a column, numbers with all digits that they have, and without those that only fill them up."""
    import polars as pl

    differ = text.str.contains(_FRACTION) & (numbers != 0)
    if (long := text.str.contains(_LONG)).any():
        pairs = zip(long.fill_null(False), text, numbers, strict=True)
        differ |= pl.Series([is_long and number is not None and int(word) == number for is_long, word, number in pairs])
    return numbers.cast(pl.String).zip_with(differ.fill_null(False), text).alias(text.name)


def _as_dates(text: pl.Series) -> pl.Series:
    """Dates in ISO form as such, with times if any has one."""
    import polars as pl

    stamps = text.str.replace("T", " ").str.replace(r"^(.{10})$", "$1 00:00:00")
    dates = stamps.str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us", strict=False)
    return dates if (dates != dates.dt.truncate("1d")).any() else dates.cast(pl.Date)


def _clock(durations: pl.Series) -> pl.Series:
    """Hours, minutes and seconds as text."""
    import polars as pl

    seconds = (durations.dt.total_milliseconds() / 1000).round().cast(pl.Int64)
    sign = pl.when(seconds < 0).then(pl.lit("-")).otherwise(pl.lit(""))
    parts = [(seconds.abs() // size % most).cast(pl.String).str.zfill(2) for size, most in _CLOCK]
    return pl.select(pl.format("{}{}:{}:{}", sign, *parts).alias(durations.name)).to_series()
