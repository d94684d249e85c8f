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
from command import Outcome, entropick
from jsonschema import Draft202012Validator

import entropick.selectors._searching as searching
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


@pytest.mark.all_shuffles
def test_a_number_stays_one_on_screen_in_the_json_and_on_the_page(tmp_path: Path) -> None:
    houses().write_csv(tmp_path / "t.csv")
    outcome = entropick(*SELECT, "--json", "r.json", "--report", "r.html", "--out", "o.csv", folder=tmp_path)
    assert outcome.status == 0, outcome.err
    said = " ".join(outcome.out.split())
    assert said.startswith("2 of 3 columns are worth keeping for 'y': 'size' and 'district'. You would ")
    assert "of the variance of new rows with chosen columns, " in said
    assert "With them, a linear model predicts" in said
    assert "of the variance of the target (R²)." in said
    assert "p = 0.01: as much was found in none of 99 shuffled targets." in said
    assert "Chosen again from 6 random halves of the rows, all of them were chosen every time." in said
    assert "Stability over the halves: " in said
    assert said.count("6 of 6") == 2
    text = (tmp_path / "r.json").read_text(encoding="utf-8")
    Draft202012Validator(schema()).validate(json.loads(text))
    result = read_result(text)
    assert (result.criterion, result.unit, result.halves and result.halves.n_halves) == ("linear", "r_squared", 6)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "variance predicted (R²)" in page
    assert "How sure is that?" in page
    assert pl.read_csv(tmp_path / "o.csv").columns == ["size", "district", "y"]


def test_a_number_in_classes_has_a_note(tmp_path: Path) -> None:
    houses().write_csv(tmp_path / "t.csv")
    outcome = entropick(*SELECT, "-c", "reliable", "--no-null", "--halves", "0", folder=tmp_path)
    assert "Note: the target 'y' is numeric and was cut into 5 classes" in outcome.out
    ranked = entropick(*SELECT, "-m", "mim", "-k", "1", folder=tmp_path)
    assert "because the ranking 'mim' needs classes" in " ".join(ranked.out.split())


def test_noise_keeps_nothing_and_says_why(tmp_path: Path) -> None:
    noise().write_csv(tmp_path / "t.csv")
    options = ("--within", "0", "--json", "r.json", "--report", "r.html", "--out", "o.csv")
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
    anyway = entropick(*SELECT, "--within", "0", "--no-null", "--json", "-", folder=tmp_path)
    kept = json.loads(anyway.out)
    assert kept["chance"] is None
    assert kept["n_features"] > 0


SENTENCES = {
    "--effort hihg": "unknown --effort 'hihg'. Known: 'low', 'normal', 'high'. Did you mean 'high'?",
    "-m forward --effort high": "--effort is not a setting of 'forward', which is a search",
    "--halves 1": "--halves must be an integer of at least 2; got 1",
    "--within -1": "--within must be",
    "-m cmim --halves 1": "--halves must be an integer of at least 2; got 1",
    "-m cmim --no-null": "--no-null is not a setting of 'cmim', which is a ranking",
}


@pytest.mark.parametrize("options", SENTENCES)
def test_sentences_name_the_options(options: str, tmp_path: Path) -> None:
    noise().write_csv(tmp_path / "t.csv")
    outcome = entropick(*SELECT, *options.split(), folder=tmp_path)
    assert outcome.status == 2
    assert outcome.err.startswith(f"entropick: {SENTENCES[options]}")


def interrupted_at(stage: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Outcome:
    """What happens if Ctrl-C is pressed in a stage of a selection."""
    houses().write_csv(folder / "t.csv")
    place = {"chance": "against_chance", "halves": "half_tables"}[stage]

    def press(*_: Any) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(searching, place, press)
    options = () if stage == "chance" else ("--no-null",)
    return entropick(*SELECT, *options, "--json", "r.json", folder=folder)


@pytest.mark.signals
@pytest.mark.parametrize("stage", ["chance", "halves"])
def test_ctrl_c_after_the_search_tells_the_best_and_writes_nothing(
    stage: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    outcome = interrupted_at(stage, monkeypatch, tmp_path)
    assert (outcome.status, outcome.out) == (130, "")
    assert outcome.err.startswith("entropick: interrupted after ")
    assert "the best so far: 'size', 'district'. Nothing was written." in outcome.err
    assert os.listdir(tmp_path) == ["t.csv"]


@pytest.mark.all_shuffles
def test_the_bar_shows_what_follows_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    houses().write_csv(tmp_path / "t.csv")
    seen: list[tuple[str, int, int]] = []
    monkeypatch.setattr("entropick.cli.progress.ProgressBar.share", lambda _, *line: seen.append(line))
    assert entropick(*SELECT, "--halves", "2", folder=tmp_path).status == 0
    compared = [line for line in seen if line[0] == "comparing with chance"]
    assert compared[:99] == [("comparing with chance", done, 99) for done in range(99)]
    later = [("choosing from halves", 2), ("looking at the other columns", 1), ("testing a model", 2)]
    names = [name for name, n in later for _ in range(n)]
    assert [name for name, _, _ in seen[len(compared) :]] == names


def test_out_of_time_nothing_more_is_tested_and_notes_say_so(tmp_path: Path) -> None:
    houses().write_csv(tmp_path / "t.csv")
    outcome = entropick(*SELECT, "--time-limit", "1e-9", "--json", "-", folder=tmp_path)
    result = json.loads(outcome.out)
    assert result["n_features"] == 1
    assert (result["chance"], result["halves"]) == (None, None)
    assert {"untested", "halves", "limit", "undone"} <= {note["code"] for note in result["notes"]}
