"""Our versions of figures 2 to 7 of the paper, as SVG."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from entropick.report.figures import COLOURS
from entropick_paper.published import NAMES, published

LINES = {"paper": "paper", "reliable": "reliable", "cmim": "CMIM", "mrmr": "mRMR", "disr": "DISR"}
_STYLE: dict[Any, Any] = {"svg.hashsalt": "entropick", "font.size": 9, "svg.fonttype": "path"}


@dataclass(frozen=True)
class Picture:
    """A drawn figure, and its numbers as a table."""

    name: str
    title: str
    svg: bytes
    heads: list[str]
    rows: list[list[Any]]


def pictures(results: dict[str, Any]) -> list[Picture]:
    """One picture per data set with curves, and ``convergence``."""
    found = results["summary"]
    with mpl.rc_context(_STYLE):
        return [*(_retained(name, found[name]) for name in found if found[name]["curves"]), _convergence(found)]


def _retained(name: str, summary: dict[str, Any]) -> Picture:
    """MCE_NB and ΔI_r against the number of retained columns."""
    figure = Figure(figsize=(8, 3), layout="constrained")
    theirs, k = published(name, "paper"), summary["methods"]["paper"]["k"]["median"]
    panels = (("nb_diagonal", "MCE, naive Bayes", theirs.nb), ("delta_information", "ΔI_r", theirs.delta))
    for axes, (key, label, value) in zip(figure.subplots(1, 2), panels, strict=True):
        for colour, (method, words) in zip(COLOURS, LINES.items(), strict=False):
            points = [point for point in summary["curves"][method] if point[key] is not None]
            axes.plot([p["size"] for p in points], [p[key] for p in points], ".-", color=colour, label=words)
        if value is not None and value < 2:
            axes.plot([theirs.k], [value], "x", color="black", label="the paper's")
        axes.axvline(k, linestyle=":", color=COLOURS[7])
        axes.set(xlabel="retained columns", ylabel=label)
        axes.set_ylim(bottom=0, top=2 if key == "delta_information" else None)
    figure.axes[0].legend(fontsize=7)
    figure.suptitle(NAMES[name])
    rows = [
        [LINES[method], point["size"], point["nb_diagonal"], point["delta_information"]]
        for method, points in summary["curves"].items()
        for point in points
    ]
    heads = ["method", "columns", "MCE, naive Bayes", "ΔI_r"]
    return Picture(name, f"{NAMES[name]}: error and ΔI_r against retained columns", _svg(figure), heads, rows)


def _convergence(found: dict[str, Any]) -> Picture:
    """The threshold of `paper` divided by H(y), step by step, on every data set."""
    figure, title = Figure(figsize=(8, 3), layout="constrained"), "The objective, step by step"
    axes = figure.subplots()
    lines = {NAMES[name]: summary["convergence"]["paper"]["objective"] for name, summary in found.items()}
    for colour, (name, line) in zip(COLOURS, lines.items(), strict=False):
        axes.plot(range(1, len(line) + 1), line, ".-", color=colour, label=name)
    axes.set(xlabel="step", ylabel="threshold / H(y)", title=title)
    axes.legend(fontsize=7)
    rows = [[name, step, value] for name, line in lines.items() for step, value in enumerate(line, start=1)]
    return Picture("convergence", title, _svg(figure), ["data set", "step", "threshold / H(y)"], rows)


def _svg(figure: Figure) -> bytes:
    drawn = io.BytesIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None})
    return drawn.getvalue()
