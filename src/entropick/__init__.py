"""Pick the few features that tell you what you want to know."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from entropick._version import __version__

if TYPE_CHECKING:
    from entropick.criteria import ClassifierScore
    from entropick.encode import ColumnWarning
    from entropick.information import entropy, mutual_information
    from entropick.scorer import SubsetScorer
    from entropick.search import CrossEntropy
    from entropick.selectors import CrossEntropySelector, RankSelector, SubsetSelector

__all__ = [
    "ClassifierScore",
    "ColumnWarning",
    "CrossEntropy",
    "CrossEntropySelector",
    "RankSelector",
    "SubsetScorer",
    "SubsetSelector",
    "__version__",
    "entropy",
    "mutual_information",
]

# Loaded when first used, because scikit-learn takes a second.
_HOMES = {
    "ClassifierScore": "criteria",
    "ColumnWarning": "encode",
    "CrossEntropy": "search",
    "CrossEntropySelector": "selectors",
    "RankSelector": "selectors",
    "SubsetScorer": "scorer",
    "SubsetSelector": "selectors",
    "entropy": "information",
    "mutual_information": "information",
}
_MODULES = {
    "criteria",
    "datasets",
    "encode",
    "engine",
    "evaluation",
    "information",
    "ranking",
    "report",
    "scorer",
    "search",
    "selectors",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"entropick.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'entropick' has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f"entropick.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
