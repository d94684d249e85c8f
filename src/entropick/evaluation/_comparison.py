"""What a comparison of methods found, as values, a frame, a table and a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from entropick._extras import frame_library, need
from entropick._plain import Json, as_plain
from entropick.evaluation._measures import MEASURES, Kind
from entropick.notes import Note


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error, or None if unknown."""

    mean: float | None
    error: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> Estimate:
        """The estimate from equally weighted values; unknown if one of them is NaN or infinite."""
        numbers = np.asarray(values, dtype=np.float64)
        if not len(numbers) or not np.isfinite(numbers).all():
            return cls(None, None)
        error = float(numbers.std(ddof=1) / np.sqrt(len(numbers))) if len(numbers) > 1 else None
        return cls(float(numbers.mean()), error)

    def text(self, digits: int) -> str:
        """The mean with its error, or a dash."""
        if self.mean is None:
            return "—"
        return f"{self.mean:.{digits}f}{'' if self.error is None else f'±{self.error:.{digits}f}'}"


@dataclass(frozen=True)
class MethodResult:
    """How one method did: means over the folds, and its stability over the resamples."""

    method: str
    n_features: Estimate
    information_bits: Estimate
    delta_information: Estimate
    mce: dict[str, Estimate]  # of classes
    measures: dict[str, dict[str, Estimate]]  # by model, then by measure
    seconds: Estimate
    stability: Estimate
    chosen: dict[str, float] = field(default_factory=dict)  # share of the folds in which a column was selected


@dataclass(frozen=True)
class Comparison:
    """The methods in the order given, then all columns, then none.

    Attributes
    ----------
    kind : 'classes' or 'numbers'
        What the models predict.
    metric : str
        The measure that is shown; ``measures`` of each method has all of them.
    """

    methods: tuple[MethodResult, ...]
    n_rows: int
    n_columns: int
    folds: int
    resamples: int
    classes: tuple[str, ...]
    seed: int
    kind: Kind = "classes"
    metric: str = "error"
    notes: tuple[Note, ...] = ()

    def to_dict(self) -> dict[str, Json]:
        """The comparison as plain values."""
        return {name: as_plain(value) for name, value in asdict(self).items()}

    def to_frame(self) -> Any:
        """One row for each method and model, with every measure: a pandas frame, or polars if only that is there."""
        lines: dict[str, list[Any]] = {}
        for method in self.methods:
            for model, measures in method.measures.items():
                line = {"method": method.method, "model": model, "n_features": method.n_features.mean}
                line |= {name: value.mean for name, value in measures.items()}
                line |= {"seconds": method.seconds.mean, "stability": method.stability.mean}
                for name, value in line.items():
                    lines.setdefault(name, []).append(value)
        return nw.from_dict(lines, backend=frame_library()).to_native()

    def plot(self) -> Any:
        """The metric of every method and model, with standard errors, as a matplotlib figure."""
        need("matplotlib", "report", "a plot")
        from entropick.evaluation._plot import dots

        found = {
            model: [method.measures[model][self.metric] for method in self.methods]
            for model in self.methods[0].measures
        }
        return dots([method.method for method in self.methods], found, MEASURES[self.metric].label)

    def _repr_html_(self) -> str:
        models = list(self.methods[0].measures)
        heads = [
            "",
            "columns",
            *(f"{MEASURES[self.metric].label}, {model}" for model in models),
            "seconds",
            "stability",
        ]
        rows = [
            [
                method.method,
                method.n_features.text(1),
                *(method.measures[model][self.metric].text(3) for model in models),
                method.seconds.text(3),
                method.stability.text(2),
            ]
            for method in self.methods
        ]
        head = "".join(f"<th>{escape(cell)}</th>" for cell in heads)
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
