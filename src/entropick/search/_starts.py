"""Where a cross-entropy search begins, by the effort that it makes, and whether its starts agree."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
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

_AGREE = 0.001  # share of the scale: ends that are no further apart need no further start ...
_DIFFER = 0.005  # ... and further apart than this, another seed may well arrive elsewhere
_LIKELY = 0.5  # weight of the columns at earlier ends in new probabilities


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
    "low": Effort(100, 100, 10, 0.7, 2, 0, subsets=1 << 8, promising=50),
    "normal": Effort(400, 2000, 20, 0.5, 5, 2, subsets=1 << 12, promising=300, backward=60),
    "high": Effort(1000, 4000, 20, 0.2, 5, 7, subsets=1 << 15, backward=200, floating=True),
}


def greedy_starts(space: Space, effort: Effort, rng: np.random.Generator) -> Iterator[Asking]:
    """The greedy searches that an effort includes."""
    yield add_greedily(space, promising=effort.promising)
    if len(hints := _hints(space)):
        yield _add_to_the_best(space, hints, effort.promising)
    if len(space.free) <= effort.backward:
        yield Backward().steps(space, rng)
    if effort.floating:
        yield Floating().steps(space, rng)


def _hints(space: Space) -> Mask:
    """The hints that are no larger than the space allows; with a fixed size they are beginnings."""
    hints = np.array(space.hints, dtype=np.bool_).reshape(-1, space.n_columns)
    hints = np.asarray((hints & space.whole) | space.base)
    return hints[np.asarray(hints.sum(axis=1) <= space.largest)]


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
    gains = np.maximum((yield from score_flips(space.base, space.free)) - score, 0.0)
    shares = [np.ones(len(space.free)), gains, _hints(space)[:, space.free].sum(axis=0)]
    shares = [share / share.sum() for share in shares if 0 < share.sum() < inf]
    informed = p.copy()
    informed[space.free] = np.minimum(np.maximum(0.5, p[space.free]), p[space.free].sum() * np.mean(shares, axis=0))
    return informed


def towards(p: Floats, ends: Sequence[End]) -> Floats:
    """Probabilities moved towards the ends of earlier starts."""
    share: Floats = np.mean([mask for mask, _ in ends], axis=0)
    return (1 - _LIKELY) * p + _LIKELY * share


def agree(ends: Sequence[End], scale: float, share: float = _AGREE) -> bool:
    """Whether two starts reached the best score, but for a share of the scale."""
    scores = sorted(score for _, score in ends)
    return len(scores) > 1 and not scores[-1] - scores[-2] > share * scale


def disagreement(ends: Sequence[End], scale: float, effort: str) -> tuple[Note, ...]:
    """A note if no two starts came close to the best score."""
    if agree(ends, scale, _DIFFER):
        return ()
    scores = [score for _, score in ends]
    way_out = "" if effort == "high" else "; effort='high' searches longer"
    text = (
        f"the starts of the search ended at scores between {min(scores):.4f} and {max(scores):.4f}, so another seed "
        f"may choose other columns{way_out}."
    )
    return (Note("starts", text),)
