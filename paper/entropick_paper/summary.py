"""Means and standard errors over many runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from entropick.evaluation import Estimate
from entropick_paper.protocol import METHODS

MEASURES = ("nb_diagonal", "nb_pooled", "knn", "delta_information", "seconds", "knn_on_training_rows")
_CURVES = ("nb_diagonal", "delta_information")


def summarise(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Summarise the runs on one data set.

    Returns
    -------
    dict
        ``methods`` (by name: ``k`` with median, least and most; an `Estimate` of every measure, None if a run lacks it;
        and in ``less_paper`` an estimate of the run-by-run difference from `paper`), ``convergence`` (mean objective,
        median number of steps) and ``curves`` (means over the runs that have them).
    """
    of_paper = [run["methods"]["paper"] for run in runs]
    return {
        "seeds": [run["seed"] for run in runs],
        "classes": runs[0]["classes"],
        "class_entropy_bits": float(np.mean([run["class_entropy_bits"] for run in runs])),
        "commonest_class": Estimate.of([run["commonest_class"] for run in runs]),
        "n_train": runs[0]["n_train"],
        "n_test": runs[0]["n_test"],
        "methods": {name: _method([run["methods"][name] for run in runs], of_paper) for name in METHODS},
        "convergence": {
            name: _convergence([run["convergence"][name] for run in runs]) for name in ("literal", "paper")
        },
        "curves": _curves([run["curves"] for run in runs if run["curves"]]),
    }


def lowest(summary: dict[str, Any], measure: str) -> str:
    """The method with the lowest mean; an error must beat the majority-class baseline."""
    is_error = measure in ("nb_diagonal", "nb_pooled", "knn")
    limit = summary["commonest_class"].mean if is_error else float("inf")
    known = {
        name: found[measure].mean
        for name, found in summary["methods"].items()
        if name not in ("literal", "all") and found[measure] is not None and found[measure].mean < limit
    }
    return min(known, key=lambda name: known[name]) if known else ""


def _method(found: Sequence[dict[str, Any]], of_paper: Sequence[dict[str, Any]]) -> dict[str, Any]:
    sizes = [one["k"] for one in found]
    return {
        "k": {"median": float(np.median(sizes)), "least": min(sizes), "most": max(sizes)},
        **{measure: _estimate([one.get(measure) for one in found]) for measure in MEASURES},
        "less_paper": {
            measure: _estimate(
                [
                    None if one.get(measure) is None or paper.get(measure) is None else one[measure] - paper[measure]
                    for one, paper in zip(found, of_paper, strict=True)
                ]
            )
            for measure in MEASURES
        },
    }


def _estimate(values: Sequence[float | None]) -> Estimate | None:
    known = [value for value in values if value is not None]
    return Estimate.of(known) if len(known) == len(values) else None


def _convergence(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A run that has ended keeps its last value."""
    longest = max(one["steps"] for one in found)
    lines = [[*one["objective"], *[one["objective"][-1]] * (longest - one["steps"])] for one in found]
    return {"objective": np.mean(lines, axis=0).tolist(), "steps": float(np.median([one["steps"] for one in found]))}


def _curves(found: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Means at every number of columns."""
    curves: dict[str, list[dict[str, Any]]] = {}
    for name in found[0] if found else ():
        points = [point for one in found for point in one[name]]
        curves[name] = [
            {"size": size, **{key: _mean([p[key] for p in points if p["size"] == size]) for key in _CURVES}}
            for size in sorted({point["size"] for point in points})
        ]
    return curves


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
