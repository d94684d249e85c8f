"""`--test FILE`: how well a model does on a table that no selection has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from entropick._words import listed, shortened
from entropick.cli._apply import check_names
from entropick.cli._dates import with_parts
from entropick.cli._many import open_table
from entropick.notes import Note

if TYPE_CHECKING:
    import polars as pl

    from entropick.cli._prepare import Prepared
    from entropick.report import Result


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
        frame = with_parts(table.read(), names)
        check_names([*names, target], frame.columns, self.name, "columns to choose from, and the target")
        frame = frame.select([*names, target]).drop_nulls(target)
        if not frame.height:
            raise ValueError(f"{self.name!r} must have rows with a value for the target {target!r}; it has none.")
        self.X, self.y = (
            _stacked(first, second, self.name)
            for first, second in ((prepared.X, frame.select(names)), (prepared.y.to_frame(), frame.select(target)))
        )
        self.is_test = [False] * prepared.X.height + [True] * frame.height

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
        notes = result.notes
        if result.target.kind == "classes" and new:
            text = f"{self.name!r} has classes that the table to select from has not, {listed(sorted(map(str, new)))}."
            notes = (Note("new_classes", text), *notes)
        return replace(result, tested=found, notes=notes)


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
