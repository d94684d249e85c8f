"""What cannot be done ends with status 2 and one sentence, and leaves nothing behind."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import polars as pl
import pytest
from command import QUICK, entropick, refused

GOOD = b"age,dose,outcome\n" + b"".join(b"%d,%d,%s\n" % (i % 7, i % 3, b"yes" if i % 3 else b"no") for i in range(60))

ARFF = b"@relation r\n@attribute a real\n@attribute outcome {x,y}\n@data\n"

BAD_TABLES = {
    "an empty file": ("t.csv", b"", "it is empty"),
    "nothing but blanks": ("t.csv", b"\n\n  \n", "it is empty"),
    "a header only": ("t.csv", b"age,dose,outcome\n", "it has 3 columns and 0 rows"),
    "a row that is too short": ("t.csv", GOOD + b"1,2\n", "line 62 (row 61) has 2 values, the header has 3"),
    "a row that is too long": ("t.csv", GOOD + b"1,2,yes,4\n" + GOOD[17:], "line 62 (row 61) has 4 values"),
    "Latin-1 in the first rows": ("t.csv", b"age,outcome\n" + b"1,caf\xe9\n" * 30, "must be UTF-8 text; byte 18"),
    "Latin-1 in a late row": ("t.csv", GOOD * 3000 + "1,2,é\n".encode("latin1"), "must be UTF-8 text"),
    "UTF-16": ("t.csv", GOOD.decode().encode("utf-16"), "UTF-16"),
    "a binary file called .csv": ("t.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "binary"),
    "random bytes called .csv": ("t.csv", bytes((i * 97 + 1) % 255 + 1 for i in range(4000)), "UTF-8"),
    "text called .parquet": ("t.parquet", GOOD, "must be Parquet"),
    "half a Parquet file": ("t.parquet", b"PAR1" + b"x" * 99, "must be Parquet"),
    "half an Arrow file": ("t.feather", b"ARROW1\0\0" + b"x" * 99, "must be Arrow"),
    "half a gzip file": ("t.csv.gz", gzip.compress(GOOD, mtime=0)[:-20], "cannot be unpacked"),
    "text called .gz": ("t.csv.gz", GOOD, "cannot be unpacked"),
    "two columns of one name": ("t.csv", b"a,a,outcome\n1,2,x\n2,3,y\n", "'a' occurs 2 times"),
    "a comment above the names": ("t.csv", b"# from the lab\n" + GOOD, "header has 1"),
    "a sparse ARFF row of nothing": ("t.arff", ARFF + b"{foo}\n", "line 5"),
    "a sparse ARFF row beyond the end": ("t.arff", ARFF + b"{7 3}\n", "below 2"),
    "ARFF without data": ("t.arff", b"@relation r\n@attribute outcome {x,y}\n", "@data"),
    "ARFF with a short row": ("t.arff", ARFF + b"1\n", "line 5"),
    "ARFF with a word for a number": ("t.arff", ARFF + b"z,x\n1,y\n", "must hold numbers"),
    "a constant target": ("t.csv", b"age,outcome\n1,x\n2,x\n3,x\n", "at least two classes"),
    "a target without values": ("t.csv", b"age,outcome\n1,\n2,NA\n3,?\n", "must have values"),
    "no column but the target": ("t.csv", b"outcome\nx\ny\n", "columns to choose from"),
    "an infinite number": ("t.csv", b"age,outcome\n1.5,x\ninf,y\n2.5,x\n", "finite"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_TABLES)
def test_a_bad_table_is_refused_in_a_sentence(case: str, tmp_path: Path) -> None:
    name, content, expected = BAD_TABLES[case]
    (tmp_path / name).write_bytes(content)
    sentence = refused(entropick("select", name, "--target", "outcome", "--json", "r.json", folder=tmp_path))
    assert expected in sentence
    assert os.listdir(tmp_path) == [name]


SELECT = ("select", "good.csv", "-t", "outcome")
COMPARE = ("compare", "good.csv", "-t", "outcome")

BAD_OPTIONS = {
    "no such file": (["select", "good.cvs", "-t", "outcome"], "there is no file 'good.cvs'. Did you mean 'good.csv'?"),
    "a folder for a file": (["select", ".", "-t", "outcome"], "folder"),
    "no target": (["select", "good.csv"], "--target"),
    "a target that is not there": (["select", "good.csv", "-t", "outcom"], "Did you mean 'outcome'?"),
    "a target like none": (["select", "good.csv", "-t", "zzz"], "They are 'age', 'dose', 'outcome'"),
    "an unknown column in --always": ([*SELECT, "--always", "agee"], "Did you mean 'age'?"),
    "an unknown column in --drop": ([*SELECT, "--drop", "x"], "--drop must name columns"),
    "an unknown column in --columns": ([*SELECT, "--columns", "dosis"], "Did you mean 'dose'?"),
    "all columns dropped": ([*SELECT, "--drop", "age,dose"], "none are left"),
    "an unknown method": ([*SELECT, "-m", "mrmrr"], "Did you mean 'mrmr'?"),
    "an unknown criterion": ([*SELECT, "-c", "relaible"], "Did you mean 'reliable'?"),
    "a criterion for a ranking": ([*SELECT, "-m", "cmim", "-c", "plugin"], "is a ranking"),
    "too many columns": ([*SELECT, "-k", "9"], "between 1 and 2"),
    "one bin": ([*SELECT, "--bins", "1"], "--bins must be"),
    "a number that is none": ([*SELECT, "--seed", "x"], "--seed"),
    "no jobs": ([*SELECT, "--jobs", "0"], "--jobs must be"),
    "an unknown option": ([*SELECT, "--repotr", "x"], "--report"),
    "an unknown command": (["selct", "good.csv"], "select"),
    "an output in no folder": ([*SELECT, "--report", "no/r.html"], "an existing folder"),
    "an output that is a folder": ([*SELECT, "--json", "."], "an existing folder"),
    "an output of no format": ([*SELECT, "--out", "few.xlsx"], "--out must end in"),
    "the table itself as output": ([*SELECT, "--out", "good.csv"], "a different file from the input file"),
    "one file for two outputs": (
        [*SELECT, "--json", "r", "--report", "r"], "a different file from that of --json",
    ),
    "a page on standard output": ([*SELECT, "--report", "-"], "only --json and --names may be -"),
    "no time": ([*SELECT, "--time-limit", "0"], "--time-limit must be a number greater than 0; got 0.0"),
    "a negative seed": ([*SELECT, "--seed", "-1"], "--seed"),
    "a checkpoint on a device": ([*SELECT, "--checkpoint", "/dev/full"], "--checkpoint must be a file"),
    "a device as a table": (["select", "/dev/zero", "-t", "y"], "is a device"),
    "an empty name": (["select", "", "-t", "y"], "empty name"),
    "the target in --always": ([*SELECT, "--always", "outcome"], "'outcome' is the target"),
    "the target in --columns": ([*SELECT, "--columns", "age,outcome"], "'outcome' is the target"),
    "one column in --drop and --always": ([*SELECT, "--drop", "age", "--always", "age"], "'age' is left out"),
    "a target in other letters": (["select", "good.csv", "-t", "OUTCOME"], "Did you mean 'outcome'?"),
    "no such result": (["report", "none.json"], "must be a file; 'none.json' is not one"),
    "a table as a result": (["report", "good.csv"], "must be JSON written by"),
    "a method to compare that is none": ([*COMPARE, "-m", "a,b"], "unknown --methods 'a'"),
    "no method to compare": ([*COMPARE, "-m", ","], "at least one"),
    "a classifier that is none": (
        [*COMPARE, "--models", "LogisticRegresion"], "the nearest is 'LogisticRegression'",
    ),
    "one fold": ([*COMPARE, "--folds", "1"], "folds"),
    "more folds than rows": ([*COMPARE, "--folds", "100"], "folds must be at most 40"),
    "a data set that is none": (["datasets", "--fetch", "conect_4"], "Did you mean 'connect_4'?"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_OPTIONS)
def test_bad_options_are_refused_in_a_sentence(case: str, tmp_path: Path) -> None:
    arguments, expected = BAD_OPTIONS[case]
    (tmp_path / "good.csv").write_bytes(GOOD)
    assert expected in refused(entropick(*arguments, folder=tmp_path))
    assert os.listdir(tmp_path) == ["good.csv"]
    assert (tmp_path / "good.csv").read_bytes() == GOOD


def test_a_result_of_another_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text('{"format": "entropick-result", "version": 99}')
    assert "version 99" in refused(entropick("report", "r.json", folder=tmp_path))


def test_a_target_of_one_value_and_not_a_number_is_told_by_its_value(tmp_path: Path) -> None:
    pl.DataFrame({"a": [1, 2, 3], "y": [float("nan"), 5.0, None]}).write_parquet(tmp_path / "t.parquet")
    assert "it is '5.0' in every row" in refused(entropick("select", "t.parquet", "-t", "y", folder=tmp_path))
    pl.DataFrame({"a": [1, 2, 3], "y": [float("nan"), 5.0, 5.0]}).write_parquet(tmp_path / "t.parquet")
    assert "it is '5.0' in every row" in refused(entropick("select", "t.parquet", "-t", "y", folder=tmp_path))


def test_parquet_called_csv_is_refused_with_the_way_out(tmp_path: Path) -> None:
    pl.DataFrame({"a": [1, 2], "outcome": ["x", "y"]}).write_parquet(tmp_path / "t.csv")
    assert "suffix .parquet" in refused(entropick("select", "t.csv", "-t", "outcome", folder=tmp_path))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
@pytest.mark.parametrize("option", ["--json", "--report", "--out"])
def test_a_full_disk_is_told_and_the_table_stays(option: str, tmp_path: Path) -> None:
    (tmp_path / "good.csv").write_bytes(GOOD)
    full = "/dev/full" if option != "--out" else "full.csv"
    if option == "--out":
        (tmp_path / "full.csv").symlink_to("/dev/full")
    outcome = entropick(*SELECT, *QUICK, option, full, folder=tmp_path)
    assert outcome.status == 2
    assert outcome.out.startswith("1 of 2 columns")
    assert outcome.err.startswith(f"entropick: {option} {full!r} could not be written: No space left on device")
    assert outcome.err.count("\n") == 1
    assert (tmp_path / "good.csv").read_bytes() == GOOD
