"""The best columns of each number, one after the other, from a half of the rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from entropick._masks import Mask, flip_each
from entropick.criteria import Criterion, RowCriterion
from entropick.encode import CodeTable
from entropick.engine import local_engine
from entropick.path._settings import MOST_COLUMNS, PAIR_WORK
from entropick.scorer import Scorers

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SHARE = 4  # a model of a half holds this fraction of the columns that one model may: all halves are in memory
_FEWEST = 20  # columns that are tried in any case
_TRIED = 16  # columns or pairs, those that gained most before, that are tried together


class Grower:
    """A set of columns that grows by the best column, or by the best two that work together.

    Parameters
    ----------
    table : CodeTable
        The rows of a half, with its columns in the order of their content: of equal scores, the first column wins.
    criterion : Criterion
        What sets are compared by; it is bound to these rows alone.
    always : sequence of int
        Columns that are in every set.
    never : sequence of int
        Columns that are in no set.
    engine : str
        What counts.
    exchanges : int
        Rounds of exchanges after each growth.
    """

    def __init__(
        self,
        table: CodeTable,
        criterion: Criterion,
        always: Sequence[int],
        never: Sequence[int],
        engine: str,
        exchanges: int,
    ) -> None:
        m, self.exchanges = table.n_columns, exchanges
        self._n_columns = m
        columns = np.setdiff1d(np.arange(m), never)
        narrow = table.take(columns) if len(columns) < m else table
        most = max(_most_tried(criterion, narrow), len(always))
        if len(columns) > most:
            places = np.searchsorted(columns, always)
            with Scorers(narrow, local_engine(engine), 1, places, PAIR_WORK) as scorers:
                columns = columns[scorers.screened(most)]
            narrow = table.take(columns)
        self.columns = columns  # of the half; everything below is in terms of these
        self._scorers = Scorers(narrow, local_engine(engine), 1, pair_work=PAIR_WORK)
        self.scorer = self._scorers[criterion]
        self._pairs = self._scorers.associations.pairs if narrow.n_columns > 2 else np.empty((0, 2), dtype=np.int64)
        self._partners = np.zeros((narrow.n_columns,) * 2, dtype=np.bool_)
        self._partners[tuple(self._pairs.T)] = self._partners[tuple(self._pairs[:, ::-1].T)] = True
        self.mask = np.isin(columns, always)
        self.score = float(self.scorer(self.mask[None])[0])
        self._always = list(always)
        self.sets: dict[int, Mask] = {}
        self._before = self.mask, self.score  # the set that is one column smaller
        # What each column, and each pair, gained when it was last tried beside a set.
        self._gains, self._pair_gains = np.full(narrow.n_columns, np.inf), np.full(len(self._pairs), np.inf)
        self._keep(m)

    @property
    def size(self) -> int:
        """How many columns the set has."""
        return int(self.mask.sum())

    @property
    def is_whole(self) -> bool:
        """Whether there is no column left to add."""
        return bool(self.mask.all())

    def grow(self) -> None:
        """Add a column; then exchange one for another as long as that helps."""
        if self.is_whole:
            return
        before = self.mask, self.score
        mask, score = self._added(self.mask, self.score)
        smaller, of_smaller = self._before
        if smaller.sum() == self.size - 1:
            free = np.flatnonzero(~smaller[self._pairs].any(axis=1))
            pair, of_pair = self._best(self._pairs, self._pair_gains, free, smaller, of_smaller, score)
            if pair is not None:
                mask, score = pair, of_pair
        for _ in range(self.exchanges if mask.sum() > 1 else 0):
            rest, of_rest = self._without_one(mask)
            if rest is None or (rest == before[0]).all():  # beside that, the best column is known
                break
            better = self._added(rest, of_rest)
            if better[1] <= score:
                break
            mask, score = better
        self._gains[self._partners[mask & ~self.mask].any(axis=0)] = np.inf  # they may gain more than before
        self._before, self.mask, self.score = before, mask, score
        self._keep(self._n_columns)

    def _added(self, mask: Mask, score: float) -> tuple[Mask, float]:
        """The set with the column that is best beside it."""
        every = np.arange(len(mask))[:, None]
        added, of_added = self._best(every, self._gains, np.flatnonzero(~mask), mask, score, -np.inf)
        return mask if added is None else added, of_added

    def _best(
        self, groups: Ints, gains: Floats, free: Ints, mask: Mask, score: float, least: float
    ) -> tuple[Mask | None, float]:
        """The set with the free one of some groups of columns that is best beside it, if that is better than ``least``.

        What is gained is rarely more than what was gained beside a smaller set. So those that gained most are tried
        first, until one is as good as any other could be by what it gained when it was tried last.
        """
        order = free[np.argsort(-gains[free], kind="stable")]
        scores, start = np.full(len(groups), -np.inf), 0
        n_new = int(np.isinf(gains[free]).sum())
        while start < len(order) and score + gains[order[start]] >= max(scores.max(), least):
            some = order[start : max(n_new, start + _TRIED)]
            masks = np.repeat(mask[None], len(some), axis=0)
            masks[np.arange(len(some))[:, None], groups[some]] = True
            scores[some] = self.scorer.near(masks, mask)
            gains[some] = scores[some] - score
            start += len(some)
        best = int(scores.argmax()) if len(scores) else -1
        if best < 0 or scores[best] <= least:
            return None, least
        found = mask.copy()
        found[groups[best]] = True
        return found, float(scores[best])

    def _without_one(self, mask: Mask) -> tuple[Mask | None, float]:
        """The set without the column that is missed least; None if all are always there."""
        inside = np.flatnonzero(mask & ~np.isin(self.columns, self._always))
        if not len(inside):
            return None, -np.inf
        scores = self.scorer.near(flip_each(mask, inside), mask)
        best = int(scores.argmax())
        return flip_each(mask, inside[[best]])[0], float(scores[best])

    def _keep(self, m: int) -> None:
        """Remember the set."""
        chosen = np.zeros(m, dtype=np.bool_)
        chosen[self.columns[self.mask]] = True
        self.sets[self.size] = chosen

    @property
    def places(self) -> NDArray[np.float64]:
        """The number of columns at which each column is first in the set and still there with one more; or infinite.

        The strongest single column has to give way where two others only work together, and is then not the first.
        """
        places = np.full(len(self.sets[self.size]), np.inf)
        for size in sorted(self.sets, reverse=True):
            places[self.sets[size] & self.sets.get(size + 1, self.sets[size])] = size
        places[self._always] = 0
        return places

    def close(self) -> None:
        """Free the model."""
        self._scorers.close()


def _most_tried(criterion: Criterion, table: CodeTable) -> int:
    """How many columns of a half are tried: the models of all halves are in memory at once."""
    if not isinstance(criterion, RowCriterion):
        return MOST_COLUMNS
    return min(max(criterion.most_columns(table) // _SHARE, _FEWEST), MOST_COLUMNS)
