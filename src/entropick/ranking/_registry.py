"""The ranking methods by name."""

from __future__ import annotations

from collections.abc import Callable

from entropick._names import look_up
from entropick.ranking._cmi import cmi
from entropick.ranking._koller_sahami import koller_sahami
from entropick.ranking._pairwise import PAIRWISE
from entropick.ranking._pearson import pearson
from entropick.ranking._problem import Ranking, RankProblem

METHODS: dict[str, Callable[[RankProblem], Ranking]] = {
    "pearson": pearson,
    **PAIRWISE,
    "cmi": cmi,
    "koller_sahami": koller_sahami,
}


def rank(method: str, problem: RankProblem) -> Ranking:
    """The columns of a table in the order of a method."""
    return look_up("method", method, METHODS)(problem)
