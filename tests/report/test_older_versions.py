"""Files of older versions open, lose nothing and make a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from entropick.cli import main
from entropick.report import Note, Report, read_result
from entropick.report.words import agreement, certainty, information, loss, sure

HERE = Path(__file__).parent
FIRST = {"search": HERE / "version_1_cross_entropy.json", "ranking": HERE / "version_1_cmim.json"}
SECOND = {
    "search": HERE / "version_2_cross_entropy.json",
    "ranking": HERE / "version_2_cmim.json",
    "a number in classes": HERE / "version_2_usable.json",
}
FILES = {path.name: path for path in (*FIRST.values(), *SECOND.values())}


@pytest.mark.parametrize("kind", FIRST)
def test_nothing_of_version_1_is_lost(kind: str) -> None:
    old = json.loads(FIRST[kind].read_text(encoding="utf-8"))
    result = read_result(json.dumps(old))
    new = json.loads(json.dumps(result.to_dict()))
    assert read_result(json.dumps(new)) == result
    assert (old.pop("version"), new.pop("version"), result.kind) == (1, 3, kind)
    assert result.notes == tuple(Note("note", sentence) for sentence in old.pop("warnings"))
    assert len(result.notes) == 3
    steps, trace = old.pop("trace"), new.pop("trace")
    assert {key: trace[key] for key in steps} == steps
    assert all(line.pop("selection_frequency") is line.pop("partner") is None for line in new["features"])
    assert all(part.pop("spread") == [] for part in (new["target"], *new["target_by_column"]))
    assert {key: new[key] for key in old} == old
    assert (result.criterion_label, result.criterion_claim) == (old["criterion"], None)
    if kind == "ranking":
        assert trace["best"] == trace["seconds"] == []


@pytest.mark.parametrize("kind", SECOND)
def test_nothing_of_version_2_is_lost(kind: str) -> None:
    old = json.loads(SECOND[kind].read_text(encoding="utf-8"))
    result = read_result(json.dumps(old))
    new = json.loads(json.dumps(result.to_dict()))
    assert read_result(json.dumps(new)) == result
    assert (old.pop("version"), new.pop("version")) == (2, 3)
    assert all(line.pop("selection_frequency") is line.pop("partner") is None for line in new["features"])
    assert all(part.pop("spread") == [] for part in (new["target"], *new["target_by_column"]))
    assert {key: new[key] for key in old} == old
    added = {key: value for key, value in new.items() if key not in old}
    assert added == {
        "best_score": result.score, "r_squared": None, "chance": None, "halves": None, "held_out": None, "columns": [],
        "luck": None, "tested": None,
    }  # fmt: skip
    assert certainty(result) == agreement(result) == loss(result) == sure(result) == ""


@pytest.mark.parametrize("name", FILES)
def test_it_makes_a_page(name: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["report", str(FILES[name]), "--out", str(page)]) == 0
    result = read_result(FILES[name].read_text(encoding="utf-8"))
    html = page.read_text(encoding="utf-8")
    assert html == Report(result).html
    assert all(f"<bdi>{feature.name}</bdi>" in html for feature in result.features)
    assert ("How the search went" in html) == (result.kind == "search")
    assert "How sure is that?" not in html


def test_what_usable_claimed_is_still_said() -> None:
    old = json.loads(FIRST["search"].read_text(encoding="utf-8"))
    result = read_result(json.dumps({**old, "criterion": "usable", "criterion_value": 0.5}))
    assert information(result).endswith("after correction for chance; a naive Bayes model can use 0.500 of them (50%).")
    kept = read_result(SECOND["a number in classes"].read_text(encoding="utf-8"))
    assert information(kept).endswith("after correction for chance; a naive Bayes model can use 0.286 of them (12%).")


@pytest.mark.parametrize("features", [3, ["x"], [None]])
def test_what_was_broken_in_version_2_is_named(features: object) -> None:
    old = json.loads(SECOND["search"].read_text(encoding="utf-8"))
    with pytest.raises(ValueError, match="is not an entropick result: 'features"):
        read_result(json.dumps({**old, "features": features}))
