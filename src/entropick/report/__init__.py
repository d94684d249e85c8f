"""From a fitted selector to a typed result, and from the result to a self-contained page."""

from __future__ import annotations

from typing import Any

from entropick._extras import need
from entropick.notes import Note
from entropick.report._describe import describe
from entropick.report._page import Report
from entropick.report._result import (
    Chance,
    Column,
    Curve,
    CurvePoint,
    Distribution,
    Feature,
    Halves,
    Neighbour,
    Partner,
    Probabilities,
    Redundancy,
    Result,
    Target,
    Trace,
)
from entropick.report._schema import read_result, schema

__all__ = [
    "Chance",
    "Column",
    "Curve",
    "CurvePoint",
    "Distribution",
    "Feature",
    "Halves",
    "Neighbour",
    "Note",
    "Partner",
    "Probabilities",
    "Redundancy",
    "Report",
    "Result",
    "Target",
    "Trace",
    "describe",
    "figures",
    "read_result",
    "schema",
]


def __getattr__(name: str) -> Any:
    if name == "figures":  # loaded when first used: matplotlib is slow to import and may be missing
        from importlib import import_module

        need("matplotlib", "report", "the page")
        return import_module("entropick.report.figures")
    raise AttributeError(f"module 'entropick.report' has no attribute {name!r}")
