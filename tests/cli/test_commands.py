"""The other commands, help, version, completion and the bar."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import QUICK, entropick, entropick_process, refused
from signals import running

import entropick as package
from entropick.datasets import DATASETS

COMMANDS = ("select", "compare", "report", "demo", "datasets")


def test_help_lists_the_commands_and_every_command_has_examples(tmp_path: Path) -> None:
    whole = entropick("--help", folder=tmp_path)
    assert whole.status == 0
    for command in COMMANDS:
        assert command in whole.out
        own = entropick(command, "--help", folder=tmp_path)
        assert own.status == 0
        assert f"entropick {command}" in own.out


def test_no_arguments_show_the_help(tmp_path: Path) -> None:
    outcome = entropick(folder=tmp_path)
    assert outcome.status == 0
    assert outcome.err == ""
    assert "Usage: entropick" in outcome.out


def test_the_defaults_of_compare_are_those_of_python() -> None:
    from inspect import signature

    from entropick.cli._compare import METHODS
    from entropick.evaluation import compare

    parameters = signature(compare).parameters
    assert tuple(METHODS.split(",")) == parameters["methods"].default


def test_version(tmp_path: Path) -> None:
    assert entropick_process("--version", folder=tmp_path).out == f"entropick {package.__version__}\n"


def test_help_loads_neither_scikit_learn_nor_polars(tmp_path: Path) -> None:
    code = (
        "import sys; from entropick.cli import main; main(['select', '--help'])\n"
        "print([name for name in ('sklearn', 'polars', 'matplotlib', 'numpy', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout.endswith("[]\n")


def test_the_shell_completes_names(tmp_path: Path) -> None:
    outcome = entropick_process(
        folder=tmp_path,
        _ENTROPICK_COMPLETE="complete_bash",
        COMP_WORDS="entropick select t.csv --criterion re",
        COMP_CWORD="4",
    )
    assert outcome.out.split() == ["reliable"]


def test_demo_shows_a_result_and_writes_a_page(tmp_path: Path) -> None:
    outcome = entropick("demo", folder=tmp_path)
    assert outcome.status == 0, outcome.err
    said = " ".join(outcome.out.split())
    ordered = (
        "569 tumours, 30 measurements, malignant or benign?",
        "of 30 columns are enough for 'diagnosis': they keep 9",
        "sure (a useless column gets among the sure ones in at most 1 of 5 tables): ",
        "Sure, but not needed: ",
        "Error of a random forest on new rows: ",
        "% with all 30, 37.3% for the commonest class.",
        "p = 0.01: none of 99 shuffled targets scored as high.",
        "columns 1 ",
        "of 'diagnosis', on rows that the columns were not chosen from",
        "column verdict halves lost without why",
        "entropick select FILE --target COLUMN",
    )
    places = [said.find(part) for part in ordered]
    assert -1 not in places, (said, places)
    assert places == sorted(places)
    assert os.listdir(tmp_path) == ["entropick-demo.html"]


def test_datasets_says_where_each_is(tmp_path: Path) -> None:
    empty = tmp_path / "data"
    empty.mkdir()
    outcome = entropick("datasets", folder=tmp_path, ENTROPICK_DATA=str(empty), XDG_CACHE_HOME=str(empty))
    assert outcome.status == 0
    assert all(name in outcome.out for name in DATASETS)
    assert outcome.out.count("not here") == 5
    assert entropick("datasets", "--fetch", "breast_cancer", folder=tmp_path).status == 0


def test_compare_shows_and_writes_every_method(table: Path, tmp_path: Path) -> None:
    options = ("--folds", "3", "--resamples", "2", "--methods", "cross_entropy,mrmr", "--models", "3nn,gaussiannb")
    options += ("--criterion", "reliable")
    outcome = entropick("compare", table, "-t", "outcome", *options, "--json", "c.json", folder=tmp_path)
    assert outcome.status == 0, outcome.err
    for text in ("cross_entropy", "mrmr", "all", "ΔI_r", "stability", "gaussiannb", "±"):
        assert text in outcome.out
    written = json.loads((tmp_path / "c.json").read_text())
    assert [method["method"] for method in written["methods"]] == ["cross_entropy", "mrmr", "all", "none"]
    assert written["methods"][0]["mce"]["3nn"]["mean"] < 0.2
    only = entropick("compare", table, "-t", "outcome", *options, "--json", "-", folder=tmp_path)
    assert json.loads(only.out)["folds"] == 3


# Options, and what the comparison in Python is told of them; None where that is not said at all.
COMPARED = {
    "methods": (["--methods", "jmi, forward"], {"methods": ["jmi", "forward"]}),
    "models": (["--models", "3nn,forest"], {"models": ["3nn", "forest"]}),
    "metric": (["--metric", "auc"], {"metric": "auc"}),
    "always": (["--always", "age"], {"always": ["age"]}),
    "max-features": (["--max-features", "99"], {"max_features": 7}),
    "parsimony": (["--parsimony", "0.1"], {"parsimony": 0.1}),
    "n-features": (["-k", "2"], {"n_features": 2}),
    "criterion": (["--criterion", "plugin"], {"criterion": "plugin"}),
    "folds": (["--folds", "3"], {"folds": 3}),
    "resamples": (["--resamples", "4"], {"resamples": 4}),
    "columns": (["--columns", "age,bmi"], {"columns": ["age", "bmi"]}),
    "drop": (["--drop", "age,bmi,zip,city"], {"columns": ["patient", "smoker", "hospital"]}),
    "bins": (["--bins", "3"], {"n_bins": 3}),
    "binning": (["--binning", "uniform"], {"binning": "uniform"}),
    "target-kind": (["--target-kind", "classes"], {"target": "classes"}),
    "seed": (["--seed", "7"], {"random_state": 7}),
    "jobs": (["--jobs", "1"], {"n_jobs": 1}),
    "time-limit": (["--time-limit", "60"], {"max_seconds": pytest.approx(60.0, abs=30)}),
}


@pytest.mark.parametrize("case", COMPARED)
def test_options_of_a_comparison_are_passed_on(
    case: str, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, Any]] = []

    def noted(X: Any, y: Any, methods: list[str], **how: Any) -> None:
        told.append({**how, "methods": methods, "columns": X.columns, "y": y.to_list(), "callback": None})
        raise ValueError("that is all.")

    monkeypatch.setattr("entropick.evaluation.compare", noted)
    options, expected = COMPARED[case]
    for some in ([], options):
        assert refused(entropick("compare", table, "-t", "outcome", *some, folder=tmp_path)) == "that is all."
    untold, given = told
    assert given == {**untold, **expected}
    assert given != untold


def under_a_terminal(*arguments: str, folder: Path, interrupt_at: str | None = None) -> tuple[int, str]:
    """Status, and what standard error draws when it is a terminal; Ctrl-C when it has drawn a certain text."""
    outside, inside = pty.openpty()
    environment = {**os.environ, "COLUMNS": "120", "TERM": "xterm"}
    command = [sys.executable, "-m", "entropick", *arguments]
    drawn = b""
    with running(command, stdout=subprocess.DEVNULL, stderr=inside, cwd=folder, env=environment) as process:
        os.close(inside)
        while True:
            try:
                part = os.read(outside, 1 << 16)
            except OSError:
                break
            if not part:
                break
            drawn += part
            if interrupt_at is not None and interrupt_at.encode() in drawn:
                process.send_signal(signal.SIGINT)
                interrupt_at = None
        os.close(outside)
        return process.wait(60), drawn.decode()


@pytest.mark.signals
def test_the_bar_tells_how_far_a_comparison_is_and_ctrl_c_ends_it(table: Path, tmp_path: Path) -> None:
    command = ("compare", str(table), "-t", "outcome", "-c", "reliable", "--folds", "50", "--resamples", "0")
    status, drawn = under_a_terminal(*command, "--json", "c.json", folder=tmp_path, interrupt_at="of 250")
    assert status == 130
    assert "reading" in drawn
    assert drawn.endswith("entropick: interrupted.\r\n")
    assert os.listdir(tmp_path) == []


def test_a_quiet_command_draws_nothing(table: Path, tmp_path: Path) -> None:
    assert under_a_terminal("select", *QUICK, str(table), "-t", "outcome", "-q", folder=tmp_path) == (0, "")
