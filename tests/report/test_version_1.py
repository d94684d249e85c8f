"""Files of version 1 open, lose nothing and make a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from entropick.cli import main
from entropick.report import Note, Report, read_result
from entropick.report.words import summary

HERE = Path(__file__).parent
FILES = {"search": HERE / "version_1_cross_entropy.json", "ranking": HERE / "version_1_cmim.json"}


@pytest.mark.parametrize("kind", FILES)
def test_nothing_is_lost(kind: str) -> None:
    old = json.loads(FILES[kind].read_text(encoding="utf-8"))
    result = read_result(json.dumps(old))
    new = json.loads(json.dumps(result.to_dict()))
    assert read_result(json.dumps(new)) == result
    assert (old.pop("version"), new.pop("version"), result.kind) == (1, 2, kind)
    assert result.notes == tuple(Note("note", sentence) for sentence in old.pop("warnings"))
    assert len(result.notes) == 3
    steps, trace = old.pop("trace"), new.pop("trace")
    assert {key: trace[key] for key in steps} == steps
    assert {key: new[key] for key in old} == old
    assert (result.criterion_label, result.criterion_claim) == (old["criterion"], None)
    if kind == "ranking":
        assert trace["best"] == trace["seconds"] == []


@pytest.mark.parametrize("kind", FILES)
def test_it_makes_a_page(kind: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["report", str(FILES[kind]), "--out", str(page)]) == 0
    result = read_result(FILES[kind].read_text(encoding="utf-8"))
    html = page.read_text(encoding="utf-8")
    assert html == Report(result).html
    assert all(f"<bdi>{feature.name}</bdi>" in html for feature in result.features)
    assert ("How the search went" in html) == (kind == "search")


def test_what_usable_claimed_is_still_said() -> None:
    old = json.loads(FILES["search"].read_text(encoding="utf-8"))
    result = read_result(json.dumps({**old, "criterion": "usable", "criterion_value": 0.5}))
    assert summary(result).endswith("(57%); a naive Bayes model can use 0.500 of them (50%).")
