"""What a subset of columns is worth: two lookup tables over block and cell sizes, or a model.

A criterion is a function ``class_sizes -> Tables``. To add one, write it in its own file and name it in
`CRITERIA`; every engine and every search then knows it. An object with a method ``bind(table)`` that returns
a function ``masks -> scores`` is taken as well: that is how models enter.
"""

from entropick.criteria._bayes import bayes
from entropick.criteria._classifier import ClassifierScore
from entropick.criteria._miller_madow import miller_madow
from entropick.criteria._plugin import plugin
from entropick.criteria._predictive import predictive
from entropick.criteria._registry import CRITERIA, Criterion, ModelCriterion, TableCriterion, find_criterion
from entropick.criteria._reliable import reliable
from entropick.criteria._tables import Tables, entropy_nats, no_value, xlogx
from entropick.criteria._usable import Usable

__all__ = [
    "CRITERIA",
    "ClassifierScore",
    "Criterion",
    "ModelCriterion",
    "TableCriterion",
    "Tables",
    "Usable",
    "bayes",
    "entropy_nats",
    "find_criterion",
    "miller_madow",
    "no_value",
    "plugin",
    "predictive",
    "reliable",
    "xlogx",
]
