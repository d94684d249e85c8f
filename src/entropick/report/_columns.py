"""What is said of each column of a table: the chosen ones, those that work together, and all the others."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from entropick._decimals import ten_decimals
from entropick._masks import flip_each, in_parts, with_each
from entropick._stages import stage
from entropick.association import single_strengths
from entropick.criteria import RowCriterion, TableCriterion, plugin
from entropick.curve import SizeCurve
from entropick.encode import Encoded
from entropick.report._result import Column, Feature, Neighbour, Partner, Verdict
from entropick.scorer import Scorers
from entropick.selectors import Outcome

_REDUNDANT = 0.005  # smaller shares would be shown as 0%
_MOST_PAIRED = 30  # chosen columns that are looked at in pairs
_WORKS_TOGETHER = 0.02  # of H(y), or of R²: what a pair must say beyond its columns to be called a pair
_MOSTLY = 0.2  # ... and as a share of what the pair says
_AT_ONCE = 64  # columns that were not chosen

InUnit = Callable[[ArrayLike], NDArray[np.float64]]  # scores in the unit of the result


class _Standing(NamedTuple):
    """How columns stand in halves of the rows and beside copies without the target, as far as that was tried."""

    often: NDArray[np.float64] | None
    places: NDArray[np.float64] | None
    verdicts: tuple[Verdict, ...] | None
    false: NDArray[np.float64] | None

    @classmethod
    def of(cls, outcome: Outcome) -> _Standing:
        choices, decoys = outcome.choices, outcome.decoys
        return cls(
            None if choices is None else choices.frequency,
            outcome.places,
            None if decoys is None else decoys.verdicts(outcome.mask),
            None if decoys is None else decoys.expected_false,
        )

    def frequency(self, j: int) -> float | None:
        return None if self.often is None else round(float(self.often[j]), 4)

    def verdict(self, j: int) -> Verdict | None:
        return None if self.verdicts is None else self.verdicts[j]

    def expected_false(self, j: int) -> float | None:
        return None if self.false is None else round(float(self.false[j]), 4)

    def place(self, j: int) -> float | None:
        return None if self.places is None else round(float(self.places[j]), 4)


def features(
    scorers: Scorers,
    outcome: Outcome,
    names: Sequence[str],
    curve: SizeCurve,
    order: NDArray[np.int64],
    shares: NDArray[np.float64],
    in_unit: InUnit,
) -> tuple[Feature, ...]:
    """The chosen columns, with what each adds to those before it."""
    if not len(order):
        return ()
    scorer, m = scorers[outcome.criterion], scorers.table.n_columns
    is_number = outcome.criterion.keeps_numbers(scorers.table)
    chosen = np.isin(np.arange(m), order)
    path = in_unit(curve.score[: len(order) + 1])
    adds, alone, counted = ten_decimals(np.diff(path)), in_unit(scorer.each(order)), scorers[plugin].each(order)
    without = np.concatenate([scorer(flip_each(chosen, part)) for part in in_parts(order, m)])
    lost = ten_decimals(path[-1] - in_unit(without))
    standing = _Standing.of(outcome)
    others = shares.copy()
    others[np.arange(len(order)), order] = -1.0
    nearest = others.argmax(axis=1)
    partners = _partners(scorers, outcome, order, names, in_unit)
    return tuple(
        Feature(
            name=names[j],
            index=int(j),
            adds=float(adds[i]),
            alone=float(alone[i]),
            lost_without=float(lost[i]),
            information_bits=None if is_number else float(counted[i]),
            redundant_with=_neighbour(names, nearest[i], others[i, nearest[i]]),
            selection_frequency=standing.frequency(j),
            partner=partners.get(int(j)),
            verdict=standing.verdict(j),
            expected_false=standing.expected_false(j),
            place=standing.place(j),
        )
        for i, j in enumerate(order)
    )


def _partners(
    scorers: Scorers, outcome: Outcome, order: NDArray[np.int64], names: Sequence[str], in_unit: InUnit
) -> dict[int, Partner]:
    """The chosen column with which each of the first chosen ones says most beyond what the two say one by one."""
    first = order[:_MOST_PAIRED]
    if len(first) < 2 or not isinstance(outcome.criterion, TableCriterion | RowCriterion):
        return {}
    scorer = scorers[outcome.criterion]
    alone = in_unit(scorer.each(first))
    pairs = list(combinations(range(len(first)), 2))
    masks = np.zeros((len(pairs), scorers.table.n_columns), dtype=np.bool_)
    for mask, (i, j) in zip(masks, pairs, strict=True):
        mask[first[[i, j]]] = True
    together = in_unit(scorer(masks))
    beyond = together - np.array([np.maximum(alone[[i, j]], 0).sum() for i, j in pairs])
    least = _WORKS_TOGETHER * (scorers.table.class_entropy if outcome.criterion.unit == "bits" else 1.0)
    partners: dict[int, Partner] = {}
    for place in np.argsort(-beyond, kind="stable"):
        if beyond[place] < least:
            break
        if beyond[place] < _MOSTLY * together[place]:
            continue
        i, j = pairs[place]
        for one, other in ((i, j), (j, i)):
            found = Partner(names[first[other]], float(together[place]), float(ten_decimals(beyond[place])))
            partners.setdefault(int(first[one]), found)
    return partners


def every_column(
    scorers: Scorers,
    encoded: Encoded,
    outcome: Outcome,
    order: NDArray[np.int64],
    features: Sequence[Feature],
    shares: NDArray[np.float64],
    in_unit: InUnit,
    budget: float,
) -> tuple[Column, ...]:
    """All columns, with what each would add to the chosen ones, as far as time allows."""
    table, names, scorer = encoded.table, encoded.names, scorers[outcome.criterion]
    state = np.array(["free"] * table.n_columns, dtype=object)
    state[np.setdiff1d(np.arange(table.n_columns), scorer.columns)] = "screened"
    state[table.constant_columns] = "constant"
    for j, column in enumerate(encoded.columns):
        state[j] = {"id": "id", "crowded": "id", "unread": "unread"}.get(column.kind, state[j])
    alone, gain = np.full((2, table.n_columns), np.nan)
    for feature in features:
        alone[feature.index], gain[feature.index] = feature.alone, feature.lost_without
    others = np.flatnonzero((state == "free") & ~outcome.mask)
    if budget and isinstance(outcome.criterion, TableCriterion | RowCriterion):
        others = others[np.argsort(-single_strengths(scorers.engine)[others], kind="stable")]
        score, began = in_unit(scorer(outcome.mask[None]))[0], time.monotonic()
        for part in (others[start : start + _AT_ONCE] for start in range(0, len(others), _AT_ONCE)):
            stage("looking at the other columns", int((~np.isnan(gain)).sum()), table.n_columns)
            alone[part] = in_unit(scorer.each(part))
            gain[part] = ten_decimals(in_unit(scorer(with_each(outcome.mask, part))) - score)
            if time.monotonic() - began > budget:
                break
    standing = _Standing.of(outcome)
    nearest = shares.argmax(axis=0) if len(order) else np.zeros(table.n_columns, dtype=np.int64)
    return tuple(
        Column(
            name=names[j],
            index=j,
            is_chosen=bool(outcome.mask[j]),
            alone=None if np.isnan(alone[j]) else float(alone[j]),
            gain=None if np.isnan(gain[j]) else float(gain[j]),
            selection_frequency=standing.frequency(j),
            like=_neighbour(names, order[nearest[j]], shares[nearest[j], j])
            if len(order) and not outcome.mask[j]
            else None,
            state=state[j],
            verdict=standing.verdict(j),
            expected_false=standing.expected_false(j),
            place=standing.place(j),
        )
        for j in range(table.n_columns)
    )


def _neighbour(names: Sequence[str], j: int, share: float) -> Neighbour | None:
    return Neighbour(names[j], int(j), round(float(share), 4)) if share >= _REDUNDANT else None
