"""The page and the plots, made from the dict alone."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from entropick import CrossEntropySelector
from entropick.report import Report, figures, read_result
from entropick.report.figures import plain


def test_the_page_is_made_from_the_json_alone(result: dict[str, Any]) -> None:
    again = read_result(json.dumps(result))
    assert Report(again).html == Report(result).html


def test_the_page_names_no_other_file_and_no_address(result: dict[str, Any]) -> None:
    html = Report(result).html
    own = html.replace(re.search(r"<script>.*?</script>", html, re.DOTALL)[0], "", 1)  # type: ignore[index]
    assert "http" not in own.replace("http-equiv", "")
    assert re.findall(r'(?:src|href)="(?!#|data:)', own) == []
    assert "default-src 'none'" in own


def test_hostile_names_are_escaped_everywhere(result: dict[str, Any]) -> None:
    evil = "</script><script>alert(1)</script>\"'<img src=x onerror=alert(1)>"
    text = json.dumps(result)
    for name in ("worst area", "target", "worst concave points"):
        text = text.replace(f": {json.dumps(name)}", f": {json.dumps(evil)}")
    text = text.replace('"warnings": []', f'"warnings": [{json.dumps(evil)}]')
    html = Report(json.loads(text)).html
    assert "<img" not in html
    assert html.count("<script>alert(1)") == 0
    assert html.count("<script") == 3


def test_a_report_is_shown_in_a_frame_of_its_own(cancer: CrossEntropySelector) -> None:
    shown = cancer.report()._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts"' in shown


def test_saving_replaces_a_file_only_by_a_whole_one(
    result: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.html"
    page.write_text("before")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match="No space"):
            Report(result).save(page)
    assert page.read_text() == "before"
    assert os.listdir(tmp_path) == ["page.html"]
    page.chmod(0o640)
    Report(result).save(page)
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert page.stat().st_mode & 0o777 == 0o640


def test_every_plot_has_its_numbers(result: dict[str, Any]) -> None:
    made = Report(result).figures
    assert set(made) == {
        "convergence", "features", "probabilities", "redundancy", "size_curve", "target_by_column_0",
        "target_by_column_1",
    }  # fmt: skip
    assert list(made["convergence"].data[0].y) == result["trace"]["best"]
    assert made["size_curve"].data[-1].name == "chosen: 2"
    assert len(made["probabilities"].data[0].z) == 30
    shares = [sum(bar.y[i] for bar in made["target_by_column_0"].data) for i in range(5)]
    assert shares == pytest.approx([1.0] * 5)
    assert list(figures.features(result).data[0].x) == [feature["adds"] for feature in result["features"]]


def test_a_ranking_has_no_convergence_to_show() -> None:
    from sklearn.datasets import load_breast_cancer

    from entropick import RankSelector

    X, y = load_breast_cancer(return_X_y=True)
    report = RankSelector("cmim", n_features_to_select=1).fit(X, y).report()
    assert set(report.figures) == {"features", "size_curve", "target_by_column_0"}
    assert "How the search went" not in report.html


def test_an_empty_selection_has_a_page() -> None:
    report = CrossEntropySelector(random_state=0).fit([[0], [1], [0], [1]] * 5, [0, 0, 1, 1] * 5).report()
    assert "The only column is not worth keeping" in report.html


@pytest.mark.parametrize("name", ["<b>", "a & b", "x\ny\x1b[31m", "é🌡️", "<br>" * 100])
def test_names_in_plots_are_plain_text(name: str) -> None:
    shown = plain(name)
    assert "<" not in shown
    assert ">" not in shown
    assert shown.isprintable()
