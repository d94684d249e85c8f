"""Parquet files that are read in parts."""

from __future__ import annotations

import errno
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from command import QUICK, entropick, entropick_process, patients, refused
from optional import optional

from entropick import report
from entropick.cli import _input, _large
from entropick.shards import _files, _parquet

distributed = optional("distributed")

OPTIONS = ("-t", "outcome", *QUICK)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Patients in two files, which count as large, and in an Arrow file, which does not."""
    frame = patients()
    frame = frame.with_columns(outcome=pl.when(pl.int_range(400) % 50 == 7).then(None).otherwise(pl.col("outcome")))
    frame.write_ipc(tmp_path / "whole.arrow")
    (tmp_path / "events").mkdir()
    frame[:150].write_parquet(tmp_path / "events" / "a.parquet")
    frame[150:].write_parquet(tmp_path / "events" / "b.parquet")
    monkeypatch.setattr(_large, "_IN_MEMORY", 0)
    monkeypatch.setattr(_files, "_ROWS", 60)
    return tmp_path


@pytest.mark.parametrize("criterion", ["reliable", "auto"])
def test_the_answer_is_that_of_the_table_in_memory(folder: Path, criterion: str) -> None:
    def answer(table: str) -> dict[str, object]:
        options = ("-t", "outcome", "-c", criterion, "--no-null", "--halves", "--json", "-")
        found: dict[str, object] = json.loads(entropick("select", table, *options, folder=folder).out)
        return {key: found[key] for key in ("features", "n_rows", "target", "size_curve", "columns")}

    assert json.dumps(answer("events/*.parquet")) == json.dumps(answer("whole.arrow"))


def test_it_says_what_was_done_and_writes_the_chosen_columns(folder: Path) -> None:
    outcome = entropick("select", "events", *OPTIONS, "--out", "few.csv", "--report", "p.html", folder=folder)
    said = " ".join(outcome.out.split())
    assert "2 files were read as one table: 'a.parquet', 'b.parquet'." in said
    assert "8 of 400 rows have no value for the target 'outcome' and were dropped." in said
    assert "the table was kept in 8 shards on this disk" in said
    assert pl.read_csv(folder / "few.csv").height == 400
    assert "<html" in (folder / "p.html").read_text(encoding="utf-8")


CHANGES = {
    "another order of rows": lambda path, frame: frame.reverse().write_parquet(path.with_suffix(".new")),
    "fewer rows": lambda path, frame: frame.head(100).write_parquet(path.with_suffix(".new")),
    "another file": lambda path, frame: path.with_suffix(".new").write_bytes(b"PAR1 no more PAR1"),
    "nothing": lambda path, frame: None,
    "written in place": lambda path, frame: frame.with_columns(age=pl.col("age") + 1).write_parquet(path),
}


@pytest.mark.parametrize("reads", [1, 4, 17, 30])
@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_while_it_is_read_ends_the_run(
    change: str, reads: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, read, seen = folder / "events" / "b.parquet", _parquet.FileChunk.read, []

    def counted(chunk: _parquet.FileChunk, names: list[str]) -> pl.DataFrame:
        seen.append(names)
        if len(seen) == reads:
            CHANGES[change](path, pl.read_parquet(path))
            if change == "nothing":
                path.unlink()
            elif change != "written in place":
                path.with_suffix(".new").replace(path)
        return read(chunk, names)

    monkeypatch.setattr(_parquet.FileChunk, "read", counted)
    said = refused(entropick("select", "events", "-t", "outcome", "-c", "linear", "--no-null", folder=folder))
    assert len(seen) >= reads
    if change == "nothing":
        assert said == f"cannot use '{path}': No such file or directory."
    else:
        assert said.startswith("file 'b.parquet' has changed since it was first read")


def test_a_file_that_changes_before_its_columns_are_written_ends_the_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is shown, but rows of another table would be written."""
    path = folder / "whole.arrow"
    describe = report.describe

    def changed(*arguments: Any, **settings: Any) -> Any:
        pl.read_ipc(path).reverse().write_ipc(folder / "new")
        (folder / "new").replace(path)
        return describe(*arguments, **settings)

    monkeypatch.setattr(report, "describe", changed)
    outcome = entropick("select", "whole.arrow", *OPTIONS, "--out", "few.csv", folder=folder)
    assert outcome.status == 2
    assert "are worth keeping" in outcome.out
    assert outcome.err.startswith("entropick: file 'whole.arrow' has changed since it was first read")
    assert not (folder / "few.csv").exists()


def test_a_panic_of_polars_is_a_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def panics(*_: object, **__: object) -> None:
        raise pl.exceptions.PanicException("index out of bounds")

    monkeypatch.setattr(_input.TableFile, "read", panics)
    outcome = entropick("select", "whole.arrow", *OPTIONS, folder=folder)
    assert outcome.status == 1
    assert outcome.err.startswith("entropick: internal error, please report it (PanicException: index out of bounds)")


WRONG = {
    "--target must be a column of the table; got 'outcom'": ("-t", "outcom"),
    "--columns must name columns of the table; got 'ag'": ("-t", "outcome", "--columns", "ag"),
    "there must be columns to choose from": ("-t", "outcome", "--columns", "age", "--drop", "age"),
    "--test needs a table that fits into memory": ("-t", "outcome", "--test", "whole.arrow"),
    "--dates parts needs a table that fits into memory": ("-t", "outcome", "--dates", "parts"),
    "--workers must be at least 1; got 0": ("-t", "outcome", "--workers", "0"),
    "use one of the two": ("-t", "outcome", "--workers", "2", "--scheduler", "tcp://127.0.0.1:1"),
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_wrong_is_said(folder: Path, message: str) -> None:
    assert message in refused(entropick("select", "events", *WRONG[message], folder=folder))


def test_files_that_differ_are_named(folder: Path) -> None:
    pl.read_parquet(folder / "events" / "b.parquet").drop("age").write_parquet(folder / "events" / "b.parquet")
    said = refused(entropick("select", "events", *OPTIONS, folder=folder))
    assert said == "all files must have the same columns; 'b.parquet' lacks 'age', which 'a.parquet' has."


def test_a_target_without_values_is_refused(folder: Path) -> None:
    for name in ("a", "b"):
        path = folder / "events" / f"{name}.parquet"
        pl.read_parquet(path).with_columns(outcome=pl.lit(None, dtype=pl.String)).write_parquet(path)
    assert "it is missing in all 400 rows" in refused(entropick("select", "events", *OPTIONS, folder=folder))


@pytest.mark.parametrize(("number", "sentence"), [(errno.ENOSPC, "TMPDIR"), (errno.EFBIG, "ulimit -f")])
def test_a_full_disk_ends_with_a_sentence_and_leaves_nothing(
    number: int, sentence: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(folder / "tmp"))
    (folder / "tmp").mkdir()

    def full(*arguments: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(_files.np, "ascontiguousarray", full)
    said = refused(entropick("select", "events", *OPTIONS, folder=folder))
    assert "for the codes of the table" in said
    assert sentence in said
    assert not list((folder / "tmp").iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="processes take long to begin")
def test_workers_of_this_machine_give_the_same_answer(folder: Path) -> None:
    distributed.LocalCluster  # noqa: B018 - skipped without it
    options = (*OPTIONS, "--json", "-")
    ours = json.loads(entropick("select", "events", *options, folder=folder).out)
    outcome = entropick_process("select", "events", *options, "--workers", "2", folder=folder)
    theirs = json.loads(outcome.out)
    assert theirs["features"] == ours["features"]
    assert np.isclose(theirs["score"], ours["score"], atol=1e-9)
    assert any("2 Dask workers" in note["text"] for note in theirs["notes"])


def test_a_scheduler_that_is_not_there_is_named(folder: Path) -> None:
    distributed.LocalCluster  # noqa: B018
    outcome = entropick_process("select", "events", *OPTIONS, "--scheduler", "tcp://127.0.0.1:1", folder=folder)
    assert "there is no Dask scheduler at 'tcp://127.0.0.1:1'" in outcome.err
    assert outcome.status == 2
    assert "Traceback" not in outcome.err
