"""The classic methods that pick one column after another: one greedy loop, one line per pairwise method.

A ranking is a function ``RankProblem -> Ranking``. To add a pairwise one, write a line in ``_pairwise.py``; any other
gets a file of its own. Then add it to ``entropick/_names.py``.
"""

from entropick.ranking._pairwise import Pairwise
from entropick.ranking._problem import Ranking, RankProblem
from entropick.ranking._registry import RANKINGS

__all__ = ["RANKINGS", "Pairwise", "RankProblem", "Ranking"]
