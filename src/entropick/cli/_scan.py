"""Find where the rows of a CSV file end without reading the values, and whether its quotes are unambiguous."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

LONGEST = 1 << 27  # bytes in a row, at most
_CHUNK = 1 << 23
_QUOTE, _NEWLINE, _RETURN = ord('"'), ord("\n"), ord("\r")
_MARK = b"\xef\xbb\xbf"  # byte order mark of UTF-8, at the start of a file


class RowError(ValueError):
    """What a file must have but a line of it lacks; the name of the file goes in front."""


@dataclass(frozen=True)
class Block:
    """Some complete rows of a file."""

    data: bytes  # without blank lines
    n_rows: int
    start: int  # where they begin in the file, in bytes
    is_plain: bool  # every quote opens or closes a cell or is doubled within one, and every row has all its cells


def blocks(file: BinaryIO, delimiter: str, n_fields: int) -> Iterator[Block]:
    """A file in blocks of complete rows; the first block that is not plain is the last."""
    file.seek(0)
    rest = file.read(len(_MARK))
    start, ended = 0, False
    if rest == _MARK:
        rest, start = b"", len(_MARK)
    while rest or not ended:
        more = file.read(max(_CHUNK - len(rest), len(rest)))  # twice as much each time, for long rows
        if not more and not ended:
            ended = True
            rest += b"" if rest.endswith(b"\n") else b"\n"
        rest += more
        size, block = _cut(rest, start, ord(delimiter), n_fields, ended)
        if block is not None:
            yield block
            if not block.is_plain:
                return
        elif len(rest) > LONGEST:
            line = lines_before(file, start) + 1
            raise RowError(
                f"must have rows of at most {LONGEST >> 20} MB; the row that starts on line {line} is longer"
            )
        start, rest = start + size, rest[size:]


def lines_before(file: BinaryIO, place: int) -> int:
    r"""How many lines end before the start of a line, as Python counts them.

    Examples
    --------
    >>> import io
    >>> lines_before(io.BytesIO(b"a\nb\r\nc\rd"), 7)
    3
    """
    file.seek(0)
    lines, last = 0, b""
    while place and (data := file.read(min(place, _CHUNK))):
        lines += data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n") - (last == b"\r" and data[:1] == b"\n")
        last, place = data[-1:], place - len(data)
    return lines


def _cut(data: bytes, start: int, delimiter: int, n_fields: int, ended: bool) -> tuple[int, Block | None]:
    """The complete rows at the start of the data, if any, and their size."""
    letters = np.frombuffer(data, dtype=np.uint8)
    marks = (letters == _NEWLINE) | (letters == delimiter)
    within = None
    if b'"' in data:
        quotes = letters == _QUOTE
        within = np.bitwise_xor.accumulate(quotes)  # from an opening quote to just before the closing one
        marks &= ~within
    places = np.flatnonzero(marks)
    ends = np.flatnonzero(letters[places] == _NEWLINE)
    size = int(places[ends[-1]]) + 1 if len(ends) else 0
    letters = letters[: size or len(letters)]
    plain = (within is None or _quotes_are_plain(letters, within, delimiter)) and (
        b"\r" not in data or _returns_end_lines(letters, within)
    )
    if not size:
        return 0, Block(data, 0, start, False) if ended or not plain else None
    widths = np.diff(places[ends], prepend=-1)  # including the line end
    blank = widths == 1
    if b"\r" in data:
        blank |= (widths == 2) & (letters[places[ends] - 1] == _RETURN)
    plain = plain and bool(((np.diff(ends, prepend=-1) == n_fields) | blank).all())
    kept = letters[np.repeat(~blank, widths)].tobytes() if plain and blank.any() else data[:size]
    return size, Block(kept, len(ends) - int(blank.sum()), start, plain)


def _quotes_are_plain(letters: NDArray[np.uint8], within: NDArray[np.bool_], delimiter: int) -> bool:
    """Whether each quote is at the edge of a cell, or doubled inside a quoted cell."""
    quotes = np.flatnonzero(letters == _QUOTE)
    opens = within[quotes]
    edges = np.array([delimiter, _NEWLINE, _QUOTE], dtype=np.uint8)
    first, last = quotes[opens], quotes[~opens]
    before = letters[first[first > 0] - 1]
    behind = letters[last[last + 1 < len(letters)] + 1]
    return bool(np.isin(before, edges).all() and np.isin(behind, np.append(edges, np.uint8(_RETURN))).all())


def _returns_end_lines(letters: NDArray[np.uint8], within: NDArray[np.bool_] | None) -> bool:
    """Whether each carriage return outside quotes is followed by a newline."""
    places = np.flatnonzero(letters[:-1] == _RETURN)
    if within is not None:
        places = places[~within[places]]
    return bool((letters[places + 1] == _NEWLINE).all())
