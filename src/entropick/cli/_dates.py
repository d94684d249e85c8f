"""Which columns of a table hold dates, and the table with their parts in place of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from entropick._errors import UnknownNameError
from entropick._words import listed
from entropick.cli._numbers import MOST_ODD, ODD_WORDS, told_as_missing
from entropick.cli._rows import stripped
from entropick.cli.options import DATES
from entropick.dates import PARTS, date_parts, part_of
from entropick.notes import Note

if TYPE_CHECKING:
    import polars as pl

_SAMPLE = 20  # values, half of which must look like dates before all are read
_NEARLY = 0.95  # share of the dates of a column that differ
_CLOCK = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_REST = "(?::[0-5][0-9](?:[.,][0-9]+)?)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?"  # seconds and the zone, which no part needs
_ISO = f"^([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})(?:[T ]({_CLOCK}){_REST})?$"


def split_dates(
    frame: pl.DataFrame, target: str, mode: str
) -> tuple[pl.DataFrame, dict[str, list[str]], dict[str, str]]:
    """The table with parts in place of dates, the names of the parts by the column they are of, and what to tell of it.

    Parts with the same value in every row are left out, and a column that has no others stays as it is.

    Parameters
    ----------
    frame : DataFrame
        The table; text counts as dates if all of it is ISO 8601, but for a few words, which count as missing.
    target : str
        The column that is never split.
    mode : {'auto', 'parts', 'values'}
        Split columns in which nearly every date differs, all columns of dates, or none.
    """
    if mode not in DATES:
        raise UnknownNameError("--dates", mode, DATES)
    if mode == "values":
        return frame, {}, {}
    dates = {}
    for column in frame:
        found = as_dates(column) if column.name != target else None
        if found is not None and (mode == "parts" or _nearly_all_differ(column.filter(found.is_not_null()))):
            dates[column.name] = found
    if not dates:
        return frame, {}, {}
    split = date_parts(frame.with_columns(*dates.values()), list(dates))
    new = [name for name in split.columns if name not in frame.columns and split[name].drop_nulls().n_unique() > 1]
    parts = {name: [f"{name}: {part}" for part in PARTS if f"{name}: {part}" in new] for name in dates}
    order = [part for name in frame.columns for part in parts.get(name) or [name]]
    parts = {name: some for name, some in parts.items() if some}
    told = {name: text for name in parts if (text := _about_odd(frame[name], dates[name]))}
    return frame.hstack(split.select(new)).select(order), parts, told


def with_parts(
    frame: pl.DataFrame, names: Sequence[str], sources: Collection[str]
) -> tuple[pl.DataFrame, dict[str, str]]:
    """The table and those of the named parts that it does not have, but whose dates it has, and what to tell of it.

    Parameters
    ----------
    frame : DataFrame
        The table.
    names : sequence of str
        Columns that it should have.
    sources : collection of str
        The columns of dates that were split; any other column may have a name that looks like that of a part.
    """
    wanted = {name: part[0] for name in names if name not in frame.columns and (part := part_of(name)) is not None}
    told = {}
    for source in dict.fromkeys(wanted.values()):
        dates = as_dates(frame[source]) if source in frame.columns and source in sources else None
        if dates is not None:
            parts = date_parts(dates.to_frame())
            made = [name for name in wanted if wanted[name] == source and name in parts.columns]
            if made and (text := _about_odd(frame[source], dates)):
                told[source] = text
            frame = frame.hstack([parts[name] for name in made])
    return frame, told


def as_dates(column: pl.Series) -> pl.Series | None:
    """A column as dates, with times of day if any value has one; None if it holds anything else.

    A few words among dates in text are missing, as they are among numbers.

    Examples
    --------
    >>> import polars as pl
    >>> as_dates(pl.Series(["2024-05-01T13:45:10.5Z", "2024-05-02", None])).dt.hour().to_list()
    [13, 0, None]
    >>> as_dates(pl.Series(["2024-05-01", "soon"])) is None
    True
    """
    import polars as pl

    if column.dtype != pl.String:
        return column if column.dtype in (pl.Date, pl.Datetime) else None
    sample = stripped(column.drop_nulls().head(_SAMPLE)).drop_nulls()
    if 2 * sample.str.contains(_ISO).sum() < len(sample):
        return None
    text = stripped(column)
    day, clock = text.str.extract_groups(_ISO).struct.unnest()
    if clock.null_count() == len(clock) > day.null_count():  # if all are missing, they may be times as well
        dates = day.str.to_date("%Y-%m-%d", strict=False)
    else:
        dates = (day + clock.fill_null("00:00")).str.to_datetime("%Y-%m-%d%H:%M", time_unit="us", strict=False)
    odd, n_present = text.filter(dates.is_null()).drop_nulls(), len(text) - text.null_count()
    is_odd = odd.n_unique() > ODD_WORDS or len(odd) > MOST_ODD * n_present
    return None if is_odd else dates.alias(column.name)


def _about_odd(column: pl.Series, dates: pl.Series) -> str | None:
    """A sentence about words among dates, if there are any."""
    if column.null_count() == dates.null_count():
        return None
    text = stripped(column)
    words = text.filter(dates.is_null()).drop_nulls().value_counts(sort=True, name="n")
    if not len(words):
        return None
    counts = words.sort(["n", column.name], descending=[True, False])
    n_present = len(text) - text.null_count()
    return told_as_missing(column.name, "date", counts[column.name].to_list(), int(counts["n"].sum()), n_present)


def note_of(parts: Mapping[str, Sequence[str]]) -> Note:
    """What became of the columns that were split."""
    made = [part for part in PARTS if any(f"{name}: {part}" in some for name, some in parts.items())]
    words = " and ".join([", ".join(made[:-1]), made[-1]] if made[1:] else made)
    one = f"column {listed(list(parts))} holds dates and was split into its {words}; --dates values leaves it whole."
    many = f"columns {listed(list(parts))} hold dates and were split into {words}; --dates values leaves them whole."
    return Note("dates", one if len(parts) == 1 else many, tuple(parts))


def _nearly_all_differ(column: pl.Series) -> bool:
    present = column.drop_nulls()
    return len(present) > 1 and present.n_unique() >= _NEARLY * len(present)
