"""The binary particle swarm that the paper compares itself with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from entropick._checks import check_number
from entropick.search._run import Ask, Search, Step, Steps, Stop
from entropick.search._sampling import draw, repair, start_probabilities
from entropick.search._space import Space, pick_best


@dataclass
class ParticleSwarm(Search):
    """Particles with a velocity for each column, v ← w·v + c₁r₁(own best − x) + c₂r₂(best of all − x).

    A column is in with probability 1 / (1 + exp(−v)), where ``|v|`` is at most ``max_velocity``. It ends after
    ``patience`` steps without a better subset.

    J. Kennedy, R. C. Eberhart, A discrete binary version of the particle swarm algorithm, 1997.

    Parameters
    ----------
    particles : int
        Subsets per step.
    inertia, own, social : float
        w, c₁ and c₂.
    max_velocity : float
        Largest velocity: with 6, no column is ever more certain than 99.8%.
    initial_features : float
        Expected size of the first subsets; the first velocities are its log odds.
    patience, max_steps : int
        Steps without a gain, and in total.
    """

    threshold_label = "median of the swarm"

    particles: int = 50
    inertia: float = 1.0
    own: float = 2.0
    social: float = 2.0
    max_velocity: float = 6.0
    initial_features: float = 10
    patience: int = 30
    max_steps: int = 1000

    def check(self) -> None:
        """Raise a ValueError for settings that make no sense."""
        for name in ("particles", "patience", "max_steps"):
            check_number(name, getattr(self, name), 1, integer=True)
        for name in ("inertia", "own", "social", "initial_features"):
            check_number(name, getattr(self, name), 0)
        check_number("max_velocity", self.max_velocity, 0, 700, above=True)  # exp(710) overflows

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """Move the swarm, one step after another."""
        p = start_probabilities(space, self.initial_features)
        x = draw(space, p, self.particles, rng)
        with np.errstate(divide="ignore"):
            speed = np.clip(np.log(p) - np.log(1 - p), -self.max_velocity, self.max_velocity)
        v = np.repeat(speed[None], self.particles, axis=0)
        scores = yield Ask(x)
        own, own_scores = x.copy(), scores.copy()
        leader, idle = pick_best(own, own_scores), 0
        for _ in range(self.max_steps):
            to_own = (own.astype(np.int8) - x) * rng.random(x.shape)
            to_leader = (own[leader].astype(np.int8) - x) * rng.random(x.shape)
            v = self.inertia * v + self.own * to_own + self.social * to_leader
            np.clip(v, -self.max_velocity, self.max_velocity, out=v)
            x = repair(rng.random(x.shape) < 1 / (1 + np.exp(-v)), space, rng)
            scores = yield Ask(x)
            before = own_scores[leader]
            better = scores > own_scores
            own[better], own_scores[better] = x[better], scores[better]
            leader = pick_best(own, own_scores)
            idle = 0 if own_scores[leader] > before else idle + 1
            yield Step(float(np.median(own_scores)), len(x), 1, (1 / (1 + np.exp(-v))).mean(axis=0))
            if idle >= self.patience:
                return Stop({"no_gain": idle})
        return Stop({"max_steps": self.max_steps})
