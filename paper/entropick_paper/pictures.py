"""The figures as SVG files for the Markdown page, where matplotlib is installed: pip install 'entropick[figures]'."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from entropick._files import replacing
from entropick.report.figures import COLOURS
from entropick_paper.figures import LINES
from entropick_paper.published import NAMES, published


def draw(results: dict[str, Any], folder: Path) -> dict[str, str]:
    """Write a file for each figure into the folder ``figures``, and return them by title; none without matplotlib."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        return {}
    mpl.rcParams.update({"svg.hashsalt": "entropick", "font.size": 9, "svg.fonttype": "path"})
    (folder / "figures").mkdir(exist_ok=True)
    drawn = {}
    for name, summary in results["summary"].items():
        if summary["curves"]:
            figure = Figure(figsize=(8, 3), layout="constrained")
            _retained(figure, name, summary)
            drawn[f"{NAMES[name]}: error and ΔI_r against retained columns"] = _save(figure, folder, name)
    figure = Figure(figsize=(8, 3), layout="constrained")
    axes = figure.subplots()
    for colour, (name, summary) in zip(COLOURS, results["summary"].items(), strict=False):
        line = summary["convergence"]["paper"]["objective"]
        axes.plot(range(1, len(line) + 1), line, ".-", color=colour, label=NAMES[name])
    axes.set(xlabel="step", ylabel="threshold / H(y)", title="The objective, step by step")
    axes.legend(fontsize=7)
    drawn["The objective, step by step"] = _save(figure, folder, "convergence")
    return drawn


def _retained(figure: Any, name: str, summary: dict[str, Any]) -> None:
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


def _save(figure: Any, folder: Path, name: str) -> str:
    drawn = io.BytesIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None})
    with replacing(folder / "figures" / f"{name}.svg") as file:
        file.write(drawn.getvalue())
    return f"figures/{name}.svg"
