"""Which columns of a table hold dates, and the table with their parts in place of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from entropick._errors import UnknownNameError
from entropick._words import listed
from entropick.cli._rows import stripped
from entropick.cli.options import DATES
from entropick.dates import PARTS, date_parts, part_of
from entropick.notes import Note

if TYPE_CHECKING:
    import polars as pl

_SAMPLE = 20  # values that must look like dates before all are read
_NEARLY = 0.95  # share of the dates of a column that differ
_CLOCK = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_REST = "(?::[0-5][0-9](?:[.,][0-9]+)?)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?"  # seconds and the zone, which no part needs
_ISO = f"^([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})(?:[T ]({_CLOCK}){_REST})?$"


def split_dates(frame: pl.DataFrame, target: str, mode: str) -> tuple[pl.DataFrame, dict[str, list[str]]]:
    """The table with parts in place of dates, and the names of the parts by the column they are of.

    Parts with the same value in every row are left out, and a column that has no others stays as it is.

    Parameters
    ----------
    frame : DataFrame
        The table; text counts as dates if all of it is ISO 8601.
    target : str
        The column that is never split.
    mode : {'auto', 'parts', 'values'}
        Split columns in which nearly every date differs, all columns of dates, or none.
    """
    if mode not in DATES:
        raise UnknownNameError("--dates", mode, DATES)
    if mode == "values":
        return frame, {}
    dates = {}
    for column in frame:
        if column.name != target and _may_be_dates(column) and (mode == "parts" or _nearly_all_differ(column)):
            found = as_dates(column)
            if found is not None:
                dates[column.name] = found
    if not dates:
        return frame, {}
    split = date_parts(frame.with_columns(*dates.values()), list(dates))
    new = [name for name in split.columns if name not in frame.columns and split[name].drop_nulls().n_unique() > 1]
    parts = {name: [f"{name}: {part}" for part in PARTS if f"{name}: {part}" in new] for name in dates}
    order = [part for name in frame.columns for part in parts.get(name) or [name]]
    return frame.hstack(split.select(new)).select(order), {name: some for name, some in parts.items() if some}


def with_parts(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """The table and those of the named parts that it does not have, but whose dates it has."""
    wanted = {name: part[0] for name in names if name not in frame.columns and (part := part_of(name)) is not None}
    for source in dict.fromkeys(wanted.values()):
        dates = as_dates(frame[source]) if source in frame.columns else None
        if dates is not None:
            parts = date_parts(dates.to_frame())
            frame = frame.hstack([parts[name] for name in wanted if wanted[name] == source and name in parts.columns])
    return frame


def as_dates(column: pl.Series) -> pl.Series | None:
    """A column as dates, with times of day if any value has one; None if it holds anything else.

    Examples
    --------
    >>> import polars as pl
    >>> as_dates(pl.Series(["2024-05-01T13:45:10.5Z", "2024-05-02", None])).dt.hour().to_list()
    [13, 0, None]
    >>> as_dates(pl.Series(["2024-05-01", "soon"])) is None
    True
    """
    import polars as pl

    if not _may_be_dates(column):
        return None
    if column.dtype != pl.String:
        return column
    text = stripped(column)
    day, clock = text.str.extract_groups(_ISO).struct.unnest()
    if clock.null_count() == len(clock) > day.null_count():  # if all are missing, they may be times as well
        dates = day.str.to_date("%Y-%m-%d", strict=False)
    else:
        dates = (day + clock.fill_null("00:00")).str.to_datetime("%Y-%m-%d%H:%M", time_unit="us", strict=False)
    return dates.alias(column.name) if dates.null_count() == text.null_count() else None


def note_of(parts: Mapping[str, Sequence[str]]) -> Note:
    """What became of the columns that were split."""
    made = [part for part in PARTS if any(f"{name}: {part}" in some for name, some in parts.items())]
    words = " and ".join([", ".join(made[:-1]), made[-1]] if made[1:] else made)
    one = f"column {listed(list(parts))} holds dates and was split into its {words}; --dates values leaves it whole."
    many = f"columns {listed(list(parts))} hold dates and were split into {words}; --dates values leaves them whole."
    return Note("dates", one if len(parts) == 1 else many, tuple(parts))


def _may_be_dates(column: pl.Series) -> bool:
    """Whether a column is of dates, or of text whose first values are."""
    import polars as pl

    if column.dtype != pl.String:
        return column.dtype in (pl.Date, pl.Datetime)
    return bool(stripped(column.drop_nulls().head(_SAMPLE)).drop_nulls().str.contains(_ISO).all())


def _nearly_all_differ(column: pl.Series) -> bool:
    present = column.drop_nulls()
    return len(present) > 1 and present.n_unique() >= _NEARLY * len(present)
