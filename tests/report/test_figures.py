"""The figures: what they show, and that they hold whatever the table is like."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from helpers import labels, quick

from entropick.report import Curve, Report, Result, describe, figures

STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture(scope="module")
def numeric() -> Result:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (300, 3))
    return describe(quick("auto").fit(X, 10.0 * X[:, 0] + rng.normal(size=300)), quick=True)


@pytest.fixture(scope="module")
def many() -> Result:
    """32 classes and 60 levels."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 32, 3000)
    levels = [f"level {value}" for value in (2 * y + rng.integers(0, 4, 3000)) % 60]
    X = np.array([levels, (y // 4).astype(str)], dtype=object).T
    return describe(quick().fit(X, [f"class {value}" for value in y]), quick=True)


def ticks(axis: object) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels()]  # type: ignore[attr-defined]


def test_every_figure_shows_the_numbers_of_the_result(result: Result) -> None:
    made = Report(result).figures
    assert list(made) == figures.names(result) == [
        "columns", "features", "size_curve", "redundancy", "convergence", "probabilities", "target_by_column_0",
        "target_by_column_1",
    ]  # fmt: skip
    assert list(made["convergence"].axes[0].lines[0].get_ydata()) == list(result.trace.best)
    assert labels(made["size_curve"])[-1] == "chosen: 2"
    assert made["probabilities"].axes[0].images[0].get_array().shape[:2] == (30, result.steps)
    shown = [bar.get_width() for bar in made["features"].axes[0].containers[0]]
    assert shown == [feature.adds for feature in result.features]
    gains = [bar.get_width() for bars in made["columns"].axes[0].containers for bar in bars]
    assert sorted(gains) == sorted(column.gain for column in result.columns)  # type: ignore[type-var]


CURVE = Curve((1, 2, 3, 5, 8), (-3.0, 0.5, 0.79, 0.8, 0.6), (0.4, 0.1, 0.02, 0.0, 0.05), 3, 3)


def test_the_curve_is_shown_with_its_error_and_the_chosen_number(result: Result) -> None:
    told = replace(result, curve=CURVE)
    assert figures.names(told)[:2] == ["size_curve", "columns"]
    figure = figures.size_curve(told)
    (axes,) = figure.axes
    curve, chosen, best = axes.lines
    assert (tuple(curve.get_xdata()), tuple(curve.get_ydata())) == (CURVE.sizes, CURVE.predicted)
    assert set(chosen.get_xdata()) == {result.n_features}
    assert set(best.get_ydata()) == {0.8}
    assert labels(figure) == ["predicted", "± standard error", "best: 5", "chosen: 2"]
    (band,) = axes.collections
    ends = band.get_paths()[0].vertices
    for size, value, error in zip(CURVE.sizes, CURVE.predicted, CURVE.error, strict=True):
        assert {round(y, 9) for x, y in ends if x == size} >= {round(value - error, 9), round(value + error, 9)}
    low, high = axes.get_ylim()
    assert -1 < low < 0.5 < 0.81 < high < 1  # what is far below 0 is cut off
    assert axes.get_ylabel() == "share of the entropy"


def test_a_curve_that_is_nearly_level_looks_level(result: Result) -> None:
    level = Curve((1, 2), (0.9991, 0.999), (0.0, 0.0001), 1, 1)
    low, high = figures.size_curve(replace(result, curve=level)).axes[0].get_ylim()
    assert high - low > 0.05


def test_a_plot_is_the_curve_where_there_is_one(result: Result) -> None:
    told = replace(result, curve=CURVE)
    assert labels(Report(told).plot()) == labels(figures.size_curve(told))
    assert labels(Report(result).plot()) == labels(figures.columns(result)) == ["kept", "not kept"]


def test_the_numbers_of_the_curve_are_below_it(result: Result) -> None:
    html = Report(replace(result, curve=CURVE)).html
    assert html.index("How many are enough?") < html.index("All columns")
    assert html.count('data-figure="size_curve"') == 1
    numbers = html[html.index('data-figure="size_curve"') :]
    cells = '<td class="number">5</td><td class="number">0.8000</td><td class="number">0.0000</td>'
    assert cells in numbers[: numbers.index("</figure>")]
    assert "Information by number of columns" not in html


def test_bars_are_shares_as_thick_as_their_rows_are_many(result: Result) -> None:
    column = replace(result.target_by_column[0], values=("few", "many"), counts=((1, 3), (300, 100)))
    figure = figures.target_by_column(replace(result, target_by_column=(column,)))
    first, second = figure.axes[0].containers
    assert [bar.get_width() for bar in first][1:] == [0.25, 0.75]
    assert [a.get_width() + b.get_width() for a, b in zip(first, second, strict=True)] == pytest.approx([1.0] * 3)
    every, few, most = (bar.get_height() for bar in first)
    assert few < most <= every
    base = result.target.counts[0] / result.n_rows
    assert [line.get_xdata()[0] for line in figure.axes[0].lines] == pytest.approx([base])
    assert ticks(figure.axes[0].yaxis) == ["all rows", "few", "many"]
    right = figure.axes[0].child_axes[0].yaxis
    assert ticks(right) == ["569 rows", "4", "400"]


def test_many_classes_are_rows_of_a_heat_map(many: Result) -> None:
    assert len(many.target.labels) == 32
    assert figures.legend(many) == []
    axes = figures.target_by_column(many).axes[0]
    assert ticks(axes.yaxis) == list(many.target.labels)
    beside = ticks(axes.xaxis)
    assert beside[0] == "all rows (3,000)"
    assert len(beside) <= 14
    shares = axes.images[0].get_array()[..., 3]
    assert shares.max() == 1.0


def test_a_numeric_target_is_shown_as_numbers(numeric: Result) -> None:
    column = numeric.target_by_column[0]
    assert [round(middle / 10) for _, _, middle, _, _ in column.spread] == [0, 1, 2]
    figure = figures.target_by_column(numeric)
    boxes = figure.axes[0].containers[0]
    assert [box.get_x() for box in boxes] == pytest.approx([numeric.target.spread[1], *(s[1] for s in column.spread)])
    strengths = [box.get_facecolor()[3] for box in boxes][1:]
    assert strengths == sorted(strengths)
    assert figures.legend(numeric) == []


def test_steps_and_sizes_have_whole_ticks(result: Result) -> None:
    made = Report(result).figures
    steps = made["convergence"].axes[1]
    for axis in (made["size_curve"].axes[0].xaxis, steps.xaxis, steps.yaxis):
        assert all(place == int(place) for place in axis.get_majorticklocs())


@pytest.mark.parametrize("factor", [1.0, 1e-4, 1e7])
def test_numbers_along_an_axis_do_not_meet(result: Result, factor: float) -> None:
    columns = tuple(replace(column, gain=factor * (column.gain or 0.0)) for column in result.columns)
    features = tuple(replace(feature, adds=factor * feature.adds) for feature in result.features)
    for name, figure in Report(replace(result, columns=columns, features=features)).figures.items():
        for axes in figure.axes:
            for axis, at in ((axes.xaxis, "x"), (axes.yaxis, "y")):
                boxes = [label.get_window_extent() for label in axis.get_ticklabels() if label.get_text()]
                ends = sorted((getattr(box, f"{at}0"), getattr(box, f"{at}1")) for box in boxes)
                assert all(end <= start for (_, end), (start, _) in pairwise(ends)), (name, at)


def test_names_are_text_and_nothing_else(result: Result) -> None:
    name = "$x_1$ <b>&</b> é🌡️\n" + "long " * 60
    told = replace(result, columns=tuple(replace(column, name=name) for column in result.columns))
    figure = figures.columns(told)
    (shown,) = set(ticks(figure.axes[0].yaxis))
    assert shown.startswith("$x_1$ <b>&</b> é")
    assert len(shown) == 22
    assert "$x_1$ &lt;b&gt;&amp;&lt;/b&gt;" in figure.inline("columns")


def test_a_figure_is_the_same_each_time_and_tells_no_time(result: Result) -> None:
    first, second = (figures.size_curve(result).inline("a") for _ in range(2))
    assert first == second
    assert "dc:date" not in figures.size_curve(result).svg()


def test_text_has_the_colour_of_the_page(result: Result) -> None:
    svg = figures.size_curve(result).inline("a")
    assert "currentColor" in svg
    assert "#1d232b" not in svg
    assert "#0072b2" in svg


@pytest.mark.parametrize("kind", STARTS)
def test_a_suffix_says_what_is_saved(result: Result, tmp_path: Path, kind: str) -> None:
    Report(result).save(tmp_path / f"a.{kind}")
    Report(result).save(tmp_path / f"b.{kind.upper()}", "size_curve")
    first, second = (tmp_path / f"a.{kind}").read_bytes(), (tmp_path / f"b.{kind.upper()}").read_bytes()
    assert first.startswith(STARTS[kind])
    assert second.startswith(STARTS[kind])
    assert first != second


def test_a_figure_that_is_not_there_is_named(result: Result, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no figure 'sizes'; this result has columns, features"):
        Report(result).save(tmp_path / "a.png", "sizes")
    with pytest.raises(ValueError, match="a figure must be saved as one of png, svg, pdf; got"):
        Report(result).save(tmp_path / "a.html", "size_curve")
    assert not list(tmp_path.iterdir())


def test_the_page_has_one_legend(result: Result, many: Result) -> None:
    assert Report(result).html.count('class="legend"') == 1
    assert Report(many).html.count('class="legend"') == 0
    assert "legend_1" not in Report(many).html
