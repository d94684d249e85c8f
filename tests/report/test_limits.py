"""Results that are too large, or hold numbers that are, and pages that stay bearable."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from entropick._words import grouped
from entropick.cli import main
from entropick.report import Report, Result, figures, read_result

NUMBERS = ("information_bits", "class_entropy_bits", "seconds", "delta_information", "criterion_value", "score")


@pytest.mark.parametrize("digits", ["1" + "0" * 400, "-1" + "0" * 400, "1e999", "1" * 5000])
@pytest.mark.parametrize("key", NUMBERS)
def test_numbers_that_no_float_holds_are_refused(key: str, digits: str, result: Result) -> None:
    text = json.dumps({**result.to_dict(), key: "here"}).replace('"here"', digits)
    with pytest.raises(ValueError, match="the number .* is too large") as caught:
        read_result(text)
    assert len(str(caught.value)) < 200


def test_the_command_refuses_them_in_a_sentence(
    result: Result, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps({**result.to_dict(), "corrected_information_bits": 10**400}))
    assert main(["report", str(path)]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("entropick: 'r.json' must be JSON written by")
    assert [file.name for file in tmp_path.iterdir()] == ["r.json"]


def wide(result: Result, n: int) -> Result:
    """The result with n chosen columns, and as much of all else as a result of so many may have."""
    feature, point, trace = result.features[0], result.size_curve[1], result.trace
    names = tuple(f"a rather long name of column {j}" for j in range(n))
    return replace(
        result,
        n_features=n,
        n_columns=n,
        features=tuple(replace(feature, name=name, index=j) for j, name in enumerate(names)),
        size_curve=tuple(replace(point, size=j, column=name) for j, name in enumerate(["", *names])),
        steps=n,
        trace=replace(
            trace,
            threshold=(trace.threshold * n)[:n],
            best=(trace.best * n)[:n],
            size=(trace.size * n)[:n],
            samples=(trace.samples * n)[:n],
            elite=(trace.elite * n)[:n],
            seconds=(trace.seconds * n)[:n],
            probabilities=replace(
                trace.probabilities,
                names=names[:40],
                values=tuple((line * n)[:n] for line in (trace.probabilities.values * 40)[:40]),
            ),
        ),
        settings={**result.settings, "always": list(names)},
    )


def test_a_page_of_very_many_columns_is_cut_and_says_so(result: Result) -> None:
    n = 20_000
    whole = wide(result, n)
    html = Report(whole).html
    own = len(html) - len(Report(result).html)
    assert own < 3_000_000
    assert f"And {grouped(19_500)} more columns; the JSON has all of them." in html
    assert f"And {grouped(19_501)} more rows; the JSON has all of them." in html
    sizes = figures.size_curve(whole).axes[0].lines[0].get_xdata()
    assert (sizes[0], sizes[-1]) == (0, n)
    assert len(sizes) <= 502


def test_a_page_tells_of_ten_thousand_columns_in_three_megabytes(result: Result) -> None:
    column, n = result.columns[-1], 10_000
    every = tuple(replace(column, name=f"a rather long name of column {j}", index=j) for j in range(100, n + 100))
    html = Report(replace(result, n_columns=n, columns=every)).html
    assert len(html) < 3_000_000
    assert all(f"a rather long name of column {j}" in html for j in (100, 1000, n + 99))


def test_a_page_and_a_notebook_cell_are_small(result: Result) -> None:
    assert len(Report(result).html) < 300_000
    assert len(Report(result)._repr_html_()) < 500_000


def test_a_page_of_few_columns_is_whole(result: Result) -> None:
    assert "the JSON has all of them" not in Report(result).html


def test_the_screen_shows_the_first_columns_and_says_how_many_more(
    result: Result, capsys: pytest.CaptureFixture[str]
) -> None:
    from entropick.cli.screen import screen, show_result

    show_result(wide(result, 501), screen())
    assert "And 1 more; --json has all of them." in capsys.readouterr().out
