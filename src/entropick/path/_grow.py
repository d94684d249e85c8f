"""The best columns of each number, one after the other, from a half of the rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from entropick._masks import Mask, flip_each, with_each
from entropick.criteria import Criterion, RowCriterion
from entropick.encode import CodeTable
from entropick.engine import local_engine
from entropick.path._settings import MOST_COLUMNS, PAIR_WORK
from entropick.scorer import Scorers

_SHARE = 4  # a model of a half holds this fraction of the columns that one model may: all halves are in memory
_FEWEST = 20  # columns that are tried in any case


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
        for that_fit in (_that_are_tried, _that_are_held):
            narrow = table.take(columns) if len(columns) < m else table
            fitting = max(that_fit(criterion, narrow), len(always))
            if len(columns) > fitting:
                places = np.searchsorted(columns, always)
                with Scorers(narrow, local_engine(engine), 1, places, PAIR_WORK) as scorers:
                    columns = columns[scorers.screened(fitting)]
        self.columns = columns  # of the half; everything below is in terms of these
        narrow = table if len(columns) == m else table.take(columns)
        self._scorers = Scorers(narrow, local_engine(engine), 1, pair_work=PAIR_WORK)
        self.scorer = self._scorers[criterion]
        self._pairs = self._scorers.associations.pairs if narrow.n_columns > 2 else np.empty((0, 2), dtype=np.int64)
        self.mask = np.isin(columns, always)
        self.score = float(self.scorer(self.mask[None])[0])
        self._always = list(always)
        self.sets: dict[int, Mask] = {}
        self._before = self.mask, self.score  # the set that is one column smaller
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
        mask, score = self._added(self.mask)
        smaller = self._before[0]
        free = self._pairs[~smaller[self._pairs].any(axis=1)] if len(self._pairs) else self._pairs
        if len(free) and smaller.sum() == self.size - 1:
            both = np.repeat(smaller[None], len(free), axis=0)
            both[np.arange(len(free))[:, None], free] = True
            scores = self.scorer(both)
            best = int(scores.argmax())
            if scores[best] > score:
                mask, score = both[best], float(scores[best])
        for _ in range(self.exchanges if mask.sum() > 1 else 0):
            better = self._exchanged(mask)
            if better[1] <= score:
                break
            mask, score = better
        self._before, self.mask, self.score = before, mask, score
        self._keep(self._n_columns)

    def _added(self, mask: Mask) -> tuple[Mask, float]:
        """The set with the column that is best beside it."""
        free = np.flatnonzero(~mask)
        scores = self.scorer.near(with_each(mask, free), mask)
        best = int(scores.argmax())
        return with_each(mask, free[best : best + 1])[0], float(scores[best])

    def _exchanged(self, mask: Mask) -> tuple[Mask, float]:
        """The set without the column that is missed least, and with the best other one."""
        inside = np.flatnonzero(mask & ~np.isin(self.columns, self._always))
        if not len(inside):
            return mask, -np.inf
        scores = self.scorer.near(flip_each(mask, inside), mask)
        return self._added(flip_each(mask, inside[[int(scores.argmax())]])[0])

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


def _that_are_tried(criterion: Criterion, table: CodeTable) -> int:
    """How many columns of a half are tried."""
    return MOST_COLUMNS


def _that_are_held(criterion: Criterion, table: CodeTable) -> int:
    """How many columns the model of a half may have, because those of all halves are in memory at once."""
    if not isinstance(criterion, RowCriterion):
        return table.n_columns
    return max(criterion.most_columns(table) // _SHARE, _FEWEST)
