"""ARFF, the format of Weka and of many tables in the UCI repository."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import polars as pl

_QUOTED = r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]++)\s*(.+)", re.IGNORECASE)
_QUOTED_CELL = re.compile(rf"\s*({_QUOTED})\s*(?:,|$)")
_WEIGHT = re.compile(r",\s*\{\s*[0-9.eE+-]+\s*\}$")  # of a row, after its values; here all rows count the same
_NUMBER = re.compile(r"\s*(\d+)\s+")  # of an attribute, in a sparse row
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_NUMBERS = ("numeric", "real", "integer")


@dataclass(frozen=True)
class _Attribute:
    name: str
    is_number: bool
    default: str  # the value that a sparse row leaves out


def read_arff(text: str) -> pl.DataFrame:
    r"""The table in an ARFF file, with dense or sparse rows; '?' is missing.

    Examples
    --------
    >>> read_arff("@relation r\n@attribute a {x,'y z'}\n@attribute b real\n@data\n'y z',?\nx,2\n").rows()
    [('y z', None), ('x', 2.0)]
    """
    import polars as pl

    attributes: list[_Attribute] = []
    rows: list[list[str | None]] = []
    in_data = False
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        if in_data:
            line = _WEIGHT.sub("", line)
            row = _sparse_row(line, attributes, number) if line.startswith("{") else _cells(line)
            if len(row) != len(attributes):
                raise ValueError(
                    f"an ARFF file must have a value for every attribute in every row; line {number} has {len(row)} "
                    f"values for {len(attributes)} attributes."
                )
            rows.append(row)
        elif line.lower().startswith("@data"):
            in_data = True
        elif line.lower().startswith("@attribute"):
            attributes.append(_attribute(line, number))
    if not attributes or not in_data:
        raise ValueError("an ARFF file must have @attribute lines and a @data line; they are missing.")
    columns = []
    for attribute, cells in zip(attributes, zip(*rows, strict=True) if rows else [()] * len(attributes), strict=True):
        column = pl.Series(attribute.name, cells, dtype=pl.String)
        if attribute.is_number:
            numbers = column.cast(pl.Float64, strict=False)
            wrong = column.filter(numbers.is_null() & column.is_not_null())
            if len(wrong):
                raise ValueError(
                    f"attribute {attribute.name!r} must hold numbers, as the ARFF file declares; got {wrong[0]!r}."
                )
            column = numbers
        columns.append(column)
    return pl.DataFrame(columns)


def _attribute(line: str, number: int) -> _Attribute:
    match = _ATTRIBUTE.match(line)
    if match is None:
        raise ValueError(f"line {number} of the ARFF file must give an attribute a name and a type; got {line[:80]!r}.")
    name, kind = _unquoted(match[1]) or "", match[2].strip()
    if kind.startswith("{"):
        levels = _cells(kind.strip("{}"))
        return _Attribute(name, False, (levels[0] if levels else "") or "")
    is_number = kind.split()[0].lower() in _NUMBERS
    return _Attribute(name, is_number, "0" if is_number else "")


def _cells(line: str) -> list[str | None]:
    if "'" not in line and '"' not in line:
        return [_unquoted(cell.strip()) for cell in line.split(",")]
    cells: list[str | None] = []
    place = 0
    while place <= len(line):
        cell, place = _next_cell(line, place)
        cells.append(_unquoted(cell))
    return cells


def _next_cell(line: str, place: int) -> tuple[str, int]:
    """The cell at a position, and the position after its comma; past the end of the line if there is none."""
    match = _QUOTED_CELL.match(line, place)
    if match is not None:
        return match[1], match.end() + (not match[0].endswith(","))
    end = line.find(",", place)
    end = len(line) if end < 0 else end
    return line[place:end].strip(), end + 1


def _sparse_row(line: str, attributes: list[_Attribute], number: int) -> list[str | None]:
    row: list[str | None] = [attribute.default for attribute in attributes]
    inside, place = line.strip("{}").strip(), 0
    while place < len(inside):
        match = _NUMBER.match(inside, place)
        cell, place = _next_cell(inside, match.end()) if match is not None else ("", 0)
        if match is None or int(match[1]) >= len(row) or (_unquoted(cell) == cell and re.search("[{}]", cell)):
            raise ValueError(
                f"line {number} of the ARFF file must pair attribute numbers below {len(row)} with values; got "
                f"{line[:80]!r}."
            )
        row[int(match[1])] = _unquoted(cell)
    return row


def _unquoted(cell: str) -> str | None:
    if cell == "?":
        return None
    if len(cell) < 2 or cell[0] not in "'\"" or cell[-1] != cell[0]:
        return cell
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), cell[1:-1])


def write_arff(frame: pl.DataFrame, file: BinaryIO) -> None:
    """Write numbers as NUMERIC and everything else as nominal."""
    import polars as pl

    lines = ["@RELATION entropick", ""]
    texts = []
    for column in frame:
        if column.dtype.is_numeric():
            lines.append(f"@ATTRIBUTE {_quoted(column.name)} NUMERIC")
            texts.append(column.fill_nan(None).cast(pl.String) if column.dtype.is_float() else column.cast(pl.String))
        else:
            text = column.cast(pl.String)
            quoted = {value: _quoted(value) for value in text.drop_nulls().unique().sort().to_list()}
            lines.append(f"@ATTRIBUTE {_quoted(column.name)} {{{','.join(quoted.values())}}}")
            texts.append(text.replace_strict(quoted, return_dtype=pl.String, default=None))
    lines += ["", "@DATA"]
    rows = zip(*(text.fill_null("?").to_list() for text in texts), strict=True)
    file.write("\n".join([*lines, *(",".join(row) for row in rows), ""]).encode("utf-8"))


def _quoted(text: str) -> str:
    if text and text != "?" and all(letter.isalnum() or letter in "_-.+" for letter in text):
        return text
    for letter, escape in {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}.items():
        text = text.replace(letter, escape)
    return f"'{text}'"
