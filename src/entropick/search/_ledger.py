"""Known scores, and those still to be computed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from entropick._masks import Mask
from entropick.search._checkpoint import Checkpoint
from entropick.search._interrupt import Interrupts
from entropick.search._journal import Journal, Remark
from entropick.search._run import Ask, Scores, check_scores

_MEMO_BYTES = 64 << 20
_CALL_SECONDS = 0.25  # about how long a call for scores may take


class Ledger:
    """Answers questions from memory, from a checkpoint, or by calls that are kept short.

    Parameters
    ----------
    score, bound, near : callable
        Masks to scores; lower and upper masks to bounds, or None if there are none; masks and one from which they
        differ little to scores, or None if that is of no use.
    checkpoint : Checkpoint or None
        Where answers are saved, and loaded from if the file exists.
    interrupts : Interrupts
        Lets Ctrl-C interrupt a call.
    deadline : float
        When time runs out, by the monotonic clock: a call is no larger than what should be done by then.
    remark : callable
        Takes a note and its category, if the checkpoint cannot be written.

    Attributes
    ----------
    n_scored : int
        Subsets scored or bounded, now or before the run was resumed.
    """

    def __init__(
        self,
        score: Callable[[Mask], Scores],
        bound: Callable[[Mask, Mask], Scores] | None,
        near: Callable[[Mask, Mask], Scores] | None,
        checkpoint: Checkpoint | None,
        interrupts: Interrupts,
        deadline: float,
        remark: Remark,
    ) -> None:
        self.score = score
        self.bound = bound
        self.near = near
        self.center: Mask | None = None  # of the question that is being answered
        self.interrupts = interrupts
        self.deadline = deadline
        self.n_scored = 0
        self.memo: dict[bytes, float] = {}
        self.call = 1  # masks in the next call
        self.per_mask = 0.0  # seconds, in the last call
        self.journal = None if checkpoint is None else Journal(checkpoint, self._compute, remark)

    def answers(self, question: Ask, max_evaluations: int | None) -> Iterator[tuple[slice, Scores]]:
        """Scores or bounds of consecutive parts of the masks, until done or the budget is used up."""
        masks, upper, self.center = question.masks, question.upper, question.near
        # Only here, between two questions: what is forgotten must not depend on how a question was cut into calls.
        room = _MEMO_BYTES // (masks.shape[1] // 8 + 150)
        while len(self.memo) > room:
            del self.memo[next(iter(self.memo))]
        start = 0
        while start < len(masks):
            end = min(len(masks), start + self._call())
            if max_evaluations is not None:
                end = min(end, start + max(1, max_evaluations - self.n_scored))
            if upper is None:
                values = self._known_or_new(masks[start:end], max_evaluations)
            elif self.n_scored == max_evaluations:
                values = None
            else:
                values = self.new(masks[start:end], upper[start:end])
            if values is None:
                return
            yield slice(start, end), values
            start = end

    def new(self, masks: Mask, upper: Mask | None = None) -> Scores:
        """Scores or bounds that are not in the memo; they are counted."""
        old = np.empty(0) if self.journal is None else self.journal.replay(masks, upper)
        self.n_scored += len(old)
        if len(old) == len(masks):
            return old
        masks, upper = masks[len(old) :], None if upper is None else upper[len(old) :]
        began = time.monotonic()
        values = self._compute(masks, upper)
        if masks.any():  # the empty subset says nothing about the time that others take
            self._learn(len(masks), time.monotonic() - began)
        self.n_scored += len(masks)
        if self.journal is not None:
            self.journal.keep(masks, upper, values)
        return np.concatenate([old, values])

    def _learn(self, n_masks: int, seconds: float) -> None:
        """Grow or shrink calls towards the time one may take; a small one counts only if it took too long."""
        share = _CALL_SECONDS / max(seconds, 1e-9)
        if n_masks >= self.call or share < 1:
            self.call = max(1, int(min(n_masks * min(share, 4.0), 1 << 16)))
            self.per_mask = seconds / n_masks

    def aside(self, masks: Mask) -> Scores:
        """Scores of masks that the search did not ask about: counted, but not saved in the checkpoint."""
        self.n_scored += len(masks)
        self.center = None
        return self._compute(masks, None)

    def _call(self) -> int:
        """How many masks the next call has."""
        if not self.per_mask:
            return self.call
        left = self.deadline - time.monotonic()
        return max(1, int(min(left / self.per_mask, self.call)))

    def _known_or_new(self, masks: Mask, max_evaluations: int | None) -> Scores | None:
        keys = [row.tobytes() for row in np.packbits(masks, axis=1)]
        places: dict[bytes, int] = {}
        for i, key in enumerate(keys):
            if key not in self.memo:
                places.setdefault(key, i)
        if max_evaluations is not None and self.n_scored + len(places) > max_evaluations:
            return None
        values = self.new(masks[list(places.values())]) if places else np.empty(0)
        fresh = dict(zip(places, values.tolist(), strict=True))
        scores = np.array([fresh[key] if key in fresh else self.memo[key] for key in keys])
        self.memo.update(fresh)
        return scores

    def _compute(self, masks: Mask, upper: Mask | None) -> Scores:
        with self.interrupts.breaking():
            if upper is None and self.near is not None and self.center is not None:
                values = self.near(masks, self.center)
            elif upper is None:
                values = self.score(masks)
            elif self.bound is None:
                raise ValueError("the search asks for bounds, but there are none for these scores.")
            else:
                values = self.bound(masks, upper)
        return check_scores(values, len(masks))

    def close(self) -> None:
        """Write the new answers to the checkpoint."""
        if self.journal is not None:
            self.journal.close()
