"""Ctrl-C is never lost, and a process that is asked to end leaves nothing half done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import QUICK, Outcome, has_scores, wait_until
from signals import running

import entropick.report
import entropick.selectors
from entropick.cli import main
from entropick.cli._input import TableFile

pytestmark = pytest.mark.signals

Run = Callable[..., Outcome]
SELECT = ("select", *QUICK, "t.csv", "-t", "y", "--json", "r.json")
ENDS = {signal.SIGINT: (130, "interrupted."), signal.SIGTERM: (143, "ended by SIGTERM.")}
if hasattr(signal, "SIGHUP"):
    ENDS[signal.SIGHUP] = (129, "ended by SIGHUP.")
every_signal = pytest.mark.parametrize("number", ENDS, ids=lambda number: number.name)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    rows = ("{},{},{}".format(i % 7, i % 3, "yes" if i % 3 else "no") for i in range(60))
    (tmp_path / "t.csv").write_text("\n".join(["a,b,y", *rows]))
    (tmp_path / "r.json").write_text("before")
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Outcome:
        return Outcome(main(arguments), *capfd.readouterr())

    return run


def swallowing(number: signal.Signals, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, during which a signal comes that some code in between keeps to itself."""

    def swallows(*arguments: Any, **settings: Any) -> Any:
        try:
            signal.raise_signal(number)
        except BaseException:
            return function(*arguments, **settings)
        return function(*arguments, **settings)

    return swallows


PLACES = {
    "reading": (TableFile, "read"),
    "encoding": (entropick.selectors, "make_selector"),
    "describing": (entropick.report, "describe"),
}


@every_signal
@pytest.mark.parametrize("place", PLACES)
def test_a_signal_that_was_swallowed_ends_the_command_all_the_same(
    number: signal.Signals, place: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, name = PLACES[place]
    monkeypatch.setattr(owner, name, swallowing(number, getattr(owner, name)))
    status, sentence = ENDS[number]
    outcome = run(*SELECT)
    assert (outcome.status, outcome.out) == (status, "")
    assert outcome.err.startswith(f"entropick: {sentence.rstrip('.')}")
    assert outcome.err.count("\n") == 1
    assert Path("r.json").read_text() == "before"


@every_signal
def test_a_signal_while_a_file_is_written_leaves_no_part_of_it(
    number: signal.Signals, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda _: signal.raise_signal(number))
    outcome = run(*SELECT)
    assert outcome.status == ENDS[number][0]
    assert outcome.err == f"entropick: {ENDS[number][1]}\n"
    assert Path("r.json").read_text() == "before"
    assert sorted(os.listdir()) == ["r.json", "t.csv"]


@every_signal
def test_handlers_are_given_back(number: signal.Signals, run: Run) -> None:
    before = signal.getsignal(number)
    assert run(*SELECT).status == 0
    assert signal.getsignal(number) is before


@every_signal
def test_a_signal_that_is_ignored_stays_ignored(
    number: signal.Signals, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = signal.signal(number, signal.SIG_IGN)
    try:
        monkeypatch.setattr(entropick.report, "describe", swallowing(number, entropick.report.describe))
        assert run(*SELECT).status == 0
    finally:
        signal.signal(number, before)


def test_an_interruption_of_one_run_is_not_told_to_the_next(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as within:
        within.setattr("os.fsync", lambda _: signal.raise_signal(signal.SIGINT))
        assert run(*SELECT).status == 130
    assert run(*SELECT).status == 0


def test_a_search_that_is_asked_to_end_ends_in_order(tmp_path: Path) -> None:
    rows = (",".join(str((i * (j + 3) // 7) % 5) for j in range(24)) + f",{i % 3}" for i in range(3000))
    (tmp_path / "t.csv").write_text("\n".join([",".join([*(f"x{j}" for j in range(24)), "y"]), *rows]))
    command = [sys.executable, "-m", "entropick", *SELECT, "-m", "exhaustive", "--checkpoint", "c.npz"]
    with running(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_until(lambda: has_scores(tmp_path / "c.npz"), process)
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=60) == (b"", b"entropick: ended by SIGTERM.\n")
    assert process.returncode == 143
    assert sorted(os.listdir(tmp_path)) == ["c.npz", "t.csv"]
