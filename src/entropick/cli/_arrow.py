"""The column names of an Arrow file, which polars cannot read if two are the same."""

from __future__ import annotations

import struct
from typing import BinaryIO

_STREAM = b"\xff\xff\xff\xff"
_FOOTER = 10  # bytes at the end of a file: the size of the footer and ARROW1


def arrow_names(file: BinaryIO) -> list[str]:
    """The names in the schema of a file or a stream; none if it is damaged, which the reader will report.

    The schema is a flatbuffer: https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format.
    """
    try:
        if file.read(len(_STREAM)) == _STREAM:
            data = file.read(*struct.unpack("<i", file.read(4)))
            schema = _entry(data, _table(data, 0), 2)  # the header of the first message
        else:
            size = file.seek(-_FOOTER, 2)
            (length,) = struct.unpack("<i", file.read(4))
            file.seek(size - length)
            data = file.read(length)
            schema = _entry(data, _table(data, 0), 1)
        return [_name(data, field) for field in _fields(data, schema)]
    except (struct.error, OSError, ValueError, OverflowError):
        return []


def _fields(data: bytes, schema: int) -> list[int]:
    place = _entry(data, schema, 1)
    (count,) = struct.unpack_from("<I", data, place)
    return [_table(data, place + 4 + 4 * i) for i in range(min(count, len(data)))]


def _name(data: bytes, field: int) -> str:
    place = _entry(data, field, 0)
    (length,) = struct.unpack_from("<I", data, place)
    return data[place + 4 : place + 4 + length].decode("utf-8")


def _entry(data: bytes, table: int, number: int) -> int:
    """Position of the value of a table's entry, if that is a table, a vector or a string."""
    (back,) = struct.unpack_from("<i", data, table)
    (offset,) = struct.unpack_from("<H", data, table - back + 4 + 2 * number)
    return _table(data, table + offset)


def _table(data: bytes, place: int) -> int:
    return int(place + struct.unpack_from("<I", data, place)[0])
