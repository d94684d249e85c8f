"""The cells of an Excel sheet of XML."""

from __future__ import annotations

from collections import Counter
from typing import IO
from xml.parsers import expat

from entropick.cli._cells import Cells, parse


def xlsx_cells(file: IO[bytes], cells: Cells) -> None:
    """Go through the cells of an Excel sheet; handlers that most cells do not need are set only for those that do."""
    parser = expat.ParserCreate()
    columns: dict[str, int] = {}
    text: list[str] = []
    row = column = line = -1
    kind, is_formula, has_text = "", False, False

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, line, kind, is_formula, has_text
        tag = tag[tag.rfind(":") + 1 :]
        if tag == "c":
            kind, is_formula, has_text = attributes.get("t", ""), False, False
            if at := attributes.get("r"):
                letters = at.rstrip("0123456789")
                if letters not in columns:
                    columns[letters] = _column(letters)
                column, row = columns[letters], int(at[len(letters) :]) - 1
            else:
                column, row = column + 1, line
        elif tag in ("v", "is"):
            if is_formula or kind == "e":
                has_text = kind == "str"  # text may be empty
                parser.CharacterDataHandler, parser.EndElementHandler = text.append, end
            else:
                cells.add(row, column, row, column)
        elif tag == "f":
            is_formula = True
            parser.EndElementHandler = end
        elif tag == "row":
            line, column = int(attributes.get("r", line + 2)) - 1, -1
        elif tag == "mergeCell":
            begin, _, last = attributes["ref"].partition(":")
            cells.merge(*_place(begin), *_place(last or begin))

    def end(tag: str) -> None:
        tag = tag[tag.rfind(":") + 1 :]
        if tag == "v":
            parser.CharacterDataHandler = None
        if tag != "c":
            return
        value = "".join(text)
        text.clear()
        parser.CharacterDataHandler = parser.EndElementHandler = None
        if value or has_text:
            cells.add(row, column, row, column)
            if kind == "e" and cells.is_below(row):
                cells.errors.setdefault(column, Counter())[value] += 1
        elif is_formula and cells.is_below(row):
            cells.unstored[column] += 1

    parser.StartElementHandler = start
    parse(parser, file)


def _place(at: str) -> tuple[int, int]:
    """Row and column of a cell.

    Examples
    --------
    >>> _place("C12")
    (11, 2)
    """
    letters = at.rstrip("0123456789")
    return int(at[len(letters) :]) - 1, _column(letters)


def _column(letters: str) -> int:
    place = 0
    for letter in letters:
        place = 26 * place + ord(letter) - 64
    return place - 1
