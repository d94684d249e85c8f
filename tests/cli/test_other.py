"""`select --test FILE`: a model on a table that no selection has seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from command import QUICK, entropick, patients, refused

SELECT = ("select", "p.csv", "-t", "outcome", *QUICK)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    patients().head(200).write_csv(tmp_path / "p.csv")
    patients().tail(-200).write_csv(tmp_path / "new.csv")
    return tmp_path


def tried(folder: Path, *options: str) -> dict[str, Any]:
    outcome = entropick(*SELECT, *options, "--json", "-", folder=folder)
    assert outcome.status == 0, outcome.err
    return dict(json.loads(outcome.out)["tested"])


def test_a_model_is_tried_on_another_table(folder: Path) -> None:
    n = patients().height - 200
    found = tried(folder, "--test", "new.csv")
    assert (found["table"], found["n_rows"], found["measure"]) == ("new.csv", n, "error")
    assert found["chosen"] < 0.5 * found["nothing"]
    assert json.loads(entropick(*SELECT, "--json", "-", folder=folder).out)["tested"] is None


def test_screen_and_page_say_so(folder: Path) -> None:
    outcome = entropick(*SELECT, "--test", "new.csv", "--report", "r.html", folder=folder)
    assert f"Error of a random forest on 'new.csv' ({patients().height - 200} rows): " in outcome.out
    assert "on &#39;new.csv&#39; (" in (folder / "r.html").read_text(encoding="utf-8")


def test_the_order_of_columns_and_rows_without_a_target_do_not_matter(folder: Path) -> None:
    new = pl.read_csv(folder / "new.csv")
    first = tried(folder, "--test", "new.csv")
    more = pl.concat([new, new.head(9).with_columns(outcome=pl.lit(None, dtype=new["outcome"].dtype))])
    more.select(sorted(new.columns)).with_columns(extra=1).write_parquet(folder / "more.parquet")
    assert tried(folder, "--test", "more.parquet") == {**first, "table": "more.parquet"}


def test_new_levels_and_classes_are_just_hard_to_predict(folder: Path) -> None:
    new = pl.read_csv(folder / "new.csv").with_columns(smoker=pl.lit("sometimes"), outcome=pl.lit("unheard of"))
    new.write_csv(folder / "odd.csv")
    assert tried(folder, "--test", "odd.csv")["chosen"] == 1.0


def test_a_number_is_judged_by_r_squared_and_a_rare_class_by_auc(tmp_path: Path) -> None:
    ages = patients().select("age", "bmi", "smoker").with_columns(cost=3 * pl.col("age") + pl.col("bmi") * 0)
    ages.head(200).write_csv(tmp_path / "p.csv")
    ages.tail(-200).write_csv(tmp_path / "new.csv")
    select = ("select", "p.csv", *QUICK, "--json", "-", "--test", "new.csv")
    found = json.loads(entropick(*select, "-t", "cost", folder=tmp_path).out)["tested"]
    assert found["measure"] == "r_squared"
    assert found["chosen"] > 0.95 > 0.1 > found["nothing"]
    old = ages.with_columns(old=pl.col("age") > pl.col("age").quantile(0.9))
    old.head(200).write_csv(tmp_path / "p.csv")
    old.tail(-200).write_csv(tmp_path / "new.csv")
    found = json.loads(entropick(*select, "-t", "old", folder=tmp_path).out)["tested"]
    assert (found["measure"], found["nothing"]) == ("auc", 0.5)
    old.tail(-200).filter(~pl.col("old")).write_csv(tmp_path / "new.csv")
    found = json.loads(entropick(*select, "-t", "old", folder=tmp_path).out)["tested"]
    assert (found["measure"], found["nothing"]) == ("error", 0.0)


@pytest.mark.parametrize("gone", [None, float("nan")])
def test_rows_without_a_target_are_left_out_and_told(gone: float | None, tmp_path: Path) -> None:
    ages = patients().select("age", "smoker").with_columns(y=(pl.col("age") > 60).cast(pl.Float64))
    ages.head(200).write_parquet(tmp_path / "p.parquet")
    new = ages.tail(200).with_columns(y=pl.when(pl.int_range(200) < 5).then(pl.lit(gone)).otherwise(pl.col("y")))
    new.write_parquet(tmp_path / "new.parquet")
    options = ("-t", "y", *QUICK, "--test", "new.parquet", "--json", "-")
    found = json.loads(entropick("select", "p.parquet", *options, folder=tmp_path).out)
    assert found["tested"]["n_rows"] == 195
    told = "in 'new.parquet', 5 of 200 rows have no value for the target 'y' and were dropped."
    assert [note["text"] for note in found["notes"] if note["code"] == "no_target"] == [told]


def test_a_copy_of_the_table_is_told(folder: Path) -> None:
    def told(name: str) -> list[str]:
        found = json.loads(entropick(*SELECT, "--test", name, "--json", "-", folder=folder).out)
        return [note["text"] for note in found["notes"] if note["code"] == "copied_rows"]

    first = pl.read_csv(folder / "p.csv")
    first.sample(fraction=1, shuffle=True, seed=0).write_csv(folder / "copy.csv")
    pl.concat([first.head(20), pl.read_csv(folder / "new.csv")]).write_csv(folder / "some.csv")
    rest = "are also in the table to select from: what a model gets right there says little about new rows."
    assert told("copy.csv") == [f"200 of the 200 rows of 'copy.csv' {rest}"]
    assert told("some.csv") == [f"20 of the 220 rows of 'some.csv' {rest}"]
    assert told("new.csv") == []


def test_few_levels_make_rows_alike_and_are_not_told(tmp_path: Path) -> None:
    rows = [(i // 2 % 2, i % 2, i % 2) for i in range(80)]
    for name in ("p.csv", "new.csv"):
        pl.DataFrame(rows, schema=["a", "b", "outcome"], orient="row").write_csv(tmp_path / name)
    found = json.loads(entropick(*SELECT, "--test", "new.csv", "--json", "-", folder=tmp_path).out)
    assert not [note for note in found["notes"] if note["code"] == "copied_rows"]


def test_codes_that_are_all_numbers_in_one_table_stay_codes(tmp_path: Path) -> None:
    rows = [(f"{'A' if i % 5 == 0 else ''}{i % 7:03}", i % 7 > 3) for i in range(200)]
    pl.DataFrame(rows, schema=["code", "outcome"], orient="row").write_csv(tmp_path / "p.csv")
    new = [(code, outcome) for code, outcome in rows if "A" not in code]
    pl.DataFrame(new, schema=["code", "outcome"], orient="row").write_csv(tmp_path / "new.csv")
    assert tried(tmp_path, "--test", "new.csv")["chosen"] == 0.0


WRONG = {
    "fewer.csv": "'fewer.csv' must have all columns to choose from, and the target; it lacks the column 'smoker'.",
    "words.csv": "a column must hold the same in both tables; 'age' holds numbers, but in 'words.csv' it holds",
    "blank.csv": "'blank.csv' must have rows with a value for the target 'outcome'; it has none.",
    "p.csv": "--test must be another file than the one to select from.",
    "none.csv": "none.csv",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_tested_is_said_before_the_work(folder: Path, name: str) -> None:
    new = pl.read_csv(folder / "new.csv")
    new.drop("smoker").write_csv(folder / "fewer.csv")
    new.with_columns(age=pl.lit("old")).write_csv(folder / "words.csv")
    new.with_columns(outcome=pl.lit(None, dtype=pl.String)).write_csv(folder / "blank.csv")
    said = refused(entropick(*SELECT, "--test", name, "--json", "r.json", folder=folder))
    assert WRONG[name] in said
    assert not (folder / "r.json").exists()
