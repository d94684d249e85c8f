"""A table and a criterion, as a search sees them: which subsets there are, and what each is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from entropick._checks import check_size
from entropick._decimals import ten_decimals
from entropick._errors import ParameterError
from entropick._masks import Mask
from entropick.criteria import CriterionLike, ModelCriterion, RowCriterion
from entropick.encode import CodeTable
from entropick.scorer import Scorers, SubsetScorer
from entropick.search import Space

QUICK_PAIR_WORK = 2e8  # operations that a quick look spends on pairs of columns, about a tenth of a second

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Problem:
    """What a search maximises, and over which subsets.

    Attributes
    ----------
    scorer : SubsetScorer
        The criterion on the table.
    space : Space
        The subsets that are allowed.
    price : float
        What a column costs, in the unit of the scores.
    useless : tuple of int
        The columns that no subset has even if a model could hold all: those that never differ, and copies.
    """

    scorer: SubsetScorer
    space: Space
    price: float
    useless: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        scorers: Scorers,
        criterion: CriterionLike,
        *,
        always: Sequence[int] = (),
        size: int | None = None,
        most: int | None = None,
        parsimony: float = 0.0,
        binning: str = "",
        hints: bool = False,
    ) -> Problem:
        """The problem of a selector's settings; with ``hints``, the space knows the most promising pairs of columns."""
        for name, value in (("n_features_to_select", size), ("max_features", most)):
            check_size(name, value, scorers.table.n_columns)  # before the criterion is set up, which may take long
        table, scorer = scorers.table, scorers[criterion]
        # A model of the raw values may see differences between values that MDLP put into one bin.
        may_differ = binning == "mdlp" and isinstance(scorer.criterion, ModelCriterion)
        may_differ &= not isinstance(scorer.criterion, RowCriterion)
        fixed: tuple[int, ...] = tuple(always)
        useless: tuple[int, ...] = ()
        if not may_differ:
            same = table.constant_columns
            if isinstance(scorer.criterion, RowCriterion):  # a penalised model gains by having a column twice
                same = np.union1d(same, _copies(table, always))
            fixed, useless = _without(same, table.n_columns, fixed, size)
        left_out = np.setdiff1d(np.arange(table.n_columns), scorer.columns)
        n_held = len(scorer.columns)
        if len(left_out) and size is not None and size > n_held:
            raise ParameterError(
                "n_features_to_select",
                f"must be at most {n_held}, as many columns as the model of the criterion "
                f"{scorer.criterion.name!r} can hold",
                size,
                "criteria that count, such as 'reliable', take any number",
            )
        never = tuple(np.union1d(useless, left_out).astype(np.int64).tolist())
        pairs = scorers.associations.pairs if hints and table.n_columns > 2 else np.empty((0, 2), dtype=np.int64)
        masks = np.zeros((len(pairs), table.n_columns), dtype=np.bool_)
        masks[np.arange(len(pairs))[:, None], pairs] = True
        masks[:, list(fixed)] = True
        is_smooth = isinstance(scorer.criterion, RowCriterion)
        space = Space(table.n_columns, fixed, size, most, scorer.scale, never, tuple(masks), is_smooth)
        return cls(scorer, space, parsimony * scorer.scale, useless)

    def score(self, masks: Mask) -> Floats:
        """What subsets are worth to a search."""
        return self._priced(self.scorer(masks), masks)

    def near(self, masks: Mask, center: Mask) -> Floats:
        """What subsets that differ little from one are worth to a search."""
        return self._priced(self.scorer.near(masks, center), masks)

    def final(self, mask: Mask) -> float:
        """What the answer is worth, as it is reported."""
        return float(self._priced(self.scorer.final(mask[None]), mask[None])[0])

    def bound(self, lower: Mask, upper: Mask) -> Floats:
        """No subset between two is worth more."""
        return self._priced(self.scorer.bounds(lower, upper), lower)

    def _priced(self, scores: Floats, masks: Mask) -> Floats:
        cost = self.price * masks.sum(axis=1)
        if not self.price:
            return scores
        if self.scorer.criterion.keeps_numbers(self.scorer.table):  # the price is one in R²
            return ten_decimals(-np.log2(4.0**-scores + cost) / 2)
        return ten_decimals(scores - cost)


def _copies(table: CodeTable, always: Sequence[int]) -> NDArray[np.int64]:
    """The columns that say the same as another, of which one is not among them: one always selected, or the first."""
    groups: dict[int, list[int]] = {}
    for copy, first in table.copies.items():
        groups.setdefault(first, [first]).append(copy)
    kept = {first: next((j for j in group if j in always), first) for first, group in groups.items()}
    return np.array([j for first, group in groups.items() for j in group if j != kept[first]], dtype=np.int64)


def _without(
    useless: NDArray[np.int64], n_columns: int, always: tuple[int, ...], size: int | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The columns that are always selected, and those that never are: those with the same code in all rows, and copies.

    If more columns are asked for than there are others, all others are always selected, and useless ones fill up the
    rest.
    """
    never = np.setdiff1d(useless, always)
    others = np.setdiff1d(np.arange(n_columns), never)
    if size is not None and size > len(others):
        return tuple(others.tolist()), ()
    return always, tuple(never.tolist())
