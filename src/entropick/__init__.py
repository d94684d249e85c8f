"""Pick the few features that tell you what you want to know."""

from entropick._version import __version__
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
