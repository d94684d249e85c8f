"""The information that a model can use: the default, which picks the model for the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from entropick.criteria._criterion import Criterion
from entropick.criteria._linear import linear
from entropick.criteria._naive import naive
from entropick.criteria._one_dependence import one_dependence

if TYPE_CHECKING:
    from entropick.encode import CodeTable

_FEWEST_COLUMNS = 30  # of which a one-dependence model must hold tables, or naive Bayes is used


class Auto(Criterion):
    """How well a model predicts y from the columns, held out: for selections that models can live on.

    A number is predicted by a linear model. Classes are predicted by one-dependence estimators or, if there are so many
    that only a few columns would fit into memory, by naive Bayes.
    """

    name = "auto"

    def on(self, table: CodeTable) -> Criterion:
        """The criterion for this table."""
        if table.numbers is not None:
            return linear
        return one_dependence if one_dependence.most_columns(table) >= _FEWEST_COLUMNS else naive


auto = Auto()
