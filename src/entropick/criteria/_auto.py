"""How well a model predicts y: the default, which picks the model for the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from entropick.criteria._blend import blend
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

    For numbers that is a linear model with pairs of columns, for classes the mean of this and of one-dependence
    estimators; for very many classes the latter alone, and in either case without them if their tables would hold only
    a few columns: then it is naive Bayes for very many classes.
    """

    name = "auto"

    def on(self, table: CodeTable) -> Criterion:
        """The criterion for this table."""
        if table.numbers is not None:
            return linear
        n_classes = len(table.class_sizes)
        has_indicators = n_classes <= _MOST_CLASSES and n_classes * table.n_rows <= _MOST_INDICATORS
        if one_dependence.most_columns(table) >= _FEWEST_COLUMNS:
            return blend if has_indicators else one_dependence
        return linear if has_indicators else naive


auto = Auto()
