"""The cross-entropy method: probabilities that move towards the best of the subsets drawn from them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, fields, replace
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._checks import check_flag, check_number
from entropick._errors import Mention
from entropick._masks import Mask
from entropick._names import look_up
from entropick.search._algorithm_1 import Algorithm1
from entropick.search._climb import climb
from entropick.search._exhaustive import batches, count_subsets, free_sizes
from entropick.search._run import Ask, Search, Step, Steps, Stop
from entropick.search._sampling import draw, start_probabilities
from entropick.search._space import Space
from entropick.search._starts import EFFORTS, Effort, End, Ends, add_hint, best_of, effort_in, greedy_starts, inform

_FINALS = {name: name for name in ("best", "most_probable", "sample")}
_EFFORTS = {name: name for name in EFFORTS if name is not None}


@dataclass
class CrossEntropy(Search):
    """Algorithm 1 of the paper in both its forms, from several starts.

    Each step draws subsets z ~ g(z, p); γ is the e-th best of their scores. The elite is every subset with a score of
    at least γ, and p moves to the share of the elite that contains each column. A start ends when γ has changed by
    at most ``tolerance`` over ``patience`` steps.

    With ``max_samples`` above ``min_samples`` the number of samples adapts: a step draws batches of
    ``min_samples`` until γ exceeds that of the previous step, or ``max_samples`` are reached. With both equal, S and
    ρ are fixed.

    An effort surrounds this with what makes it miss less. If the subsets are few (2⁸, 2¹² or 2¹⁵ at most), all are
    scored. Otherwise greedy searches come first: forward, also from the best of the hints of the `Space`, backward if
    the columns are few, and floating at high effort. Then there are starts from probabilities that favour columns with
    good scores of their own, some also the columns of earlier answers, until one that knows of no others confirms the
    best score. If another seed may well end elsewhere, a note says so.

    Parameters
    ----------
    effort : {'low', 'normal', 'high'} or None
        How thoroughly to search; it also decides on the settings that are None. Low effort has a single short start
        from probabilities, normal effort up to 3, high effort up to 8 longer ones. None is Algorithm 1 alone.
    initial_features : float
        Expected size of the first subsets: p⁰ = min(.5, initial_features / m).
    initial_probability : float or None
        p⁰ itself, the same for all columns, instead of ``initial_features``. (With a fixed number k of columns, p⁰ is
        k / m.)
    min_samples, max_samples : int, float or None
        Subsets per batch, and at most per step; a float is a multiple of the number of columns m. Low, normal and high
        effort have 50 and 50, 400 and 2000, 1000 and 4000. (In a smooth `Space`, normal effort has 100 and 400, and
        below an elite of at least 10 and .7.)
    elite : float
        Share of a batch that forms the elite: e = ⌈elite · min_samples⌉, but ...
    min_elite : int or None
        ... at least this many: 20, at low effort 8.
    smoothing : float or None
        p ← smoothing · p_elite + (1 − smoothing) · p; 1 is the paper's update. Low, normal and high effort have .7, .5
        and .2.
    tolerance : float
        ε, as a share of the scale of the scores, H(y).
    patience : int or None
        d, in steps: 5, at low effort 1.
    max_steps : int
        Most steps per start.
    final : {'best', 'most_probable', 'sample'}
        The answer of a start: the best subset seen, the columns with p ≥ ½, or a last draw z ~ g(z, p) as in the paper.
    polish : bool
        Whether to improve the answer of every start by single changes until none helps.
    restarts : int or None
        Further starts from p⁰; the best answer counts. An effort makes 0, 2 or 7 at most; None for both makes none.

    References
    ----------
    P. Cassarà, A. Rozza, M. Nanni, A cross-entropy-based method to perform information-based feature selection.
    R. Y. Rubinstein, D. P. Kroese, The cross-entropy method, 2004 (chapter 5: the fully adaptive form, smoothing).
    """

    threshold_label = "threshold γ of the elite"

    effort: str | None = "normal"
    initial_features: float = 10
    initial_probability: float | None = None
    min_samples: int | float | None = None
    max_samples: int | float | None = None
    elite: float = 0.05
    min_elite: int | None = None
    smoothing: float | None = None
    tolerance: float = 0.0005
    patience: int | None = None
    max_steps: int = 100
    final: str = "best"
    polish: bool = True
    restarts: int | None = None

    @property
    def wants_hints(self) -> bool:
        """Whether it tries the hints of a space: unless it is the plain method."""
        return self.effort is not None

    @property
    def quick(self) -> Search:
        """The search at low effort, unless it is the plain method."""
        return self if self.effort is None else replace(self, effort="low")

    def check(self) -> None:
        """Raise a ValueError for settings that make no sense."""
        look_up(Mention("final"), self.final, _FINALS)
        if self.effort is not None:
            look_up(Mention("effort"), self.effort, _EFFORTS)
        check_number("initial_features", self.initial_features, 0)
        check_number("initial_probability", self.initial_probability, 0, 1, optional=True)
        check_number("elite", self.elite, 0, 1)
        check_number("smoothing", self.smoothing, 0, 1, above=True, optional=True)
        check_number("tolerance", self.tolerance, 0)
        check_number("min_samples", self.min_samples, 0, above=True, optional=True)
        check_number("max_samples", self.max_samples, 0, above=True, optional=True)
        check_flag("polish", self.polish)
        check_number("max_steps", self.max_steps, 1, integer=True)
        for name, low in (("min_elite", 1), ("patience", 1), ("restarts", 0)):
            check_number(name, getattr(self, name), low, integer=True, optional=True)

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """All subsets if they are few for the effort, else the starts that it includes."""
        effort = effort_in(space, self.effort)
        total = count_subsets(space, effort.subsets)
        if total <= effort.subsets:
            return (yield from _score_all(space, total))
        restarts = effort.restarts if self.restarts is None else self.restarts
        algorithm = self._algorithm(effort)
        p = self._initial(space)
        ends = Ends(space.scale)
        if self.effort is not None:
            for start in greedy_starts(space, effort, rng):
                end = yield from best_of(space, start)
                ends.greedy.append((yield from self._polished(space, *end)))
            p = p if self.initial_probability is not None else (yield from inform(space, p))
        for i in range(1 + restarts):
            # A start that knows where others ended finds what is better nearby; one that does not is a test of them.
            knows = self.effort is not None and (i == restarts or (i % 2 == 1 and ends.are_confirmed))
            best, best_score, q, reasons = yield from algorithm.converge(space, rng, ends.attract(p) if knows else p)
            if self.final != "best":
                best = draw(space, q, 1, rng)[0] if self.final == "sample" else most_probable(space, q)
                best_score = float((yield Ask(best[None]))[0])
            end = yield from self._polished(space, best, best_score)
            is_no_news = ends.have(end)
            (ends.known if knows else ends.alone).append(end)
            if self.effort is not None and is_no_news and not knows:
                break
        notes = ends.notes(self.effort) if self.effort is not None and restarts else ()
        if self.final == "best":
            return Stop(reasons, notes=notes)
        return Stop(reasons, *ends.best, notes)

    def _algorithm(self, effort: Effort) -> Algorithm1:
        given = {item.name: getattr(self, item.name) for item in fields(Algorithm1)}
        return Algorithm1(**{name: getattr(effort, name) if value is None else value for name, value in given.items()})

    def _polished(self, space: Space, mask: Mask, score: float) -> Generator[Ask | Step, Any, End]:
        end = (yield from climb(space, mask, score)) if self.polish else (mask, score)
        # A quick search draws too few subsets to come upon columns that only help together.
        while self.effort == "low" and (better := (yield from add_hint(space, *end))) is not None:
            end = (yield from climb(space, *better)) if self.polish else better
        return end

    def _initial(self, space: Space) -> NDArray[np.float64]:
        p = start_probabilities(space, self.initial_features)
        if self.initial_probability is not None and space.exactly is None:
            p[space.free] = self.initial_probability
        return p


def _score_all(space: Space, total: int) -> Steps:
    """Every subset, small ones first."""
    for size in free_sizes(space):
        for masks in batches(space.base, space.free, size):
            yield Ask(masks)
        yield Step(samples=comb(len(space.free), size))
    return Stop({"exhausted": total})


def most_probable(space: Space, p: NDArray[np.float64]) -> Mask:
    """The columns with p ≥ ½, or as many of the most probable ones as the space asks for."""
    ranked = space.free[np.argsort(-p[space.free], kind="stable")]
    room = space.largest - int(space.base.sum())
    if space.exactly is None:
        room = min(room, int((p[ranked] >= 0.5).sum()))
    mask = space.base.copy()
    mask[ranked[:room]] = True
    return mask
