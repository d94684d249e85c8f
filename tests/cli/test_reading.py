"""The file that was named is read as it is: its rows as Python's csv has them, its numbers as numbers."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import random
import re
import struct
import time
from pathlib import Path

import polars as pl
import pytest
from command import QUICK, entropick
from fuzz_reading import CHUNKS, odd_column, odd_file, try_column, try_file

from entropick._files import as_path, replacing
from entropick.cli import _scan
from entropick.cli._arff import read_arff
from entropick.cli._arrow import arrow_names
from entropick.cli._input import TableFile
from entropick.cli._write import check_outputs, write_table


def read(folder: Path, content: str | bytes, name: str = "t.csv", **options: bool) -> pl.DataFrame:
    return opened(folder, content, name).read(**options)


def opened(folder: Path, content: str | bytes, name: str = "t.csv") -> TableFile:
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return TableFile(str(folder / name))


def column(folder: Path, cells: list[str], delimiter: str = ",") -> tuple[pl.Series, str | None]:
    """A column called x as it is read, and the note about it."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=delimiter).writerows([["x", "y"], *([cell, "k"] for cell in cells)])
    table = opened(folder, buffer.getvalue())
    return table.read()["x"], table.notes.get("x")


PATTERNS = {"data[1].csv": "data1.csv", "all*.csv": "all1.csv", "a?.csv": "ab.csv", "run[1]/d.csv": "run1/d.csv"}


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow", ".arrows"])
@pytest.mark.parametrize("name", PATTERNS)
def test_a_path_is_never_a_pattern(name: str, suffix: str, tmp_path: Path) -> None:
    writers = {".csv": "write_csv", ".parquet": "write_parquet", ".arrow": "write_ipc", ".arrows": "write_ipc_stream"}
    for path, value in ((name, 1), (PATTERNS[name], 2)):
        place = (tmp_path / path).with_suffix(suffix)
        place.parent.mkdir(exist_ok=True)
        with place.open("wb") as file:
            getattr(pl.DataFrame({"a": [value, value], "y": ["k", "l"]}), writers[suffix])(file)
    assert TableFile(str((tmp_path / name).with_suffix(suffix))).read()["a"].to_list() == [1, 1]


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow"])
def test_folders_are_no_columns(suffix: str, tmp_path: Path) -> None:
    place = (tmp_path / "b=1" / "t").with_suffix(suffix)
    place.parent.mkdir()
    write_table(pl.DataFrame({"a": [1, 2], "y": ["k", "l"]}), str(place))
    assert TableFile(str(place)).read().columns == ["a", "y"]


def test_a_name_may_begin_with_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("~data.csv", "./~data.csv"):
        write_table(pl.DataFrame({"a": [1, 2], "y": [3, 4]}), name)
        assert (tmp_path / "~data.csv").is_file()
        assert TableFile(name).read()["a"].to_list() == [1, 2]
        check_outputs((), {"--out": name})
    assert as_path("~/x.csv") == tmp_path / "home" / "x.csv"
    (tmp_path / "~").mkdir()
    with replacing("./~/x.csv") as file:
        file.write(b"here")
    assert as_path("~/x.csv").read_bytes() == b"here"


INCHES = 'name,width,height,sold\n"bolt, long",4",2",no\n"bolt, long",5,7,yes\n"bolt, long",6",6",yes\n"nut",6,6,no\n'


@pytest.mark.parametrize("as_text", [True, False])
def test_inch_marks_move_no_cell(as_text: bool, tmp_path: Path) -> None:
    frame = read(tmp_path, INCHES, as_text=as_text)
    assert frame.rows() == [
        ("bolt, long", '4"', '2"', "no"),
        ("bolt, long", "5", "7", "yes"),
        ("bolt, long", '6"', '6"', "yes"),
        ("nut", "6", "6", "no"),
    ]


def test_a_stray_quote_far_into_the_file_is_read_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_scan, "_CHUNK", 1000)
    rows = [f'{i},"a, {i}",{i % 7}' for i in range(2000)]
    rows[1500] = '1500,5" pipe,3'
    frame = read(tmp_path, "\n".join(["i,text,y", *rows]))
    assert frame["text"].to_list() == ['5" pipe' if i == 1500 else f"a, {i}" for i in range(2000)]
    assert frame["i"].to_list() == list(range(2000))
    rows[1700] += ",more"
    with pytest.raises(ValueError, match=r"line 1702 \(row 1701\) has 4 values, the header has 3"):
        read(tmp_path, "\n".join(["i,text,y", *rows]))


REFUSED = {
    "a quote that stays open": ('a,b\n1,2\n3,"4\n5,6\n', "the row that starts on line 3 has one that is never closed"),
    "an odd quote and a short row": ('a,b\n1,2"\n3\n', "line 3 (row 2) has 1 value, the header has 2"),
    "one letter in a row of its own": ("a,b\n1,2\n3\n4,5\n", "line 3 (row 2) has 1 value, the header has 2"),
    "blanks in a row of their own": ("a,b\n1,2\n  \n4,5\n", "line 3 (row 2) has 1 value"),
    "a row of two lines": ('a,b\n"1\n1",2\n3,4,5\n', "line 4 (row 2) has 3 values"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_split_is_refused_with_its_line(case: str, tmp_path: Path) -> None:
    content, expected = REFUSED[case]
    with pytest.raises(ValueError, match=re.escape(expected)):
        read(tmp_path, content)


MAGIC = ["x^2", "x\x01", "x\x5e", "(\xb5/\xfd", "BZh9", "\x1f8", "PK\x03\x04", "\x04\x22M\x18"]


@pytest.mark.parametrize("name", MAGIC, ids=range(len(MAGIC)))
def test_a_name_that_begins_like_a_compressed_file_is_a_name(name: str, tmp_path: Path) -> None:
    frame = read(tmp_path, f"{name},z,y\n1,2,a\n2,1,b\n")
    assert frame.columns == [name, "z", "y"]
    assert frame.rows() == [(1, 2, "a"), (2, 1, "b")]


@pytest.mark.parametrize("odd", ["", 'a"b'])
def test_blank_lines_are_no_rows_and_empty_cells_are(odd: str, tmp_path: Path) -> None:
    for as_text in (True, False):
        frame = read(tmp_path, f"a,b\n\n{odd},1\n\r\n,\n\n", as_text=as_text)
        assert frame.height == 2
        assert frame.row(1) == (None, None)


def test_rows_that_are_empty_survive_in_a_file_of_one_column(tmp_path: Path) -> None:
    write_table(pl.DataFrame({"y": ["a", None, "b"]}), str(tmp_path / "o.csv"))
    assert TableFile(str(tmp_path / "o.csv")).read()["y"].to_list() == ["a", None, "b"]


@pytest.mark.parametrize("seed", range(150))
def test_odd_files_are_read_as_by_csv_or_refused(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_scan, "_CHUNK", CHUNKS[seed % len(CHUNKS)])
    assert try_file(odd_file(random.Random(seed)), tmp_path / "t.csv") in ("same", "refused")


@pytest.mark.parametrize("seed", range(150))
def test_odd_columns_of_numbers_are_read_as_by_plain_code(seed: int, tmp_path: Path) -> None:
    assert try_column(*odd_column(random.Random(seed)), tmp_path / "t.csv") in ("numbers", "text")


VALUES = [round(i * 1.37 - 20, 2) for i in range(60)]


@pytest.mark.parametrize("odd", ["-", "n.a.", "unknown", "#DIV/0!", "NAN"])
def test_a_few_odd_cells_leave_a_column_of_numbers(odd: str, tmp_path: Path) -> None:
    numbers, note = column(tmp_path, [*map(str, VALUES), odd, odd, " NA", ""])
    assert numbers.to_list() == [*VALUES, None, None, None, None]
    assert note == f"column 'x': 2 of 62 values are not numbers ({odd!r}) and count as missing."


WRITTEN = {
    "blanks before and behind": (",", " {} "),
    "dollars": (",", "${}"),
    "percent": (",", "{}%"),
    "euros": (";", "{} €"),
}


@pytest.mark.parametrize("case", WRITTEN)
def test_signs_that_every_number_has_are_left_out(case: str, tmp_path: Path) -> None:
    delimiter, form = WRITTEN[case]
    numbers, note = column(tmp_path, [form.format(abs(value)) for value in VALUES], delimiter)
    assert numbers.to_list() == [abs(value) for value in VALUES]
    assert note is None


@pytest.mark.parametrize("signs", ["%|", "$|€", "€|"])
def test_numbers_with_different_units_stay_text_with_a_note(signs: str, tmp_path: Path) -> None:
    units = itertools.cycle(signs.split("|"))
    text, note = column(tmp_path, [f"{value}{next(units)}" for value in VALUES])
    assert text.dtype == pl.String
    assert note is not None
    assert "different units" in note


def test_the_decimal_sign_is_that_of_the_column(tmp_path: Path) -> None:
    lines = [f"{i},25;{i}.5;1.{i:03d},5;{i},{i:03d};k" for i in range(1, 60)]
    frame = read(tmp_path, "\n".join(["comma;point;both;three;y", *lines]))
    assert frame["comma"].to_list() == [i + 0.25 for i in range(1, 60)]
    assert frame["point"].to_list() == [i + 0.5 for i in range(1, 60)]
    assert frame["both"].to_list() == [1000 + i + 0.5 for i in range(1, 60)]
    assert frame["three"].to_list() == [float(f"{i}.{i:03d}") for i in range(1, 60)]
    thousands, _ = column(tmp_path, [f"{i},{i:03d}" for i in range(1, 60)])
    assert thousands.to_list() == [1001 * i for i in range(1, 60)]
    mixed, note = column(tmp_path, [f"{i}{'.,'[i % 2]}5" for i in range(60)], ";")
    assert mixed.dtype == pl.String
    assert note is not None
    assert "decimal comma, others a decimal point" in note


def test_text_that_is_mostly_numbers_gets_a_note(tmp_path: Path) -> None:
    text, note = column(tmp_path, [*map(str, VALUES), *(f"P{i}" for i in range(40))])
    assert text.dtype == pl.String
    assert note == "column 'x': only 60 of 100 values are numbers ('P0' is not), so it is read as text."
    few, note = column(tmp_path, ["1", "2", "other"] * 20)
    assert (few.dtype, note) == (pl.String, None)  # as text they lose nothing


@pytest.mark.parametrize("early", ["", "1", "true", "1.5"])
def test_the_order_of_rows_changes_no_type(early: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_scan, "_CHUNK", 200)
    for late in (["0.5", "0.25"], ["7", "8"], ["false", ""], ["word", "other"], [str(10**30), "3"], ["-", "1.5"]):
        cells = [early] * 300 + [*late] * 30
        forward, note = column(tmp_path, cells)
        backward, same = column(tmp_path, cells[::-1])
        assert forward.dtype == backward.dtype
        assert forward.to_list() == backward.to_list()[::-1]
        assert note == same


def test_numbers_after_ten_thousand_empty_rows_are_numbers(tmp_path: Path) -> None:
    cells = [""] * 10_500 + [str(i / 8) for i in range(500)]
    numbers, _ = column(tmp_path, cells)
    assert numbers.to_list() == [None] * 10_500 + [i / 8 for i in range(500)]


def test_integers_of_any_size_are_exact(tmp_path: Path) -> None:
    for base in (2**53, 2**63, 10**30):
        assert column(tmp_path, [str(base), str(base + 1)])[0].to_list() == [base, base + 1]
    assert column(tmp_path, [str(10**40), str(10**40 + 1)])[0].n_unique() == 2


def test_codes_with_leading_zeros_and_truth_values_are_what_they_were(tmp_path: Path) -> None:
    assert column(tmp_path, ["00123", "00124"])[0].to_list() == [123, 124]
    codes = [f"{i:05d}" for i in range(60)]
    assert column(tmp_path, [*codes, "unknown"])[0].to_list() == [*codes, "unknown"]
    assert column(tmp_path, ["true", "FALSE", ""])[0].to_list() == [True, False, None]


def test_notes_reach_the_result_for_the_columns_in_use(tmp_path: Path) -> None:
    cells = [*map(str, VALUES), "-"]
    lines = [f"{cell},{cell},{'ab'[i % 2]}" for i, cell in enumerate(cells)]
    (tmp_path / "t.csv").write_text("\n".join(["x,z,y", *lines]))
    outcome = entropick("select", *QUICK, "t.csv", "-t", "y", "--drop", "z", folder=tmp_path)
    assert "column 'x': 1 of 61 values is not a number ('-') and counts as missing." in " ".join(outcome.out.split())
    assert "'z'" not in outcome.out


@pytest.mark.parametrize("row", ["a{}b,'yes'", "'a'{}b,'yes'", "{{0 a{}b,1 yes}}"])
def test_arff_takes_no_longer_for_many_blanks(row: str) -> None:
    began = time.monotonic()
    text = "@relation r\n@attribute a string\n@attribute y {yes,no}\n@data\n" + row.format(" " * 300_000) + "\nc,no\n"
    assert read_arff(text)["y"].to_list() == ["yes", "no"]
    assert time.monotonic() - began < 5


def test_arrow_names_are_found_without_the_reader(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1], "é" * 300: ["x"], "deep": [{"a": 1, "b": [2]}]})
    for write in (frame.write_ipc, frame.write_ipc_stream):
        buffer = io.BytesIO()
        write(buffer)
        assert arrow_names(io.BytesIO(buffer.getvalue())) == frame.columns
        for size in range(0, len(buffer.getvalue()), 7):
            assert isinstance(arrow_names(io.BytesIO(buffer.getvalue()[:size])), list)


@pytest.mark.parametrize("stream", [False, True])
def test_two_arrow_columns_of_one_name_are_one_sentence(stream: bool, tmp_path: Path) -> None:
    buffer = io.BytesIO()
    frame = pl.DataFrame({"first": [1], "other": [2], "y": [3]})
    frame.write_ipc_stream(buffer) if stream else frame.write_ipc(buffer)
    data = buffer.getvalue().replace(struct.pack("<I", 5) + b"other", struct.pack("<I", 5) + b"first")
    (tmp_path / "t.arrow").write_bytes(data)
    outcome = entropick("select", "t.arrow", "-t", "y", folder=tmp_path)
    assert outcome.err == (
        "entropick: file 't.arrow' must have unique column names; 'first' occurs 2 times: rename them.\n"
    )


@pytest.mark.parametrize("line", [b"0" * 1000, b"a,b\n" * 250], ids=["one line", "many lines"])
def test_a_gzip_file_that_unpacks_to_far_more_than_tables_do_is_refused(line: bytes, tmp_path: Path) -> None:
    bomb = gzip.compress(b"a,b\n" + line * 100_000, mtime=0)
    with pytest.raises(ValueError, match=r"must unpack to at most 200 times its size; it is larger"):
        read(tmp_path, bomb, "t.csv.gz")


def test_gzip_is_read_piece_by_piece(tmp_path: Path) -> None:
    rows = "\n".join(f'{i},"{i % 7} a"' for i in range(5000))
    frame = read(tmp_path, gzip.compress(f"i,t\n{rows}".encode(), mtime=0), "t.csv.gz")
    assert frame["i"].to_list() == list(range(5000))


def test_notes_show_the_beginning_of_a_long_cell_only(tmp_path: Path) -> None:
    lines = ["x,y", *(f"{i}.5,{i % 2}" for i in range(40)), "z" * 100_000 + ",1"]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    file = TableFile(str(tmp_path / "t.csv"))
    file.read()
    assert "1 of 41 values is not a number ('zzz" in file.notes["x"]
    assert len(file.notes["x"]) < 200


def test_codes_among_words_stay_text_with_a_note(tmp_path: Path) -> None:
    lines = ["x,y", *(f"{i:05d},{i % 2}" for i in range(40)), "unknown,1"]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    file = TableFile(str(tmp_path / "t.csv"))
    assert file.read()["x"].dtype == pl.String
    assert "only 40 of 41 values are numbers ('unknown' is not), so it is read as text" in file.notes["x"]


def test_a_column_without_a_name_gets_one_that_can_be_used(tmp_path: Path) -> None:
    rows = "".join(f"{i % 7},{i % 2},{i % 2}\n" for i in range(60))
    (tmp_path / "t.csv").write_text(f"a,,y\n{rows}")
    outcome = entropick("select", "t.csv", "-t", "y", *QUICK, "--names", "-", "--out", "few.csv", folder=tmp_path)
    assert (outcome.status, outcome.out) == (0, "column_1\n"), outcome.err
    assert pl.read_csv(tmp_path / "few.csv").columns == ["column_1", "y"]
    (tmp_path / "t.csv").write_text(f"column_1,,y\n{rows}")
    assert TableFile(str(tmp_path / "t.csv")).read().columns == ["column_1", "column_1_", "y"]
