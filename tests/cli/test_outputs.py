"""The answer is shown first; what goes wrong afterwards costs neither it nor the other files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest
from command import QUICK, Outcome

from entropick._files import replacing
from entropick.cli import main
from entropick.report import Report

Run = Callable[..., Outcome]
SELECT = ("select", *QUICK, "t.csv", "-t", "y")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    make_table(tmp_path)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Outcome:
        return Outcome(main(arguments), *capfd.readouterr())

    return run


def make_table(folder: Path) -> None:
    """The target is whether a number divides by three, and `b` is its remainder."""
    rows = ("{},{},{}".format(i % 7, i % 3, "yes" if i % 3 else "no") for i in range(60))
    (folder / "t.csv").write_text("\n".join(["a,b,y", *rows]))


def full(*_: Any, **__: Any) -> None:
    raise OSError(ENOSPC, os.strerror(ENOSPC))


def no_memory(*_: Any, **__: Any) -> None:
    raise MemoryError


@pytest.mark.parametrize(
    ("fault", "why"), [(full, "No space left on device"), (no_memory, "there is not enough memory")]
)
def test_a_page_that_cannot_be_written_costs_nothing_else(
    fault: Callable[..., None], why: str, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Report, "save", fault)
    outcome = run(*SELECT, "--report", "r.html", "--json", "r.json", "--out", "o.csv")
    assert outcome.status == 2
    assert outcome.out.startswith("1 of 2 columns")
    assert outcome.out.endswith("Written: r.json\nWritten: o.csv\n")
    assert outcome.err == f"entropick: --report 'r.html' could not be written: {why}.\n"
    assert json.loads((tmp_path / "r.json").read_text())["n_features"] == 1
    assert sorted(os.listdir(tmp_path)) == ["o.csv", "r.json", "t.csv"]


def test_every_file_that_cannot_be_written_has_its_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", full)
    outcome = run(*SELECT, "--report", "r.html", "--json", "r.json", "--out", "o.csv")
    assert outcome.status == 2
    assert "Written" not in outcome.out
    files = ("--json 'r.json'", "--out 'o.csv'", "--report 'r.html'")
    for line, file in zip(outcome.err.splitlines(), files, strict=True):
        assert line.startswith(f"entropick: {file} could not be written")


def test_files_are_written_though_nobody_reads_the_screen(tmp_path: Path) -> None:
    make_table(tmp_path)
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "entropick", *SELECT, "--json", "r.json", "--out", "o.csv"]
    outcome = subprocess.run(command, cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (outcome.returncode, outcome.stderr) == (1, b"")
    assert sorted(os.listdir(tmp_path)) == ["o.csv", "r.json", "t.csv"]


def test_json_on_standard_output_is_the_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Report, "save", full)
    outcome = run(*SELECT, "--report", "r.html", "--json", "-")
    assert outcome.status == 2
    assert json.loads(outcome.out)["n_features"] == 1
    assert outcome.err.startswith("entropick: --report 'r.html'")


def test_a_comparison_is_shown_though_its_file_cannot_be_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", full)
    options = ("-m", "mim", "--models", "naive_bayes", "--folds", "2", "--resamples", "0", "--json", "c.json")
    outcome = run("compare", "t.csv", "-t", "y", *options)
    assert outcome.status == 2
    assert "means and standard errors over 2 folds" in outcome.out
    assert outcome.err == "entropick: --json 'c.json' could not be written: No space left on device.\n"


def test_a_page_made_later_that_cannot_be_written_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(*SELECT, "--json", "r.json").status == 0
    monkeypatch.setattr("os.fsync", full)
    sentence = "--out 'r.html' could not be written: No space left on device."
    assert run("report", "r.json") == Outcome(2, "", f"entropick: {sentence}\n")


def test_a_file_that_cannot_be_written_is_named_in_the_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left") as caught, replacing(tmp_path / "a") as file:
        file.write(b"half")
    assert caught.value.filename == str(tmp_path / "a")
    assert os.listdir(tmp_path) == []


def test_the_chosen_columns_are_told_if_memory_ends_while_they_are_described(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("entropick.report.describe", no_memory)
    outcome = run(*SELECT)
    sentence = "there is not enough memory to describe the result. The chosen columns are 'b'."
    assert outcome == Outcome(2, "", f"entropick: {sentence}\n")


def test_the_chosen_columns_are_told_if_describing_them_has_a_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*_: Any, **__: Any) -> None:
        raise KeyError("x")

    monkeypatch.setattr("entropick.report.describe", fault)
    outcome = run(*SELECT)
    assert outcome.status == 1
    assert outcome.err.startswith("entropick: internal error, please report it (KeyError: 'x')")
    assert outcome.err.endswith(" The chosen columns are 'b'.\n")


def test_a_checkpoint_that_cannot_be_written_is_told_at_once_and_in_a_note(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", full)
    outcome = run(*SELECT, "--checkpoint", "c.npz", "--json", "-")
    assert outcome.status == 0
    assert outcome.err.startswith("entropick: checkpoint ")
    assert "could not be written" in outcome.err
    assert outcome.err.count("\n") == 1
    notes = [note["text"] for note in json.loads(outcome.out)["notes"]]
    assert any(note.startswith("checkpoint ") and "could not be written" in note for note in notes)


@pytest.mark.signals
@pytest.mark.parametrize("lost", [False, True])
def test_ctrl_c_promises_to_go_on_only_from_a_checkpoint_that_is_there(
    lost: bool, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from entropick.cli.progress import ProgressBar

    if lost:
        monkeypatch.setattr("os.fsync", full)
    monkeypatch.setattr(ProgressBar, "step", lambda *_: signal.raise_signal(signal.SIGINT))
    outcome = run(*SELECT, "--checkpoint", "c.npz")
    assert outcome.status == 130
    assert outcome.out == ""
    assert "interrupted after" in outcome.err
    assert ("Run the same command again to resume from 'c.npz'." in outcome.err) is not lost
    assert Path("c.npz").exists() is not lost


def test_warnings_of_any_kind_are_notes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import warnings

    from entropick import CrossEntropySelector

    fit = CrossEntropySelector.fit

    def warns(self: Any, X: Any, y: Any) -> Any:
        for category in (RuntimeWarning, UserWarning, DeprecationWarning, UserWarning):
            warnings.warn(f"this is a {category.__name__}", category, stacklevel=1)
        return fit(self, X, y)

    monkeypatch.setattr(CrossEntropySelector, "fit", warns)
    outcome = run(*SELECT, "--json", "-")
    assert outcome.err == ""
    notes = [note["text"] for note in json.loads(outcome.out)["notes"]]
    assert [note for note in notes if note.startswith("this is a")] == [
        "this is a RuntimeWarning",
        "this is a UserWarning",
    ]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "ascii"])
def test_an_output_that_is_not_utf_8_is_written_with_what_it_has(encoding: str, tmp_path: Path) -> None:
    make_table(tmp_path)
    table = (tmp_path / "t.csv").read_text().replace("b,y", "Δb,y")
    (tmp_path / "t.csv").write_text(table, encoding="utf-8")
    command = [sys.executable, "-m", "entropick", *SELECT, "--json", "r.json"]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, timeout=60, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "?b" in done.stdout.decode(encoding)
    assert "Written: r.json" in done.stdout.decode(encoding)


def test_json_on_standard_output_is_utf_8_whatever_the_terminal_is(tmp_path: Path) -> None:
    make_table(tmp_path)
    table = (tmp_path / "t.csv").read_text().replace("b,y", "größe,y")
    (tmp_path / "t.csv").write_text(table, encoding="utf-8")
    command = [sys.executable, "-m", "entropick", *SELECT, "--json", "-"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, timeout=60, env=environment, check=False)
    assert json.loads(done.stdout.decode("utf-8"))["features"][0]["name"] == "größe"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_screen_that_cannot_be_written_does_not_cost_the_files(tmp_path: Path) -> None:
    make_table(tmp_path)
    command = [sys.executable, "-m", "entropick", *SELECT, "--json", "r.json"]
    with open("/dev/full", "wb") as screen:
        done = subprocess.run(command, stdout=screen, stderr=subprocess.PIPE, cwd=tmp_path, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr == b"entropick: the result could not be shown: No space left on device.\n"
    assert json.loads((tmp_path / "r.json").read_text())["n_features"] == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "parquet", "arrow", "arff"])
def test_a_table_that_does_not_fit_on_the_disk_has_its_sentence(suffix: str, run: Run) -> None:
    Path(f"few.{suffix}").symlink_to("/dev/full")
    outcome = run(*SELECT, "--out", f"few.{suffix}")
    assert outcome.status == 2
    assert outcome.err == f"entropick: --out 'few.{suffix}' could not be written: No space left on device.\n"


@pytest.mark.parametrize("command", ["select", "apply"])
def test_a_table_without_names_is_written_without_names(command: str, run: Run) -> None:
    lines = Path("t.csv").read_text().splitlines()[1:]
    Path("p.csv").write_text("\n".join(lines))
    last = str(lines[0].count(",") + 1)
    options = ("--out", "few.csv") if command == "select" else ("--json", "r.json")
    words = {"t.csv": "p.csv", "y": last}
    assert run(*(words.get(word, word) for word in SELECT), "--no-header", *options).status == 0
    if command == "apply":
        assert run("apply", "r.json", "p.csv", "--no-header", "-o", "few.csv").status == 0
    few = Path("few.csv").read_text().splitlines()
    assert len(few) == len(lines)
    assert set(few[0].split(",")) <= set(lines[0].split(","))
