"""Add one column at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from entropick.search._greedy import add_greedily
from entropick.search._run import Search, Steps, Stop
from entropick.search._space import Space


@dataclass
class Forward(Search):
    """Sequential forward selection: add the best column as long as that helps.

    With a fixed number of columns it keeps adding up to that number. A. W. Whitney, 1971.
    """

    threshold_label = "score of the step"

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """From the smallest subset up."""
        _, _, reasons = yield from add_greedily(space)
        return Stop(reasons)
