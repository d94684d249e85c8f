"""What the values of a sheet do not tell: where its cells are, and why some of them are missing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import IO, Any

_GRID = 1 << 24  # cells between the first and the last, as many as an .xls sheet has
_SPARSE = 10  # or this many for each that has a value; the reader makes room for all of them
_SHOWN = 3  # kinds of errors in a note
_PIECE = 1 << 16


@dataclass
class Cells:
    """Where the cells of a sheet are; rows and columns count from 0, those of `Counter` are below the header."""

    name: str
    is_hidden: bool = False
    has_header: bool = True
    top: int | None = None  # the first row with a value
    bottom: int = -1
    left: int = 1 << 62
    right: int = -1
    n_values: int = 0
    errors: dict[int, Counter[str]] = field(default_factory=dict)
    unstored: Counter[int] = field(default_factory=Counter)  # formulas without a value
    merged: Counter[int] = field(default_factory=Counter)  # all but the first of merged cells
    has_durations: bool = False
    long: Counter[int] = field(default_factory=Counter)  # durations that cannot be read

    def add(self, row: int, column: int, last_row: int, last_column: int) -> None:
        """Cells with a value; those of an area that the file has only once are one."""
        self.n_values += 1
        if self.top is None or row < self.top:
            self.top = row
        if last_row > self.bottom:
            self.bottom = last_row
        if column < self.left:
            self.left = column
        if last_column > self.right:
            self.right = last_column

    def is_below(self, row: int) -> bool:
        """Whether a row is one of the table, and not its header."""
        return self.top is not None and row >= self.top + self.has_header

    def merge(self, top: int, left: int, bottom: int, right: int) -> None:
        """Merged cells, when all others are known."""
        if self.top is None:
            return
        first = max(top, self.top + self.has_header)
        n_rows = min(bottom, self.bottom) + 1 - first
        for column in range(left, min(right, self.right) + 1) if n_rows > 0 else ():
            self.merged[column] += n_rows - (column == left and first == top)

    def told_of(self, column: int, n_rows: int) -> list[str]:
        """What is missing in a column, and why; columns count from the first with a value."""
        column += self.left
        errors = self.errors.get(column, Counter())
        codes = ", ".join(code for code, _ in errors.most_common(_SHOWN)) + (", ..." if len(errors) > _SHOWN else "")
        again = ": open the file in a spreadsheet program and save it"
        told = [
            _missing(errors.total(), n_rows, "an error", "errors", f" ({codes})"),
            _missing(self.unstored[column], n_rows, "a formula", "formulas", " without a stored value", again),
            _missing(self.long[column], n_rows, "a duration", "durations", " of a day or more", ": use numbers"),
            _missing(self.merged[column], n_rows, "merged into another", "merged into others"),
        ]
        return [text for text in told if text]

    def check_size(self, called: str) -> None:
        """Raise a ValueError if a few cells lie far from the others, because a reader makes room for all between."""
        n_columns, n_rows = self.right + 1, self.bottom + 1
        if n_columns * n_rows > max(_GRID, _SPARSE * self.n_values):
            raise ValueError(
                f"{called} must have cells that lie close together; sheet {self.name!r} claims {n_columns} columns x "
                f"{n_rows} rows, and only {self.n_values} of its cells hold anything: delete the rows and columns that "
                "look empty, or save the sheet as CSV."
            )


def _missing(n: int, n_rows: int, one: str, many: str, more: str = "", way_out: str = "") -> str:
    if not n:
        return ""
    what = f"is {one}{more} and counts" if n == 1 else f"are {many}{more} and count"
    return f"{n} of {max(n, n_rows)} cells {what} as missing{way_out}"


def parse(parser: Any, file: IO[bytes]) -> None:
    """Go through XML without keeping it."""
    parser.buffer_text = True
    for piece in iter(lambda: file.read(_PIECE), b""):
        parser.Parse(piece, False)
    parser.Parse(b"", True)
