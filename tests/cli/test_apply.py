"""`entropick apply`, and the names of a selection as a file."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest
from command import QUICK, entropick, patients, refused

SELECT = ("select", "p.csv", "-t", "outcome", *QUICK)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    patients().write_csv(tmp_path / "p.csv")
    assert entropick(*SELECT, "--json", "r.json", folder=tmp_path).status == 0
    return tmp_path


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "csv.gz"])
def test_the_columns_come_from_another_file_by_name(folder: Path, suffix: str) -> None:
    new = patients().select(pl.all().shuffle(seed=0)).select(sorted(patients().columns)).head(7)
    new.write_parquet(folder / "new.parquet")
    outcome = entropick("apply", "r.json", "new.parquet", "--out", f"few.{suffix}", folder=folder)
    assert (outcome.status, outcome.out) == (0, f"Written: few.{suffix}\n")
    read = {"csv": pl.read_csv, "csv.gz": pl.read_csv, "parquet": pl.read_parquet}
    few = pl.read_csv(folder / "few.tsv", separator="\t") if suffix == "tsv" else read[suffix](folder / f"few.{suffix}")
    assert few.columns == ["age", "smoker", "outcome"]
    assert few["age"].to_list() == new["age"].to_list()


def test_new_rows_need_no_target_and_text_stays_as_it_is(folder: Path) -> None:
    (folder / "new.csv").write_text("smoker,age,more\nyes,007,x\nno,41.50,y\n", encoding="utf-8")
    assert entropick("apply", "r.json", "new.csv", "-o", "few.csv", folder=folder).status == 0
    assert (folder / "few.csv").read_text(encoding="utf-8") == "age,smoker\n007,yes\n41.50,no\n"


WRONG = {
    (
        "r.json",
        "other.csv",
        "-o",
        "few.csv",
    ): "'other.csv' must have all selected columns; it lacks the column 'smoker'. Did",
    ("r.json", "p.csv", "-o", "few.png"): "--out must end in ",
    ("r.json", "p.csv", "-o", "p.csv"): "--out ",
    ("p.csv", "p.csv", "-o", "few.csv"): "'p.csv' must be JSON written by ",
    ("none.json", "p.csv", "-o", "few.csv"): "RESULT.json must be a file; 'none.json' is not one.",
    ("-", "-", "-o", "few.csv"): "RESULT.json and FILE cannot both be standard input.",
    ("nothing.json", "p.csv", "-o", "few.csv"): "'nothing.json' has no selected columns",
}


@pytest.mark.parametrize("arguments", WRONG, ids=lambda arguments: " ".join(arguments))
def test_what_cannot_be_done_is_said_and_nothing_is_written(folder: Path, arguments: tuple[str, ...]) -> None:
    (folder / "other.csv").write_text("smokers,age\nyes,7\n", encoding="utf-8")
    noise = pl.DataFrame({"x": [0, 1] * 20, "y": [0, 0, 1, 1] * 10})
    noise.write_csv(folder / "noise.csv")
    entropick("select", "noise.csv", "-t", "y", *QUICK, "--json", "nothing.json", folder=folder)
    before = sorted(os.listdir(folder))
    assert refused(entropick("apply", *arguments, folder=folder)).startswith(WRONG[arguments])
    assert sorted(os.listdir(folder)) == before


def test_names_go_to_a_file_or_to_the_screen_alone(folder: Path) -> None:
    assert sorted(entropick(*SELECT, "--names", "-", folder=folder).out.split("\n")) == ["", "age", "smoker"]
    assert entropick(*SELECT, "--names", "n.txt", folder=folder).status == 0
    assert sorted((folder / "n.txt").read_text(encoding="utf-8").split("\n")) == ["", "age", "smoker"]
    both = entropick(*SELECT, "--names", "-", "--json", "-", folder=folder)
    assert refused(both) == "--json and --names cannot both be -, for standard output."


def test_a_name_with_a_line_break_is_not_torn(tmp_path: Path) -> None:
    patients().rename({"age": "age\nin years"}).write_csv(tmp_path / "p.csv")
    outcome = entropick(*SELECT, "--names", "n.txt", folder=tmp_path)
    assert outcome.status == 2
    assert "'age\\nin years' has a line break: use --json." in outcome.err
    assert not (tmp_path / "n.txt").exists()


@pytest.mark.parametrize("arguments", [("report", "r.json", "--out", "x.jpg"), (*SELECT, "--report", "x.jpg")])
def test_a_page_is_html(folder: Path, arguments: tuple[str, ...]) -> None:
    said = refused(entropick(*arguments, folder=folder))
    assert "must end in .html, or in one of png, svg, pdf for a picture; got 'x.jpg'." in said
    assert not (folder / "x.jpg").exists()
