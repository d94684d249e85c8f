"""Pick the few features that tell you what you want to know."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from entropick._names import PUBLIC
from entropick._version import __version__ as __version__

if TYPE_CHECKING:  # for type checkers, which do not read PUBLIC
    from entropick.criteria import ClassifierScore as ClassifierScore
    from entropick.dates import date_parts as date_parts
    from entropick.encode import ColumnWarning as ColumnWarning
    from entropick.information import entropy as entropy
    from entropick.information import mutual_information as mutual_information
    from entropick.scorer import SubsetScorer as SubsetScorer
    from entropick.search import CrossEntropy as CrossEntropy
    from entropick.selectors import CrossEntropySelector as CrossEntropySelector
    from entropick.selectors import RankSelector as RankSelector
    from entropick.selectors import SubsetSelector as SubsetSelector

# Imported on first use, because scikit-learn takes a second to load.
__all__ = sorted(["__version__", *PUBLIC])
_MODULES = {*PUBLIC.values(), "curve", "datasets", "engine", "evaluation", "notes", "ranking", "report"}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"entropick.{name}")
    if name not in PUBLIC:
        raise AttributeError(f"module 'entropick' has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f"entropick.{PUBLIC[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
