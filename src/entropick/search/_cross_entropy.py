"""The cross-entropy method: probabilities that move towards the best of the subsets drawn from them."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from math import ceil, inf
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._checks import check_flag, check_number
from entropick._errors import Mention
from entropick._masks import Mask
from entropick._names import look_up
from entropick.search._climb import climb
from entropick.search._run import Ask, Search, Step, Steps, Stop
from entropick.search._sampling import draw, start_probabilities
from entropick.search._space import Space, is_better, pick_best

_FINALS = {name: name for name in ("best", "most_probable", "sample")}


@dataclass
class CrossEntropy(Search):
    """Algorithm 1 of the paper in both its forms, with practical additions.

    Each step draws subsets z ~ g(z, p); γ is the e-th best of their scores. The elite is every subset with a score of
    at least γ, and p moves to the share of the elite that contains each column. The search ends when γ has changed by
    at most ``tolerance`` over ``patience`` steps.

    With ``max_samples`` above ``min_samples`` the number of samples adapts: a step draws batches of
    ``min_samples`` until γ exceeds that of the previous step, or ``max_samples`` are reached. With both equal, S and
    ρ are fixed.

    Parameters
    ----------
    initial_features : float
        Expected size of the first subsets: p⁰ = min(.5, initial_features / m).
    initial_probability : float or None
        p⁰ itself, instead of ``initial_features``. (With a fixed number k of columns, p⁰ is k / m.)
    min_samples, max_samples : int or float
        Subsets per batch, and at most per step; a float is a multiple of the number of columns m.
    elite : float
        Share of a batch that forms the elite: e = ⌈elite · min_samples⌉, but ...
    min_elite : int
        ... at least this many.
    smoothing : float
        p ← smoothing · p_elite + (1 − smoothing) · p; 1 is the paper's update.
    tolerance : float
        ε, as a share of the scale of the scores, H(y).
    patience : int
        d, in steps.
    max_steps : int
        Most steps per start.
    final : {'best', 'most_probable', 'sample'}
        The answer: the best subset seen, the columns with p ≥ ½, or a last draw z ~ g(z, p) as in the paper.
    polish : bool
        Whether to improve the answer by single changes until none helps.
    restarts : int
        Further starts from p⁰; the best answer counts.

    References
    ----------
    P. Cassarà, A. Rozza, M. Nanni, A cross-entropy-based method to perform information-based feature selection.
    R. Y. Rubinstein, D. P. Kroese, The cross-entropy method, 2004 (chapter 5: the fully adaptive form, smoothing).
    """

    threshold_label = "threshold γ of the elite"

    initial_features: float = 10
    initial_probability: float | None = None
    min_samples: int | float = 400
    max_samples: int | float = 2000
    elite: float = 0.05
    min_elite: int = 20
    smoothing: float = 0.5
    tolerance: float = 0.0005
    patience: int = 5
    max_steps: int = 100
    final: str = "best"
    polish: bool = True
    restarts: int = 0

    def check(self) -> None:
        """Raise a ValueError for settings that make no sense."""
        look_up(Mention("final"), self.final, _FINALS)
        check_number("initial_features", self.initial_features, 0)
        check_number("initial_probability", self.initial_probability, 0, 1, optional=True)
        check_number("elite", self.elite, 0, 1)
        check_number("smoothing", self.smoothing, 0, 1, above=True)
        check_number("tolerance", self.tolerance, 0)
        check_number("min_samples", self.min_samples, 0, above=True)
        check_number("max_samples", self.max_samples, 0, above=True)
        check_flag("polish", self.polish)
        for name, low in (("min_elite", 1), ("patience", 1), ("max_steps", 1), ("restarts", 0)):
            check_number(name, getattr(self, name), low, integer=True)

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """Every start, its answer and the polish."""
        answer: Mask | None = None
        score = -inf
        reasons: dict[str, Any] = {}
        for _ in range(1 + self.restarts):
            best, best_score, p, why = yield from self._start(space, rng)
            if self.final != "best":
                best = draw(space, p, 1, rng)[0] if self.final == "sample" else most_probable(space, p)
                best_score = float((yield Ask(best[None]))[0])
            if self.polish:
                best, best_score = yield from climb(space, best, best_score)
            if answer is None or is_better(best_score, best, score, answer):
                answer, score = best, best_score
            reasons = why
        return Stop(reasons) if self.final == "best" else Stop(reasons, answer, score)

    def _start(
        self, space: Space, rng: np.random.Generator
    ) -> Generator[Ask | Step, Any, tuple[Mask, float, NDArray[np.float64], dict[str, Any]]]:
        """From p⁰ until the threshold no longer changes."""
        batch, most = self._sample_sizes(space.n_columns)
        n_elite = min(batch, max(self.min_elite, ceil(self.elite * batch)))
        p = self._initial(space)
        best, best_score = space.base, -inf
        thresholds: list[float] = []
        for _ in range(self.max_steps):
            masks: list[NDArray[np.uint8]] = []  # those of the step, eight columns per byte
            scores = np.empty(0)
            gamma, before = -inf, thresholds[-1] if thresholds else -inf
            while len(scores) < most and not gamma > before:
                for n_samples in _parts(min(batch, most - len(scores)), space.n_columns):
                    new = draw(space, p, n_samples, rng)
                    new_scores = yield Ask(new)
                    i = pick_best(new, new_scores)
                    if not (thresholds or masks) or is_better(float(new_scores[i]), new[i], best_score, best):
                        best, best_score = new[i].copy(), float(new_scores[i])
                    masks.append(np.packbits(new, axis=1))
                    scores = np.concatenate([scores, new_scores])
                gamma = float(np.partition(scores, -n_elite)[-n_elite])
            elite = np.concatenate(masks)[scores >= gamma]
            p = self.smoothing * _shares(elite, space.n_columns) + (1 - self.smoothing) * p
            thresholds.append(gamma)
            yield Step(gamma, len(scores), len(elite), p.copy())
            if len(thresholds) > self.patience:
                change = abs(gamma - thresholds[-1 - self.patience])
                if change <= self.tolerance * space.scale:
                    return best, best_score, p, {"tolerance": change}
        return best, best_score, p, {"max_steps": self.max_steps}

    def _sample_sizes(self, m: int) -> tuple[int, int]:
        batch, most = (
            int(size) if isinstance(size, Integral) else max(1, ceil(size * m))
            for size in (self.min_samples, self.max_samples)
        )
        return batch, max(batch, most)

    def _initial(self, space: Space) -> NDArray[np.float64]:
        p = start_probabilities(space, self.initial_features)
        if self.initial_probability is not None and space.exactly is None:
            p[space.free] = self.initial_probability
        return p


def _parts(n_samples: int, n_columns: int) -> Iterator[int]:
    """How many subsets to draw at once: few for a wide table, to save memory and to meet the deadline."""
    most = 4 * max(1, (1 << 20) // n_columns)
    return (min(most, n_samples - start) for start in range(0, n_samples, most))


def _shares(packed: NDArray[np.uint8], n_columns: int) -> NDArray[np.float64]:
    """The share of the masks that contain each column."""
    counts = np.zeros(n_columns)
    for start in range(0, len(packed), 64):
        counts += np.unpackbits(packed[start : start + 64], axis=1, count=n_columns).sum(axis=0)
    return counts / len(packed)


def most_probable(space: Space, p: NDArray[np.float64]) -> Mask:
    """The columns with p ≥ ½, or as many of the most probable ones as the space asks for."""
    ranked = space.free[np.argsort(-p[space.free], kind="stable")]
    room = space.largest - int(space.base.sum())
    if space.exactly is None:
        room = min(room, int((p[ranked] >= 0.5).sum()))
    mask = space.base.copy()
    mask[ranked[:room]] = True
    return mask
