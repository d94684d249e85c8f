"""The plots of a result, each a function from a result to a plotly figure.

Examples
--------
>>> from sklearn.datasets import load_breast_cancer
>>> from entropick import CrossEntropySelector
>>> from entropick.report import describe, figures
>>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
>>> figure = figures.size_curve(describe(CrossEntropySelector("reliable", null=False).fit(X, y)))
>>> figure.layout.xaxis.title.text
'number of columns'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from entropick._words import shortened
from entropick.report._result import Result

__all__ = [
    "columns",
    "convergence",
    "every_figure",
    "features",
    "probabilities",
    "redundancy",
    "size_curve",
    "target_by_column",
]

# Safe for colour-blind readers (Okabe and Ito), and readable on white and on black.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#7f7f7f"]
_SHADES = "Blues"
_MOST_ROWS = 40  # lines of a heat map
_MOST_BARS = 200  # columns, with three bars each
_MOST_POINTS = 500  # of a line, and cells in a line of a heat map


def plain(text: str, most: int = 28) -> str:
    """Make a name plain text for plotly: shortened, with no tags or line breaks.

    Examples
    --------
    >>> plain("<b>age</b>")
    '&lt;b&gt;age&lt;/b&gt;'
    >>> plain("a" * 50)
    'aaaaaaaaaaaaaaaaaaaaaaaaaaa…'
    """
    return shortened(text, most).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def features(result: Result) -> go.Figure:
    """What each of the first chosen columns adds, carries alone, and what would be lost without it."""
    chosen = result.features[:_MOST_BARS]
    parts = {
        "adds to those before": [feature.adds for feature in chosen],
        "alone": [feature.alone for feature in chosen],
        "lost without it": [feature.lost_without for feature in chosen],
    }
    names = [feature.name for feature in chosen]
    figure = go.Figure()
    for colour, (label, values) in zip(COLOURS, parts.items(), strict=False):
        figure.add_bar(
            y=list(range(len(chosen))),
            x=values,
            name=label,
            orientation="h",
            marker_color=colour,
            hovertext=[f"{plain(n, 200)}<br>{label}: {value:.4f}" for n, value in zip(names, values, strict=True)],
            hoverinfo="text",
        )
    figure.update_yaxes(autorange="reversed", **_names(names))
    figure.update_xaxes(title=_unit(result))
    return styled(figure, height=120 + 50 * len(chosen))


def columns(result: Result) -> go.Figure:
    """What would be lost without each chosen column, and what the best of the others would add."""
    scored = sorted((c for c in result.columns if c.gain is not None), key=lambda c: (not c.is_chosen, -(c.gain or 0)))
    shown = scored[:_MOST_ROWS]
    figure = go.Figure()
    for colour, label, is_chosen in ((COLOURS[0], "kept", True), (COLOURS[7], "not kept", False)):
        places = [i for i, column in enumerate(shown) if column.is_chosen == is_chosen]
        figure.add_bar(
            y=places,
            x=[shown[i].gain for i in places],
            name=label,
            orientation="h",
            marker_color=colour,
            hovertext=[f"{plain(shown[i].name, 200)}<br>{shown[i].gain:.4f}" for i in places],
            hoverinfo="text",
        )
    if result.luck is not None:
        figure.add_vline(x=result.luck, line={"color": COLOURS[1], "dash": "dot"})
    figure.update_yaxes(autorange="reversed", **_names([column.name for column in shown]))
    figure.update_xaxes(title=f"lost without it, or would add ({_unit(result)})")
    return styled(figure, height=130 + 24 * len(shown))


def convergence(result: Result) -> go.Figure:
    """Best score, threshold and number of columns against the step."""
    trace, shown = result.trace, _thinned(result.steps)
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, row_heights=[0.65, 0.35], vertical_spacing=0.08)
    lines = (
        ("best score", trace.best, "linear", 1),
        (plain(trace.threshold_label, 60), trace.threshold, "linear", 1),
        ("columns of the best", trace.size, "hv", 2),
    )
    for colour, (label, values, shape, row) in zip(COLOURS, lines, strict=False):
        if any(value is not None for value in values):
            figure.add_scatter(
                x=[i + 1 for i in shown],
                y=[values[i] for i in shown],
                name=label,
                mode="lines+markers",
                line={"color": colour, "shape": shape},
                row=row,
                col=1,
            )
    figure.update_xaxes(title="step", row=2, col=1)
    figure.update_yaxes(title=_unit(result), row=1, col=1)
    figure.update_yaxes(title="columns", rangemode="tozero", row=2, col=1)
    return styled(figure, height=430)


def probabilities(result: Result) -> go.Figure:
    """The probability of drawing each column, step by step."""
    kept, shown = result.trace.probabilities, _thinned(result.steps)
    names, values = kept.names[:_MOST_ROWS], [[line[i] for i in shown] for line in kept.values[:_MOST_ROWS]]
    figure = _heat_map(values, names, "probability")
    figure.update_traces(x=[i + 1 for i in shown], zmin=0, zmax=1)
    figure.update_xaxes(title="step")
    return styled(figure, height=130 + 20 * len(names))


def size_curve(result: Result) -> go.Figure:
    """Information, or R², against the number of columns, with the chosen number marked."""
    curve = [result.size_curve[i] for i in _thinned(len(result.size_curve), result.n_features)]
    sizes = [point.size for point in curve]
    scores = [point.score for point in curve]
    lines = [
        ("plug-in estimate I(U;y)", [point.information_bits or 0.0 for point in curve]),
        ("corrected for chance", [point.corrected_bits or 0.0 for point in curve]),
    ]
    if result.unit == "r_squared":
        lines = [(f"R², {result.criterion_label}", scores)]
    elif result.unit == "bits" and all(_differ(scores, values) for _, values in lines):
        lines.append((result.criterion_label, scores))
    figure = go.Figure()
    for colour, (label, values) in zip(COLOURS, lines, strict=False):
        figure.add_scatter(
            x=sizes,
            y=values,
            name=plain(label, 60),
            mode="lines+markers",
            line_color=colour,
            hovertext=[
                f"{point.size} columns{'' if point.column is None else ', with ' + plain(point.column, 200)}"
                f"<br>{plain(label)}: {value:.4f}{'' if result.unit == 'r_squared' else ' bits'}"
                for point, value in zip(curve, values, strict=True)
            ],
            hoverinfo="text",
        )
    entropy, k = result.class_entropy_bits, result.n_features
    if entropy is not None:
        figure.add_scatter(
            x=[0, max(sizes)],
            y=[entropy, entropy],
            name="target entropy H(y)",
            mode="lines",
            line={"color": COLOURS[7], "dash": "dash"},
            hoverinfo="skip",
        )
    figure.add_scatter(
        x=[k, k],
        y=[0, max(entropy or 0.0, *lines[0][1])],
        name=f"chosen: {k}",
        mode="lines",
        line={"color": COLOURS[2], "dash": "dot"},
        hoverinfo="skip",
    )
    figure.update_xaxes(title="number of columns", rangemode="tozero")
    figure.update_yaxes(title="R²" if result.unit == "r_squared" else "bits")
    return styled(figure, height=400)


def redundancy(result: Result) -> go.Figure:
    """What the chosen columns have in common, pair by pair: 0 nothing, 1 everything."""
    kept = result.redundancy
    names, shares = kept.names[:_MOST_ROWS], [line[:_MOST_ROWS] for line in kept.shares[:_MOST_ROWS]]
    figure = _heat_map(shares, names, "in common")
    figure.update_traces(zmin=0, zmax=1)
    figure.update_xaxes(tickangle=-45, **_names(names))
    return styled(figure, height=200 + 24 * len(names))


def target_by_column(result: Result, place: int = 0) -> go.Figure:
    """Class shares for each value of a chosen column, given by its place in the result."""
    column, labels = result.target_by_column[place], result.target.labels
    totals = [max(1, sum(counts)) for counts in column.counts]
    figure = go.Figure()
    for c, label in enumerate(labels):
        counts = [line[c] for line in column.counts]
        hover = [
            f"{plain(value, 100)}<br>{plain(label, 100)}: {count} of {total} rows ({count / total:.1%})"
            for value, count, total in zip(column.values, counts, totals, strict=True)
        ]
        figure.add_bar(
            x=list(range(len(counts))),
            y=[count / total for count, total in zip(counts, totals, strict=True)],
            name=plain(label),
            marker_color=COLOURS[c % len(COLOURS)],
            hovertext=hover,
            hoverinfo="text",
            marker_pattern_shape=["", "/", ".", "x"][c // len(COLOURS) % 4],
        )
    figure.update_layout(barmode="stack", bargap=0.08)
    longest = max(map(len, column.values), default=0)
    figure.update_xaxes(tickangle=-35 if longest * len(totals) > 40 else 0)
    figure.update_xaxes(**_names([f"{value} ({total})" for value, total in zip(column.values, totals, strict=True)]))
    figure.update_yaxes(title="share of rows", tickformat=".0%", range=[0, 1])
    return styled(figure, height=340)


def every_figure(result: Result) -> dict[str, go.Figure]:
    """All plots that this result has data for, by name.

    ``features``, ``convergence``, ``probabilities``, ``size_curve``, ``redundancy``, ``target_by_column_0`` and so on.
    """
    made = {"size_curve": size_curve(result)}
    if result.features:
        made["features"] = features(result)
    if result.steps:
        made["convergence"] = convergence(result)
    if result.trace.probabilities.names:
        made["probabilities"] = probabilities(result)
    if len(result.redundancy.names) > 1:
        made["redundancy"] = redundancy(result)
    for place in range(len(result.target_by_column)):
        made[f"target_by_column_{place}"] = target_by_column(result, place)
    return made


def _heat_map(values: Sequence[Sequence[float]], names: Sequence[str], what: str) -> go.Figure:
    hover = [
        [f"{plain(name, 200)}<br>{what}: {value:.3f}" for value in line]
        for name, line in zip(names, values, strict=True)
    ]
    colourbar = {"title": {"text": what}, "thickness": 12}
    figure = go.Figure(
        go.Heatmap(z=values, colorscale=_SHADES, colorbar=colourbar, hovertext=hover, hoverinfo="text", xgap=1, ygap=1)
    )
    figure.update_yaxes(autorange="reversed", **_names(names))
    return figure


def _thinned(n: int, *wanted: int) -> list[int]:
    """As many of 0 to n − 1 as a plot can show, evenly spaced, with the first, the last and ``wanted`` among them."""
    step = max(1, -(-n // _MOST_POINTS))
    return sorted({*range(0, n, step), *(i for i in (n - 1, *wanted) if 0 <= i < n)})


def _unit(result: Result) -> str:
    return "R²" if result.unit == "r_squared" else result.unit


def _differ(first: list[float], second: list[float]) -> bool:
    return any(abs(a - b) > 1e-9 for a, b in zip(first, second, strict=True))


def _names(names: Sequence[str]) -> dict[str, Any]:
    """Ticks with names, placed by number because shortened names may look the same."""
    return {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": [plain(name) for name in names]}


def styled(figure: go.Figure, height: int) -> go.Figure:
    """The figure in our common style, with the background of the page."""
    return (
        figure.update_layout(
            template="simple_white",
            height=height,
            margin={"l": 10, "r": 10, "t": 30, "b": 10},
            paper_bgcolor="rgba(0,0,0,0)",
            plot_bgcolor="rgba(0,0,0,0)",
            font={"family": "system-ui, sans-serif", "size": 13},
            legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "xanchor": "left"},
        )
        .update_xaxes(automargin=True)
        .update_yaxes(automargin=True, showgrid=True, gridcolor="rgba(128,128,128,0.25)")
    )
