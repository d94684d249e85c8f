"""Parquet files are read by one reader: in memory, in parts, and by the workers of a Dask cluster."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from command import QUICK, Outcome, entropick, patients, refused
from fuzz_folders import answers
from optional import optional

from entropick.cli import _large

distributed, pandas = optional("distributed"), optional("pandas")

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets that a cluster leaves to the garbage collector
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
OPTIONS = ("-t", "outcome", *QUICK, "--json", "-")
FOUND = ["age", "smoker"]


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a cluster of two worker processes."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        yield cluster.scheduler_address


def outcomes(table: str, folder: Path, scheduler: str) -> list[Outcome]:
    """Of a selection in memory, in parts, and on a cluster."""
    found = [entropick("select", table, *OPTIONS, *more, folder=folder) for more in ((), ("--scheduler", scheduler))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_large, "_IN_MEMORY", 0)
        return [*found, entropick("select", table, *OPTIONS, folder=folder)]


def chosen(outcome: Outcome) -> list[str]:
    return [feature["name"] for feature in json.loads(outcome.out)["features"]]


def test_the_names_of_files_are_taken_literally(tmp_path: Path, scheduler: str) -> None:
    names = {"data[1].parquet": "data1", "q?.parquet": "q1", "star*.parquet": "star1", "a::b.parquet": "b"}
    for name, other in names.items():
        patients().rename({"age": "other"}).write_parquet(tmp_path / f"{other}.parquet")
        patients().write_parquet(tmp_path / name)
        for outcome in outcomes(name, tmp_path, scheduler):
            assert chosen(outcome) == FOUND, name
            assert json.loads(outcome.out)["n_rows"] == 400
    for folder in ("run[1]", "run1"):
        (tmp_path / folder).mkdir()
        patients().head(400 if "[" in folder else 7).write_parquet(tmp_path / folder / "part.parquet")
    assert [chosen(outcome) for outcome in outcomes("run[1]", tmp_path, scheduler)] == [FOUND] * 3


def test_a_path_need_not_be_utf_8(tmp_path: Path, scheduler: str) -> None:
    name = os.fsdecode(b"caf\xe9.parquet")
    with (tmp_path / name).open("wb") as file:
        patients().write_parquet(file)
    assert [chosen(outcome) for outcome in outcomes(name, tmp_path, scheduler)] == [FOUND] * 3


def test_an_index_of_pandas_is_a_column_only_if_it_has_a_name(tmp_path: Path, scheduler: str) -> None:
    pandas.DataFrame  # noqa: B018 - skipped without it
    frame = patients().to_pandas().sample(frac=1, random_state=0)
    frame.to_parquet(tmp_path / "without.parquet")
    frame.set_index("age").to_parquet(tmp_path / "column.parquet")
    frame.set_index("outcome").to_parquet(tmp_path / "target.parquet")
    for name in ("without", "column", "target"):
        for outcome in outcomes(f"{name}.parquet", tmp_path, scheduler):
            found = json.loads(outcome.out)
            assert sorted(chosen(outcome)) == FOUND
            assert [column["name"] for column in found["columns"] if "__" in column["name"]] == []
            told = [note["text"] for note in found["notes"] if "the index that pandas wrote" in note["text"]]
            assert len(told) == (name == "without")


def test_keys_in_the_names_of_folders_are_no_columns(tmp_path: Path, scheduler: str) -> None:
    for key in (0, 1):
        folder = tmp_path / f"age={key}"
        folder.mkdir()
        patients()[200 * key : 200 * (key + 1)].write_parquet(folder / "part.parquet")
    found = outcomes("*/*.parquet", tmp_path, scheduler)
    assert [chosen(outcome) for outcome in found] == [FOUND] * 3
    told = "2 files were read as one table: 'age=0/part.parquet', 'age=1/part.parquet'."
    assert all(told in [note["text"] for note in json.loads(outcome.out)["notes"]] for outcome in found)


TYPES = {
    "whole numbers and floats": (pl.Int64, pl.Float64),
    "small and large whole numbers": (pl.Int8, pl.Int64),
    "with and without a sign": (pl.Int64, pl.UInt64),
    "short and long floats": (pl.Float32, pl.Float64),
    "nothing and numbers": (pl.Null, pl.Float64),
    "nothing and words": (pl.Null, pl.String),
    "words and nothing": (pl.String, pl.Null),
    "categories and categories": (pl.Categorical, pl.Enum([str(age) for age in range(100)])),
}


@pytest.mark.parametrize("case", TYPES)
def test_files_whose_types_differ_are_one_table(case: str, tmp_path: Path, scheduler: str) -> None:
    (tmp_path / "months").mkdir()
    parts = patients()[:0], patients()[:200], patients()[200:]
    for i, (part, kind) in enumerate(zip(parts, (TYPES[case][0], *TYPES[case]), strict=True)):
        age = pl.Series("age", [None] * len(part)) if kind == pl.Null else part["age"].cast(pl.String).cast(kind)
        part.with_columns(age).write_parquet(tmp_path / "months" / f"{i}.parquet")
    found = [json.loads(outcome.out) for outcome in outcomes("months", tmp_path, scheduler)]
    for key in ("features", "n_rows", "score", "columns"):
        assert found[1][key] == found[0][key], key
        assert found[2][key] == found[0][key], key
    assert found[0]["n_rows"] == 400


def test_what_others_skip_is_skipped_and_links_do_not_double_rows(tmp_path: Path, scheduler: str) -> None:
    (tmp_path / "events").mkdir()
    patients().write_parquet(tmp_path / "events" / "part.parquet")
    (tmp_path / "events" / "link.parquet").symlink_to("part.parquet")
    for name in ("_metadata.parquet", "._part.parquet"):
        (tmp_path / "events" / name).write_bytes(b"nothing to read")
    for outcome in outcomes("events", tmp_path, scheduler) + outcomes("events/*.parquet", tmp_path, scheduler):
        found = json.loads(outcome.out)
        assert found["n_rows"] == 400
        assert any("; 1 link to one of them is left out." in note["text"] for note in found["notes"])
    patients().head(99).write_parquet(tmp_path / "events" / "_own.parquet")
    outcome = entropick("select", "events/_o*.parquet", *OPTIONS, folder=tmp_path)
    assert json.loads(outcome.out)["n_rows"] == 99


def test_a_folder_among_the_files_and_a_link_that_leads_nowhere_are_refused(tmp_path: Path) -> None:
    (tmp_path / "events" / "x.parquet").mkdir(parents=True)
    patients().write_parquet(tmp_path / "events" / "part.parquet")
    assert "every file must be Parquet; 'x.parquet' is a folder: name the files in it, such as" in refused(
        entropick("select", "events", *OPTIONS, folder=tmp_path)
    )
    (tmp_path / "dangling.parquet").symlink_to("gone.parquet")
    said = refused(entropick("select", "dangling.parquet", *OPTIONS, folder=tmp_path))
    assert said == "there is no file 'dangling.parquet': it is a link to 'gone.parquet', which is not there."
    (tmp_path / "events" / "x.parquet").rmdir()
    (tmp_path / "events" / "y.parquet").symlink_to("gone.parquet")
    said = refused(entropick("select", "events", *OPTIONS, folder=tmp_path))
    assert said.endswith("it is a link to 'gone.parquet', which is not there.")


def test_nothing_but_empty_files_is_refused_in_the_same_words(tmp_path: Path, scheduler: str) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("a", "b"):
        patients().head(0).write_parquet(tmp_path / "empty" / f"{name}.parquet")
    said = {refused(outcome) for outcome in outcomes("empty", tmp_path, scheduler)}
    assert said == {"'empty' must have columns and rows; its files have 8 columns and 0 rows."}


@pytest.mark.parametrize("seed", range(10))
def test_random_folders_give_one_answer(seed: int, scheduler: str) -> None:
    pandas.DataFrame  # noqa: B018 - some are written by it
    found = answers(seed, scheduler)
    assert found["parts"] == found["memory"]
    assert found["dask"] == found["memory"]
