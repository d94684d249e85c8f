"""Numbers, noise and halves of the rows, as the command shows them."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from command import entropick
from jsonschema import Draft202012Validator

from entropick.report import read_result, schema

SELECT = ("select", "t.csv", "-t", "y")


def houses(n: int = 150) -> pl.DataFrame:
    """A number that depends on a size, with gaps, and a district; a colour that says nothing."""
    rng = np.random.default_rng(0)
    size, district = rng.normal(100, 30, n).round(1), rng.choice(["north", "south"], n)
    y = (2 * size + 60 * (district == "south") + rng.normal(0, 15, n)).round(2)
    gaps = [None if i % 17 == 0 else value for i, value in enumerate(size.tolist())]
    return pl.DataFrame({"size": gaps, "district": district, "colour": rng.choice(["red", "blue"], n), "y": y})


def noise(n: int = 100) -> pl.DataFrame:
    rng = np.random.default_rng(8)
    return pl.DataFrame({**{f"x{j}": rng.integers(0, 2, n) for j in range(6)}, "y": rng.choice(["no", "yes"], n)})


def test_a_number_stays_one_on_screen_in_the_json_and_on_the_page(tmp_path: Path) -> None:
    houses().write_csv(tmp_path / "t.csv")
    outcome = entropick(*SELECT, "--json", "r.json", "--report", "r.html", "--out", "o.csv", folder=tmp_path)
    assert outcome.status == 0, outcome.err
    said = " ".join(outcome.out.split())
    ordered = (
        "2 of 3 columns are enough for 'y': ",
        "Both are sure (a useless column gets among the sure ones in at most 1 of 5 tables): size, district.",
        "R² of a random forest on new rows: ",
        "% with 2 columns, ",
        "p = 0.01: none of 99 shuffled targets scored as high.",
        "columns 1 *2* 3 predicted ",
        "of the variance of 'y', on rows that the columns were not chosen from",
        "column verdict halves lost without why",
        "1 size sure 22 of 22 ",
        "2 district sure 22 of 22 ",
        "With them, a linear model predicts",
        "of the variance of the target (R²), in rows left out one by one",
        "Stability over 22 halves of the rows: ",
    )
    places = [said.find(part) for part in ordered]
    assert places[0] == 0
    assert -1 not in places, said
    assert places == sorted(places)
    text = (tmp_path / "r.json").read_text(encoding="utf-8")
    Draft202012Validator(schema()).validate(json.loads(text))
    result = read_result(text)
    assert (result.criterion, result.unit, result.halves and result.halves.n_halves) == ("linear", "r_squared", 22)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "variance predicted (R²)" in page
    assert page.index("Which are sure?") < page.index("How many are enough?") < page.index("All columns")
    assert pl.read_csv(tmp_path / "o.csv").columns == ["size", "district", "y"]


def test_a_number_in_classes_has_a_note(tmp_path: Path) -> None:
    houses().write_csv(tmp_path / "t.csv")
    outcome = entropick(*SELECT, "-c", "reliable", "--no-null", folder=tmp_path)
    assert "Note: the target 'y' is numeric and was cut into 5 classes" in outcome.out
    ranked = entropick(*SELECT, "-m", "mim", "-k", "1", folder=tmp_path)
    assert "because the ranking 'mim' needs classes" in " ".join(ranked.out.split())


def test_noise_keeps_nothing_and_says_why(tmp_path: Path) -> None:
    noise().write_csv(tmp_path / "t.csv")
    options = ("--json", "r.json", "--report", "r.html", "--out", "o.csv")
    outcome = entropick(*SELECT, *options, folder=tmp_path)
    assert (outcome.status, outcome.err) == (0, "")
    said = " ".join(outcome.out.split())
    assert said.startswith("None of the 6 columns is better than chance for 'y'. p = ")
    assert "Note: no column is better than chance: as much is found about the target when its values are" in said
    assert "--no-null" in said
    result = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert result["features"] == []
    assert result["chance"]["p_value"] > 0.02
    assert pl.read_csv(tmp_path / "o.csv").columns == ["y"]
    anyway = entropick(*SELECT, "--no-null", "--json", "-", folder=tmp_path)
    kept = json.loads(anyway.out)
    assert kept["chance"] is None
    assert kept["n_features"] > 0


SENTENCES = {
    "--effort hihg": "unknown --effort 'hihg'. Known: 'low', 'normal', 'high'. Did you mean 'high'?",
    "-m forward --effort high": "--effort is not a setting of 'forward', which is a search",
    "--keep 2": "--keep must be a share greater than 0 and at most 1, or 'one_se'; got 2.0",
    "--keep most": "--keep must be a share greater than 0 and at most 1, or 'one_se'; got 'most'",
    "--decoys -1": "--decoys must be an integer of at least 0; got -1",
    "-m cmim --keep 0.9": "--keep is not a setting of 'cmim', which is a ranking",
    "-m cmim --decoys 2": "--decoys is not a setting of 'cmim', which is a ranking",
    "-m cmim --no-null": "--no-null is not a setting of 'cmim', which is a ranking",
}


@pytest.mark.parametrize("options", SENTENCES)
def test_sentences_name_the_options(options: str, tmp_path: Path) -> None:
    noise().write_csv(tmp_path / "t.csv")
    outcome = entropick(*SELECT, *options.split(), folder=tmp_path)
    assert outcome.status == 2
    assert outcome.err.startswith(f"entropick: {SENTENCES[options]}")


STAGES = {"chance": "against_chance", "halves": "walk", "copies": "beside_decoys"}


@pytest.mark.signals
@pytest.mark.parametrize("stage", STAGES)
def test_ctrl_c_beside_the_search_ends_it_and_writes_nothing(
    stage: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    houses().write_csv(tmp_path / "t.csv")

    def press(*_: Any, **__: Any) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(f"entropick.path.{STAGES[stage]}", press)
    outcome = entropick(*SELECT, "--json", "r.json", folder=tmp_path)
    assert (outcome.status, outcome.out) == (130, "")
    assert outcome.err.startswith("entropick: interrupted")
    assert os.listdir(tmp_path) == ["t.csv"]


def stages_of(folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> list[str]:
    """What the bar shows, one after the other, and how often."""
    houses().write_csv(folder / "t.csv")
    seen: list[str] = []
    monkeypatch.setattr("entropick.cli.progress.ProgressBar.share", lambda _, name, done, total: seen.append(name))
    assert entropick(*SELECT, *options, folder=folder).status == 0
    return seen


def test_the_bar_shows_what_is_beside_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = stages_of(tmp_path, monkeypatch)
    assert list(dict.fromkeys(seen)) == [
        "comparing with chance", "choosing from halves", "looking at copies", "looking at the other columns",
        "testing a model",
    ]  # fmt: skip
    assert seen.count("comparing with chance") == 100
    assert seen.count("testing a model") == 6


def test_quick_leaves_out_all_but_the_selection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(stages_of(tmp_path, monkeypatch, "--quick")) == {"comparing with chance", "choosing from halves"}
    whole, quick = (
        json.loads(entropick(*SELECT, *options, "--json", "-", folder=tmp_path).out) for options in ((), ("--quick",))
    )
    assert [feature["name"] for feature in quick["features"]] == [feature["name"] for feature in whole["features"]]
    assert (quick["curve"], quick["chance"]) == (whole["curve"], whole["chance"])
    assert (quick["decoys"], quick["held_out"]) == (None, None)
    assert whole["decoys"] == 4
    assert stages_of(tmp_path, monkeypatch, "--quick", "--decoys", "2").count("looking at copies") > 0


def test_rankings_have_halves_unless_they_are_to_be_quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ranking = ("-m", "mim", "-k", "1")
    assert set(stages_of(tmp_path, monkeypatch, *ranking)) >= {"choosing from halves", "testing a model"}
    assert stages_of(tmp_path, monkeypatch, *ranking, "--quick") == []
    assert set(stages_of(tmp_path, monkeypatch, *ranking, "--quick", "--halves")) == {"choosing from halves"}


def test_out_of_time_nothing_more_is_tested_and_notes_say_so(tmp_path: Path) -> None:
    houses().write_csv(tmp_path / "t.csv")
    outcome = entropick(*SELECT, "--time-limit", "1e-9", "--json", "-", folder=tmp_path)
    result = json.loads(outcome.out)
    assert result["n_features"] == 1
    assert (result["chance"], result["decoys"], result["held_out"]) == (None, None, None)
    assert {"untested", "no_halves", "undone"} <= {note["code"] for note in result["notes"]}
    told = entropick(*SELECT, "--time-limit", "1e-9", folder=tmp_path).out
    assert "\nUntested: there was no time to compare this with shuffled targets.\n" in told
    assert "p = " not in told
