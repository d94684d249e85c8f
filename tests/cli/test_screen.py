"""The first screen: what fits beside each other, and what is said below."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers import breast_cancer_frame, quick

from entropick.cli.screen import curve_lines, screen, show_result
from entropick.report import Curve, Result, describe

WHAT = "of 'target', on rows that the columns were not chosen from"
CURVE = Curve((1, 2, 3, 5), (-0.25, 0.5, 0.79, 0.8), (0.1, 0.02, 0.0, 0.05), 3, 3)
LONG = Curve(tuple(range(1, 31)), tuple(0.01 * size for size in range(1, 31)), (0.0,) * 30, 30, 30)


@pytest.fixture(scope="module")
def result() -> Result:
    return describe(quick().fit(*breast_cancer_frame()), quick=True)


def test_the_chosen_number_is_between_stars(result: Result) -> None:
    assert curve_lines(result, CURVE, 120) == [
        "columns       1   *2*     3     5",
        f"predicted   <0%   50%   79%   80%   {WHAT}",
    ]


def test_on_a_narrow_screen_what_it_is_comes_below(result: Result) -> None:
    assert curve_lines(result, CURVE, 80)[1:] == ["predicted   <0%   50%   79%   80%", f"          {WHAT}"]


def test_a_number_that_was_not_judged_is_about_what_its_neighbours_predict(result: Result) -> None:
    assert curve_lines(replace(result, n_features=4), CURVE, 120) == [
        "columns       1     2     3   *4*     5",
        f"predicted   <0%   50%   79%  ~80%   80%   {WHAT}",
    ]


@pytest.mark.parametrize("chosen", range(1, 31))
def test_of_many_numbers_the_ends_the_chosen_one_and_some_between_are_shown(chosen: int, result: Result) -> None:
    sizes = curve_lines(replace(result, n_features=chosen), LONG, 100)[0].split()[1:]
    shown = [int(size.strip("*")) for size in sizes]
    assert len(shown) == 9
    assert shown == sorted(set(shown))
    assert (shown[0], shown[-1]) == (1, 30)
    assert [size for size in sizes if "*" in size] == [f"*{chosen}*"]


def test_the_table_has_what_was_tried(result: Result, capsys: pytest.CaptureFixture[str]) -> None:
    show_result(result, screen())
    assert "column                lost without  why" in capsys.readouterr().out
    features = tuple(replace(feature, verdict="useful") for feature in result.features)
    show_result(replace(result, features=features, decoys=4), screen())
    told = capsys.readouterr().out
    assert "column                verdict  lost without  why" in told
    assert told.count(" useful ") == 2
