"""How well a model predicts: one line a measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import balanced_accuracy_score, mean_absolute_error, r2_score, roc_auc_score

from entropick._errors import Mention
from entropick._names import look_up

Kind = Literal["classes", "numbers"]
Floats = NDArray[np.float64]
_LEAST = 1e-15  # probability, for the log loss


@dataclass(frozen=True)
class Predicted:
    """What a model says about some rows: a value for each and, of classes, their probabilities if it has any."""

    truth: NDArray[Any]
    values: NDArray[Any]
    classes: NDArray[Any] | None = None
    probabilities: Floats | None = None


@dataclass(frozen=True)
class Measure:
    """A measure of predictions; NaN where it cannot be told."""

    label: str
    kind: Kind
    of: Callable[[Predicted], float]
    larger_is_better: bool = True


def _error(found: Predicted) -> float:
    return float((found.values != found.truth).mean())


def _auc(found: Predicted) -> float:
    """Of two classes, or the mean over classes, each against the others."""
    if found.probabilities is None or found.classes is None:
        return float("nan")
    seen = [(found.truth == c, found.probabilities[:, i]) for i, c in enumerate(found.classes)]
    seen = [(is_one, p) for is_one, p in seen if 0 < is_one.mean() < 1]
    seen = seen[-1:] if len(found.classes) == 2 else seen
    return float(np.mean([roc_auc_score(is_one, p) for is_one, p in seen])) if seen else float("nan")


def _log_loss(found: Predicted) -> float:
    """In bits; a class that the training rows do not have gets the least probability."""
    if found.probabilities is None or found.classes is None:
        return float("nan")
    place = {c: i for i, c in enumerate(found.classes.tolist())}
    given = [found.probabilities[row, place[c]] if c in place else 0.0 for row, c in enumerate(found.truth.tolist())]
    return float(-np.log2(np.maximum(given, _LEAST)).mean())


def _balanced(found: Predicted) -> float:
    return float(balanced_accuracy_score(found.truth, found.values))


MEASURES: dict[str, Measure] = {
    "error": Measure("MCE", "classes", _error, larger_is_better=False),
    "auc": Measure("AUC", "classes", _auc),
    "balanced_accuracy": Measure("balanced accuracy", "classes", _balanced),
    "log_loss": Measure("log loss", "classes", _log_loss, larger_is_better=False),
    "r2": Measure("R²", "numbers", lambda found: float(r2_score(found.truth, found.values))),
    "mae": Measure(
        "MAE", "numbers", lambda found: float(mean_absolute_error(found.truth, found.values)), larger_is_better=False
    ),
}


def measures_of(kind: Kind) -> dict[str, Measure]:
    """The measures of classes or of numbers; the first is the usual one."""
    return {name: measure for name, measure in MEASURES.items() if measure.kind == kind}


def find_metric(name: str | None, kind: Kind) -> str:
    """The name of a measure; by default the usual one for classes or for numbers."""
    known = measures_of(kind)
    if name is None:
        return next(iter(known))
    if name in MEASURES and name not in known:
        what = "a number" if kind == "numbers" else "classes"
        raise ValueError(f"the metric {name!r} is not for a target of {what}: use one of {', '.join(known)}.")
    look_up(Mention("metric"), name, known)
    return name
