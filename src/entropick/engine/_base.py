"""What an engine owes."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from entropick.criteria import Tables
from entropick.encode import CodeTable
from entropick.engine._fixed import FixedTables


class Engine(ABC):
    """Scores subsets of the columns of one table by one criterion.

    Parameters
    ----------
    table : CodeTable
        The table.
    tables : Tables
        The criterion on its classes.
    n_jobs : int
        Threads; −1 is one for each processor this process may use.
    """

    def __init__(self, table: CodeTable, tables: Tables, n_jobs: int = 1) -> None:
        self.table = table
        self.fixed = FixedTables(tables, table.class_sizes)
        self.n_threads = count_threads(n_jobs)

    def __call__(self, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Scores in bits of masks, shape (n_masks, n_columns)."""
        return self.fixed.bits(self.sums(np.ascontiguousarray(masks, dtype=np.bool_)))

    @abstractmethod
    def sums(self, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Σ_blocks T1[a] + Σ_cells T2[c][q] of every mask."""


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
