"""The command speaks of its options, and of what users wrote as they wrote it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import typer.main
from command import Outcome

from entropick.cli import main
from entropick.cli._app import app
from entropick.cli._main import _OPTIONS

Run = Callable[..., Outcome]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    rows = ("{},{},{}".format(i % 7, i % 3, "yes" if i % 3 else "no") for i in range(60))
    (tmp_path / "t.csv").write_text("\n".join(["max_features,n_bins,y", *rows]))
    more = (f"{i % 7},1,{i or ''},{i % 28 + 1:02}.01.2020,{'yes' if i % 3 else 'no'}" for i in range(60))
    (tmp_path / "more.csv").write_text("\n".join(["a,one,gaps,day,y", *more]))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Outcome:
        return Outcome(main(arguments), *capfd.readouterr())

    return run


@pytest.mark.parametrize("name", ["max_features", "n_bins"])
@pytest.mark.parametrize("option", ["--drop", "--columns", "--always", "--target"])
def test_columns_with_the_names_of_parameters_stay_as_they_are(name: str, option: str, run: Run) -> None:
    target = ("-t", "y") if option != "--target" else ()
    outcome = run("select", "t.csv", *target, option, name.upper())
    assert outcome.status == 2
    assert f"got '{name.upper()}'" in outcome.err
    assert f"Did you mean '{name}'?" in outcome.err


SENTENCES = {
    "-c relaible": "unknown --criterion 'relaible'. Known: ",
    "-m mrmrr": "unknown --method 'mrmrr'. Known: ",
    "-m branch_and_bound -c bayes": "--criterion must have a bound for an exact search by bounds, and 'bayes' has "
    "none: use 'plugin' or 'reliable', or --method exhaustive.",
    "--parsimony -1": "--parsimony must be a number between 0 and 1000000000; got -1.0.",
    "--time-limit inf": "--time-limit must be a finite number greater than 0; got inf.",
    "--bins 1": "--bins must be an integer of at least 2; got 1.",
    "--jobs 0": "--jobs must be a number of threads, or −1 for one per processor; got 0.",
    "--jobs 99999": "--jobs must be at most 1024 threads; got 99999: −1 is one per processor.",
    "-k 9": "--n-features must be between 1 and 2, the number of columns; got 9.",
    "-k 2 --max-features 1": "--n-features must not exceed --max-features, which is 1; got 2.",
    "--always n_bins,max_features -k 1": "--always names 2 columns, but at most 1 may be selected.",
    "-m cmim -c plugin": "--criterion is not a setting of 'cmim', which is a ranking.",
    "-m cmim --checkpoint c.npz": "--checkpoint is not a setting of 'cmim', which is a ranking.",
    "--target-kind numeric": "--target-kind may be 'numeric' only if y holds numbers; it holds other values: use "
    "--target-kind classes.",
    "--target-kind class": "unknown --target-kind 'class'. Known: 'auto', 'classes', 'numeric'. "
    "Did you mean 'classes'?",
    "--binning foo": "unknown --binning 'foo'. Known: 'quantile', 'uniform', 'mdlp', 'floor'. Did you mean 'floor'?",
}


@pytest.mark.parametrize("options", SENTENCES)
def test_sentences_about_select_name_its_options(options: str, run: Run) -> None:
    outcome = run("select", "t.csv", "-t", "y", *options.split())
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"entropick: {SENTENCES[options]}")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--folds 1", "--folds must be an integer of at least 2; got 1."),
        ("--folds 50", "--folds must be at most 40, the size of the largest class; got 50."),
        ("--resamples -1", "--resamples must be an integer of at least 0; got -1."),
        ("--methods ,", "--methods must be names of at least one search or ranking; got []."),
        ("--groups y --drop y", "--groups must be another column than the target; got 'y'."),
        ("--groups one", "--groups must have at least two groups; all rows are in one."),
        ("--groups gaps", "--groups must have a value for every row; it is missing in 1 of 60 rows."),
        ("--time gaps", "--time must have a value for every row; it is missing in 1 of 60 rows."),
        (
            "--time day",
            "--time must hold numbers, dates, or text such as '2024-05-31' or '2024-05-31 13:45', whose order is that "
            "of time; got '01.01.2020': write dates as year-month-day, as in ISO 8601.",
        ),
        (
            "--models foo",
            "--models must be 'naive_bayes', '3nn', 'forest' or classifiers of scikit-learn by class name; got 'foo'.",
        ),
        ("--methods exhaustive --criterion foo", "unknown --criterion 'foo'. Known: "),
        ("--methods foo", "unknown --methods 'foo'. Known: "),
    ],
)
def test_sentences_about_compare_name_its_options(options: str, sentence: str, run: Run) -> None:
    table = "more.csv" if options.split()[-1] in ("one", "gaps", "day") else "t.csv"
    outcome = run("compare", table, "-t", "y", *options.split())
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"entropick: {sentence}")
    assert outcome.err.count("\n") == 1


def test_every_option_that_sentences_may_name_is_one() -> None:
    commands = typer.main.get_command(app).commands.values()  # type: ignore[attr-defined]
    parameters = [parameter for command in commands for parameter in command.params]
    known = {option for parameter in parameters for option in (*parameter.opts, *parameter.secondary_opts)}
    assert set(_OPTIONS.values()) <= known
