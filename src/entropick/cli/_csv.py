"""What a CSV file does not declare: its delimiter, and whether spaces follow it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

_DELIMITERS = ",;\t|"


@dataclass(frozen=True)
class Dialect:
    """How a file separates its values."""

    delimiter: str
    header: tuple[str, ...]
    padded: bool  # a space follows the delimiter
    has_header: bool = True  # whether the first line has the names; else they are numbers from 1


def find_dialect(sample: str, whole: bool, prefer: str = "", has_header: bool = True) -> Dialect:
    r"""The delimiter that splits most lines into as many fields as the first one has.

    Parameters
    ----------
    sample : str
        The first characters of the file.
    whole : bool
        Whether that is the whole file; if not, the last line may be cut off.
    prefer : str
        The delimiter that the file name suggests.
    has_header : bool
        Whether the first line has the names of the columns.

    Examples
    --------
    >>> find_dialect("a;b\n1,5;x\n2,5;y\n", True)
    Dialect(delimiter=';', header=('a', 'b'), padded=False, has_header=True)
    >>> find_dialect("5,x\n6,y\n", True, has_header=False).header
    ('1', '2')
    """
    found: list[tuple[float, int, str, list[list[str]]]] = []
    for delimiter in prefer + _DELIMITERS.replace(prefer, ""):
        rows = [row for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if row]
        rows = rows if whole or len(rows) < 2 else rows[:-1]
        alike = sum(len(row) == len(rows[0]) for row in rows) / len(rows) if rows else 0.0
        found.append((alike * (len(rows[0]) > 1) if rows else 0.0, len(rows[0]) if rows else 0, delimiter, rows))
    best = max(found, key=lambda entry: (entry[0] >= 0.8, entry[1], entry[0]))
    _, _, delimiter, rows = best if best[0] else found[0]
    later = [cell for row in rows[1:200] for cell in row[1:]]
    padded = len(later) > 0 and sum(cell.startswith(" ") for cell in later) > len(later) / 2
    header = tuple(name.strip() if padded else name for name in rows[0]) if rows else ()
    if not has_header:
        header = tuple(str(place + 1) for place in range(len(header)))
    return Dialect(delimiter, header, padded, has_header)


def named(header: Sequence[str]) -> list[str]:
    """The names of columns, with one for a column that has none.

    Examples
    --------
    >>> named(["a", "", "y"])
    ['a', 'column_1', 'y']
    """
    return [name or next_free(f"column_{place}", header) for place, name in enumerate(header)]


def next_free(name: str, taken: Sequence[str]) -> str:
    """A name with underscores behind it until nobody has it."""
    while name in taken:
        name += "_"
    return name
