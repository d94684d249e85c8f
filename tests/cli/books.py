"""Workbooks written cell by cell, without a library, so that they can hold what a library would not write."""

from __future__ import annotations

import datetime as dt
import struct
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
KINDS = {
    "xl/workbook.xml": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
    "xl/styles.xml": "application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml",
}
FORMATS = ("general", "yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss", "[h]:mm:ss")  # by the number of a style
BEGIN = dt.datetime(1899, 12, 30)  # day 0 of Excel
ODS = "application/vnd.oasis.opendocument.spreadsheet"
OASIS = "urn:oasis:names:tc:opendocument:xmlns"


@dataclass(frozen=True)
class Error:
    """A cell whose formula failed."""

    code: str = "#DIV/0!"


@dataclass(frozen=True)
class Formula:
    """A cell with a formula and the value that was stored with it, if any."""

    text: str = "1+1"
    value: object = None


@dataclass(frozen=True)
class Sheet:
    """A sheet; rows are lists of None, bool, int, float, str, date, datetime, timedelta, Error or Formula."""

    rows: Sequence[Sequence[object]]
    merged: tuple[str, ...] = ()
    areas: tuple[tuple[int, int, int, int], ...] = ()  # merged ones of an .xlsb file: rows, then columns, from 0
    state: str = "visible"
    dimension: str | None = None
    extra: tuple[tuple[str, object], ...] = ()  # cells elsewhere, such as ('XFD1048576', 1)
    bare: bool = False  # cells do not say where they are


def letters(place: int) -> str:
    """The name of a column: A, B, ..., Z, AA."""
    name = ""
    while place >= 0:
        name, place = chr(65 + place % 26) + name, place // 26 - 1
    return name


def write_book(path: Path, sheets: dict[str, Sheet | list[list[object]]]) -> None:
    """An Excel workbook."""
    found = {name: sheet if isinstance(sheet, Sheet) else Sheet(sheet) for name, sheet in sheets.items()}
    write_zip(path, _parts(found))


def write_zip(path: Path, parts: Mapping[str, str | bytes]) -> None:
    """A zip file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in parts.items():
            book.writestr(name, text)


def write_ods(path: Path, sheets: dict[str, list[str]]) -> None:
    """An ODS workbook whose rows are XML, as `ods_row` makes it."""
    names = f'xmlns:office="{OASIS}:office:1.0" xmlns:table="{OASIS}:table:1.0" xmlns:text="{OASIS}:text:1.0"'
    tables = "".join(
        f"<table:table table:name={quoteattr(name)}>{''.join(rows)}</table:table>" for name, rows in sheets.items()
    )
    content = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
    calc = 'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
    write_zip(
        path,
        {
            "mimetype": ODS,
            "content.xml": f"{HEAD}<office:document-content {names} {calc}>{content}</office:document-content>",
            "META-INF/manifest.xml": f'{HEAD}<manifest:manifest xmlns:manifest="{OASIS}:manifest:1.0"/>',
        },
    )


def ods_row(*values: object, times: int = 1) -> str:
    """A row of an ODS sheet."""
    repeated = f' table:number-rows-repeated="{times}"' if times > 1 else ""
    return f"<table:table-row{repeated}>{''.join(map(ods_cell, values))}</table:table-row>"


def ods_cell(value: object, times: int = 1) -> str:
    """A cell of an ODS sheet; text that begins with < is taken as it is."""
    repeated = f' table:number-columns-repeated="{times}"' if times > 1 else ""
    if isinstance(value, str) and value.startswith("<"):
        return value
    if value is None:
        return f"<table:table-cell{repeated}/>"
    if isinstance(value, Error):
        kind = 'office:value-type="string" office:string-value="" calcext:value-type="error"'
        return f'<table:table-cell table:formula="of:=1/0" {kind}><text:p>{value.code}</text:p></table:table-cell>'
    if isinstance(value, bool):
        kind = f'"boolean" office:boolean-value="{str(value).lower()}"'
    elif isinstance(value, int | float):
        kind = f'"float" office:value="{value!r}"'
    elif isinstance(value, dt.date):
        kind = f'"date" office:date-value="{value.isoformat()}"'
    else:
        kind = '"string"'
    text = f"<text:p>{escape(str(value))}</text:p>"
    return f"<table:table-cell office:value-type={kind}{repeated}>{text}</table:table-cell>"


def write_xlsb(path: Path, sheets: dict[str, Sheet]) -> None:
    """An Excel workbook of binary records; its cells hold text, numbers, booleans and #DIV/0!."""
    states = {"visible": 0, "hidden": 1, "veryHidden": 2}
    places = range(1, len(sheets) + 1)
    links = "".join(f'<Relationship Id="r{i}" Type="{LINK}/worksheet" Target="worksheets/s{i}.bin"/>' for i in places)
    named = [
        _record(156, struct.pack("<2I", states[sheet.state], i) + _wide(f"r{i}") + _wide(name))
        for i, (name, sheet) in zip(places, sheets.items(), strict=True)
    ]
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": f'{HEAD}<Types xmlns="{PACKAGE}/content-types"/>',
        "xl/_rels/workbook.bin.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">{links}</Relationships>',
        "xl/workbook.bin": b"".join([_record(131), _record(143), *named, _record(144), _record(132)]),
    }
    for i, sheet in zip(places, sheets.values(), strict=True):
        rows = [(j, list(enumerate(row))) for j, row in enumerate(sheet.rows)]
        for at, value in sheet.extra:
            letter = at.rstrip("0123456789")
            place = next(place for place in range(1 << 14) if letters(place) == letter)
            rows.append((int(at[len(letter) :]) - 1, [(place, value)]))
        cells = b"".join(
            _record(0, struct.pack("<I", j) + bytes(13)) + b"".join(_record(*_binary(*cell)) for cell in row)
            for j, row in rows
        )
        areas = b"".join(_record(176, struct.pack("<4I", *area)) for area in sheet.areas)
        size = _record(148, struct.pack("<4I", 0, 9, 0, 9))
        parts[f"xl/worksheets/s{i}.bin"] = b"".join(
            [_record(129), size, _record(145), cells, _record(146), areas, _record(130)]
        )
    write_zip(path, parts)


def _record(kind: int, data: bytes = b"") -> bytes:
    head = bytes([kind]) if kind < 128 else bytes([kind % 128 + 128, kind // 128])
    size = bytes([len(data)]) if len(data) < 128 else bytes([len(data) % 128 + 128, len(data) // 128])
    return head + size + data


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def _binary(place: int, value: object) -> tuple[int, bytes]:
    at = struct.pack("<2I", place, 0)
    if isinstance(value, Error):
        return 3, at + bytes([7])
    if isinstance(value, bool):
        return 4, at + bytes([value])
    if isinstance(value, int | float):
        return 5, at + struct.pack("<d", value)
    return (1, at) if value is None else (6, at + _wide(str(value)))


def _parts(sheets: dict[str, Sheet]) -> dict[str, str]:
    places = range(1, len(sheets) + 1)
    overrides = "".join(f'<Override PartName="/{part}" ContentType="{kind}"/>' for part, kind in KINDS.items())
    formats = "".join(f'<numFmt numFmtId="{164 + i}" formatCode="{text}"/>' for i, text in enumerate(FORMATS))
    links = "".join(f'<Relationship Id="r{i}" Type="{LINK}/worksheet" Target="worksheets/s{i}.xml"/>' for i in places)
    named = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{i}" state="{sheet.state}" r:id="r{i}"/>'
        for i, (name, sheet) in zip(places, sheets.items(), strict=True)
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
        f'ContentType="application/xml"/>{overrides}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r0" '
        f'Type="{LINK}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{LINK}"><sheets>{named}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{links}<Relationship '
        f'Id="r0" Type="{LINK}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><numFmts>{formats}</numFmts><cellXfs>'
        + "".join(f'<xf numFmtId="{164 + i}"/>' for i in range(len(FORMATS)))
        + "</cellXfs></styleSheet>",
    }
    for i, sheet in zip(places, sheets.values(), strict=True):
        parts[f"xl/worksheets/s{i}.xml"] = f'<worksheet xmlns="{MAIN}">{_body(sheet)}</worksheet>'
    return {name: HEAD + text for name, text in parts.items()}


def _body(sheet: Sheet) -> str:
    lines = []
    for i, row in enumerate(sheet.rows, 1):
        cells = (_cell("" if sheet.bare else f"{letters(j)}{i}", value) for j, value in enumerate(row))
        lines.append(f"<row>{''.join(cells)}</row>" if sheet.bare else f'<row r="{i}">{"".join(cells)}</row>')
    for at, value in sheet.extra:
        lines.append(f'<row r="{at.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")}">{_cell(at, value)}</row>')
    dimension = "" if sheet.dimension is None else f'<dimension ref="{sheet.dimension}"/>'
    merged = "".join(f'<mergeCell ref="{area}"/>' for area in sheet.merged)
    merged = f"<mergeCells>{merged}</mergeCells>" if merged else ""
    return f"{dimension}<sheetData>{''.join(lines)}</sheetData>{merged}"


def _cell(at: str, value: object) -> str:
    place = f' r="{at}"' if at else ""
    formula = ""
    if isinstance(value, Formula):
        formula, value = f"<f>{escape(value.text)}</f>", value.value
        if value is None:
            return f"<c{place}>{formula}<v></v></c>"  # as openpyxl writes it
    if value is None:
        return "" if at else "<c/>"
    if isinstance(value, Error):
        return f'<c{place} t="e">{formula}<v>{value.code}</v></c>'
    if isinstance(value, bool):
        return f'<c{place} t="b">{formula}<v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f"<c{place}>{formula}<v>{value!r}</v></c>"
    if isinstance(value, dt.timedelta):
        return f'<c{place} s="3">{formula}<v>{value / dt.timedelta(1)!r}</v></c>'
    if isinstance(value, dt.date):
        is_day = not isinstance(value, dt.datetime)
        since = (dt.datetime(value.year, value.month, value.day) if is_day else value) - BEGIN
        return f'<c{place} s="{1 if is_day else 2}">{formula}<v>{since / dt.timedelta(1)!r}</v></c>'
    if formula:
        return f'<c{place} t="str">{formula}<v>{escape(str(value))}</v></c>'
    return f'<c{place} t="inlineStr"><is><t xml:space="preserve">{escape(str(value))}</t></is></c>'
