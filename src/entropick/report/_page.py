"""A result as one HTML page that needs no network, no server and no other file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from entropick._extras import need_page
from entropick._files import PICTURES, replacing
from entropick._words import shortened
from entropick.report import words
from entropick.report._html import environment, render
from entropick.report._result import Column, Feature, Result
from entropick.report.reasons import why, why_not

if TYPE_CHECKING:
    from entropick._drawing import Drawing

_SPREAD = ("5 %", "25 %", "median", "75 %", "95 %")
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
    ['columns', 'convergence', 'features']
    """

    result: Result = field(repr=False)

    def __post_init__(self) -> None:
        need_page()

    @cached_property
    def figures(self) -> dict[str, Drawing]:
        """The matplotlib figures by name."""
        from entropick.report.figures import every_figure

        return every_figure(self.result)

    def plot(self) -> Drawing:
        """How many columns are enough, where that was judged; else what the most important columns add."""
        from entropick.report.figures import columns, size_curve

        return columns(self.result) if self.result.curve is None else size_curve(self.result)

    @cached_property
    def html(self) -> str:
        """The whole page."""
        from entropick.report import figures

        result = self.result
        by_gain = sorted(result.columns, key=_by_gain)
        largest = max((1e-12, *(c.gain or 0.0 for c in result.columns)))
        line = partial(_line, result, {feature.index: feature for feature in result.features}, largest)
        settings = {"method": result.method, **result.settings, "seed": result.seed}
        return render(
            "result.html.j2",
            figures=figures.names(result),
            draw=lambda name: figures.draw(result, name, legend=False).inline(name),
            legend=figures.legend(result),
            version=result.versions.get("entropick", ""),
            result=result,
            words=words,
            why=partial(why, result),
            unit=words.UNITS[result.unit],
            bars=_bars(result),
            lines=list(map(line, by_gain)),
            longest=max((1e-12, *(n for f in result.features for n in (f.alone, f.lost_without)))),
            numbers=_numbers(result),
            settings=[(k, shortened(json.dumps(v, ensure_ascii=False), _MOST_LETTERS)) for k, v in settings.items()],
        )

    def save(self, path: str | os.PathLike[str], figure: str | None = None) -> None:
        """Write the page, or one of the figures; an existing file is replaced only once the new one is complete.

        Parameters
        ----------
        path : path
            A suffix of a picture (``.png``, ``.svg``, ``.pdf``) stands for a figure, any other for the page.
        figure : str, optional
            The name of the figure, one of ``figures``; the default is the first.
        """
        kind = os.fspath(path).lower().rpartition(".")[2]
        if kind in PICTURES:
            from entropick.report.figures import draw, names

            drawn = draw(self.result, figure or names(self.result)[0])
            with replacing(path) as file:
                drawn.savefig(file, format=kind)
            return
        if figure is not None:
            raise ValueError(f"a figure must be saved as one of {', '.join(PICTURES)}; got {os.fspath(path)!r}.")
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
    labels = (f"with {words.so_many(found.n_columns)}", f"with all {result.n_columns} columns", "without columns")
    shown = [words.measured(found.measure, value) for value in words.values(found)]
    return list(zip(labels, (max(0.0, value) for value in words.values(found)), shown, strict=True))


class Line(NamedTuple):
    """A column in the table of all columns, as text and a bar; short, because there may be thousands."""

    name: str
    is_chosen: int
    tested: tuple[str, ...]  # the verdict, and from how many halves of the rows it was chosen, if that was tried
    gain: str | None
    share: float  # of the largest gain, in percent
    alone: str
    reason: str


def _line(result: Result, features: Mapping[int, Feature], largest: float, column: Column) -> Line:
    feature = features.get(column.index)
    return Line(
        column.name,
        int(column.is_chosen),
        (
            *([column.verdict or ""] if result.decoys is not None else []),
            *([words.chosen_from(result, column.selection_frequency)] if result.halves is not None else []),
        ),
        None if column.gain is None else _four(column.gain),
        0.0 if column.gain is None else _share(column.gain, largest),
        "—" if column.alone is None else _four(column.alone),
        why_not(result, column) if feature is None else why(result, feature),
    )


def _share(value: float, largest: float) -> float:
    return round(100 * min(1.0, max(0.0, value / largest)), 1)


def _four(value: float) -> str:
    """Four decimals, and no minus before zero."""
    return f"{round(value, 4) + 0.0:.4f}"


def _by_gain(column: Column) -> tuple[bool, float]:
    """Chosen columns first, then those that would add most."""
    return not column.is_chosen, -(float("-inf") if column.gain is None else column.gain)


def _numbers(result: Result) -> dict[str, tuple[Sequence[str], Sequence[Sequence[Any]]]]:
    """The head and the rows of the table below each plot, by the plot's name."""
    trace, likely, common = result.trace, result.trace.probabilities, result.redundancy
    steps = range(1, result.steps + 1)
    bits = () if result.class_entropy_bits is None else ("bits as counted", "after correction")
    lines = {
        **({trace.threshold_label: trace.threshold} if any(value is not None for value in trace.threshold) else {}),
        "best": trace.best,
        "size": trace.size,
        "samples": trace.samples,
        "elite": trace.elite,
        "seconds": trace.seconds,
    }
    of_sizes: tuple[Sequence[str], Sequence[Sequence[Any]]] = (
        ("size", "column", *bits, "score" if bits else "R²"),
        [(p.size, p.column, *(p.information_bits, p.corrected_bits)[: len(bits)], p.score) for p in result.size_curve],
    )
    if (curve := result.curve) is not None:
        judged = zip(curve.sizes, curve.predicted, curve.error, strict=True)
        of_sizes = (("columns", "predicted", "standard error of the difference from the best"), list(judged))
    return {
        "size_curve": of_sizes,
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
                ("value", *_SPREAD, "rows") if column.spread else ("value", *result.target.labels),
                [
                    (value, *spread, sum(counts))
                    for value, spread, counts in zip(column.values, column.spread, column.counts, strict=True)
                ]
                if column.spread
                else [(value, *counts) for value, counts in zip(column.values, column.counts, strict=True)],
            )
            for place, column in enumerate(result.target_by_column)
        },
    }
