"""The classics that pick one column after the other: one greedy loop, one line per pairwise method.

A pairwise method is a line in `PAIRWISE`; any other is a function ``RankProblem -> Ranking`` in its own file, named in
`METHODS`.
"""

from entropick.ranking._pairwise import PAIRWISE, Pairwise
from entropick.ranking._problem import Ranking, RankProblem
from entropick.ranking._registry import METHODS, rank

__all__ = ["METHODS", "PAIRWISE", "Pairwise", "RankProblem", "Ranking", "rank"]
