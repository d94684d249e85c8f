"""The criteria by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from entropick._names import look_up
from entropick.criteria._bayes import bayes
from entropick.criteria._miller_madow import miller_madow
from entropick.criteria._plugin import plugin
from entropick.criteria._predictive import predictive
from entropick.criteria._reliable import reliable
from entropick.criteria._tables import Floats, Ints, Tables
from entropick.criteria._usable import Usable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from entropick.encode import CodeTable

TableCriterion: TypeAlias = Callable[[Ints], Tables]


@runtime_checkable
class ModelCriterion(Protocol):
    """A criterion that scores subsets by a model instead of by two tables."""

    def bind(self, table: CodeTable) -> Callable[[NDArray[np.bool_]], Floats]:
        """The function from masks, shape (n_masks, n_columns), to scores on this table."""


Criterion: TypeAlias = TableCriterion | ModelCriterion

CRITERIA: dict[str, Criterion] = {
    "plugin": plugin,
    "miller_madow": miller_madow,
    "reliable": reliable,
    "bayes": bayes,
    "predictive": predictive,
    "usable": Usable(),
}


def find_criterion(criterion: str | Criterion) -> Criterion:
    """The criterion of that name; a criterion of your own is returned as it is."""
    if isinstance(criterion, type):
        raise ValueError(
            f"criterion must be a name, a function or an object; got the class: use {criterion.__name__}(...)."
        )
    if isinstance(criterion, ModelCriterion) or callable(criterion):
        return criterion
    return look_up("criterion", criterion, CRITERIA)
