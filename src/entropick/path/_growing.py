"""A model of the columns that are asked for, of a table that has more than a model holds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from entropick.criteria import RowCriterion, RowModel
from entropick.encode import CodeTable
from entropick.scorer import Scorers


class Growing:
    """What rows lose that are left out, with any columns, a few at a time.

    Columns that are chosen without a row must not be sorted out by a look at it. So the model is made of the columns
    that are asked for, and made again when others are.

    Parameters
    ----------
    table : CodeTable
        The table.
    criterion : RowCriterion
        What makes the model.
    n_jobs : int
        Threads.
    """

    def __init__(self, table: CodeTable, criterion: RowCriterion, n_jobs: int | None) -> None:
        self.table, self.criterion, self.n_jobs = table, criterion, n_jobs
        self.columns = np.arange(1)
        self.model = self._bound()
        self.rows = self.model.rows

    def losses(self, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The loss of each of ``rows``, shape (n_masks, n_rows)."""
        needed = np.flatnonzero(masks.any(axis=0))
        if len(np.setdiff1d(needed, self.columns)):
            together = np.union1d(self.columns, needed)
            fits = len(together) <= self.criterion.most_columns(self.table.take(together))
            self.columns = together if fits else needed
            self.model = self._bound()
        return self.model.losses(masks[:, self.columns])

    def _bound(self) -> RowModel:
        model = Scorers(self.table.take(self.columns), "auto", self.n_jobs)[self.criterion].model
        if model is None:
            raise TypeError(f"criterion {self.criterion.name!r} has no model of rows.")
        return model
