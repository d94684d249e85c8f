"""Searches over subsets: masks out, scores in, nothing else.

A search is a dataclass of settings with one generator method, `Search.steps`. To add one, write it in its own
file and add it to `SEARCHES`; budgets, callbacks, traces, checkpoints and the estimators come for free.
"""

from entropick.search._backward import Backward
from entropick.search._branch_and_bound import BranchAndBound
from entropick.search._checkpoint import Checkpoint, CheckpointWarning, stored_seed
from entropick.search._cross_entropy import CrossEntropy
from entropick.search._dfl import Dfl
from entropick.search._drive import ON_INTERRUPT, Budget, drive
from entropick.search._exhaustive import Exhaustive
from entropick.search._floating import Floating
from entropick.search._forward import Forward
from entropick.search._genetic import Genetic
from entropick.search._particle_swarm import ParticleSwarm
from entropick.search._random import Random
from entropick.search._registry import SEARCHES, find_search
from entropick.search._run import Ask, Run, Search, Step, Steps, Stop
from entropick.search._space import Space, is_better, pick_best

__all__ = [
    "ON_INTERRUPT",
    "SEARCHES",
    "Ask",
    "Backward",
    "BranchAndBound",
    "Budget",
    "Checkpoint",
    "CheckpointWarning",
    "CrossEntropy",
    "Dfl",
    "Exhaustive",
    "Floating",
    "Forward",
    "Genetic",
    "ParticleSwarm",
    "Random",
    "Run",
    "Search",
    "Space",
    "Step",
    "Steps",
    "Stop",
    "drive",
    "find_search",
    "is_better",
    "pick_best",
    "stored_seed",
]
