"""How a subset of columns is scored: by two look-up tables over block and cell sizes, or by a model.

To add a criterion, write a function ``class_sizes -> Tables`` under the decorator `criterion` in a file of its own, or
derive a class from `ModelCriterion`, and add it to ``entropick/_names.py``: it then works with every engine and search,
in the command and on the page. Wherever a criterion is expected, a plain function or an object with ``bind(table)``
works too.
"""

from typing import Any

from entropick.criteria._classifier import ClassifierScore
from entropick.criteria._criterion import (
    Criterion,
    ModelCriterion,
    RowCriterion,
    RowModel,
    Score,
    TableCriterion,
    criterion,
)
from entropick.criteria._dependence import EXPONENTS, DependenceLosses, DependenceTables, NumpyLosses
from entropick.criteria._linear import predicted_by
from entropick.criteria._plugin import plugin
from entropick.criteria._registry import CRITERIA, CriterionLike, find_criterion
from entropick.criteria._reliable import expected_share, reliable
from entropick.criteria._ridge import Ridge
from entropick.criteria._tables import Floats, Ints, Tables, entropy_nats, no_value, xlogx

__all__ = [
    "CRITERIA",
    "EXPONENTS",
    "ClassifierScore",
    "Criterion",
    "CriterionLike",
    "DependenceLosses",
    "DependenceTables",
    "Floats",
    "Ints",
    "ModelCriterion",
    "NumpyLosses",
    "Ridge",
    "RowCriterion",
    "RowModel",
    "Score",
    "TableCriterion",
    "Tables",
    "criterion",
    "entropy_nats",
    "expected_share",
    "find_criterion",
    "no_value",
    "plugin",
    "predicted_by",
    "reliable",
    "xlogx",
    *CRITERIA.public,
]


def __getattr__(name: str) -> Any:
    if name in CRITERIA.public:
        return CRITERIA[CRITERIA.public[name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
