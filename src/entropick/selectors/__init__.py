"""The scikit-learn estimators."""

from entropick.selectors._base import InformationSelector
from entropick.selectors._cross_entropy import CrossEntropySelector
from entropick.selectors._method import make_selector
from entropick.selectors._rank import RankSelector
from entropick.selectors._record import FitRecord, Outcome
from entropick.selectors._subset import SubsetSelector

__all__ = [
    "CrossEntropySelector",
    "FitRecord",
    "InformationSelector",
    "Outcome",
    "RankSelector",
    "SubsetSelector",
    "make_selector",
]
