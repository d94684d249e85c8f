"""A workbook, looked into before a reader makes room for it: its sheets, and what is in the one to read."""

from __future__ import annotations

import io
import posixpath
import struct
import zipfile
import zlib
from xml.etree import ElementTree
from xml.parsers import expat

from entropick.cli._cells import Cells
from entropick.cli._ods import ods_sheets
from entropick.cli._unpack import ALWAYS, TIMES
from entropick.cli._xlsb import xlsb_cells, xlsb_sheets
from entropick.cli._xlsx import xlsx_cells

_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, EOFError, RuntimeError),  # of the zip file
    *(ElementTree.ParseError, expat.ExpatError, struct.error, LookupError, ValueError),  # of what is in it
)


def look_into(content: bytes, called: str, has_header: bool) -> list[Cells] | None:
    """The sheets of a workbook, unread but for the first visible one; None if its format does not tell.

    Raises a ValueError if the workbook is damaged or would take implausibly much memory.
    """
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return None
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            is_large = sum(part.file_size for part in book.infolist()) > max(ALWAYS, TIMES * len(content))
            sheets = None if is_large else _sheets(book, has_header)
    except _DAMAGED as error:
        raise ValueError(f"{called} must be a workbook; it cannot be read: {error}.") from error
    if is_large:
        raise ValueError(
            f"{called} must unpack to at most {TIMES} times its size; it is larger: if you trust it, open it in a "
            "spreadsheet program and save the sheet as CSV."
        )
    for sheet in sheets or ():
        sheet.check_size(called)
    return sheets


def _sheets(book: zipfile.ZipFile, has_header: bool) -> list[Cells] | None:
    if (damaged := book.testzip()) is not None:  # or the sizes it claims may be false
        raise zipfile.BadZipFile(f"{damaged!r} is damaged")
    parts = {part.lower().replace("\\", "/"): part for part in book.namelist()}
    for suffix in ("xml", "bin"):
        if f"xl/workbook.{suffix}" in parts:
            return _excel_sheets(book, parts, suffix, has_header)
    if "content.xml" not in parts:
        return None
    with book.open(parts["content.xml"]) as file:
        return ods_sheets(file, has_header)


def first_visible(sheets: list[Cells]) -> Cells:
    """The one that is read."""
    return next((sheet for sheet in sheets if not sheet.is_hidden), sheets[0])


def _excel_sheets(book: zipfile.ZipFile, parts: dict[str, str], suffix: str, has_header: bool) -> list[Cells]:
    """The sheets in their order, with the cells of the first visible one."""
    links = ElementTree.fromstring(book.read(parts[f"xl/_rels/workbook.{suffix}.rels"]))
    targets = {link.get("Id"): link.get("Target", "") for link in links if link.get("Type", "").endswith("/worksheet")}
    named = (xlsb_sheets if suffix == "bin" else _xlsx_sheets)(book.read(parts[f"xl/workbook.{suffix}"]))
    places = {name: targets[link].replace("\\", "/") for name, link, _ in named if link in targets}  # others are charts
    sheets = [Cells(name, is_hidden, has_header) for name, _, is_hidden in named if name in places]
    if not sheets:
        raise ValueError("it has no sheet")
    first = first_visible(sheets)
    place = posixpath.normpath(posixpath.join("/xl", places[first.name])).lstrip("/").lower()
    with book.open(parts[place]) as file:
        (xlsb_cells if suffix == "bin" else xlsx_cells)(file, first)
    return sheets


def _xlsx_sheets(data: bytes) -> list[tuple[str, str, bool]]:
    """Name and link of each sheet, and whether it is hidden."""
    found = []
    for element in ElementTree.fromstring(data).iter():
        if element.tag.endswith("}sheet"):
            link = next((value for key, value in element.items() if key.endswith("}id")), "")
            found.append((element.get("name", ""), link, element.get("state", "visible") != "visible"))
    return found
