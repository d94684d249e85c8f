"""Dates in the command: which are split, what can be said of their parts, and the same parts from another file."""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from command import QUICK, entropick, refused

from entropick.cli._dates import as_dates, split_dates

SELECT = (*QUICK, "--quick", "-t", "y", "--json", "-")
PARTS = ["when: year", "when: month", "when: weekday", "when: hour", "when: days since 1970"]
NOTE = (
    "column 'when' holds dates and was split into its year, month, weekday, hour and days since 1970; --dates values "
    "leaves it whole."
)


def visits(rule: str, n: int = 400) -> pl.DataFrame:
    """Times that all differ, and days that do not; a part of the times is all that tells the target."""
    rng = np.random.default_rng(2)
    seconds = rng.choice(2 * 366 * 86_400, n, replace=False).tolist()
    when = [datetime(2023, 1, 1) + timedelta(seconds=second) for second in seconds]
    is_true = {"weekday": lambda time: time.isoweekday() > 5, "hour": lambda time: time.hour >= 12}[rule]
    return pl.DataFrame(
        {
            "x": rng.integers(0, 3, n),
            "when": when,
            "day": [date(2024, 1, 1) + timedelta(days=day) for day in rng.integers(0, 31, n).tolist()],
            "y": ["yes" if is_true(time) else "no" for time in when],
        }
    )


def result(folder: Path, *arguments: object) -> dict[str, Any]:
    outcome = entropick("select", *arguments, *SELECT, folder=folder)
    assert outcome.status == 0, outcome.err
    found: dict[str, Any] = json.loads(outcome.out)
    return found


def chosen(found: dict[str, Any]) -> list[str]:
    return [feature["name"] for feature in found["features"]]


def notes(found: dict[str, Any]) -> list[str]:
    return [note["text"] for note in found["notes"] if note["code"] == "dates"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    visits("hour").write_csv(tmp_path / "v.csv")
    visits("hour").write_parquet(tmp_path / "v.parquet")
    return tmp_path


WRITTEN = {
    "a space": "%Y-%m-%d %H:%M:%S",
    "T": "%Y-%m-%dT%H:%M:%S",
    "a fraction": "%Y-%m-%d %H:%M:%S.250",
    "Z": "%Y-%m-%dT%H:%M:%SZ",
    "an offset": "%Y-%m-%d %H:%M:%S+02:00",
}


@pytest.mark.parametrize("rule", ["weekday", "hour"])
@pytest.mark.parametrize("form", ["parquet", *WRITTEN])
def test_the_part_that_tells_the_target_is_found(tmp_path: Path, rule: str, form: str) -> None:
    if form == "parquet":
        visits(rule).write_parquet(tmp_path / "v.parquet")
    else:
        visits(rule).write_csv(tmp_path / "v.csv", datetime_format=WRITTEN[form])
    found = result(tmp_path, "v.parquet" if form == "parquet" else "v.csv")
    assert chosen(found) == [f"when: {rule}"]
    assert notes(found) == [NOTE]


@pytest.mark.parametrize("file", ["v.csv", "v.parquet"])
def test_dates_are_split_by_default_if_all_differ_and_otherwise_on_request(folder: Path, file: str) -> None:
    frame = pl.read_parquet(folder / "v.parquet") if file == "v.parquet" else pl.read_csv(folder / file)
    names = {mode: split_dates(frame, "y", mode)[0].columns for mode in ("auto", "parts", "values")}
    assert names["auto"] == ["x", *PARTS, "day", "y"]
    assert names["parts"] == ["x", *PARTS, "day: weekday", "day: days since 1970", "y"]
    assert names["values"] == frame.columns
    assert chosen(result(folder, file)) == chosen(result(folder, file, "--dates", "parts")) == ["when: hour"]
    as_before = result(folder, file, "--dates", "values")
    assert "when: hour" not in chosen(as_before)
    assert notes(as_before) == []
    assert any("'when' has a different value in each of its 400 rows" in note["text"] for note in as_before["notes"])


def test_several_columns_have_one_note(folder: Path) -> None:
    found = result(folder, "v.csv", "--dates", "parts")
    assert notes(found) == [
        "columns 'when', 'day' hold dates and were split into year, month, weekday, hour and days since 1970; --dates "
        "values leaves them whole."
    ]


SAME = {
    "one date": [datetime(2024, 1, 1)] * 3,
    "no date": [None] * 3,
    "one hour": [datetime(2024, 1, 1, 8, minute) for minute in (1, 2, 3)],
}


@pytest.mark.parametrize("times", SAME.values(), ids=SAME)
def test_a_column_whose_parts_are_all_the_same_stays_whole(times: list[Any]) -> None:
    frame = pl.DataFrame({"t": pl.Series(times, dtype=pl.Datetime), "y": [0, 1, 2]})
    for mode in ("auto", "parts"):
        split, parts, told = split_dates(frame, "y", mode)
        assert split.equals(frame)
        assert (parts, told) == ({}, {})


def test_the_target_is_never_split() -> None:
    frame = pl.DataFrame({"t": ["2024-05-01", "2024-06-02"]})
    assert split_dates(frame, "t", "parts") == (frame, {}, {})


DATES = {
    "a word": ["2024-05-01", "soon"],
    "no such day": ["2023-02-28", "2023-02-29"],
    "another order": ["01.05.2024", "02.05.2024"],
    "no such hour": ["2024-05-01 23:00", "2024-05-01 24:00"],
    "something after": ["2024-05-01", "2024-05-01 to 2024-05-02"],
    "a fifth and more": [*(f"2024-05-{day:02}" for day in range(1, 31)), *["soon"] * 8],
    "many words": [
        *(f"2024-0{month}-{day:02}" for month in range(1, 10) for day in range(1, 29)),
        *(f"{day} days later" for day in range(11)),
    ],
}


@pytest.mark.parametrize("texts", DATES.values(), ids=DATES)
def test_text_that_is_not_all_dates_stays_text(texts: list[str]) -> None:
    assert as_dates(pl.Series(texts)) is None


def test_text_may_have_gaps_spaces_and_times_in_some_rows() -> None:
    texts = [None, "NA", " 2024-02-29", "2024-05-01T13:45Z", "1969-12-31 23:59:59.5-0500", ""]
    dates = as_dates(pl.Series("t", texts))
    assert dates is not None
    assert dates.to_list() == [
        None,
        None,
        datetime(2024, 2, 29),
        datetime(2024, 5, 1, 13, 45),
        datetime(1969, 12, 31, 23, 59),
        None,
    ]


def test_the_name_of_a_date_stands_for_its_parts_and_a_part_has_its_own(folder: Path) -> None:
    assert chosen(result(folder, "v.csv", "--columns", "when,x")) == ["when: hour"]
    assert chosen(result(folder, "v.csv", "--columns", "when: hour")) == ["when: hour"]
    assert set(chosen(result(folder, "v.csv", "--always", "when", "--drop", "x,day"))) == set(PARTS)
    assert "when: month" in chosen(result(folder, "v.csv", "--always", "when: month"))
    for drop in ("when", "when: hour"):
        found = result(folder, "v.csv", "--drop", drop, "-k", "1")
        assert "when: hour" not in chosen(found)
        assert len(notes(found)) == (drop != "when")


WRONG = {
    ("--always", "when", "--drop", "when"): "--always must name columns to choose from; 'when' is left out.",
    (
        "--always",
        "when: hour",
        "--drop",
        "when",
    ): "--always must name columns to choose from; 'when: hour' is left out.",
    ("--drop", "wen"): "--drop must name columns of the table; got 'wen', which is not one. Did you mean 'when'?",
    ("--dates", "part"): "unknown --dates 'part'. Known: 'auto', 'parts', 'values'. Did you mean 'parts'?",
    ("--dates", "values", "--drop", "when: hour"): "--drop must name columns of the table; got 'when: hour'",
}


@pytest.mark.parametrize("options", WRONG, ids=" ".join)
def test_what_is_wrong_with_a_name_is_said(folder: Path, options: tuple[str, ...]) -> None:
    assert refused(entropick("select", "v.csv", *SELECT, *options, folder=folder)).startswith(WRONG[options])


def test_a_table_that_has_a_column_of_that_name_is_refused(folder: Path) -> None:
    visits("hour").with_columns(pl.lit(1).alias("when: year")).write_csv(folder / "v.csv")
    sentence = refused(entropick("select", "v.csv", *SELECT, folder=folder))
    assert sentence.startswith("the table must not have a column 'when: year', because a part of 'when' gets that name")


@pytest.mark.parametrize("suffix", ["csv", "parquet", "arff"])
@pytest.mark.parametrize("file", ["v.csv", "v.parquet"])
def test_the_chosen_parts_are_written_for_all_rows(folder: Path, file: str, suffix: str) -> None:
    frame = visits("hour").with_columns(y=pl.when(pl.col("x") < 2).then("y"), when=pl.col("when").shift(1))
    frame.write_csv(folder / "v.csv", null_value="NA")
    frame.write_parquet(folder / "v.parquet")
    outcome = entropick(
        "select", file, *SELECT[:-2], "--always", "when: hour", "--columns", "when: hour,x", "--out", f"few.{suffix}",
        "--names", "names.txt", folder=folder,
    )  # fmt: skip
    assert outcome.status == 0, outcome.err
    assert "when: hour" in (folder / "names.txt").read_text(encoding="utf-8").splitlines()
    if suffix != "arff":
        few = (pl.read_csv if suffix == "csv" else pl.read_parquet)(folder / f"few.{suffix}")
        assert few["when: hour"].to_list() == frame["when"].dt.hour().to_list()


ODD = {
    "a word in some rows": (["unknown"] * 10, "10 of 400 values are not dates ('unknown') and count as missing."),
    "no such day": (["2023-02-30"], "1 of 400 values is not a date ('2023-02-30') and counts as missing."),
    "words, the first of all": (
        ["soon", "soon", "later", "0000-00-00"],
        "4 of 400 values are not dates ('soon', '0000-00-00', 'later') and count as missing.",
    ),
}


@pytest.mark.parametrize("case", ODD)
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_few_words_among_dates_are_missing_and_told(case: str, suffix: str, tmp_path: Path) -> None:
    words, told = ODD[case]
    frame = visits("hour").with_columns(pl.col("when").dt.strftime("%Y-%m-%d %H:%M:%S"))
    frame = frame.with_columns(when=pl.Series([*words, *frame["when"][len(words) :]]))
    frame.write_csv(tmp_path / "v.csv")
    frame.write_parquet(tmp_path / "v.parquet")
    found = result(tmp_path, f"v.{suffix}", "--always", "when: hour")
    assert chosen(found)[0] == "when: hour"
    assert [note["text"] for note in found["notes"] if note["code"] == "cells"] == [f"column 'when': {told}"]
    outcome = entropick("select", f"v.{suffix}", *SELECT[:-1], "r.json", "--out", "few.parquet", folder=tmp_path)
    assert outcome.status == 0, outcome.err
    hours = visits("hour")["when"].dt.hour().to_list()
    assert (
        pl.read_parquet(tmp_path / "few.parquet")["when: hour"].to_list() == [None] * len(words) + hours[len(words) :]
    )
    outcome = entropick("apply", "r.json", f"v.{suffix}", "-o", "again.parquet", folder=tmp_path)
    assert f"Note: column 'when': {told}" in outcome.out
    assert pl.read_parquet(tmp_path / "again.parquet").equals(pl.read_parquet(tmp_path / "few.parquet"))


def test_a_column_with_the_name_of_a_part_is_never_made(folder: Path) -> None:
    """It was a column of the first table, and not a part of a date there."""
    frame = visits("hour").with_columns(pl.col("when").dt.hour().alias("arrival: hour")).drop("when")
    frame.write_csv(folder / "v.csv")
    assert entropick("select", "v.csv", *SELECT[:-1], "r.json", folder=folder).status == 0
    pl.DataFrame({"arrival": ["2024-05-01 10:00"], "x": [1]}).write_csv(folder / "new.csv")
    assert refused(entropick("apply", "r.json", "new.csv", "-o", "few.csv", folder=folder)).startswith(
        "'new.csv' must have all selected columns; it lacks the column 'arrival: hour'."
    )


def test_rows_without_a_target_decide_too_whether_text_is_dates(folder: Path) -> None:
    odd = "".join(f"1,soon {i},2024-01-01,\n" for i in range(11))
    lines = (folder / "v.csv").read_text(encoding="utf-8") + odd
    (folder / "v.csv").write_text(lines, encoding="utf-8")
    found = entropick("select", "v.csv", *SELECT, "--always", "when", "--out", "few.csv", folder=folder)
    assert found.status == 0, found.err
    assert notes(json.loads(found.out)) == []
    assert pl.read_csv(folder / "few.csv")["when"][-1] == "soon 10"


@pytest.mark.parametrize("file", ["new.csv", "new.parquet"])
def test_the_same_parts_are_made_from_another_file(folder: Path, file: str) -> None:
    assert entropick("select", "v.csv", *SELECT[:-1], "r.json", folder=folder).status == 0
    new = pl.DataFrame({"when": [datetime(1968, 2, 29, 7), None, datetime(2031, 1, 1, 21, 30)], "y": "no", "z": 1})
    new.write_csv(folder / "new.csv")
    new.write_parquet(folder / "new.parquet")
    outcome = entropick("apply", "r.json", file, "-o", "few.csv", folder=folder)
    assert outcome.status == 0, outcome.err
    assert pl.read_csv(folder / "few.csv")["when: hour"].to_list() == [7, None, 21]
    again = entropick("apply", "r.json", "few.csv", "-o", "fewer.csv", folder=folder)  # it has the part itself
    assert again.status == 0, again.err
    assert (folder / "fewer.csv").read_bytes() == (folder / "few.csv").read_bytes()


LACKING = {
    "no dates": {"time": ["2024-05-01 10:00"]},
    "days only": {"when": ["2024-05-01"]},
    "not ISO": {"when": ["1 May 2024, 10 am"]},
    "numbers": {"when": [17.5]},
}


@pytest.mark.parametrize("columns", LACKING.values(), ids=LACKING)
def test_a_file_from_which_a_part_cannot_be_made_is_refused(folder: Path, columns: dict[str, list[Any]]) -> None:
    assert entropick("select", "v.csv", *SELECT[:-1], "r.json", folder=folder).status == 0
    pl.DataFrame({**columns, "x": [1]}).write_csv(folder / "new.csv")
    assert refused(entropick("apply", "r.json", "new.csv", "-o", "few.csv", folder=folder)) == (
        "'new.csv' must have all selected columns; it lacks the column 'when: hour'. 'when: hour' is made from times "
        "in a column 'when'."
    )


def test_a_file_whose_dates_are_all_missing_has_missing_parts(folder: Path) -> None:
    assert entropick("select", "v.csv", *SELECT[:-1], "r.json", folder=folder).status == 0
    (folder / "new.csv").write_text("x,when\n1,\n2,NA\n", encoding="utf-8")
    assert entropick("apply", "r.json", "new.csv", "-o", "few.parquet", folder=folder).status == 0
    assert pl.read_parquet(folder / "few.parquet")["when: hour"].to_list() == [None, None]


def test_compare_splits_dates_too_but_not_those_that_order_the_rows(folder: Path) -> None:
    compare = ("compare", "v.csv", "-t", "y", "-m", "forward", "-c", "reliable", "--folds", "3", "--resamples", "0")
    found = [
        json.loads(entropick(*compare, *options, "--json", "-", folder=folder).out)
        for options in ((), ("--dates", "values"), ("--time", "when"))
    ]
    assert [comparison["n_columns"] for comparison in found] == [7, 3, 2]
    assert notes(found[0]) == [NOTE]
    assert notes(found[1]) == notes(found[2]) == []
    assert found[0]["methods"][0]["chosen"] == {"when: hour": 1.0}
