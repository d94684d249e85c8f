"""How well a model predicts y: the default, which picks the model for the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from entropick.criteria._criterion import Criterion
from entropick.criteria._linear import linear
from entropick.criteria._naive import naive
from entropick.criteria._one_dependence import one_dependence

if TYPE_CHECKING:
    from entropick.encode import CodeTable

_MOST_CLASSES = 100  # that a linear model predicts by an indicator each,
_MOST_INDICATORS = 1 << 26  # and rows × classes
_FEWEST_COLUMNS = 30  # of which a one-dependence model must hold tables, or naive Bayes is used


class Auto(Criterion):
    """How well a model predicts y from the columns, held out: for selections that models can live on.

    That is a linear model with pairs of columns or, for very many classes, one-dependence estimators, or naive Bayes if
    only a few columns of these would fit into memory.
    """

    name = "auto"

    def on(self, table: CodeTable) -> Criterion:
        """The criterion for this table."""
        n_classes = len(table.class_sizes)
        if table.numbers is not None or (n_classes <= _MOST_CLASSES and n_classes * table.n_rows <= _MOST_INDICATORS):
            return linear
        return one_dependence if one_dependence.most_columns(table) >= _FEWEST_COLUMNS else naive


auto = Auto()
