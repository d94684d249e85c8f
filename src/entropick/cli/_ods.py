"""The cells of all sheets of an ODS file."""

from __future__ import annotations

import re
from collections import Counter
from typing import IO
from xml.parsers import expat

from entropick.cli._cells import Cells, parse

_WITHIN_A_DAY = r"PT(?:[01]?[0-9]|2[0-3])H[0-9]{1,2}M[0-9]{1,2}(?:\.[0-9]+)?S$"


def ods_sheets(file: IO[bytes], has_header: bool) -> list[Cells]:
    """The sheets of an ODS file, which its reader reads all of; a cell or row may be there many times at once."""
    parser = expat.ParserCreate()
    found: list[Cells] = []
    hidden: dict[str, bool] = {}
    text: list[str] = []
    row = column = n_rows = n_columns = 0
    style = ""

    def places(cells: Cells) -> range:
        return range(column, min(column + n_columns, cells.right + 1))

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, n_rows, n_columns, style
        if tag in ("table:table-cell", "table:covered-table-cell"):
            column, n_columns = column + n_columns, int(attributes.get("table:number-columns-repeated", 1))
            cells = found[-1]
            counter: Counter[int] | None = None
            if "office:value-type" in attributes:
                cells.add(row, column, row + n_rows - 1, column + n_columns - 1)
                if attributes["office:value-type"] == "time":
                    cells.has_durations = True
                    if not re.match(_WITHIN_A_DAY, attributes.get("office:time-value", "")) and cells.is_below(row):
                        counter = cells.long
                if attributes.get("calcext:value-type") == "error" and cells.is_below(row):
                    parser.CharacterDataHandler, parser.EndElementHandler = text.append, end
            elif cells.is_below(row) and tag == "table:covered-table-cell":
                counter = cells.merged
            elif cells.is_below(row) and "table:formula" in attributes:
                counter = cells.unstored
            if counter is not None:
                counter.update(dict.fromkeys(places(cells), n_rows))
        elif tag == "table:table-row":
            row, n_rows = row + n_rows, int(attributes.get("table:number-rows-repeated", 1))
            column = n_columns = 0
        elif tag == "table:table":
            is_hidden = hidden.get(attributes.get("table:style-name", ""), False)
            found.append(Cells(attributes.get("table:name", ""), is_hidden, has_header))
            row = n_rows = 0
        elif tag == "style:style":
            style = attributes.get("style:name", "")
        elif tag == "style:table-properties":
            hidden[style] = attributes.get("table:display") == "false"

    def end(tag: str) -> None:
        if tag == "table:table-cell":
            parser.CharacterDataHandler = parser.EndElementHandler = None
            for place in places(found[-1]):
                found[-1].errors.setdefault(place, Counter())["".join(text)] += n_rows
            text.clear()

    parser.StartElementHandler = start
    parse(parser, file)
    if not found:
        raise ValueError("it has no sheet")
    return found
