"""`--test FILE`: how well a model does on a table that no selection has seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from entropick._words import listed, shortened
from entropick.cli._apply import check_names
from entropick.cli._dates import with_parts
from entropick.cli._many import open_table
from entropick.cli._prepare import about_missing
from entropick.cli._rows import stripped
from entropick.notes import Note
from entropick.shards import is_missing

if TYPE_CHECKING:
    import polars as pl

    from entropick.cli._input import TableFile
    from entropick.cli._many import ManyFiles
    from entropick.cli._prepare import Prepared
    from entropick.report import Result

_MOST_COPIES = 0.05  # share of the rows to test on that may be in the other table without a note


class OtherTable:
    """The table to test on, read and checked before any work is done.

    Parameters
    ----------
    path : str
        The file.
    prepared : Prepared
        The table to select from, whose columns it must have.
    sources : sequence of Path
        Where that is.
    has_header : bool
        Whether its first line has names.
    """

    def __init__(self, path: str, prepared: Prepared, sources: Sequence[Path], has_header: bool) -> None:
        table = open_table(path, has_header)
        if any(file.samefile(source) for file in table.paths for source in sources):
            raise ValueError("--test must be another file than the one to select from.")
        self.name = table.name
        names, target = prepared.X.columns, prepared.y.name
        frame, told = with_parts(table.read(), names, prepared.parts)
        check_names([*names, target], frame.columns, self.name, "columns to choose from, and the target")
        frame = _as_written(frame.select([*names, target]), {**prepared.X.schema, target: prepared.y.dtype}, table)
        n_rows, frame = frame.height, frame.filter(~is_missing(frame[target]))
        if not frame.height:
            raise ValueError(f"{self.name!r} must have rows with a value for the target {target!r}; it has none.")
        self.X, self.y = (
            _stacked(first, second, self.name)
            for first, second in ((prepared.X, frame.select(names)), (prepared.y.to_frame(), frame.select(target)))
        )
        self.is_test = [False] * prepared.X.height + [True] * frame.height
        self.notes = [Note("cells", f"in {self.name!r}, {text}", (name,)) for name, text in told.items()]
        self.notes += [
            Note(note.code, f"in {self.name!r}, {note.text}", note.columns)
            for note in about_missing(target, n_rows - frame.height, n_rows)
        ]
        self.notes += self._about_copies(prepared.X.height)

    def _about_copies(self, n_first: int) -> list[Note]:
        """A note if rows to test on are rows to select from: more than two rows of the first table are alike."""
        rows = self.X.hstack(self.y).hash_rows()
        first, second = rows[:n_first], rows[n_first:]
        n_copies = int(second.is_in(first.unique().implode()).sum())
        alike = 1 - first.n_unique() / n_first
        if n_copies <= max(_MOST_COPIES, 2 * alike) * len(second):
            return []
        text = (
            f"{n_copies} of the {len(second)} rows of {self.name!r} are also in the table to select from: what a model "
            "gets right there says little about new rows."
        )
        return [Note("copied_rows", text)]

    def tried(self, result: Result) -> Result:
        """The result, with what a model reaches on this table."""
        import polars as pl

        from entropick.evaluation import try_on

        chosen = [False] * self.X.width
        for feature in result.features:
            chosen[feature.index] = True
        y = self.y.to_series()
        found = try_on(self.X, y, self.is_test, chosen, self.name, result.target.kind)
        new = set(y.filter(pl.Series(self.is_test)).unique()) - set(y.filter(~pl.Series(self.is_test)).unique())
        notes = (*self.notes, *result.notes)
        if result.target.kind == "classes" and new:
            text = f"{self.name!r} has classes that the table to select from has not, {listed(sorted(map(str, new)))}."
            notes = (Note("new_classes", text), *notes)
        return replace(result, tested=found, notes=notes)


def _as_written(frame: pl.DataFrame, types: Mapping[str, pl.DataType], table: TableFile | ManyFiles) -> pl.DataFrame:
    """The table, with text where the first table has text and this one, by chance, only numbers; as in its file."""
    import polars as pl

    names = [column.name for column in frame if column.dtype.is_numeric() and types[column.name] == pl.String]
    if not names or table.kind not in ("csv", "tsv"):
        return frame
    return frame.with_columns(map(stripped, table.read(as_text=True, columns=names)))


def _stacked(first: pl.DataFrame, second: pl.DataFrame, name: str) -> pl.DataFrame:
    """The rows of two tables; a column must hold numbers in both of them or in neither."""
    import polars as pl

    columns = []
    for ours, theirs in zip(first, second, strict=True):
        both = [ours, theirs]
        if ours.dtype != theirs.dtype:
            kinds = [_kind(column) for column in both]
            if kinds[0] != kinds[1] and not any(column.null_count() == len(column) for column in both):
                raise ValueError(
                    f"a column must hold the same in both tables; {shortened(ours.name)!r} holds {kinds[0]}, but in "
                    f"{name!r} it holds {kinds[1]}."
                )
            as_one = pl.Float64 if "numbers" in kinds else pl.String
            both = [column.cast(as_one, strict=False) for column in both]
        columns.append(pl.concat(both))
    return pl.DataFrame(columns)


def _kind(column: pl.Series) -> str:
    return "numbers" if column.dtype.is_numeric() else "something else"
