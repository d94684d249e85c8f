"""A search under way: ask for masks, tell their scores."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropick._arguments import Settings, check_number
from entropick.search._space import Mask, Space, is_better, pick_best

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Ask:
    """A generator yields this to learn the scores of masks, shape (n_masks, n_columns).

    With ``upper``, masks of the same shape, it asks for bounds instead: no less than the score of any subset between a
    mask and its upper one. ``ceiling`` is a proof by the way: no subset has a higher score. A run that is ended from
    outside says how far the best one is from the last ceiling.
    """

    masks: Mask
    upper: Mask | None = None
    ceiling: float | None = None


@dataclass(frozen=True)
class Step:
    """A generator yields this when a step is done; it becomes a line of the trace."""

    threshold: float = float("nan")
    samples: int = 0
    elite: int = 0
    probabilities: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Stop:
    """A generator returns this: why it ended, and the chosen mask if that is not the best one seen."""

    reasons: dict[str, Any]
    mask: Mask | None = None
    score: float = float("nan")


Steps: TypeAlias = Generator[Ask | Step, Any, Stop]


@dataclass
class Search(Settings, ABC):
    """Settings of a search; equal settings and seeds give equal runs."""

    @abstractmethod
    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """The search itself: ``scores = yield Ask(masks)``, ``yield Step(...)``, ``return Stop(...)``."""

    def check(self) -> None:
        """Raise a ValueError for settings that make no sense."""

    def start(
        self,
        n_columns: int,
        random_state: int = 0,
        *,
        always: Sequence[int] = (),
        n_features_to_select: int | None = None,
        max_features: int | None = None,
        scale: float = 1.0,
    ) -> Run:
        """A run of this search that you drive yourself.

        Parameters
        ----------
        n_columns : int
            Number of columns to choose from.
        random_state : int
            Seed.
        always : sequence of int
            Columns that are in every subset.
        n_features_to_select, max_features : int or None
            Exact and largest number of columns.
        scale : float
            About the largest score there is; tolerances are shares of it.

        Examples
        --------
        >>> from entropick.search import CrossEntropy
        >>> run = CrossEntropy().start(5, random_state=0)
        >>> while run.stop is None:
        ...     masks = run.ask()
        ...     run.tell(masks @ [3, -1, 2, -1, -1])
        >>> run.best_mask.tolist(), run.best_score
        ([True, False, True, False, False], 5.0)
        """
        check_number("random_state", random_state, 0, integer=True)
        if isinstance(always, str) or not isinstance(always, Iterable):
            raise ValueError(f"always must be a sequence of column numbers; got {always!r}.")
        space = Space(n_columns, tuple(always), n_features_to_select, max_features, scale)
        return Run(self, space, random_state)


@dataclass
class Run:
    """One run: `ask` for masks and `tell` their scores until `stop` says why it ended.

    Attributes
    ----------
    stop : dict or None
        None while it goes on, then reasons with their values.
    best_mask, best_score : ndarray of bool, float
        The best subset seen.
    mask, score : ndarray of bool, float
        The subset that the search chose; the best one seen unless it says otherwise.
    trace : list of dict
        One entry a step.
    """

    search: Search
    space: Space
    seed: int
    stop: dict[str, Any] | None = field(default=None, init=False)
    best_mask: Mask = field(init=False)
    best_score: float = field(default=float("-inf"), init=False)
    mask: Mask = field(init=False)
    score: float = field(default=float("-inf"), init=False)
    trace: list[dict[str, Any]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.search.check()
        self.best_mask = self.mask = self.space.base.copy()
        self._seen = False
        self._ceiling: float | None = None
        self._began = time.perf_counter()
        self._steps = self.search.steps(self.space, np.random.default_rng(self.seed))
        # The smallest subset comes first, whatever the search: none ends below it.
        self._waiting: Ask | None = Ask(self.space.base[None]) if self.space.allows(self.space.base[None])[0] else None
        self._started = False
        if self._waiting is None:
            self._advance(None)

    @property
    def upper(self) -> Mask | None:
        """None, or masks if the search asks for bounds: of all subsets between those of `ask` and these."""
        return self._waiting.upper if self._waiting else None

    def ask(self) -> Mask:
        """Masks whose scores the search wants to know, shape (n_masks, n_columns)."""
        if self._waiting is None:
            raise RuntimeError(f"the search has ended ({self.stop}); there is nothing to ask.")
        return self._waiting.masks

    def tell(self, scores: Scores) -> None:
        """Give the scores of the masks of the last `ask`."""
        masks = self.ask()
        scores = check_scores(scores, len(masks))
        if self.upper is None:
            self.observe(masks, scores)  # a driver that works in parts has done so; it does no harm
        self._advance(scores if self._started else None)

    def observe(self, masks: Mask, scores: Scores) -> None:
        """Take note of scores without going on; subsets outside the space are no answers."""
        allowed = self.space.allows(masks)
        masks, scores = masks[allowed], scores[allowed]
        if not len(masks):
            return
        i = pick_best(masks, scores)
        if not self._seen or is_better(float(scores[i]), masks[i], self.best_score, self.best_mask):
            self.best_mask, self.best_score, self._seen = masks[i].copy(), float(scores[i]), True

    def end(self, reasons: dict[str, Any]) -> None:
        """End the run from outside; the best subset seen is its answer."""
        self._waiting = None
        self._steps.close()
        gap = {} if self._ceiling is None else {"gap": max(0.0, self._ceiling - self.best_score)}
        self._answer(Stop({**reasons, **gap}))

    def _advance(self, scores: Scores | None) -> None:
        self._started = True
        try:
            event = self._steps.send(scores)
            while isinstance(event, Step):
                self._record(event)
                event = next(self._steps)
            self._waiting = event
            self._ceiling = self._ceiling if event.ceiling is None else event.ceiling
        except StopIteration as stop:
            self._waiting = None
            self._answer(stop.value)

    def _answer(self, stop: Stop) -> None:
        self.stop = stop.reasons
        if stop.mask is None:
            self.mask, self.score = self.best_mask, self.best_score
        else:
            self.mask, self.score = stop.mask, stop.score

    def _record(self, step: Step) -> None:
        if step.probabilities is not None:
            step.probabilities.setflags(write=False)  # callbacks see them too
        self.trace.append(
            {
                "threshold": step.threshold,
                "best": self.best_score,
                "size": int(self.best_mask.sum()),
                "samples": step.samples,
                "elite": step.elite,
                "seconds": time.perf_counter() - self._began,
                "probabilities": step.probabilities,
            }
        )


def check_scores(scores: Any, n_masks: int) -> Scores:
    """Scores as an array of numbers, one per mask, or a ValueError."""
    try:
        checked = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"scores must be numbers, one per mask; got {scores!r}.") from error
    if checked.shape != (n_masks,):
        raise ValueError(f"one score per mask: {n_masks} are expected; got shape {checked.shape}.")
    if np.isnan(checked).any():
        raise ValueError("scores must be numbers; got NaN: use −inf for a subset that is out of the question.")
    return checked
