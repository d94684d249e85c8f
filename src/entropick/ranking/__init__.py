"""The classics that pick one column after the other: one greedy loop, one line per pairwise method.

A ranking is a function ``RankProblem -> Ranking``. To add a pairwise one, write a line in ``_pairwise.py``; to add any
other, write it in a file of its own. Name it in ``entropick/_names.py``.
"""

from entropick.ranking._pairwise import Pairwise
from entropick.ranking._problem import Ranking, RankProblem
from entropick.ranking._registry import RANKINGS

__all__ = ["RANKINGS", "Pairwise", "RankProblem", "Ranking"]
