"""Where a cross-entropy search begins, by the effort that it makes, and whether its starts agree."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, TypeAlias

import numpy as np

from entropick._masks import Mask
from entropick.notes import Note
from entropick.search._backward import Backward
from entropick.search._floating import Floating
from entropick.search._greedy import add_greedily, score_flips
from entropick.search._run import Ask, Step
from entropick.search._sampling import Floats
from entropick.search._space import Space, is_better, pick_best

End: TypeAlias = tuple[Mask, float]  # where a start arrived: a subset and its score
Asking: TypeAlias = Generator[Ask | Step, Any, Any]

_SAME = 0.001  # share of the scale: ends no further apart are the same, and need no further start ...
_NEAR = 0.01  # ... and between these another seed makes no difference that matters
_DEAR = 20_000  # columns chosen × columns to choose from
_ATTRACTION = 0.5  # weight of the columns at earlier ends in new probabilities


@dataclass(frozen=True)
class Effort:
    """What a search does before it draws subsets, and its settings unless they are given."""

    min_samples: int
    max_samples: int
    min_elite: int
    smoothing: float
    patience: int
    restarts: int
    subsets: int = 0  # spaces of up to this many are searched completely
    promising: int | None = None  # columns that a greedy start still tries after two additions
    backward: int = 0  # up to this many columns there is a start from all of them, too
    floating: bool = False


EFFORTS: dict[str | None, Effort] = {
    None: Effort(400, 2000, 20, 0.5, 5, 0),
    "low": Effort(50, 50, 8, 0.7, 1, 0, subsets=1 << 8, promising=50),
    "normal": Effort(400, 2000, 20, 0.5, 5, 2, subsets=1 << 12, promising=300, backward=60),
    "high": Effort(1000, 4000, 20, 0.2, 5, 7, subsets=1 << 15, backward=200, floating=True),
}


_OF_MODELS = replace(EFFORTS["normal"], min_samples=100, max_samples=400, min_elite=10, smoothing=0.7)


def effort_in(space: Space, name: str | None) -> Effort:
    """What an effort means in a space: less where so many columns of many are to be chosen that a start takes long."""
    if not space.is_smooth or name != "normal":
        return EFFORTS[name]
    is_dear = space.exactly is not None and space.exactly * len(space.free) > _DEAR
    return replace(EFFORTS["low"], subsets=_OF_MODELS.subsets) if is_dear else _OF_MODELS


def greedy_starts(space: Space, effort: Effort, rng: np.random.Generator) -> Iterator[Asking]:
    """The greedy searches that an effort includes."""
    yield add_greedily(space, promising=effort.promising)
    if len(hints := _hints(space)):
        yield _add_to_the_best(space, hints, effort.promising)
    if len(space.free) <= effort.backward:
        yield Backward().steps(space, rng)
    if effort.floating:
        yield Floating().steps(space, rng)


def add_hint(space: Space, mask: Mask, score: float) -> Generator[Ask | Step, Any, tuple[Mask, float] | None]:
    """A subset with the hint that improves it most, and its score; None if none does."""
    larger = np.unique(_hints(space) | mask, axis=0)
    larger = larger[space.allows(larger) & (larger != mask).any(axis=1)]
    if not len(larger):
        return None
    scores = yield Ask(larger, near=mask)
    i = pick_best(larger, scores)
    return (larger[i], float(scores[i])) if is_better(float(scores[i]), larger[i], score, mask) else None


def _hints(space: Space) -> Mask:
    """The hints that are no larger than the space allows; with a fixed size they are beginnings."""
    hints = np.array(space.hints, dtype=np.bool_).reshape(-1, space.n_columns)
    hints = np.asarray((hints & space.whole) | space.base)
    fitting: Mask = hints[hints.sum(axis=1) <= space.largest]
    return fitting


def _add_to_the_best(space: Space, hints: Mask, promising: int | None) -> Asking:
    scores = yield Ask(hints)
    yield from add_greedily(space, hints[pick_best(hints, scores)], promising)


def best_of(space: Space, steps: Asking) -> Generator[Ask | Step, Any, End]:
    """Run a search without its trace, for the best subset that it sees."""
    best, best_score, scores = space.base, -inf, None
    while True:
        try:
            event = steps.send(scores)
        except StopIteration:
            return best, best_score
        scores = None
        if isinstance(event, Ask):
            scores = yield event
            fits = np.flatnonzero(space.allows(event.masks))
            i = fits[pick_best(event.masks[fits], scores[fits])] if len(fits) else 0
            if len(fits) and (best_score == -inf or is_better(float(scores[i]), event.masks[i], best_score, best)):
                best, best_score = event.masks[i].copy(), float(scores[i])


def inform(space: Space, p: Floats) -> Generator[Ask | Step, Any, Floats]:
    """Probabilities of the same expected size that favour columns with a good score of their own, and hints."""
    score = float((yield Ask(space.base[None]))[0])
    scores = yield from score_flips(space.base, space.free)
    gains = np.maximum(scores, score) - score if score > -inf else np.zeros(len(scores))
    shares = [np.ones(len(space.free)), gains, _hints(space)[:, space.free].sum(axis=0)]
    shares = [share / share.sum() for share in shares if 0 < share.sum() < inf]
    informed = p.copy()
    informed[space.free] = np.minimum(np.maximum(0.5, p[space.free]), p[space.free].sum() * np.mean(shares, axis=0))
    return informed


@dataclass
class Ends:
    """Where the starts of a search arrived: greedy ones, those on their own, and those that knew of others."""

    scale: float
    greedy: list[End] = field(default_factory=list)
    alone: list[End] = field(default_factory=list)
    known: list[End] = field(default_factory=list)

    @property
    def all(self) -> list[End]:
        """All of them."""
        return [*self.greedy, *self.alone, *self.known]

    @property
    def best(self) -> End:
        """The best of them."""
        ends = self.all
        return ends[pick_best(np.array([mask for mask, _ in ends]), np.array([score for _, score in ends]))]

    @property
    def are_confirmed(self) -> bool:
        """Whether another seed would come near the best: a greedy start did, which needs no luck, or two others did."""
        near = self.best[1] - _NEAR * self.scale
        return any(score >= near for _, score in self.greedy) or sum(score >= near for _, score in self.alone) > 1

    def have(self, end: End) -> bool:
        """Whether an end is as good as the best so far, and no better."""
        return bool(self.all) and abs(end[1] - self.best[1]) <= _SAME * self.scale

    def attract(self, p: Floats) -> Floats:
        """Probabilities moved towards the ends."""
        share: Floats = np.mean([mask for mask, _ in self.all], axis=0)
        return (1 - _ATTRACTION) * p + _ATTRACTION * share

    def notes(self, effort: str) -> tuple[Note, ...]:
        """A note if another seed may end elsewhere."""
        if self.are_confirmed:
            return ()
        scores = [score for _, score in self.all]
        way_out = "" if effort == "high" else "; effort='high' searches longer"
        text = (
            f"the starts of the search ended at scores between {min(scores):.4f} and {max(scores):.4f}, so another "
            f"seed may choose other columns{way_out}."
        )
        return (Note("starts", text),)
