"""What a CSV file does not say of itself: its delimiter, its decimal sign, and whether its rows are whole."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

_CHUNK = 1 << 22
_DELIMITERS = ",;\t|"
csv.field_size_limit(1 << 30)  # a line without a delimiter is one field, however long


@dataclass(frozen=True)
class Dialect:
    """How a file separates and writes its values."""

    delimiter: str
    decimal_comma: bool
    header: tuple[str, ...]
    padded: bool  # a space after the delimiter


def find_dialect(sample: str, whole: bool, prefer: str = "") -> Dialect:
    r"""The delimiter that splits most lines into as many fields as the first one has.

    Parameters
    ----------
    sample : str
        The first characters of the file.
    whole : bool
        Whether that is all of it; else the last line may be cut.
    prefer : str
        The delimiter that the name of the file speaks for.

    Examples
    --------
    >>> find_dialect("a;b\n1,5;x\n2,5;y\n", True)
    Dialect(delimiter=';', decimal_comma=True, header=('a', 'b'), padded=False)
    """
    found: list[tuple[float, int, str, list[list[str]]]] = []
    for delimiter in prefer + _DELIMITERS.replace(prefer, ""):
        rows = [row for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if row]
        rows = rows if whole or len(rows) < 2 else rows[:-1]
        alike = sum(len(row) == len(rows[0]) for row in rows) / len(rows) if rows else 0.0
        found.append((alike * (len(rows[0]) > 1) if rows else 0.0, len(rows[0]) if rows else 0, delimiter, rows))
    best = max(found, key=lambda entry: (entry[0] >= 0.8, entry[1], entry[0]))
    _, _, delimiter, rows = best if best[0] else found[0]
    cells = [cell for row in rows[1:200] for cell in row]
    comma = delimiter != "," and any(re.fullmatch(r"\s*-?\d+,\d+\s*", cell) for cell in cells)
    point = any(re.fullmatch(r"\s*-?\d+\.\d+\s*", cell) for cell in cells)
    later = [cell for row in rows[1:200] for cell in row[1:]]
    padded = len(later) > 0 and sum(cell.startswith(" ") for cell in later) > len(later) / 2
    header = tuple(name.strip() if padded else name for name in rows[0]) if rows else ()
    return Dialect(delimiter, comma and not point, header, padded)


def find_ragged(file: BinaryIO, dialect: Dialect) -> tuple[str | None, bool]:
    """What is wrong with the first row that has more or fewer values than the header, and whether lines are blank."""
    suspicious, has_blank_lines = _scan(file, ord(dialect.delimiter), len(dialect.header))
    return _first_ragged(file, dialect) if suspicious else None, has_blank_lines


def _first_ragged(file: BinaryIO, dialect: Dialect) -> str | None:
    file.seek(0)
    text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="")
    reader = csv.reader(text, delimiter=dialect.delimiter)
    try:
        for number, row in enumerate(row for row in reader if row):
            if len(row) != len(dialect.header):
                values = f"{len(row)} value{'s' if len(row) != 1 else ''}"
                return f"line {reader.line_num} (row {number}) has {values} where the header has {len(dialect.header)}"
    except csv.Error as error:
        return f"line {reader.line_num} cannot be split into values ({error})"
    finally:
        text.detach()
    return None


def _scan(file: BinaryIO, delimiter: int, n_fields: int) -> tuple[bool, bool]:
    """Whether a line that is not blank may have another number of fields, and whether a line is blank.

    Fast, and easily alarmed by quotes.
    """
    has_blank_lines = False
    inside, fields, length = False, 1, 0  # in quotes; fields and letters of the line under way
    for letters in _letters(file):
        marks = (letters == delimiter) | (letters == ord("\n"))
        quotes = letters == ord('"')
        if inside or quotes.any():
            within = (np.cumsum(quotes) + inside) % 2 == 1
            marks &= ~within
            inside = bool(within[-1])
        places = np.flatnonzero(marks)
        ends = np.flatnonzero(letters[places] == ord("\n"))
        if not len(ends):
            fields, length = fields + len(places), length + len(letters)
            continue
        counts = np.diff(ends, prepend=-1)
        counts[0] += fields - 1
        widths = np.diff(places[ends], prepend=-1) - 1
        widths[0] += length
        blank = (counts == 1) & (widths <= 1) & (n_fields > 1)  # a carriage return may be there
        has_blank_lines |= bool(blank.any())
        if ((counts != n_fields) & ~blank).any():
            return True, True
        fields, length = len(places) - int(ends[-1]), len(letters) - 1 - int(places[ends[-1]])
    return inside, has_blank_lines


def _letters(file: BinaryIO) -> Iterator[NDArray[np.uint8]]:
    file.seek(0)
    last = b""
    while chunk := file.read(_CHUNK):
        yield np.frombuffer(chunk, dtype=np.uint8)
        last = chunk
    if not last.endswith(b"\n"):
        yield np.frombuffer(b"\n", dtype=np.uint8)


def has_quoted_cells(file: BinaryIO, delimiter: str) -> bool:
    """Whether a quotation mark begins a cell anywhere; else those that are there are part of the text."""
    file.seek(0)
    begins, before = [mark + b'"' for mark in (delimiter.encode(), b"\n", b"\r")], b"\n"
    while chunk := file.read(_CHUNK):
        part = before + chunk
        if any(begin in part for begin in begins):
            return True
        before = chunk[-1:]
    return False
