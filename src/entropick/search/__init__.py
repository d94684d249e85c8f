"""Searches over subsets: masks out, scores in, nothing else.

A search is a dataclass of settings with one generator method, `Search.steps`. To add one, write it in a file of its own
and name it in ``entropick/_names.py``; budgets, callbacks, traces, checkpoints and the estimators come for free.
"""

from typing import Any

from entropick.search._checkpoint import Checkpoint, CheckpointWarning, stored_seed
from entropick.search._cross_entropy import CrossEntropy
from entropick.search._drive import ON_INTERRUPT, Budget, drive
from entropick.search._forward import Forward
from entropick.search._registry import SEARCHES, find_search, search_name
from entropick.search._run import Ask, Run, Search, Step, StepLine, Steps, Stop, TraceLine
from entropick.search._space import Space, is_better, pick_best

__all__ = [
    "ON_INTERRUPT",
    "SEARCHES",
    "Ask",
    "Budget",
    "Checkpoint",
    "CheckpointWarning",
    "CrossEntropy",
    "Forward",
    "Run",
    "Search",
    "Space",
    "Step",
    "StepLine",
    "Steps",
    "Stop",
    "TraceLine",
    "drive",
    "find_search",
    "is_better",
    "pick_best",
    "search_name",
    "stored_seed",
    *SEARCHES.public,
]


def __getattr__(name: str) -> Any:
    if name in SEARCHES.public:
        return SEARCHES[SEARCHES.public[name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
