"""The plots of a result, each a function from a result to a matplotlib figure.

Examples
--------
>>> from sklearn.datasets import load_breast_cancer
>>> from entropick import CrossEntropySelector
>>> from entropick.report import describe, figures
>>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
>>> figure = figures.size_curve(describe(CrossEntropySelector("reliable", null=False).fit(X, y)))
>>> figure.axes[0].get_xlabel()
'number of columns'
"""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_rgb
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, PercentFormatter
from numpy.typing import NDArray

from entropick._drawing import COLOURS, TEXT, Drawing, drawing, legend_above, names_on
from entropick._words import grouped, shortened
from entropick.report._result import Curve, Distribution, Result

__all__ = [
    "COLOURS",
    "columns",
    "convergence",
    "draw",
    "every_figure",
    "features",
    "legend",
    "names",
    "probabilities",
    "redundancy",
    "size_curve",
    "target_by_column",
]

_MOST_STACKED = len(COLOURS)  # classes; more are shown as a heat map
_MOST_ROWS = 40  # names along an axis
_MOST_POINTS = 500  # of a line, and cells in a line of a heat map
_MOST_BESIDE = 13  # names beside each other
_LINE = 18  # pixels that a name needs
_LEAST = 0.15  # thickness of a bar for hardly any rows
_LEAST_SPAN = 0.05  # of a curve of shares, so that nothing looks like much
_ALL = "all rows"


@drawing
def columns(result: Result) -> Drawing:
    """What would be lost without each chosen column, and what the best of the others would add."""
    scored = sorted((c for c in result.columns if c.gain is not None), key=lambda c: (not c.is_chosen, -(c.gain or 0)))
    shown = scored[:_MOST_ROWS]
    figure = Drawing(95 + _LINE * len(shown))
    axes = figure.subplots()
    handles: list[tuple[Artist, str]] = []
    for colour, label, is_chosen in ((COLOURS[0], "kept", True), (COLOURS[7], "not kept", False)):
        places = [i for i, column in enumerate(shown) if column.is_chosen == is_chosen]
        axes.barh(places, [shown[i].gain or 0.0 for i in places], color=colour)
        handles.append((Patch(color=colour), label))
    names_on(axes, [column.name for column in shown])
    axes.set_xlabel(f"lost without it, or would add ({_unit(result)})")
    _few_numbers(axes)
    legend_above(figure, *zip(*handles, strict=True))
    return figure


@drawing
def features(result: Result) -> Drawing:
    """What each of the first chosen columns adds, carries alone, and what would be lost without it."""
    chosen = result.features[:_MOST_ROWS]
    parts = {
        "adds to those before": [feature.adds for feature in chosen],
        "alone": [feature.alone for feature in chosen],
        "lost without it": [feature.lost_without for feature in chosen],
    }
    figure = Drawing(95 + 2 * _LINE * len(chosen))
    axes = figure.subplots()
    bars = [
        axes.barh(np.arange(len(chosen)) + (i - 1) * 0.27, values, height=0.25, color=COLOURS[i])
        for i, values in enumerate(parts.values())
    ]
    names_on(axes, [feature.name for feature in chosen])
    axes.set_xlabel(_unit(result))
    _few_numbers(axes)
    legend_above(figure, bars, list(parts))
    return figure


@drawing
def convergence(result: Result) -> Drawing:
    """Best score, threshold and number of columns against the step."""
    trace, shown = result.trace, _thinned(result.steps)
    figure = Drawing(340)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[0.65, 0.35])
    lines = (
        (above, "best score", trace.best, "default"),
        (above, trace.threshold_label, trace.threshold, "default"),
        (below, "columns of the best", trace.size, "steps-post"),
    )
    handles = []
    for colour, (axes, label, values, style) in zip(COLOURS, lines, strict=False):
        if any(value is not None for value in values):
            y = [np.nan if values[i] is None else values[i] for i in shown]
            (line,) = axes.plot([i + 1 for i in shown], y, ".-", color=colour, drawstyle=style, markersize=4)
            handles.append((line, label))
    above.set_ylabel(_unit(result))
    below.set(xlabel="step", ylabel="columns")
    below.set_ylim(bottom=0)
    _whole(below.xaxis, below.yaxis)
    legend_above(figure, *zip(*handles, strict=True))
    return figure


@drawing
def probabilities(result: Result) -> Drawing:
    """The probability of drawing each column, step by step."""
    kept, shown = result.trace.probabilities, _thinned(result.steps)
    values = np.array(kept.values[:_MOST_ROWS])[:, shown]
    figure = Drawing(75 + _LINE * len(values))
    axes = figure.subplots()
    _shade(axes, values, extent=(0.5, result.steps + 0.5, len(values) - 0.5, -0.5))
    names_on(axes, kept.names[:_MOST_ROWS])
    axes.set_xlabel("step")
    _whole(axes.xaxis)
    return figure


@drawing
def size_curve(result: Result) -> Drawing:
    """What numbers of columns predict, with its error and the chosen number marked.

    That is known where halves of the rows decided how many are enough; elsewhere, it is the information, or R², of the
    first chosen columns, and of those that would add most.
    """
    return _scores(result) if result.curve is None else _judged(result, result.curve)


def _judged(result: Result, curve: Curve) -> Drawing:
    """What other rows say of each number of columns."""
    known, error = np.array(curve.predicted), np.array(curve.error)
    figure = Drawing(300)
    axes = figure.subplots()
    (line,) = axes.plot(curve.sizes, known, ".-", color=COLOURS[0], markersize=4)
    band = axes.fill_between(curve.sizes, known - error, known + error, color=COLOURS[0], alpha=0.2, linewidth=0)
    chosen = axes.axvline(result.n_features, color=COLOURS[2], linestyle=":")
    best = axes.axhline(known.max(), color=COLOURS[7], linestyle="--")
    axes.set(xlabel="number of columns", ylabel="R²" if result.class_entropy_bits is None else "share of the entropy")
    axes.set_ylim(*_heights(known, error))
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(axis="y")
    _whole(axes.xaxis)
    labels = ["predicted", "± standard error", f"best: {_best(curve)}", f"chosen: {result.n_features}"]
    legend_above(figure, [line, band, best, chosen], labels)
    return figure


def _best(curve: Curve) -> int:
    return curve.sizes[int(np.argmax(curve.predicted))]


def _heights(known: NDArray[np.float64], error: NDArray[np.float64]) -> tuple[float, float]:
    """From the lowest to the highest; what is as far below 0 as the best number is above it is cut off."""
    low, top = float((known - error).min()), max(0.01, float((known + error).max()))
    low = min(max(low, -top), top - _LEAST_SPAN)
    return low - 0.05 * (top - low), top + 0.05 * (top - low)


def _scores(result: Result) -> Drawing:
    """What the first columns score together."""
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
    figure = Drawing(300)
    axes = figure.subplots()
    handles = []
    for colour, (label, values) in zip(COLOURS, lines, strict=False):
        (line,) = axes.plot(sizes, values, ".-", color=colour, markersize=4)
        handles.append((line, label))
    if result.class_entropy_bits is not None:
        entropy = axes.axhline(result.class_entropy_bits, color=COLOURS[7], linestyle="--")
        handles.append((entropy, "target entropy H(y)"))
    chosen = axes.axvline(result.n_features, color=COLOURS[2], linestyle=":")
    handles.append((chosen, f"chosen: {result.n_features}"))
    axes.set(xlabel="number of columns", ylabel="R²" if result.unit == "r_squared" else "bits")
    axes.grid(axis="y")
    _whole(axes.xaxis)
    legend_above(figure, *zip(*handles, strict=True))
    return figure


@drawing
def redundancy(result: Result) -> Drawing:
    """What the chosen columns have in common, pair by pair: 0 nothing, 1 everything."""
    kept = result.redundancy
    shown = kept.names[:_MOST_ROWS]
    shares = np.array([line[:_MOST_ROWS] for line in kept.shares[:_MOST_ROWS]])
    figure = Drawing(245 + _LINE * len(shown))
    axes = figure.subplots()
    _shade(axes, shares)
    names_on(axes, shown)
    if len(shown) <= _MOST_BESIDE:
        names_on(axes, shown, "x")
    else:
        axes.set_xticks([])
        axes.set_xlabel("the same columns, in the same order")
    return figure


@drawing
def target_by_column(result: Result, place: int = 0, legend: bool = True) -> Drawing:
    """How the target differs between the values of a chosen column, given by its place in the result.

    Shares of the classes for each value, in bars that are as thick as its rows are many, or a heat map if there are
    many classes; for a numeric target, where its middle half and 90 % of it lie. The first line is for all rows.
    """
    column = result.target_by_column[place]
    if column.spread:
        return _boxes(result, column)
    if len(result.target.labels) > _MOST_STACKED:
        return _many_classes(result, column)
    return _stacks(result, column, legend)


def names(result: Result) -> list[str]:
    """The names of the figures that this result has data for, for `draw`; the first says most."""
    found = {
        **({} if result.curve is None else {size_curve.__name__: True}),
        "columns": any(column.gain is not None for column in result.columns),
        "features": result.features,
        "size_curve": True,
        "redundancy": len(result.redundancy.names) > 1,
        "convergence": result.steps,
        "probabilities": result.trace.probabilities.names,
    }
    places = range(len(result.target_by_column))
    return [*(name for name, has_data in found.items() if has_data), *(f"target_by_column_{i}" for i in places)]


def draw(result: Result, name: str, legend: bool = True) -> Drawing:
    """A figure by its name; ``legend`` is for the classes of ``target_by_column_0`` and so on.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from entropick import CrossEntropySelector
    >>> from entropick.report import describe
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> result = describe(CrossEntropySelector("reliable", null=False).fit(X, y))
    >>> names(result)[:2]
    ['columns', 'features']
    >>> draw(result, "columns").axes[0].get_xlabel()
    'lost without it, or would add (bits)'
    """
    known = names(result)
    if name not in known:
        raise ValueError(f"there is no figure {name!r}; this result has {', '.join(known)}.")
    if name.startswith(target_by_column.__name__):
        return target_by_column(result, int(name.rpartition("_")[2]), legend)
    made = (columns, features, size_curve, redundancy, convergence, probabilities)
    return {function.__name__: function for function in made}[name](result)


def legend(result: Result) -> list[tuple[str, str]]:
    """The classes in ``target_by_column`` with their colours; none if they are rows, or if the target is a number."""
    labels = result.target.labels
    if result.target.spread or not result.target_by_column or len(labels) > _MOST_STACKED:
        return []
    return list(zip(labels, COLOURS, strict=False))


def every_figure(result: Result) -> dict[str, Drawing]:
    """All figures that this result has data for, by name."""
    return {name: draw(result, name) for name in names(result)}


def _stacks(result: Result, column: Distribution, has_legend: bool) -> Drawing:
    """Shares of the classes for each value, and lines where the shares of all rows end."""
    labels = result.target.labels
    counts = np.array([result.target.counts, *column.counts], dtype=float)
    rows = counts.sum(axis=1)
    shares = counts / np.maximum(rows, 1)[:, None]
    ends = shares.cumsum(axis=1)
    figure = Drawing(60 + _LINE * len(rows) + (_LINE * -(-len(labels) // 2) if has_legend else 0))
    axes = figure.subplots()
    thick = np.clip(0.85 * rows / max(1.0, rows[1:].max()), _LEAST, 0.85)
    for c, colour in enumerate(COLOURS[: len(labels)]):
        axes.barh(range(len(rows)), shares[:, c], left=ends[:, c] - shares[:, c], height=thick, color=colour)
    for base in ends[0, :-1]:
        axes.axvline(base, color=TEXT, linestyle="--", linewidth=0.8)
    _values(axes, column, rows)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_xlabel("share of rows; dashed: of all rows")
    if has_legend:
        legend_above(figure, [Patch(color=colour) for colour in COLOURS[: len(labels)]], labels)
    return figure


def _many_classes(result: Result, column: Distribution) -> Drawing:
    """The share of each class for every value, the stronger the larger, the classes as rows."""
    counts = np.array([result.target.counts, *column.counts], dtype=float)
    shares = (counts / np.maximum(counts.sum(axis=1), 1)[:, None]).T
    figure = Drawing(255 + _LINE * len(shares))
    axes = figure.subplots()
    _shade(axes, shares / max(1e-12, shares.max()))
    axes.axvline(0.5, color=TEXT, linewidth=0.8)
    names_on(axes, result.target.labels)
    rows = zip((_ALL, *column.values), counts.sum(axis=1), strict=True)
    names_on(axes, [f"{shortened(value, 20)} ({grouped(int(n))})" for value, n in rows], "x")
    axes.set_title(f"strongest: {shares.max():.0%} of the rows of a value", fontsize="medium", loc="left")
    return figure


def _boxes(result: Result, column: Distribution) -> Drawing:
    """Where the middle half and 90 % of a numeric target lie for each value, the stronger the higher the median."""
    rows = np.array([sum(result.target.counts), *(sum(line) for line in column.counts)], dtype=float)
    spread = np.array([result.target.spread, *column.spread])
    low, first, middle, third, high = spread.T
    figure = Drawing(70 + _LINE * len(rows))
    axes = figure.subplots()
    thick = np.clip(0.85 * rows / max(1.0, rows[1:].max()), _LEAST, 0.85)
    step = np.ptp(middle) or 1.0
    colours = [(*to_rgb(COLOURS[0]), 0.25 + 0.7 * (value - middle.min()) / step) for value in middle]
    axes.hlines(range(len(rows)), low, high, color=COLOURS[7], linewidth=1.2)
    axes.barh(range(len(rows)), third - first, left=first, height=thick, color=colours)
    axes.vlines(middle, np.arange(len(rows)) - thick / 2, np.arange(len(rows)) + thick / 2, color=TEXT, linewidth=1.5)
    axes.axvline(middle[0], color=TEXT, linestyle="--", linewidth=0.8)
    _values(axes, column, rows)
    _few_numbers(axes)
    axes.set_xlabel("median, middle half, 90 %; dashed: all rows")
    return figure


def _values(axes: Axes, column: Distribution, rows: NDArray[np.float64]) -> None:
    """The values of a column along the left, and their rows along the right."""
    names_on(axes, [_ALL, *column.values])
    right = axes.secondary_yaxis("right")
    right.set_yticks(range(len(rows)), [f"{grouped(int(n))}{' rows' if i == 0 else ''}" for i, n in enumerate(rows)])
    right.tick_params(axis="y", length=0)
    right.spines["right"].set_visible(False)


def _shade(axes: Axes, shares: NDArray[np.float64], extent: tuple[float, float, float, float] | None = None) -> None:
    """A heat map of shares from 0, which is the ground, to 1."""
    cells = np.empty((*shares.shape, 4))
    cells[..., :3] = to_rgb(COLOURS[0])
    cells[..., 3] = np.clip(np.nan_to_num(shares), 0, 1)
    axes.imshow(cells, aspect="auto", interpolation="none", extent=extent)
    axes.grid(visible=False)


def _thinned(n: int, *wanted: int) -> list[int]:
    """As many of 0 to n − 1 as a plot can show, evenly spaced, with the first, the last and ``wanted`` among them."""
    step = max(1, -(-n // _MOST_POINTS))
    return sorted({*range(0, n, step), *(i for i in (n - 1, *wanted) if 0 <= i < n)})


def _unit(result: Result) -> str:
    return "R²" if result.unit == "r_squared" else result.unit


def _few_numbers(axes: Axes) -> None:
    """Few numbers along the bottom, so that long ones do not meet."""
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(_number)


def _number(value: float, _: object = None) -> str:
    """A number in few letters, such as 1.5M; matplotlib's own would have a factor at the end of the axis."""
    if 1e6 <= abs(value) < 1e9:
        return f"{value / 1e6:.4g}M"
    return f"{value / 1e3:.4g}k" if 1e4 <= abs(value) < 1e6 else f"{value:.4g}"


def _whole(*axes: Axis) -> None:
    """Only whole numbers along these axes."""
    for axis in axes:
        axis.set_major_locator(MaxNLocator(6, integer=True))


def _differ(first: list[float], second: list[float]) -> bool:
    return any(abs(a - b) > 1e-9 for a, b in zip(first, second, strict=True))
