"""Several Parquet files as one table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING

from entropick._files import as_path
from entropick._words import counted, listed
from entropick.cli._formats import KINDS, TABLE
from entropick.cli._input import TableFile, check_link
from entropick.shards import ParquetFiles

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

    def __init__(self, name: str, paths: Sequence[Path]) -> None:
        self.name, self.paths = name, tuple(_different(paths))
        self.n_links = len(paths) - len(self.paths)
        self.notes: dict[str, str] = {}  # by column

    @cached_property
    def parquet(self) -> ParquetFiles:
        """The files, looked at."""
        files = ParquetFiles(self.paths)
        if not files.n_rows or not files.types:
            raise ValueError(
                f"{self.name!r} must have columns and rows; its files have {len(files.types)} columns and "
                f"{files.n_rows} rows."
            )
        return files

    def read(self, *, as_text: bool = False, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """The rows of all files, or some of their columns; ``as_text`` is for text."""
        whole = self.parquet.read(columns)
        self.notes[TABLE] = self.told()
        return whole

    def told(self) -> str:
        """Which files they are, as a sentence."""
        names = [file.name for file in self.parquet.files]
        links = f"; {counted(self.n_links, 'link')} to one of them {'is' if self.n_links == 1 else 'are'} left out"
        told = f"{len(names)} files were read as one table: {listed(names, 5)}{links if self.n_links else ''}."
        return f"{told} {self.parquet.told}".strip()


def open_table(path: str, has_header: bool = True) -> TableFile | ManyFiles:
    """The table in a file, or in all Parquet files of a folder or that a pattern matches.

    A path that exists is never a pattern, whatever characters it has. Files and folders whose names begin with a dot or
    an underscore, such as '_metadata.parquet', are left out unless they are named.
    """
    place = as_path(path)
    if place.is_dir() and (
        found := sorted(file for file in place.iterdir() if _is_parquet(file) and not _is_hidden(file.name))
    ):
        return ManyFiles(path, found)
    if path == "-" or place.exists() or not (has_magic(path) and _is_parquet(place)):
        return TableFile(path, has_header)
    named = tuple({part[0] for part in place.parts if _is_hidden(part)})
    matches = [Path(match) for match in glob(str(place), recursive=True)]
    hidden = [file for file in matches if any(_is_hidden(part) and part[0] not in named for part in file.parts)]
    if not (found := sorted(set(matches) - set(hidden))):
        raise ValueError(f"there is no file {path!r}, and no other matches it.")
    return ManyFiles(path, found)


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "_")) and name not in (".", "..")


def _different(paths: Sequence[Path]) -> list[Path]:
    """The paths without those that lead to the same file as one before them."""
    found: dict[tuple[int, int], Path] = {}
    for path in paths:
        check_link(str(path), path)
        status = path.stat()
        found.setdefault((status.st_dev, status.st_ino), path)
    return list(found.values())


def _is_parquet(path: Path) -> bool:
    return KINDS.get(path.suffix.lower()) == ManyFiles.kind
