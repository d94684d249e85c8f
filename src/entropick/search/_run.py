"""A running search: ask for masks, tell their scores."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from entropick._checks import check_number
from entropick._masks import Mask
from entropick._settings import Settings
from entropick.notes import Note, tell
from entropick.search._space import Space, is_better, pick_best

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Ask:
    """A question of a search: a generator yields it to get the scores of masks, shape (n_masks, n_columns).

    With ``upper``, masks of the same shape, it asks for bounds instead: no less than the score of any subset between a
    mask and its upper one. ``ceiling`` is what has been proven so far: no subset has a higher score. A run that is
    stopped from outside reports how far its best subset is from the last ceiling. ``near`` is a mask from which all
    others differ little, where there are enough of them for a criterion to make use of that.
    """

    masks: Mask
    upper: Mask | None = None
    ceiling: float | None = None
    near: Mask | None = None

    @property
    def kind(self) -> Literal["scores", "bounds"]:
        """What is asked for."""
        return "scores" if self.upper is None else "bounds"


@dataclass(frozen=True)
class Step:
    """A generator yields this when a step is done; it becomes a line of the trace."""

    threshold: float = float("nan")
    samples: int = 0
    elite: int = 0
    probabilities: NDArray[np.float64] | None = None


class TraceLine(TypedDict):
    """A step of a run, as its trace has it."""

    threshold: float
    best: float
    size: int
    samples: int
    elite: int
    seconds: float
    probabilities: NDArray[np.float64] | None


class StepLine(TraceLine):
    """A step of a run, as a callback sees it."""

    step: int
    evaluations: int


@dataclass(frozen=True)
class Stop:
    """A generator returns this: why it ended, the mask if it is not the best one seen, and notes on the run."""

    reasons: dict[str, Any]
    mask: Mask | None = None
    score: float = float("nan")
    notes: tuple[Note, ...] = ()


Steps: TypeAlias = Generator[Ask | Step, Any, Stop]


@dataclass
class Search(Settings, ABC):
    """Settings of a search; equal settings and seeds give equal runs."""

    proves: ClassVar[bool] = False  # whether a run that is stopped early reports how far from the optimum it may be
    threshold_label: ClassVar[str] = "threshold"  # what the threshold of its steps is

    @property
    def wants_hints(self) -> bool:
        """Whether it tries the hints of a space."""
        return False

    @property
    def quick(self) -> Search:
        """The search for a quick look."""
        return self

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

        A search that also asks for bounds ('branch_and_bound') says so in ``run.question``; see `Run`.

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
            Roughly the largest possible score; tolerances are shares of it.

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
    question : Ask or None
        What the search wants to know: scores of ``question.masks``, given by `tell`, or, if ``question.kind`` is
        'bounds', bounds of all subsets between ``question.masks`` and ``question.upper``, by `tell_bounds`. None when
        the run has ended.
    stop : dict or None
        None while it is running, then the reasons with their values.
    best_mask, best_score, has_best : ndarray of bool, float, bool
        The best subset seen, and whether there is one yet.
    nearest : ndarray of bool or None
        If the number of columns is fixed, the best of the largest subsets seen that are too small.
    mask, score : ndarray of bool, float
        The subset that the search chose; the best one seen unless it says otherwise.
    trace : list of dict
        One entry per step.
    notes : list of Note
        What happened on the way that its owner should know.
    """

    search: Search
    space: Space
    seed: int
    question: Ask | None = field(default=None, init=False)
    stop: dict[str, Any] | None = field(default=None, init=False)
    best_mask: Mask = field(init=False)
    best_score: float = field(default=float("-inf"), init=False)
    has_best: bool = field(default=False, init=False)
    nearest: Mask | None = field(default=None, init=False)
    mask: Mask = field(init=False)
    score: float = field(default=float("-inf"), init=False)
    trace: list[TraceLine] = field(default_factory=list, init=False)
    notes: list[Note] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.search.check()
        self.best_mask = self.mask = self.space.base.copy()
        self._ceiling = float("inf") if self.search.proves else None
        self._began = time.perf_counter()
        self._steps = self.search.steps(self.space, np.random.default_rng(self.seed))
        self._started = False
        # The smallest subset comes first, whatever the search: no answer is worse.
        if self.space.allows(self.space.base[None])[0]:
            self.question = Ask(self.space.base[None])
        else:
            self.advance(None)

    def ask(self) -> Mask:
        """Masks whose scores the search needs, shape (n_masks, n_columns)."""
        return self._asked("scores").masks

    def tell(self, scores: Scores) -> None:
        """Give the scores of the masks of the last `ask`."""
        masks = self.ask()
        scores = check_scores(scores, len(masks))
        self.observe(masks, scores)
        self.advance(scores)

    def tell_bounds(self, bounds: Scores) -> None:
        """Give the bounds that `question` asks for."""
        self.advance(check_scores(bounds, len(self._asked("bounds").masks)))

    def _asked(self, kind: Literal["scores", "bounds"]) -> Ask:
        if self.question is None:
            raise RuntimeError(f"the search has ended ({self.stop}); there is nothing to ask.")
        if self.question.kind != kind:
            way_out = {
                "bounds": "answer with tell_bounds, such as with SubsetScorer.bounds(question.masks, question.upper)",
                "scores": "answer with tell",
            }
            raise RuntimeError(
                f"the search asks for {self.question.kind} now; {kind} would make its answer wrong: "
                f"{way_out[self.question.kind]}."
            )
        return self.question

    def observe(self, masks: Mask, scores: Scores) -> None:
        """Record scores without advancing; subsets outside the space cannot be answers."""
        allowed = self.space.allows(masks)
        if self.space.exactly is not None and not self.has_best:
            self._approach(masks, scores)
        masks, scores = masks[allowed], scores[allowed]
        if not len(masks):
            return
        i = pick_best(masks, scores)
        if not self.has_best or is_better(float(scores[i]), masks[i], self.best_score, self.best_mask):
            self.best_mask, self.best_score, self.has_best = masks[i].copy(), float(scores[i]), True

    def _approach(self, masks: Mask, scores: Scores) -> None:
        sizes = masks.sum(axis=1)
        least = 0 if self.nearest is None else int(self.nearest.sum())
        small = (sizes > least) & (sizes < (self.space.exactly or 0)) & masks[:, self.space.base].all(axis=1)
        if small.any():
            top = np.flatnonzero(small & (sizes == sizes[small].max()))
            self.nearest = masks[top[pick_best(masks[top], scores[top])]].copy()

    def remark(self, note: Note, category: type[Warning] = UserWarning) -> None:
        """Keep a note with the run, and tell it."""
        self.notes.append(note)
        tell(note, category)

    def end(self, reasons: dict[str, Any]) -> None:
        """Stop the run from outside; the best subset seen is its answer."""
        self.question = None
        self._steps.close()
        gap = {} if self._ceiling is None else {"gap": max(0.0, self._ceiling - self.best_score)}
        self._answer(Stop({**reasons, **gap}))

    def advance(self, answer: Scores | None) -> None:
        """Advance to the next question; the answer to the last one must be known and observed."""
        answer = answer if self._started else None  # the search itself did not ask about the smallest subset
        self._started = True
        try:
            event = self._steps.send(answer)
            while isinstance(event, Step):
                self._record(event)
                event = next(self._steps)
            self.question = event
            self._ceiling = self._ceiling if event.ceiling is None else event.ceiling
        except StopIteration as stop:
            self.question = None
            self._answer(stop.value)

    def _answer(self, stop: Stop) -> None:
        self.stop = stop.reasons
        if stop.mask is None:
            self.mask, self.score = self.best_mask, self.best_score
        else:
            self.mask, self.score = stop.mask, stop.score
        for note in stop.notes:
            self.remark(note)

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
        raise ValueError(f"there must be one score per mask, {n_masks} in all; got shape {checked.shape}.")
    if np.isnan(checked).any() or np.isposinf(checked).any():
        what = "NaN" if np.isnan(checked).any() else "infinity"
        raise ValueError(f"scores must be numbers; got {what}: use −inf for a subset that is out of the question.")
    return checked
