"""Workbooks, and tables without a header line."""

from __future__ import annotations

import contextlib
import datetime as dt
import random
import tracemalloc
import zipfile
from pathlib import Path

import polars as pl
import pytest
from books import Error, Formula, Sheet, ods_cell, ods_row, write_book, write_ods, write_xlsb, write_zip
from command import QUICK, entropick, patients, refused
from optional import Absent, optional

from entropick.cli._formats import TABLE
from entropick.cli._input import TableFile

fastexcel = optional("fastexcel")
DAY = dt.date(2024, 5, 1)


@pytest.fixture
def reader() -> None:
    if isinstance(fastexcel, Absent):
        fastexcel.skip()


def rows_of(frame: pl.DataFrame) -> list[list[object]]:
    return [list(frame.columns), *map(list, frame.rows())]


def told(
    folder: Path, rows: list[list[object]] | Sheet, has_header: bool = True
) -> tuple[pl.DataFrame, dict[str, str]]:
    """The table on a sheet and the notes on its columns."""
    write_book(folder / "p.xlsx", {"S": rows})
    return read(folder / "p.xlsx", has_header)


def read(path: Path, has_header: bool = True) -> tuple[pl.DataFrame, dict[str, str]]:
    file = TableFile(str(path), has_header)
    frame = file.read()
    keys = {TABLE: "table", **{name: name for name in frame.columns}}
    return frame, {keys[key]: note for key, note in file.notes.items() if key in keys}


def as_csv(folder: Path, rows: list[list[object]]) -> tuple[pl.DataFrame, dict[str, str]]:
    """The same table, written as CSV."""
    pl.DataFrame([list(map(as_text, row)) for row in rows], orient="row").write_csv(
        folder / "p.csv", include_header=False
    )
    return read(folder / "p.csv")


def as_text(value: object) -> str:
    if isinstance(value, float):
        return str(pl.Series([value]).cast(pl.String)[0])  # 1e-7, where Python has 1e-07
    if isinstance(value, bool):
        return str(value).lower()  # as a sheet tells it, if it stands among words
    return "" if value is None or isinstance(value, Error) else str(value)


def plain(column: pl.Series) -> list[object]:
    """Values that do not depend on whether a file has types: dates are text, and so are booleans among words."""
    if column.dtype.is_numeric() or column.dtype == pl.Boolean:
        return column.to_list()
    midnight = " 00:00:00"
    return [None if value is None else str(value).removesuffix(midnight).lower() for value in column]


def test_the_first_sheet_of_a_workbook_is_a_table(tmp_path: Path, reader: None) -> None:
    few = patients().select("age", "smoker", "outcome")
    write_book(tmp_path / "p.xlsx", {"visits": rows_of(few), "notes": [["x"], [1]]})
    outcome = entropick("select", "p.xlsx", "-t", "outcome", *QUICK, "--out", "few.csv", folder=tmp_path)
    assert outcome.status == 0, outcome.err
    assert "'age' and 'smoker'" in outcome.out
    assert "only the first of 2 sheets, 'visits', was read" in " ".join(outcome.out.split())
    assert pl.read_csv(tmp_path / "few.csv").equals(few)


@pytest.mark.parametrize("bare", [False, True], ids=["placed", "bare"])
def test_a_sheet_without_names_is_numbered(tmp_path: Path, bare: bool, reader: None) -> None:
    frame, _ = told(tmp_path, Sheet([[1, "x"], [2, "y"]], bare=bare), has_header=False)
    assert frame.to_dict(as_series=False) == {"1": [1, 2], "2": ["x", "y"]}


def test_what_is_no_workbook_is_refused(tmp_path: Path, reader: None) -> None:
    (tmp_path / "p.xlsx").write_text("a,b\n1,2\n", encoding="utf-8")
    error = refused(entropick("select", "p.xlsx", "-t", "a", folder=tmp_path))
    assert error.startswith("file 'p.xlsx' must be a workbook; it cannot be read: ")


def test_a_damaged_workbook_is_refused(tmp_path: Path, reader: None) -> None:
    write_book(tmp_path / "p.xlsx", {"S": [["a"], *([i] for i in range(500))]})
    data = (tmp_path / "p.xlsx").read_bytes()
    rng = random.Random(0)
    for _ in range(40):
        place, letter = rng.randrange(len(data)), rng.randrange(256)
        (tmp_path / "q.xlsx").write_bytes(data[:place] + bytes([letter]) + data[place + 1 :])
        with contextlib.suppress(ValueError):  # and nothing else is raised
            assert read(tmp_path / "q.xlsx")[0].height > 0
    (tmp_path / "q.xlsx").write_bytes(data[: len(data) // 2])
    with pytest.raises(ValueError, match=r"file 'q\.xlsx' must be a workbook; it cannot be read: "):
        read(tmp_path / "q.xlsx")


def test_a_reader_that_panics_is_no_internal_error(
    tmp_path: Path, reader: None, capfd: pytest.CaptureFixture[str]
) -> None:
    write_xlsb(tmp_path / "p.xlsb", {"S": Sheet([["a"], [1]]), "T": Sheet([["a"], [1]])})
    with zipfile.ZipFile(tmp_path / "p.xlsb") as book:
        parts = {name: book.read(name) for name in book.namelist()}
    links = "xl/_rels/workbook.bin.rels"
    parts[links] = parts[links].replace(b'Id="r2"', b'Id="r3"')  # the second sheet is nowhere
    write_zip(tmp_path / "p.xlsb", parts)
    with pytest.raises(ValueError, match=r"^file 'p\.xlsb' must be a workbook; it cannot be read: "):
        read(tmp_path / "p.xlsb")


# What a column holds


def test_the_last_rows_of_a_sheet_count_as_much_as_the_first(tmp_path: Path, reader: None) -> None:
    n = 1300
    rows: list[list[object]] = [["code", "when", "late", "y"]]
    for i in range(n):
        is_late = i >= 1200
        day = DAY + dt.timedelta(days=i)
        rows.append(["pq"[i % 2] if is_late else i % 7, str(day) if is_late else day, i if is_late else None, i % 2])
    frame, _ = told(tmp_path, rows)
    assert frame.null_count().row(0) == (0, 0, 1200, 0)
    assert frame["code"].tail(2).to_list() == ["p", "q"]
    assert frame["when"].to_list() == [DAY + dt.timedelta(days=i) for i in range(n)]
    assert frame.select("late", "y").dtypes == [pl.Int64, pl.Int64]


@pytest.mark.parametrize("place", [0, 2990], ids=["first", "last"])
def test_a_few_words_among_numbers_are_told_wherever_they_stand(tmp_path: Path, place: int, reader: None) -> None:
    numbers: list[object] = [i / 8 for i in range(3000)]
    numbers[place : place + 3] = ["n.a."] * 3
    frame, notes = told(tmp_path, [["a"], *([number] for number in numbers)])
    assert frame["a"].to_list() == [None if number == "n.a." else number for number in numbers]
    assert notes == {"a": "column 'a': 3 of 3000 values are not numbers ('n.a.') and count as missing."}


def test_pure_columns_keep_their_type(tmp_path: Path, reader: None) -> None:
    moment = dt.datetime(2024, 5, 1, 13, 45, 10)
    row: list[object] = [3.0, 0.5, True, DAY, moment, "x", "007"]
    frame, notes = told(tmp_path, [list("abcdefg"), row, [None] * 7, row])
    assert frame.dtypes == [pl.Int64, pl.Float64, pl.Boolean, pl.Date, pl.Datetime("us"), pl.String, pl.Int64]
    assert frame.row(0) == (3, 0.5, True, DAY, moment, "x", 7)
    assert frame.row(1) == (None,) * 7
    assert notes == {}


def test_numbers_keep_all_their_digits(tmp_path: Path, reader: None) -> None:
    numbers = [1e-12, 0.1 + 0.2, 1 / 3, 123456.789012345678, 2.0**60, -1e-300, 1e200, 1e15 + 0.25, 0.0]
    frame, _ = told(tmp_path, [["pure", "mixed"], *([number, number] for number in numbers), ["", "word"]])
    assert frame["pure"].to_list() == [*numbers, None]
    assert [float(value) for value in frame["mixed"][:-1]] == numbers


def test_text_that_looks_like_a_number_is_left_as_it_is(tmp_path: Path, reader: None) -> None:
    words = ["1.10", "1.1", "12345678901234567890", "00.5", "1.123456789012345678", "1" * 60, "x"]
    frame, _ = told(tmp_path, [["a"], *([word] for word in words)])
    assert frame["a"].to_list() == words


def test_dates_among_words_are_text_in_iso_form(tmp_path: Path, reader: None) -> None:
    frame, _ = told(tmp_path, [["a"], [DAY], ["soon"], [dt.datetime(2024, 5, 1, 13, 45, 10)]])
    assert frame["a"].to_list() == ["2024-05-01", "soon", "2024-05-01 13:45:10"]
    frame, _ = told(tmp_path, [["a"], [DAY], ["NA"], [dt.datetime(2024, 5, 1, 13, 45, 10)]])
    assert frame["a"].to_list() == [dt.datetime(2024, 5, 1), None, dt.datetime(2024, 5, 1, 13, 45, 10)]


def test_times_and_durations_are_text_as_in_csv(tmp_path: Path, reader: None) -> None:
    begin = dt.datetime(1899, 12, 30)
    times = [dt.timedelta(hours=30), dt.timedelta(minutes=5, seconds=7), begin + dt.timedelta(hours=13, minutes=45)]
    frame, _ = told(tmp_path, [["a"], *([time] for time in times)])
    assert frame["a"].to_list() == ["30:00:00", "00:05:07", "13:45:00"]


def test_dates_of_a_sheet_are_split_as_those_of_a_csv_file(tmp_path: Path, reader: None) -> None:
    days = [DAY + dt.timedelta(days=i) for i in range(300)]
    rows: list[list[object]] = [["when", "y"], *([day, int(day.isoweekday() > 5)] for day in days)]
    as_csv(tmp_path, rows)
    told(tmp_path, rows)
    found = [
        entropick("select", name, "-t", "y", *QUICK, "--names", "-", folder=tmp_path) for name in ("p.csv", "p.xlsx")
    ]
    assert found[0].out == found[1].out == "when: weekday\n"


def draw(rng: random.Random, kind: str) -> object:
    """A cell of a column of that kind."""
    if rng.random() < 0.1:
        return rng.choice([None, "NA", "?"])
    if kind.startswith("odd") and rng.random() < 0.05:
        return rng.choice(["-", "n.a.", "broken"])
    if kind == "mixed":
        kind = rng.choice(["whole", "fraction", "word", "truth", "date"])
    moment = dt.datetime(2000, 1, 1) + dt.timedelta(seconds=rng.randrange(10**9))
    return {
        "whole": rng.randrange(-(10**6), 10**6),
        "float": float(rng.randrange(9)),
        "fraction": rng.gauss(0, 1) * 10 ** rng.randrange(-12, 12),
        "odd whole": rng.randrange(1000),
        "odd fraction": rng.gauss(0, 1),
        "text number": f"{rng.randrange(10**6) / 100:,.2f}",
        "percent": f"{rng.randrange(1000)}%",
        "code": f"{rng.randrange(1000):05d}",
        "word": rng.choice(["a", "B b", " c", "1.50", 'quo"te', "co,mma", "ünï"]),
        "truth": rng.random() < 0.5,
        "date": moment.date(),
        "moment": moment,
        "nothing": None,
    }[kind]


def differences(folder: Path, seed: int) -> list[str]:
    """What differs between a random sheet and the same table as CSV."""
    rng = random.Random(seed)
    kinds = ["whole", "float", "fraction", "odd whole", "odd fraction", "text number", "percent", "code", "word"]
    kinds = [*kinds, "truth", "date", "moment", "mixed", "nothing"]
    columns = [rng.choice(kinds) for _ in range(rng.randrange(2, 9))]
    rows: list[list[object]] = [[f"{kind} {i}" for i, kind in enumerate(columns)]]
    rows += [[draw(rng, kind) for kind in columns] for _ in range(rng.choice([3, 30, 150]))]
    rows.append([1] * len(columns))
    (ours, our_notes), (theirs, their_notes) = told(folder, rows), as_csv(folder, rows)
    found = [name for name in theirs.columns if plain(ours[name]) != plain(theirs[name])]
    return found + (
        [] if our_notes == their_notes and ours.columns == theirs.columns else [f"{our_notes}, {their_notes}"]
    )


@pytest.mark.parametrize("seed", range(25))
def test_a_sheet_reads_as_the_same_table_in_csv(tmp_path: Path, seed: int, reader: None) -> None:
    assert differences(tmp_path, seed) == []


# What is not there, and why


def test_errors_in_cells_are_missing_and_told(tmp_path: Path, reader: None) -> None:
    rows: list[list[object]] = [["a", "b"], *([float(i), 1] for i in range(3000))]
    rows[5][0] = rows[8][0] = Error()
    rows[9][0], rows[1][1] = Formula("1/0", Error("#REF!")), Error("#N/A")
    frame, notes = told(tmp_path, rows)
    assert frame.dtypes == [pl.Int64, pl.Int64]
    assert frame.null_count().row(0) == (3, 1)
    assert notes == {
        "a": "column 'a': 3 of 3000 cells are errors (#DIV/0!, #REF!) and count as missing.",
        "b": "column 'b': 1 of 3000 cells is an error (#N/A) and counts as missing.",
    }


def test_formulas_without_a_stored_value_are_told(tmp_path: Path, reader: None) -> None:
    rows: list[list[object]] = [["a", "b", "c"], *([Formula(), i, Formula("b", i)] for i in range(30))]
    rows[4][1], rows[5][1], rows[6][1] = Formula(), Formula("x", ""), "odd"
    frame, notes = told(tmp_path, rows)
    assert frame["c"].to_list() == list(range(30))
    ending = "without a stored value and count as missing: open the file in a spreadsheet program and save it."
    assert notes["a"] == f"column 'a': 30 of 30 cells are formulas {ending}"
    assert notes["b"] == (
        "column 'b': 1 of 30 cells is a formula without a stored value and counts as missing: open the file in a "
        "spreadsheet program and save it; 1 of 28 values is not a number ('odd') and counts as missing."
    )


def test_a_sheet_of_nothing_but_formulas_says_so(tmp_path: Path, reader: None) -> None:
    with pytest.raises(ValueError, match=r"^file 'p\.xlsx' must have values; 4 formulas are all that sheet 'S' has"):
        told(tmp_path, [["a", "b"], [Formula(), Formula()], [Formula(), Formula()]])


def test_merged_cells_are_told(tmp_path: Path, reader: None) -> None:
    rows: list[list[object]] = [["a", "b", "y"], ["x", 1, 0], [None, 2, 1], [None, None, 0], ["z", 4, 1]]
    frame, notes = told(tmp_path, Sheet(rows, merged=("A1:B1", "A2:A4", "B4:C4", "C9:D12", "F1:F9")))
    assert frame["a"].to_list() == ["x", None, None, "z"]
    assert notes == {
        "a": "column 'a': 2 of 4 cells are merged into others and count as missing.",
        "y": "column 'y': 1 of 4 cells is merged into another and counts as missing.",
    }


# Names, and which table it is


def test_names_that_occur_twice_are_refused_as_in_csv(tmp_path: Path, reader: None) -> None:
    with pytest.raises(ValueError, match=r"^file 'p\.xlsx' must have unique column names; 'a' occurs 2 times: rename"):
        told(tmp_path, [["a", "b", "a"], [1, 2, 3]])


def test_one_column_may_have_no_name_as_in_csv(tmp_path: Path, reader: None) -> None:
    rows: list[list[object]] = [["a", None, "y"], [1, 2, 3], [4, Error(), 6]]
    frame, notes = told(tmp_path, rows)
    assert frame.columns == as_csv(tmp_path, rows)[0].columns
    assert [*notes] == [frame.columns[1]]
    with pytest.raises(
        ValueError, match=r"must name its columns; 2 of 3 have no name\. The header was taken from line 1"
    ):
        told(tmp_path, [["a", None, ""], [1, 2, 3]])


def test_names_need_not_be_text(tmp_path: Path, reader: None) -> None:
    frame, _ = told(tmp_path, [[2020, 0.1 + 0.2, DAY, True, "NA"], [1, 2, 3, 4, 5]])
    assert frame.columns == ["2020", "0.30000000000000004", "2024-05-01", "true", "NA"]


def test_a_title_above_the_header_is_suspected(tmp_path: Path, reader: None) -> None:
    write_book(tmp_path / "p.xlsx", {"S": [["Report", None], [], ["a", "y"], *([i, i % 2] for i in range(9))]})
    error = refused(entropick("select", "p.xlsx", "-t", "y", *QUICK, folder=tmp_path))
    ending = "The header was taken from line 1 of sheet 'S': delete the lines above the header if it is further down."
    assert error.startswith("--target must be a column of the table; got 'y'")
    assert error.endswith(ending)


def test_other_sheets_are_named_if_the_target_is_not_found(tmp_path: Path, reader: None) -> None:
    write_book(tmp_path / "p.xlsx", {"About": [[], ["x", "z"], [1, 2]], "Data": [["a", "y"], [1, 2]]})
    assert refused(entropick("select", "p.xlsx", "-t", "y", *QUICK, folder=tmp_path)).endswith(
        "The header was taken from line 2 of sheet 'About', the first visible one of 'About', 'Data': to read another "
        "sheet, move it to the front or save it as CSV."
    )
    assert refused(entropick("select", "p.xlsx", "-t", "y", "--no-header", *QUICK, folder=tmp_path)).endswith(
        "The table was taken from sheet 'About', the first visible one of 'About', 'Data': to read another sheet, move "
        "it to the front or save it as CSV."
    )


def test_hidden_sheets_are_not_read(tmp_path: Path, reader: None) -> None:
    hidden = Sheet([["x"], [1]], state="hidden")
    very = Sheet([["x"], [1]], extra=(("XFD1048576", 1),), state="veryHidden")
    write_book(tmp_path / "p.xlsx", {"h": hidden, "v": very, "S": [["a", "y"], [1, 2]]})
    frame, notes = read(tmp_path / "p.xlsx")
    assert frame.columns == ["a", "y"]
    assert notes == {"table": "only the first visible of 3 sheets, 'S', was read."}


# Where a table ends


def test_empty_rows_and_columns_at_the_edges_are_no_part_of_it(tmp_path: Path, reader: None) -> None:
    rows: list[list[object]] = [[], [None, "a", "y"], [None, 1, 2], [], [None, 3, 4], [None, None, None, None], []]
    frame, notes = told(tmp_path, Sheet(rows, extra=(("H40", None),), dimension="A1:H40"))
    assert frame.rows() == [(1, 2), (None, None), (3, 4)]
    assert notes == {}


@pytest.mark.parametrize("dimension", ["A1:XFD1048576", "A1", "B2:B2", "A1:A2"])
def test_what_a_sheet_claims_about_its_size_does_not_matter(tmp_path: Path, dimension: str, reader: None) -> None:
    frame, _ = told(tmp_path, Sheet([["a", "y"], [1, 2], [3, 4]], dimension=dimension))
    assert frame.rows() == [(1, 2), (3, 4)]


@pytest.mark.parametrize("dimension", [None, "A1:B3"])
def test_a_stray_cell_far_away_is_refused(tmp_path: Path, dimension: str | None, reader: None) -> None:
    rows: list[list[object]] = [["a", "y"], [1, 2], [3, 4]]
    with pytest.raises(ValueError, match=r"^file 'p\.xlsx' must have cells that lie close together; sheet 'S' claims"):
        told(tmp_path, Sheet(rows, dimension=dimension, extra=(("XFD1048576", 5),)))
    error = refused(entropick("select", "p.xlsx", "-t", "y", *QUICK, folder=tmp_path))
    assert "16384 columns x 1048576 rows, and only 7 of its cells hold anything" in error
    frame, _ = told(tmp_path, Sheet(rows, extra=(("XFD1048576", None),)))
    assert frame.shape == (2, 2)


def test_a_workbook_that_unpacks_to_far_more_than_its_size_is_refused_unread(tmp_path: Path, reader: None) -> None:
    write_book(tmp_path / "p.xlsx", {"S": [["a", "y"], [1, 2]]})
    with zipfile.ZipFile(tmp_path / "p.xlsx", "a", zipfile.ZIP_DEFLATED) as book, book.open("big", "w") as file:
        for _ in range(70):
            file.write(bytes(1 << 20))
    tracemalloc.start()
    with pytest.raises(ValueError, match=r"^file 'p\.xlsx' must unpack to at most 200 times its size; it is larger"):
        read(tmp_path / "p.xlsx")
    assert tracemalloc.get_traced_memory()[1] < 16 << 20
    tracemalloc.stop()


# Open Document


def test_an_ods_file_reads_as_the_same_table(tmp_path: Path, reader: None) -> None:
    moment = dt.datetime(2024, 5, 1, 13, 45, 10)
    covered = '<table:covered-table-cell table:number-columns-repeated="2"/>'
    time, long = (f'<table:table-cell office:value-type="time" office:time-value="PT{h}H05M00S"/>' for h in (13, 30))
    rows = [
        ods_row("a", "when", "day", "truth", "mixed", "time", "more"),
        ods_row(1.5, moment, DAY, True, "x", time),
        ods_row(Error(), moment, DAY, False, 0.5, covered, times=2),
        ods_row(2, moment, DAY, True, DAY, long, 1),
        ods_row(None, times=1_000_000),
    ]
    write_ods(tmp_path / "p.ods", {"S": rows})
    frame, notes = read(tmp_path / "p.ods")
    assert frame.to_dict(as_series=False) == {
        "a": [1.5, None, None, 2.0],
        "when": [moment] * 4,
        "day": [DAY] * 4,
        "truth": [True, False, False, True],
        "mixed": ["x", "0.5", "0.5", "2024-05-01"],
        "time": ["13:05:00", None, None, None],
        "more": [None, None, None, 1],
    }
    assert notes == {
        "a": "column 'a': 2 of 4 cells are errors (#DIV/0!) and count as missing.",
        "time": "column 'time': 1 of 4 cells is a duration of a day or more and counts as missing: use numbers; "
        "2 of 4 cells are merged into others and count as missing.",
        "more": "column 'more': 2 of 4 cells are merged into others and count as missing.",
    }


@pytest.mark.parametrize("which", [0, 1], ids=["first", "second"])
def test_a_bomb_of_repeated_cells_is_refused(tmp_path: Path, which: int, reader: None) -> None:
    fine = [ods_row("a", "y"), ods_row(1, 2)]
    bomb = [
        ods_row("a"),
        f'<table:table-row table:number-rows-repeated="1048000">{ods_cell(1, 16384)}</table:table-row>',
    ]
    sheets = [fine, fine]
    sheets[which] = bomb
    write_ods(tmp_path / "p.ods", {"one": sheets[0], "two": sheets[1]})
    with pytest.raises(ValueError, match=r"claims 16384 columns x 1048001 rows, and only 2 of its cells hold anything"):
        read(tmp_path / "p.ods")


# Binary workbooks


def test_an_xlsb_file_reads_as_the_same_table(tmp_path: Path, reader: None) -> None:
    hidden = Sheet([["x"], [1]], extra=(("XFD1048576", 1),), state="hidden")
    rows: list[list[object]] = [["a", "b", "y"], [1, True, "x"], [Error(), False, None], [0.5, None, "z" * 200], [4]]
    write_xlsb(tmp_path / "p.xlsb", {"h": hidden, "S": Sheet(rows, areas=((1, 2, 2, 2),))})
    frame, notes = read(tmp_path / "p.xlsb")
    assert frame.to_dict(as_series=False) == {
        "a": [1.0, None, 0.5, 4.0],
        "b": [True, False, None, None],
        "y": ["x", None, "z" * 200, None],
    }
    assert notes == {
        "table": "only the first visible of 2 sheets, 'S', was read.",
        "a": "column 'a': 1 of 4 cells is an error (#DIV/0!) and counts as missing.",
        "y": "column 'y': 1 of 4 cells is merged into another and counts as missing.",
    }


def test_a_stray_cell_of_an_xlsb_file_is_refused(tmp_path: Path, reader: None) -> None:
    write_xlsb(tmp_path / "p.xlsb", {"S": Sheet([["a", "y"], [1, 2]], extra=(("XFD1048576", 5),))})
    with pytest.raises(ValueError, match=r"claims 16384 columns x 1048576 rows, and only 5 of its cells hold anything"):
        read(tmp_path / "p.xlsb")


# Without a header


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
    assert pl.read_csv(tmp_path / "few.csv", has_header=False).height == few.height


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
