"""A result as one HTML page that needs no network, no server and no other file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from entropick._extras import need_page
from entropick._files import replacing
from entropick._words import shortened
from entropick.report import words
from entropick.report._html import environment, render
from entropick.report._result import Column, Feature, Result
from entropick.report.reasons import why, why_not

if TYPE_CHECKING:
    import plotly.graph_objects as go

_MOST_LETTERS = 1000  # of a setting's value


@dataclass(frozen=True, eq=False)
class Report:
    """A result as a page, to show in a notebook or save as one file.

    Parameters
    ----------
    result : Result
        From `describe` or `read_result`; the page needs nothing else.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from entropick import CrossEntropySelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> report = CrossEntropySelector("reliable", null=False, random_state=0).fit(X, y).report()
    >>> report
    Report: 2 of 30 columns of 'table' for 'target'
    >>> sorted(report.figures)[:3]
    ['convergence', 'features', 'probabilities']
    """

    result: Result = field(repr=False)

    def __post_init__(self) -> None:
        need_page()

    @cached_property
    def figures(self) -> dict[str, go.Figure]:
        """The plotly figures by name."""
        from entropick.report.figures import every_figure

        return every_figure(self.result)

    def plot(self) -> go.Figure:
        """What the most important columns add."""
        from entropick.report.figures import columns

        return columns(self.result)

    @cached_property
    def html(self) -> str:
        """The whole page."""
        result = self.result
        settings = {"method": result.method, **result.settings, "seed": result.seed}
        return render(
            "result.html.j2",
            figures={name: figure for name, figure in self.figures.items() if name != "features"},
            version=result.versions.get("entropick", ""),
            result=result,
            words=words,
            why=partial(why, result),
            reason=partial(_reason, result, {feature.index: feature for feature in result.features}),
            unit=words.UNITS[result.unit],
            bars=_bars(result),
            by_gain=sorted(result.columns or _only_chosen(result), key=_by_gain),
            chosen_from=partial(words.chosen_from, result),
            longest=max((1e-12, *(n for f in result.features for n in (f.alone, f.lost_without)))),
            largest=max((1e-12, result.luck or 0.0, *(c.gain or 0.0 for c in result.columns))),
            numbers=_numbers(result),
            settings=[(k, shortened(json.dumps(v, ensure_ascii=False), _MOST_LETTERS)) for k, v in settings.items()],
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page; an existing file is replaced only once the new one is complete."""
        with replacing(path) as file:
            file.write(self.html.encode("utf-8", "replace"))

    def __repr__(self) -> str:
        table, target = shortened(self.result.table), shortened(self.result.target.name)
        return f"Report: {self.result.n_features} of {self.result.n_columns} columns of {table!r} for {target!r}"

    def _repr_html_(self) -> str:
        return environment().get_template("frame.html.j2").render(html=self.html, title=repr(self))


def _bars(result: Result) -> list[tuple[str, float, str]]:
    """What a model reaches with the chosen columns, with all and with none: a label, a share and a number in words."""
    if (found := result.held_out) is None or result.n_features == result.n_columns:
        return []
    labels = ("with chosen columns", f"with all {result.n_columns} columns", "without columns")
    shown = [words.measured(found.measure, value) for value in words.values(found)]
    return list(zip(labels, (max(0.0, value) for value in words.values(found)), shown, strict=True))


def _only_chosen(result: Result) -> list[Column]:
    """The chosen columns of a result of an older version, which has no others."""
    return [Column(f.name, f.index, True, f.alone, f.lost_without, None, None, "free") for f in result.features]


def _reason(result: Result, features: Mapping[int, Feature], column: Column) -> str:
    return why(result, features[column.index]) if column.index in features else why_not(result, column)


def _by_gain(column: Column) -> tuple[bool, float]:
    """Chosen columns first, then those that would add most."""
    return not column.is_chosen, -(float("-inf") if column.gain is None else column.gain)


def _numbers(result: Result) -> dict[str, tuple[Sequence[str], Sequence[Sequence[Any]]]]:
    """The head and the rows of the table below each plot, by the plot's name."""
    trace, likely, common = result.trace, result.trace.probabilities, result.redundancy
    steps = range(1, result.steps + 1)
    bits = () if result.class_entropy_bits is None else ("information_bits", "corrected_bits")
    lines = {
        **({trace.threshold_label: trace.threshold} if any(value is not None for value in trace.threshold) else {}),
        "best": trace.best,
        "size": trace.size,
        "samples": trace.samples,
        "elite": trace.elite,
        "seconds": trace.seconds,
    }
    return {
        "size_curve": (
            ("size", "column", *bits, "score" if bits else "R²"),
            [
                (p.size, p.column, *(p.information_bits, p.corrected_bits)[: len(bits)], p.score)
                for p in result.size_curve
            ],
        ),
        "convergence": (("step", *lines), list(zip(steps, *lines.values(), strict=True))),
        "probabilities": (
            ("column", *map(str, steps)),
            [(name, *values) for name, values in zip(likely.names, likely.values, strict=True)],
        ),
        "redundancy": (
            ("column", *common.names),
            [(name, *shares) for name, shares in zip(common.names, common.shares, strict=True)],
        ),
        **{
            f"target_by_column_{place}": (
                ("value", *result.target.labels),
                [(value, *counts) for value, counts in zip(column.values, column.counts, strict=True)],
            )
            for place, column in enumerate(result.target_by_column)
        },
    }
