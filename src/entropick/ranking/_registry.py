"""The rankings by name."""

from __future__ import annotations

from collections.abc import Callable

from entropick import _names
from entropick._names import Registry
from entropick.ranking._problem import Ranking, RankProblem

RANKINGS: Registry[Callable[[RankProblem], Ranking]] = _names.RANKINGS
