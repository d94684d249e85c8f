"""The input and the output of a ranking method."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from entropick._decimals import ten_decimals
from entropick.criteria import plugin
from entropick.encode import CodeTable
from entropick.engine import Engine, EngineScore

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Ranking:
    """Columns in the order in which they were picked, and the method's score at each pick."""

    order: NDArray[np.int64]
    scores: Floats


@dataclass(frozen=True)
class RankProblem:
    """A table with its entropies, the number of columns wanted, and the settings of the methods.

    Entropies are in bits; ``f`` stands for every column of the table.
    """

    table: CodeTable
    engine: Engine
    n_features: int | None  # None: the method decides
    beta: float = 1.0
    blanket: int = 2

    @property
    def n_wanted(self) -> int:
        """How many columns a method picks if it does not stop by itself."""
        return min(10, self.table.n_columns) if self.n_features is None else self.n_features

    @cached_property
    def information(self) -> EngineScore:
        """I(U;y) of masks."""
        return self.engine.bind(plugin(self.table.class_sizes))

    @cached_property
    def h_y(self) -> float:
        """H(y)."""
        return self.table.class_entropy

    @cached_property
    def h_f(self) -> Floats:
        """H(f)."""
        return self.engine.entropy.each(range(self.table.n_columns))

    @cached_property
    def h_fy(self) -> Floats:
        """H(f, y)."""
        return self.engine.entropy_with_classes.each(range(self.table.n_columns))

    @cached_property
    def relevance(self) -> Floats:
        """I(f;y)."""
        return ten_decimals(self.h_f + self.h_y - self.h_fy)

    def redundancies(self, columns: NDArray[np.int64]) -> Floats:
        """I(f;s) for every s of ``columns`` and every column f, shape (len(columns), n_columns)."""
        joint, _ = self.engine.pair_entropies(columns)
        return ten_decimals(self.h_f + self.h_f[columns, None] - joint)

    def with_column(self, s: int) -> Pairs:
        """Every column together with column s."""
        return Pairs(self, s)


@dataclass(frozen=True)
class Pairs:
    """All that a pairwise method may ask about every column f and one column s, computed on demand."""

    problem: RankProblem
    s: int

    @cached_property
    def _entropies(self) -> tuple[Floats, Floats]:
        joint, with_classes = self.problem.engine.pair_entropies([self.s])
        return joint[0], with_classes[0]

    @property
    def h_fs(self) -> Floats:
        """H(f, s)."""
        return self._entropies[0]

    @property
    def h_fsy(self) -> Floats:
        """H(f, s, y)."""
        return self._entropies[1]

    @property
    def redundancy(self) -> Floats:
        """I(f;s)."""
        return ten_decimals(self.problem.h_f + self.problem.h_f[self.s] - self.h_fs)

    @property
    def redundancy_given_y(self) -> Floats:
        """I(f;s|y)."""
        return ten_decimals(self.problem.h_fy + self.problem.h_fy[self.s] - self.h_fsy - self.problem.h_y)

    @property
    def joint_relevance(self) -> Floats:
        """I(f,s;y)."""
        return ten_decimals(self.h_fs + self.problem.h_y - self.h_fsy)

    @property
    def relevance_given_s(self) -> Floats:
        """I(f;y|s)."""
        return ten_decimals(self.joint_relevance - self.problem.relevance[self.s])
