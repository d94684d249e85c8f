"""What two models of different kinds predict of y, on average."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from entropick._words import percent
from entropick.criteria._criterion import Criterion, RowCriterion, RowModel
from entropick.criteria._linear import Linear
from entropick.criteria._one_dependence import one_dependence
from entropick.criteria._tables import Floats

if TYPE_CHECKING:
    from entropick.encode import CodeTable
    from entropick.engine import Engine


class Blend(RowCriterion):
    """The mean of the criteria `one_dependence` and `linear`, for classes.

    The first model captures non-linear effects and pairs; the second captures many small additive effects. Columns that
    help both help other models.
    """

    name = "blend"

    @property
    def quick(self) -> Criterion:
        """A linear model alone."""
        return _WITHOUT_PAIRS

    def identity(self, table: CodeTable) -> str:
        """That of both."""
        return f"{one_dependence.identity(table)} {_WITHOUT_PAIRS.identity(table)}"

    def claim(self, value: float, class_entropy: float | None) -> str:
        """How much the models can use."""
        share = percent(value, class_entropy or 0.0)
        return f"a one-dependence and a linear model predict {share} of it on average, the latter of its variance"

    def nothing(self) -> str:
        """Why no column was chosen."""
        return "none helps a model to predict rows that it has not seen."

    def most_columns(self, table: CodeTable) -> int:
        """As many as both can hold."""
        return min(one_dependence.most_columns(table), _WITHOUT_PAIRS.most_columns(table))

    def bind(self, table: CodeTable, engine: Engine | None = None) -> BlendModel:
        """Both models on this table."""
        self.check_columns(table)
        return BlendModel(table, engine)


blend = Blend()
_WITHOUT_PAIRS = Linear(pair_features=0)


class BlendModel(RowModel):
    """Both models on one table."""

    def __init__(self, table: CodeTable, engine: Engine | None) -> None:
        self.one, self.other = one_dependence.bind(table, engine), _WITHOUT_PAIRS.bind(table, engine)
        self.rows = self.one.rows
        of_nothing = self.other.losses(np.zeros((1, table.n_columns), dtype=np.bool_)).mean()
        self._bits = table.class_entropy / of_nothing if of_nothing else 0.0

    def __call__(self, masks: NDArray[np.bool_]) -> Floats:
        """Scores of masks, for comparing subsets."""
        return np.asarray((self.one(masks) + self.other(masks)) / 2)

    def near(self, masks: NDArray[np.bool_], center: NDArray[np.bool_]) -> Floats:
        """Scores of masks that differ little from one."""
        return np.asarray((self.one.near(masks, center) + self.other.near(masks, center)) / 2)

    def losses(self, masks: NDArray[np.bool_]) -> Floats:
        """The mean of both losses of each of ``rows``, in bits: a squared residual as a share of H(y)."""
        return np.asarray((self.one.losses(masks) / np.log(2) + self.other.losses(masks) * self._bits) / 2)

    def final(self, masks: NDArray[np.bool_]) -> Floats:
        """Scores of masks on all rows."""
        return np.asarray((self.one.final(masks) + self.other.final(masks)) / 2)
