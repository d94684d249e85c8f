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
    assert f"On 'new.csv' ({patients().height - 200} rows), a random forest gets" in outcome.out
    assert "On &#39;new.csv&#39; (" in (folder / "r.html").read_text(encoding="utf-8")


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
