"""The page and the plots, made from the result alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers import labels, quick

from entropick import CrossEntropySelector
from entropick.report import Note, Report, Result, figures, read_result


def test_the_page_is_made_from_the_json_alone(result: Result) -> None:
    again = read_result(json.dumps(result.to_dict()))
    assert again == result
    assert Report(again).html == Report(result).html


def test_the_page_names_no_other_file_and_no_address(result: Result) -> None:
    html = Report(result).html
    assert "http" not in html.replace("http-equiv", "")
    assert re.findall(r'(?:src|href)="(?!#|data:)', html) == []
    assert "default-src 'none'" in html


def test_no_id_is_given_twice_and_none_is_missing(result: Result) -> None:
    html = Report(result).html
    given = re.findall(r' id="([^"]+)"', html)
    assert len(given) == len(set(given)) > 10
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', html)) <= set(given)


def test_hostile_names_are_escaped_everywhere(result: Result) -> None:
    evil = "</script><script>alert(1)</script>\"'<img src=x onerror=alert(1)>"
    words = {"criterion": evil, "criterion_label": evil, "criterion_claim": evil, "method": evil}
    trace = replace(result.trace, threshold_label=evil)
    text = json.dumps(replace(result, **words, trace=trace, notes=(Note("note", evil),)).to_dict())
    for name in ("worst area", "target", "worst concave points"):
        text = text.replace(f": {json.dumps(name)}", f": {json.dumps(evil)}")
    html = Report(read_result(text)).html
    assert html.count("&lt;img src=x onerror=alert(1)&gt;") > 15
    assert "<img" not in html
    assert html.count("<script>alert(1)") == 0
    assert html.count("<script") == 1


def test_a_report_is_shown_in_a_frame_of_its_own(cancer: CrossEntropySelector) -> None:
    shown = cancer.report()._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts"' in shown


def test_saving_replaces_a_file_only_by_a_whole_one(
    result: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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


def test_a_ranking_has_no_convergence_to_show() -> None:
    from sklearn.datasets import load_breast_cancer

    from entropick import RankSelector

    X, y = load_breast_cancer(return_X_y=True)
    report = RankSelector("cmim", n_features_to_select=1).fit(X, y).report()
    assert set(report.figures) == {"columns", "features", "size_curve", "target_by_column_0"}
    assert "How the search went" not in report.html


def test_an_empty_selection_has_a_page() -> None:
    report = quick().fit([[0], [1], [0], [1]] * 5, [0, 0, 1, 1] * 5).report()
    assert "The only column is not worth keeping" in report.html


def test_the_criterion_has_a_line_where_it_is_none_of_the_others(result: Result) -> None:
    def lines(result: Result, *scores: float, **changes: Any) -> list[str]:
        curve = [replace(point, score=score) for point, score in zip(result.size_curve, scores, strict=False)]
        shown = figures.size_curve(replace(result, size_curve=tuple(curve), **changes))
        return labels(shown)[:-2]

    both = ["plug-in estimate I(U;y)", "corrected for chance"]
    assert lines(result, *(point.information_bits for point in result.size_curve)) == both
    assert lines(result, *(point.corrected_bits for point in result.size_curve)) == both
    assert lines(result, 0.0, 0.25, 0.5, criterion_label="<own>") == [*both, "<own>"]
    assert lines(result, 0.0, 0.25, 0.5, unit="score") == both


def test_a_search_without_a_threshold_shows_none(result: Result) -> None:
    told = replace(result, trace=replace(result.trace, threshold_label="limit of patience"))
    assert labels(figures.convergence(told)) == ["best score", "limit of patience", "columns of the best"]
    assert "so far, the limit of patience, and the number of columns" in Report(told).html
    without = replace(told, trace=replace(told.trace, threshold=(None,) * result.steps))
    assert labels(figures.convergence(without)) == ["best score", "columns of the best"]
    assert "limit of patience" not in Report(without).html


def test_the_page_says_what_the_criterion_claims(result: Result) -> None:
    told = Report(replace(result, criterion_claim="a toad can use 0.500 of them")).html
    assert "after correction for chance; a toad can use 0.500 of them." in told
    assert "after correction for chance." in Report(result).html


def test_what_makes_pages_is_loaded_when_one_is_made() -> None:
    code = "import sys, entropick.report as r; print({'jinja2', 'matplotlib'} & set(sys.modules), r.figures.__name__)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "set() entropick.report.figures\n"
