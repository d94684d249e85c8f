"""Workbooks, and tables without a header line."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

import polars as pl
import pytest
from command import QUICK, entropick, patients, refused
from optional import optional

from entropick.cli._input import TableFile

fastexcel = optional("fastexcel")
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def write_book(path: Path, sheets: dict[str, list[list[object]]]) -> None:
    """A workbook with text and numbers, as small as one can be."""

    def cell(value: object) -> str:
        if isinstance(value, int | float):
            return f"<c><v>{value}</v></c>"
        return "<c/>" if value is None else f'<c t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'

    places = range(1, len(sheets) + 1)
    files = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r0" '
        f'Type="{LINK}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        + "".join(f'<Relationship Id="r{i}" Type="{LINK}/worksheet" Target="worksheets/s{i}.xml"/>' for i in places)
        + "</Relationships>",
        "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{LINK}"><sheets>'
        + "".join(
            f'<sheet name="{escape(name)}" sheetId="{i}" r:id="r{i}"/>' for i, name in zip(places, sheets, strict=True)
        )
        + "</sheets></workbook>",
    }
    for i, rows in zip(places, sheets.values(), strict=True):
        lines = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
        files[f"xl/worksheets/s{i}.xml"] = f"<worksheet {MAIN}><sheetData>{lines}</sheetData></worksheet>"
    with zipfile.ZipFile(path, "w") as book:
        for name, text in files.items():
            book.writestr(name, f'<?xml version="1.0"?>{text}')


def rows_of(frame: pl.DataFrame) -> list[list[object]]:
    return [list(frame.columns), *map(list, frame.rows())]


def test_the_first_sheet_of_a_workbook_is_a_table(tmp_path: Path) -> None:
    fastexcel.read_excel  # noqa: B018 - skips without it
    few = patients().select("age", "smoker", "outcome")
    write_book(tmp_path / "p.xlsx", {"visits": rows_of(few), "notes": [["x"], [1]]})
    outcome = entropick("select", "p.xlsx", "-t", "outcome", *QUICK, "--out", "few.csv", folder=tmp_path)
    assert outcome.status == 0, outcome.err
    assert "'age' and 'smoker'" in outcome.out
    assert "only the first of 2 sheets, 'visits', was read" in " ".join(outcome.out.split())
    assert pl.read_csv(tmp_path / "few.csv").equals(few)


def test_a_sheet_without_names_is_numbered(tmp_path: Path) -> None:
    fastexcel.read_excel  # noqa: B018
    write_book(tmp_path / "p.xlsx", {"a": [[1, "x"], [2, "y"]]})
    frame = TableFile(str(tmp_path / "p.xlsx"), has_header=False).read()
    assert frame.to_dict(as_series=False) == {"1": [1, 2], "2": ["x", "y"]}


def test_what_is_no_workbook_is_refused(tmp_path: Path) -> None:
    fastexcel.read_excel  # noqa: B018
    (tmp_path / "p.xlsx").write_text("a,b\n1,2\n", encoding="utf-8")
    told = refused(entropick("select", "p.xlsx", "-t", "a", folder=tmp_path))
    assert told.startswith("file 'p.xlsx' must be a workbook; it cannot be read: ")


@pytest.mark.parametrize("quoted", [False, True], ids=["plain", "quoted"])
def test_without_a_header_columns_are_numbers(tmp_path: Path, quoted: bool) -> None:
    few = patients().select("age", "smoker", "outcome")
    text = few.write_csv(include_header=False, quote_style="always" if quoted else "necessary")
    (tmp_path / "p.csv").write_text(text, encoding="utf-8")
    outcome = entropick(
        "select", "p.csv", "-t", "3", "--no-header", *QUICK, "--json", "r.json", "--names", "-", folder=tmp_path
    )
    assert outcome.status == 0, outcome.err
    assert sorted(outcome.out.split()) == ["1", "2"]
    applied = entropick("apply", "r.json", "p.csv", "--no-header", "-o", "few.csv", folder=tmp_path)
    assert applied.status == 0, applied.err
    assert pl.read_csv(tmp_path / "few.csv").height == few.height


def test_a_missing_header_is_noticed_and_says_how(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("1,0\n" + "5,0\n6,1\n" * 30, encoding="utf-8")
    outcome = entropick("select", "p.csv", "-t", "0", *QUICK, folder=tmp_path)
    assert "but they are numbers: use --no-header." in " ".join(outcome.out.split())
    told = entropick("select", "p.csv", "-t", "2", "--no-header", *QUICK, folder=tmp_path)
    assert "--no-header" not in told.out
    (tmp_path / "q.csv").write_text('1,0\n5,0\n"6\n', encoding="utf-8")
    assert "must close every quote" in refused(entropick("select", "q.csv", "-t", "2", "--no-header", folder=tmp_path))
    (tmp_path / "q.csv").write_text("1,0\n5\n", encoding="utf-8")
    assert "the first line has 2" in refused(entropick("select", "q.csv", "-t", "2", "--no-header", folder=tmp_path))


def test_files_with_names_of_their_own_need_none(tmp_path: Path) -> None:
    patients().write_parquet(tmp_path / "p.parquet")
    told = refused(entropick("select", "p.parquet", "-t", "outcome", "--no-header", folder=tmp_path))
    assert told == "--no-header is for text and sheets; file 'p.parquet' has names of its own."
