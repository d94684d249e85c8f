"""From a frame to columns and target, and from a result to JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from entropick._files import replacing
from entropick._plain import Json
from entropick._words import did_you_mean, grouped, listed
from entropick.cli._dates import note_of, split_dates
from entropick.cli._formats import TABLE
from entropick.cli._sheets import PLACE
from entropick.notes import Note
from entropick.shards import is_missing

if TYPE_CHECKING:
    import polars as pl

_NOTES = 10  # about columns, at most


@dataclass(frozen=True)
class Prepared:
    """The columns to choose from, the target, the names of columns that were left out, and notes."""

    X: pl.DataFrame
    y: pl.Series
    left_out: tuple[str, ...]
    notes: tuple[Note, ...]
    parts: Mapping[str, Sequence[str]]  # of dates, among the columns of X, by the column they are of
    has_target: pl.Series | None = None  # the rows that were kept; None if all were

    @property
    def names(self) -> list[str]:
        """The names of the columns to choose from."""
        return self.X.columns

    @property
    def target(self) -> str:
        """The name of the target."""
        return self.y.name

    def kept_rows(self, column: pl.Series) -> pl.Series:
        """The values of a column in the rows that were kept."""
        return column if self.has_target is None else column.filter(self.has_target)


def prepare(
    frame: pl.DataFrame,
    target: str,
    columns: list[str] | None,
    drop: list[str] | None,
    told: Mapping[str, str] | None = None,
    has_header: bool = True,
    dates: str = "values",
) -> Prepared:
    """The columns to choose from, the target, and notes about them.

    Rows without a target are dropped. The notes in ``told`` are passed on for the columns that are used. ``dates`` says
    which dates are split into parts; the name of a column that is split stands for all of them.
    """
    check_target(target, frame.columns, (told or {}).get(PLACE, ""))
    has_names = not has_header or not all(_is_number(name) for name in frame.columns)
    frame, made, odd = split_dates(frame, target, dates)  # all rows decide, because --out has them all
    frame, has_target, further = _with_target(frame, target)
    others, is_target = [name for name in frame.columns if name != target], {target: "is the target"}
    names = pick_columns(others, columns, "--columns", is_target, made) if columns else others
    gone = set(pick_columns(others, drop, "--drop", is_target, made)) if drop else set()
    names = [name for name in names if name not in gone]
    if not names:
        raise ValueError(f"there must be columns to choose from besides the target {target!r}; none are left.")
    parts = {name: kept for name, some in made.items() if (kept := [part for part in some if part in names])}
    if parts:
        further.append(note_of(parts))
    if not has_names:
        text = "the first line of the table was read as column names, but they are numbers: use --no-header."
        further.append(Note("no_names", text))
    left_out = tuple(name for name in (*others, *made) if name not in names and name not in parts)
    used = {name: text for name, text in {**(told or {}), **odd}.items() if name in (target, *parts, *names)}
    whole = [Note("table", told[TABLE])] if told and TABLE in told else []
    notes = (*whole, *_about_cells(used), *further)
    return Prepared(frame.select(names), frame[target], left_out, notes, parts, has_target)


def _with_target(frame: pl.DataFrame, target: str) -> tuple[pl.DataFrame, pl.Series | None, list[Note]]:
    """The rows that have a target, which ones those are, None if all are, and a note about the others."""
    y = frame[target]
    missing = is_missing(y)
    present = y.filter(~missing)
    check_classes(target, frame.height, present.head(1).to_list(), present.n_unique() > 1)
    if not missing.any():
        return frame, None, []
    return frame.filter(~missing), ~missing, about_missing(target, int(missing.sum()), frame.height)


def check_target(target: str, names: Sequence[str], place: str = "") -> None:
    """Raise a ValueError unless the target is a column; it ends with where the table was found."""
    if target not in names:
        raise ValueError(
            f"--target must be a column of the table; got {target!r}, which is not one of its {len(names)} columns."
            f"{did_you_mean(target, names) or ' They are ' + listed(names, 10) + '.'}{place and ' ' + place}"
        )


def check_classes(target: str, n_rows: int, first: Sequence[object], are_many: bool) -> None:
    """Raise a ValueError unless the target has values, the first of which is given, and not only this one."""
    if not first:
        raise ValueError(f"the target {target!r} must have values; it is missing in all {n_rows} rows.")
    if not are_many:
        raise ValueError(
            f"the target {target!r} must have at least two classes; it is {str(first[0])!r} in every row, so "
            "nothing can be learnt about it."
        )


def about_missing(target: str, n_missing: int, n_rows: int) -> list[Note]:
    """A note about rows without a target, if there are any."""
    if not n_missing:
        return []
    text = f"{grouped(n_missing)} of {grouped(n_rows)} rows have no value for the target {target!r} and were dropped."
    return [Note("no_target", text, (target,))]


def _about_cells(told: Mapping[str, str]) -> list[Note]:
    """How columns were read, by column, at most a few of them one by one."""
    notes = [Note("cells", sentence, (name,)) for name, sentence in told.items()]
    if len(notes) <= _NOTES:
        return notes
    text = f"in {len(notes) - _NOTES + 1} more columns some values count as missing, or numbers are read as text."
    return [*notes[: _NOTES - 1], Note("cells", text, tuple(told)[_NOTES - 1 :])]


def time_left(limit: float | None, began: float, share: float = 1.0) -> float | None:
    """What reading has left of a time limit, or a share of that; at least a tenth of it, and None without a limit."""
    if limit is None or limit <= 0:  # the latter is refused where it is used
        return limit
    return max(limit / 10, share * (limit - (time.monotonic() - began)))


def split_by(frame: pl.DataFrame, target: str, options: Mapping[str, str | None]) -> list[str]:
    """The columns that say how to split the rows; they must be there, and are not chosen from."""
    found = []
    for option, name in options.items():
        if name is None:
            continue
        if name not in frame.columns:
            raise ValueError(
                f"{option} must be a column of the table; got {name!r}, which is not one."
                f"{did_you_mean(name, frame.columns)}"
            )
        if name == target:
            raise ValueError(f"{option} must be another column than the target; got {name!r}.")
        found.append(name)
    return found


def write_json(value: dict[str, Json], path: str) -> None:
    """Write to a file, or to standard output if the path is '-'."""
    text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    data = text.encode("utf-8", "replace")
    if path == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        with replacing(path) as file:
            file.write(data)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def pick_columns(
    names: Sequence[str],
    wanted: Sequence[str],
    option: str,
    others: Mapping[str, str] | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
) -> list[str]:
    """Column names as given to an option: one name each, or several separated by commas.

    Parameters
    ----------
    names : sequence of str
        Names that are allowed.
    wanted : sequence of str
        The values of the option.
    option : str
        The option, for errors.
    others : mapping of str to str, optional
        Names that are not allowed, and why.
    groups : mapping of str to sequence of str, optional
        Names that stand for several.

    Examples
    --------
    >>> pick_columns(["a", "b", "c,d"], ["b,a", "c,d"], "--columns")
    ['b', 'a', 'c,d']
    """
    known = {**{name: [name] for name in names}, **(groups or {})}
    found: list[str] = []
    for entry in wanted:
        for name in [entry] if entry in known else [part.strip() for part in entry.split(",")]:
            if name in (others or {}):
                raise ValueError(f"{option} must name columns to choose from; {name!r} {(others or {})[name]}.")
            if name not in known:
                near = did_you_mean(name, known)
                raise ValueError(f"{option} must name columns of the table; got {name!r}, which is not one.{near}")
            found += known[name]
    return list(dict.fromkeys(found))
