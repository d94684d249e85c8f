"""The bar: what it says of a search, and for how long it thinks it will go on."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from rich.progress import Progress

from entropick.cli.progress import ProgressBar, _spoken


def line(step: int, seconds: float, probabilities: Any = None) -> dict[str, Any]:
    return {"step": step, "best": 0.123456, "size": 3, "seconds": seconds, "probabilities": probabilities}


def state(bar: ProgressBar) -> dict[str, Any]:
    """What the bar shows now."""
    task = bar._bar.tasks[0]
    return {"description": task.description, "total": task.total, "completed": task.completed, **task.fields}


def drawn(bar: ProgressBar) -> str:
    console = Console(file=io.StringIO(), width=120, color_system=None)
    console.print(Progress(*bar._bar.columns).make_tasks_table(bar._bar.tasks))
    return console.file.getvalue()


def test_a_search_is_as_far_as_its_probabilities_have_settled() -> None:
    bar = ProgressBar()
    assert bar._settled(None) == 0
    assert bar._settled(np.full(4, 0.5)) == 0
    assert bar._settled(np.array([0.5, 0.5, 1.0, 0.0])) == pytest.approx(0.5)
    assert bar._settled(np.array([0.0, 1.0, 1.0, 0.0])) == pytest.approx(1)
    assert bar._settled(np.full(4, 0.5)) == 0


def test_it_is_never_less_than_nothing_where_the_start_is_sure() -> None:
    bar = ProgressBar()
    assert bar._settled(np.full(4, 0.01)) == 0
    assert bar._settled(np.full(4, 0.5)) == 0  # less sure than at the start: that is the new start
    assert 0 < bar._settled(np.full(4, 0.01)) < 1


def test_a_step_says_its_number_the_best_score_and_the_time_left() -> None:
    bar = ProgressBar()
    bar.step(line(1, 4.0, np.full(4, 0.5)))
    first = state(bar)
    assert (first["description"], first["total"], first["completed"], first["left"]) == ("searching", None, 0, None)
    bar.step(line(2, 6.0, np.array([0.5, 1.0, 1.0, 0.0])))
    second = state(bar)
    assert second["facts"] == "step 2 · best 0.1235 · 3 columns kept"
    assert (second["total"], second["completed"]) == (1, pytest.approx(0.75))
    assert second["left"] == pytest.approx(2)  # three quarters took six seconds
    assert "step 2 · best 0.1235 · 3 columns kept" in drawn(bar)
    assert "about 2 s left" in drawn(bar)


def test_the_limit_of_time_is_the_most_that_is_left() -> None:
    bar = ProgressBar(limit=10.0)
    bar.step(line(1, 4.0))
    assert state(bar)["left"] == 6
    bar.step(line(2, 9.0, np.array([0.5, 0.5])))
    bar.step(line(3, 9.0, np.array([0.5, 0.5001])))
    assert state(bar)["left"] == 1
    bar.step(line(4, 12.0))
    assert state(bar)["left"] == 0


def test_parts_that_are_done_tell_how_long_the_others_take(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    bar = ProgressBar()
    bar.share("mrmr", 0, 8)
    assert state(bar) | {"left": None, "facts": "0 of 8", "total": 8, "completed": 0} == state(bar)
    now[0] = 130.0
    bar.share("mrmr", 2, 8)
    assert state(bar)["left"] == pytest.approx(90)
    assert "mrmr" in drawn(bar)
    assert "2 of 8" in drawn(bar)
    assert "about 2 min left" in drawn(bar)
    bar.phase("writing")
    assert state(bar) | {"description": "writing", "left": None, "facts": "", "completed": 0} == state(bar)


@pytest.mark.parametrize(
    ("seconds", "spoken"),
    [(0.2, "0 s"), (89.4, "89 s"), (90, "2 min"), (5399, "90 min"), (5400, "1.5 h"), (36_000, "10.0 h")],
)
def test_times_are_spoken_in_the_unit_that_fits(seconds: float, spoken: str) -> None:
    assert _spoken(seconds) == spoken


def test_without_a_terminal_nothing_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressBar() as bar:
        bar.phase("reading")
        bar.step(line(1, 4.0, np.full(4, 0.5)))
    assert capsys.readouterr() == ("", "")
