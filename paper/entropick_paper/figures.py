"""Figures 2 to 7 of the paper, ours, as plotly figures."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from entropick.report.figures import COLOURS, styled
from entropick_paper.published import NAMES, published

LINES = {"paper": "paper", "entropick": "entropick", "cmim": "CMIM", "mrmr": "mRMR", "disr": "DISR"}


def every_figure(results: dict[str, Any]) -> dict[str, go.Figure]:
    """By name: one for each data set with curves, and ``convergence``."""
    found = results["summary"]
    made = {name: retained(name, summary) for name, summary in found.items() if summary["curves"]}
    return {**made, "convergence": convergence(found)}


def retained(name: str, summary: dict[str, Any]) -> go.Figure:
    """MCE_NB and ΔI_r against the number of retained columns."""
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    for row, key in enumerate(("nb_diagonal", "delta_information"), start=1):
        for colour, (method, label) in zip(COLOURS, LINES.items(), strict=False):
            points = summary["curves"][method]
            x, y = [point["size"] for point in points], [point[key] for point in points]
            figure.add_scatter(
                x=x, y=y, name=label, legendgroup=method, showlegend=row == 1, mode="lines+markers", line_color=colour,
                row=row, col=1,
            )  # fmt: skip
        k = summary["methods"]["paper"]["k"]["median"]
        figure.add_vline(x=k, line_dash="dot", line_color=COLOURS[7], row=row, col=1)
        theirs = published(name, "paper")
        value = theirs.nb if key == "nb_diagonal" else theirs.delta
        if value is not None and theirs.k is not None and value < 2:
            figure.add_scatter(
                x=[theirs.k], y=[value], name="the paper's", mode="markers", showlegend=row == 1,
                marker={"symbol": "x", "size": 11, "color": COLOURS[7]}, row=row, col=1,
            )  # fmt: skip
    figure.update_yaxes(title="MCE, naive Bayes", rangemode="tozero", row=1, col=1)
    figure.update_yaxes(title="ΔI_r", rangemode="tozero", range=[0, 2], row=2, col=1)
    figure.update_xaxes(title="retained columns", row=2, col=1)
    return styled(figure, height=560)


def convergence(found: dict[str, Any]) -> go.Figure:
    """Threshold over H(y), step by step, of `paper` on every data set."""
    figure = go.Figure()
    for colour, (name, summary) in zip(COLOURS, found.items(), strict=False):
        line = summary["convergence"]["paper"]["objective"]
        figure.add_scatter(
            x=list(range(1, len(line) + 1)), y=line, name=NAMES[name], mode="lines+markers", line_color=colour
        )
    figure.update_xaxes(title="step")
    figure.update_yaxes(title="threshold of the objective / H(y)")
    return styled(figure, height=420)
