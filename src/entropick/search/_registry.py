"""The searches by name."""

from __future__ import annotations

from entropick._names import look_up
from entropick.search._backward import Backward
from entropick.search._branch_and_bound import BranchAndBound
from entropick.search._cross_entropy import CrossEntropy
from entropick.search._dfl import Dfl
from entropick.search._exhaustive import Exhaustive
from entropick.search._floating import Floating
from entropick.search._forward import Forward
from entropick.search._genetic import Genetic
from entropick.search._particle_swarm import ParticleSwarm
from entropick.search._random import Random
from entropick.search._run import Search

SEARCHES: dict[str, type[Search]] = {
    "cross_entropy": CrossEntropy,
    "forward": Forward,
    "backward": Backward,
    "floating": Floating,
    "exhaustive": Exhaustive,
    "branch_and_bound": BranchAndBound,
    "genetic": Genetic,
    "particle_swarm": ParticleSwarm,
    "dfl": Dfl,
    "random": Random,
}


def find_search(search: str | Search) -> Search:
    """The search of that name with its default settings; a `Search` object is returned as it is."""
    if isinstance(search, type) and issubclass(search, Search):
        raise ValueError(f"search must be a name or a Search object; got the class: use {search.__name__}().")
    return search if isinstance(search, Search) else look_up("search", search, SEARCHES)()
