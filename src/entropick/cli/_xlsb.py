"""The sheets and cells of an Excel workbook of binary records, [MS-XLSB]."""

from __future__ import annotations

import io
import struct
from collections import Counter
from collections.abc import Iterator
from typing import IO, Any, cast

from entropick.cli._cells import Cells

_ROW, _SHEET, _MERGED = 0, 156, 176
_VALUES = frozenset(range(2, 12)) | {62}  # kinds of cells; 1 is an empty one
_ERRORS = {3, 11}
_CODES = {0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A"}


def xlsb_sheets(data: bytes) -> list[tuple[str, str, bool]]:
    """Name and link of each sheet, and whether it is hidden."""
    found = []
    for kind, record in _records(io.BytesIO(data)):
        if kind == _SHEET:
            link, end = _text(record, 8)
            found.append((_text(record, end)[0], link, record[0] != 0))
    return found


def xlsb_cells(file: IO[bytes], cells: Cells) -> None:
    """Go through the cells of a sheet."""
    row, unbuffered = 0, cast(Any, file)
    for kind, record in _records(io.BufferedReader(unbuffered)):
        if kind == _ROW:
            (row,) = struct.unpack_from("<I", record)
        elif kind in _VALUES:
            (column,) = struct.unpack_from("<I", record)
            cells.add(row, column, row, column)
            if kind in _ERRORS and cells.is_below(row):
                cells.errors.setdefault(column, Counter())[_CODES.get(record[8], "unknown")] += 1
        elif kind == _MERGED:
            top, bottom, left, right = struct.unpack_from("<4I", record)
            cells.merge(top, left, bottom, right)


def _records(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    while head := file.read(1):
        kind = head[0] if head[0] < 128 else head[0] - 128 + 128 * file.read(1)[0]
        size = shift = 0
        while True:
            (byte,) = file.read(1)
            size |= (byte & 127) << shift
            shift += 7
            if byte < 128 or shift == 28:
                break
        yield kind, file.read(size)


def _text(record: bytes, place: int) -> tuple[str, int]:
    """A string, and where it ends."""
    (length,) = struct.unpack_from("<I", record, place)
    end = place + 4 + 2 * length
    return record[place + 4 : end].decode("utf-16-le"), end
