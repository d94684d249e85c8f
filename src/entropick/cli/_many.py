"""Several Parquet files as one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING

from entropick._files import as_path
from entropick._words import did_you_mean, listed
from entropick.cli._formats import KINDS
from entropick.cli._input import TableFile

if TYPE_CHECKING:
    import polars as pl


class ManyFiles:
    """Parquet files with the same columns, one below the other.

    Parameters
    ----------
    name : str
        The pattern, or the folder.
    paths : sequence of Path
        The files.
    """

    kind = "parquet"
    is_packed = False

    def __init__(self, name: str, paths: Sequence[Path]) -> None:
        self.name, self.paths = name, tuple(paths)
        self.notes: dict[str, str] = {}  # by column

    def read(self, *, as_text: bool = False, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """The rows of all files, or some of their columns; ``as_text`` is for text."""
        import polars as pl

        parts: list[pl.DataFrame] = []
        for path in self.paths:
            part = TableFile(str(path)).read(columns=columns)
            if parts:  # in the order of the first
                check_alike(part.schema, parts[0].schema, path.name, self.paths[0].name)
                part = part.select(parts[0].columns)
            parts.append(part)
        whole = pl.concat(parts, how="vertical_relaxed")
        self.notes[whole.columns[0]] = self.told()
        return whole

    def told(self) -> str:
        """Which files they are, as a sentence."""
        return f"{len(self.paths)} files were read as one table: {listed([path.name for path in self.paths], 5)}."


def open_table(path: str, has_header: bool = True) -> TableFile | ManyFiles:
    """The table in a file, or in all Parquet files of a folder or that a pattern matches.

    A path that exists is never a pattern, whatever characters it has.
    """
    place = as_path(path)
    if place.is_dir() and (found := sorted(file for file in place.iterdir() if _is_parquet(file))):
        return ManyFiles(path, found)
    if path == "-" or place.exists() or not (has_magic(path) and _is_parquet(place)):
        return TableFile(path, has_header)
    if not (found := sorted(map(Path, glob(str(place), recursive=True)))):
        raise ValueError(f"there is no file {path!r}, and no other matches it.")
    return ManyFiles(path, found)


def _is_parquet(path: Path) -> bool:
    return KINDS.get(path.suffix.lower()) == ManyFiles.kind


def check_alike(part: Mapping[str, pl.DataType], first: Mapping[str, pl.DataType], name: str, first_name: str) -> None:
    """Raise a ValueError unless two files have the same columns, which hold the same."""
    import polars as pl

    for one, other, its_name, other_name in ((first, part, first_name, name), (part, first, name, first_name)):
        if missing := [column for column in one if column not in other]:
            near = did_you_mean(missing[0], list(other))
            text = f"all files must have the same columns; {other_name!r} lacks {missing[0]!r}, which {its_name!r} has."
            raise ValueError(text + near)
    for column, ours in first.items():
        theirs = part[column]
        both_numbers = ours.is_numeric() and theirs.is_numeric()
        if ours != theirs and not both_numbers and pl.Null not in (ours, theirs):
            raise ValueError(
                f"a column must hold the same in all files; {column!r} is {ours} in {first_name!r} and {theirs} in "
                f"{name!r}."
            )
