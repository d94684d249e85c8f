"""The evaluation of the paper, on the one data set that needs no download, and what is committed of the whole."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from uci import needs_data

from entropick.evaluation import Estimate
from entropick.reproduce import QUICK, Plan, reproduce
from entropick.reproduce._claims import judge_claims
from entropick.reproduce._odd import odd_entries
from entropick.reproduce._protocol import METHODS, Table, run
from entropick.reproduce._published import NAMES, SHAPES, published
from entropick.reproduce._summary import summarise

PAPER = Path(__file__).parents[2] / "paper"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("reproduction")
    return folder, reproduce(folder, ["breast_cancer"], seeds=2, plan=QUICK)


def test_everything_is_written(made: tuple[Path, dict[str, Any]]) -> None:
    folder, results = made
    assert {path.name for path in folder.iterdir()} >= {"README.md", "report.html", "results.json", "runs"}
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert "25.0797" in text  # the paper's beside ours
    assert "The claims of the paper" in text
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert [run["seed"] for run in json.loads((folder / "results.json").read_text())["runs"]] == [0, 1]
    assert set(results["summary"]["breast_cancer"]["methods"]) == set(METHODS)


def test_rankings_have_the_k_of_paper_and_the_swarm_its_own(made: tuple[Path, dict[str, Any]]) -> None:
    for one in made[1]["runs"]:
        sizes = {name: method["k"] for name, method in one["methods"].items()}
        assert sizes["disr"] == sizes["cmim"] == sizes["mrmr"] == sizes["paper"]
        assert sizes["all"] == 30
        assert len(one["methods"]["paper"]["columns"]) == sizes["paper"]


def test_no_test_row_is_a_training_row() -> None:
    table = Table("breast_cancer")
    train, test = table.split(3)
    assert sorted([*train, *test]) == list(range(569))
    assert len(test) == 56
    assert list(table.split(4)[1]) != list(test)


def test_a_run_that_is_there_is_not_made_again(made: tuple[Path, dict[str, Any]]) -> None:
    folder, results = made
    first, second = (folder / "runs" / f"breast_cancer-{seed}.json" for seed in (0, 1))
    before = first.stat().st_mtime_ns
    second.unlink()
    steps: list[tuple[int, int, str]] = []
    again = reproduce(folder, ["breast_cancer"], seeds=2, plan=QUICK, callback=lambda *line: steps.append(line))
    assert first.stat().st_mtime_ns == before
    assert {done for done, _, _ in steps} == {1}
    for one, other in zip(results["runs"], again["runs"], strict=True):
        assert {name: method.get("columns") for name, method in one["methods"].items()} == {
            name: method.get("columns") for name, method in other["methods"].items()
        }


def test_a_run_with_other_settings_is_made_again(tmp_path: Path) -> None:
    plan = Plan(curve_seeds=0, parsimony=0.0)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "breast_cancer-0.json").write_text('{"format": "entropick-reproduction"}')
    results = reproduce(tmp_path, ["breast_cancer"], seeds=1, plan=plan)
    methods = results["runs"][0]["methods"]
    assert methods["paper"]["columns"] == methods["literal"]["columns"]
    assert results["runs"][0]["curves"] == {}


@pytest.mark.parametrize(
    ("datasets", "seeds", "words"),
    [(["canser"], 1, "unknown data set"), ([], 1, "at least one"), (["breast_cancer"], 0, "seeds")],
)
def test_what_cannot_be_is_refused(datasets: list[str], seeds: int, words: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=words):
        reproduce(tmp_path, datasets, seeds=seeds)
    assert list(tmp_path.iterdir()) == []


def invented(paper: dict[str, float], rival: dict[str, float]) -> dict[str, Any]:
    """A summary of breast cancer in which every ranking and the swarm have the same numbers."""
    exact = {name: Estimate(value, 0.0) for name, value in rival.items()}
    k = {"median": 20.0, "least": 20, "most": 20}
    methods = {name: {"k": k, **exact} for name in METHODS}
    methods["paper"] = {"k": k, **{name: Estimate(value, 0.0) for name, value in paper.items()}}
    methods["all"] = {"k": {"median": 30.0, "least": 30, "most": 30}, **exact}
    steps = {"objective": [0.1, 0.5, 0.8, 0.9, 0.95, 1.0], "steps": 8.0}
    return {"breast_cancer": {"methods": methods, "convergence": {"paper": steps}}}


def test_verdicts_follow_the_numbers() -> None:
    low = {"nb_diagonal": 0.1, "knn": 0.1, "delta_information": 0.1, "seconds": 1.0, "knn_on_training_rows": 0.05}
    high = {name: 2 * value for name, value in low.items()}
    good = [claim.verdict for claim in judge_claims(invented(low, high))]
    bad = [claim.verdict for claim in judge_claims(invented({**high, "seconds": 99.0}, low))]
    assert good[1:4] == ["holds"] * 3
    assert good[5:] == ["holds"] * 2
    assert bad[1:4] == ["does not hold"] * 3
    assert bad[5:] == ["does not hold"] * 2


def test_entries_that_cannot_be_are_named() -> None:
    numbers = {"nb_diagonal": 0.1, "knn": 0.1, "delta_information": 0.0, "seconds": 1.0, "knn_on_training_rows": 0.01}
    lines = "\n".join(odd_entries({"summary": invented(numbers, numbers)}))
    assert "0.01 in the paper; ours is 0.1000 on rows left out and 0.0100 on training rows" in lines
    assert "25.0797" in lines
    assert "30 besides the patient" in lines


def test_every_number_of_the_paper_is_there() -> None:
    for name in NAMES:
        assert published(name, "paper").k is not None
        assert published(name, "pso").nb is not None
        assert published(name, "usable").nb is None
        assert len(SHAPES[name]) == 2
    assert published("advertisements", "mrmr").nb is None
    assert published("gesture_phase", "pso").k == 35


def test_the_committed_tables_are_those_of_the_committed_runs() -> None:
    results = json.loads((PAPER / "results.json").read_text(encoding="utf-8"))
    text = (PAPER / "README.md").read_text(encoding="utf-8")
    assert len(results["runs"]) == 60
    assert results["seeds"] == list(range(10))
    for name in NAMES:
        summary = summarise([one for one in results["runs"] if one["dataset"] == name])
        for method in ("paper", "entropick", "usable", "cmim", "pso"):
            for measure in ("nb_diagonal", "knn", "delta_information"):
                estimate = summary["methods"][method][measure]
                assert estimate is None or f"{estimate.mean:.4f} ± {estimate.error:.4f}" in text
        assert (PAPER / "figures" / f"{name}.svg").exists()
    assert re.findall(r"!\[[^]]*\]\(([^)]*)\)", text) == [f"figures/{name}.svg" for name in (*NAMES, "convergence")]


@pytest.mark.parametrize("name", ["breast_cancer", "forest_fires", "gesture_phase"])
def test_a_second_run_selects_what_is_committed(name: str) -> None:
    if name != "breast_cancer":
        needs_data()
    committed = json.loads((PAPER / "results.json").read_text(encoding="utf-8"))
    (stored,) = [one for one in committed["runs"] if one["dataset"] == name and one["seed"] == 5]
    again = run(Table(name), 5, Plan(curve_seeds=0))
    for method, found in stored["methods"].items():
        assert again["methods"][method].get("columns") == found.get("columns")
