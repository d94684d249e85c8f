"""The base of the engines."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._errors import ParameterError
from entropick._masks import in_parts, with_each
from entropick.criteria import DependenceLosses, DependenceTables, NumpyLosses, Ridge, Tables, no_value, xlogx
from entropick.encode import CodeTable
from entropick.engine._fixed import FixedTables

_MOST_THREADS = 1024


class Engine(ABC):
    """Scores subsets of the columns of one table by any criterion.

    Parameters
    ----------
    table : CodeTable
        The table.
    n_jobs : int
        Threads; −1 is one per processor that this process may use.
    """

    def __init__(self, table: CodeTable, n_jobs: int | None = 1) -> None:
        self.table = table
        self.n_threads = count_threads(n_jobs)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only what it was made from."""
        return type(self), (self.table, self.n_threads)

    def on(self, table: CodeTable) -> Engine:
        """An engine of the same kind on another table."""
        return type(self)(table, self.n_threads)

    @property
    def how(self) -> str:
        """What was done where, as a sentence, if it was not done here."""
        return ""

    def bind(self, tables: Tables) -> EngineScore:
        """The function from masks to scores by this criterion, in bits."""
        if not isinstance(tables, Tables):
            raise ValueError(
                "a criterion must be a function from class sizes to Tables, or have a method bind; got one that "
                f"returned {tables!r}."
            )
        return EngineScore(self, FixedTables(tables, self.table.class_sizes))

    @property
    def entropy(self) -> EngineScore:
        """H(U)."""
        return EngineScore(self, self._entropies[0])

    @property
    def entropy_with_classes(self) -> EngineScore:
        """H(U, y)."""
        return EngineScore(self, self._entropies[1])

    @cached_property
    def _entropies(self) -> tuple[FixedTables, FixedTables]:
        sizes, most = self.table.class_sizes, np.log(self.table.n_rows)
        alone = Tables(lambda a: -xlogx(a), no_value, most)
        with_classes = Tables(lambda a: np.zeros(len(a)), lambda c, q: -xlogx(q), most)
        return FixedTables(alone, sizes), FixedTables(with_classes, sizes)

    def pair_entropies(
        self, columns: Sequence[int] | NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """H(f, s) and H(f, s, y) for every s of ``columns`` and every column f; for f = s, H(s) and H(s, y).

        Returns
        -------
        two arrays of shape (len(columns), n_columns)
        """
        every = range(self.table.n_columns)
        scores = (self.entropy, self.entropy_with_classes)
        joint, with_classes = (np.array([score.each(every, s) for s in columns]) for score in scores)
        return joint, with_classes

    def dependence(self, tables: DependenceTables, rows: NDArray[np.int64]) -> DependenceLosses:
        """What a model that counts levels together loses, on these rows and on all."""
        return NumpyLosses(tables, *self.table.locate(rows))

    def ridge(
        self, ridge: Ridge, members: NDArray[np.bool_], near: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """V(U)/V(∅) of subsets of features, and the place of the penalty; see `Ridge.solve`.

        An engine may be quicker where all subsets are ``near`` to one; results may differ by rounding errors.
        """
        return ridge.solve(members)

    @abstractmethod
    def sums(self, masks: NDArray[np.bool_], tables: FixedTables) -> NDArray[np.int64]:
        """Σ_blocks T1[a] + Σ_cells T2[c][q] of every mask."""

    def sums_of_each(self, columns: NDArray[np.int64], tables: FixedTables) -> NDArray[np.int64]:
        """The same of single columns."""
        nothing = np.zeros(self.table.n_columns, dtype=np.bool_)
        parts = in_parts(columns, len(nothing))
        none = np.empty(0, dtype=np.int64)
        return np.concatenate([none, *(self.sums(with_each(nothing, part), tables) for part in parts)])


@dataclass(frozen=True)
class EngineScore:
    """The scores of subsets by one criterion, computed by an engine."""

    engine: Engine
    tables: FixedTables

    def __call__(self, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Scores of masks of shape (n_masks, n_columns), in bits."""
        sums = self.engine.sums(np.ascontiguousarray(masks, dtype=np.bool_), self.tables)
        return self.tables.bits(sums)

    def each(self, columns: Sequence[int] | NDArray[np.int64], s: int | None = None) -> NDArray[np.float64]:
        """Scores of single columns, alone or each together with column s."""
        columns = np.asarray(columns, dtype=np.int64)
        if s is None:
            return self.tables.bits(self.engine.sums_of_each(columns, self.tables))
        others = np.arange(self.engine.table.n_columns) == s
        parts = in_parts(columns, len(others))
        return np.concatenate([np.empty(0), *(self(with_each(others, part)) for part in parts)])


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
        raise ParameterError("n_jobs", "must be a number of threads, or −1 for one per processor", n_jobs)
    if n_jobs > _MOST_THREADS:
        raise ParameterError("n_jobs", f"must be at most {_MOST_THREADS} threads", n_jobs, "−1 is one per processor")
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(n_jobs) if n_jobs > 0 else max(1, processors + 1 + int(n_jobs))
