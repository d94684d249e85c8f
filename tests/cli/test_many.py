"""Several Parquet files as one table."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from command import QUICK, entropick, patients, refused

OPTIONS = ("-t", "outcome", *QUICK)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Patients in three files of a folder, and as a whole."""
    patients().write_parquet(tmp_path / "whole.parquet")
    (tmp_path / "events").mkdir()
    for i, start in enumerate((0, 150, 390)):
        end = (150, 390, 400)[i]
        patients()[start:end].write_parquet(tmp_path / "events" / f"part-{i}.parquet")
    return tmp_path


@pytest.mark.parametrize("files", ["events/*.parquet", "events/part-[0-2].parquet", "events", "**/part*.parquet"])
def test_a_pattern_or_a_folder_is_one_table(folder: Path, files: str) -> None:
    def answer(table: str) -> dict[str, object]:
        found = json.loads(entropick("select", table, *OPTIONS, "--json", "-", folder=folder).out)
        return {key: found[key] for key in ("features", "n_rows", "target", "score", "size_curve")}

    assert answer(files) == answer("whole.parquet")


def test_the_files_are_listed_and_their_columns_written(folder: Path) -> None:
    outcome = entropick("select", "events/*.parquet", *OPTIONS, "--out", "few.csv", folder=folder)
    said = " ".join(outcome.out.split())
    assert "3 files were read as one table: 'part-0.parquet', 'part-1.parquet', 'part-2.parquet'." in said
    assert pl.read_csv(folder / "few.csv").shape == (400, 3)


def test_a_path_that_exists_is_no_pattern(folder: Path) -> None:
    patients().head(100).write_parquet(folder / "events[1].parquet")
    patients().tail(50).write_parquet(folder / "events1.parquet")
    found = json.loads(entropick("select", "events[1].parquet", *OPTIONS, "--json", "-", folder=folder).out)
    assert found["n_rows"] == 100


def test_columns_may_be_in_another_order_and_integers_be_floats(folder: Path) -> None:
    part = pl.read_parquet(folder / "events" / "part-1.parquet")
    nothing = pl.lit(None).alias("zip")
    part.select(sorted(part.columns)).with_columns(pl.col("age").cast(pl.Float64), nothing).write_parquet(
        folder / "events" / "part-1.parquet"
    )
    outcome = entropick("select", "events", *OPTIONS, "--json", "-", folder=folder)
    assert json.loads(outcome.out)["n_rows"] == 400


WRONG = {
    "more": "all files must have the same columns; 'part-0.parquet' lacks 'height', which 'part-1.parquet' has.",
    "less": "all files must have the same columns; 'part-1.parquet' lacks 'smoker', which 'part-0.parquet' has.",
    "other": "a column must hold the same in all files; 'age' is Int64 in 'part-0.parquet' and String in",
    "broken": "file 'part-1.parquet' must be Parquet",
}


@pytest.mark.parametrize("case", WRONG)
def test_what_differs_is_said_with_the_file_and_the_column(folder: Path, case: str) -> None:
    path = folder / "events" / "part-1.parquet"
    part = pl.read_parquet(path)
    if case == "broken":
        path.write_bytes(path.read_bytes()[:-1000])
    else:
        changed = {
            "more": part.with_columns(height=1),
            "less": part.drop("smoker"),
            "other": part.with_columns(pl.col("age").cast(pl.String)),
        }
        changed[case].write_parquet(path)
    assert WRONG[case] in refused(entropick("select", "events/*.parquet", *OPTIONS, folder=folder))


def test_nothing_that_matches_is_said(folder: Path) -> None:
    said = refused(entropick("select", "event/*.parquet", *OPTIONS, folder=folder))
    assert said == "there is no file 'event/*.parquet', and no other matches it."
    assert "there is no file 'events/*.csv'" in refused(entropick("select", "events/*.csv", *OPTIONS, folder=folder))
    (folder / "empty").mkdir()
    assert "'empty' is a folder" in refused(entropick("select", "empty", *OPTIONS, folder=folder))


def test_no_output_replaces_one_of_the_files(folder: Path) -> None:
    said = refused(entropick("select", "events", *OPTIONS, "--out", "events/part-2.parquet", folder=folder))
    assert "--out must be a different file from the input file" in said
