"""What an engine owes."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from entropick.criteria import Tables
from entropick.encode import CodeTable
from entropick.engine._fixed import FixedTables


class Engine(ABC):
    """Scores subsets of the columns of one table, by any criterion.

    Parameters
    ----------
    table : CodeTable
        The table.
    n_jobs : int
        Threads; −1 is one for each processor this process may use.
    """

    def __init__(self, table: CodeTable, n_jobs: int = 1) -> None:
        self.table = table
        self.n_threads = count_threads(n_jobs)

    def bind(self, tables: Tables) -> BoundEngine:
        """The function from masks to scores in bits by this criterion."""
        if not isinstance(tables, Tables):
            raise ValueError(
                "a criterion must be a function from class sizes to Tables, or have a method bind; got one that "
                f"returned {tables!r}."
            )
        return BoundEngine(self, FixedTables(tables, self.table.class_sizes))

    @abstractmethod
    def sums(self, masks: NDArray[np.bool_], tables: FixedTables) -> NDArray[np.int64]:
        """Σ_blocks T1[a] + Σ_cells T2[c][q] of every mask."""


@dataclass(frozen=True)
class BoundEngine:
    """An engine and a criterion."""

    engine: Engine
    tables: FixedTables

    def __call__(self, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Scores in bits of masks, shape (n_masks, n_columns)."""
        sums = self.engine.sums(np.ascontiguousarray(masks, dtype=np.bool_), self.tables)
        return self.tables.bits(sums)


def count_threads(n_jobs: int | None) -> int:
    """Number of threads that ``n_jobs`` asks for, in scikit-learn's convention.

    Examples
    --------
    >>> count_threads(3), count_threads(None), count_threads(-1) >= 1
    (3, 1, True)
    """
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int | np.integer) or n_jobs == 0:
        raise ValueError(f"n_jobs must be a number of threads, or −1 for one per processor; got {n_jobs!r}.")
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(n_jobs) if n_jobs > 0 else max(1, processors + 1 + int(n_jobs))
