"""The driver of every run: budget, deadline, callback, memory of known scores, Ctrl-C, checkpoint."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._arguments import check_number, warn
from entropick.search._checkpoint import Checkpoint
from entropick.search._run import Run, Scores, check_scores
from entropick.search._space import Mask

_MEMO_BYTES = 64 << 20
_SAVE_EVERY = 2.0  # seconds between two checkpoints
_CHUNK_SECONDS = 0.25  # about how long a call for scores may take


@dataclass(frozen=True)
class Budget:
    """Limits of a run; None is no limit. Subsets that were scored before cost nothing."""

    max_evaluations: int | None = None
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        check_number("max_evaluations", self.max_evaluations, 1, integer=True, optional=True)
        check_number("max_seconds", self.max_seconds, 0, above=True, optional=True)


def drive(
    run: Run,
    score: Callable[[Mask], Scores],
    budget: Budget | None = None,
    callback: Callable[[dict[str, Any]], object] | None = None,
    checkpoint: Checkpoint | None = None,
    bound: Callable[[Mask, Mask], Scores] | None = None,
) -> int:
    """Carry a run to its end and return the number of subsets that were scored.

    Parameters
    ----------
    run : Run
        The run; when this returns, ``run.stop`` says why.
    score : callable
        Masks, shape (n_masks, n_columns), to scores.
    budget : Budget
        When to end before the search does.
    callback : callable
        Called with each line of the trace; if it returns True the run ends.
    checkpoint : Checkpoint
        Where scores are kept, and taken from if the file exists.
    bound : callable
        Lower and upper masks to bounds of what lies between, for searches that ask for them. They count as evaluations.
    """
    ledger = _Ledger(score, bound, checkpoint)
    budget = budget or Budget()
    deadline = time.monotonic() + (budget.max_seconds if budget.max_seconds is not None else float("inf"))
    reported = 0
    with _interruptible() as interrupted:
        try:
            while run.stop is None:
                masks = run.ask()
                scores = np.empty(len(masks))
                done = 0
                for part, values in ledger.scores(masks, run.upper, budget.max_evaluations):
                    scores[part] = values
                    done = part.stop
                    if run.upper is None:
                        run.observe(masks[part], values)
                    if interrupted.is_set():
                        raise KeyboardInterrupt  # noqa: TRY301 - one way out for both kinds of interruption
                    if time.monotonic() > deadline:
                        break
                if done < len(masks):
                    full = ledger.n_scored == budget.max_evaluations
                    run.end({"max_evaluations": ledger.n_scored} if full else {"max_seconds": budget.max_seconds})
                    break
                run.tell(scores)
                for step in range(reported, len(run.trace)):
                    reported = step + 1
                    line = {"step": reported, "evaluations": ledger.n_scored, **run.trace[step]}
                    if callback is not None and callback(line) and run.stop is None:
                        run.end({"callback": reported})
                if run.stop is None and time.monotonic() > deadline:
                    run.end({"max_seconds": budget.max_seconds})
        except KeyboardInterrupt:
            if run.best_score == float("-inf"):
                raise  # there is no best so far
            run.end({"interrupted": ledger.n_scored})
        finally:
            ledger.save()
    return ledger.n_scored


class _Ledger:
    """Scores that are known, and those that are not yet."""

    def __init__(
        self,
        score: Callable[[Mask], Scores],
        bound: Callable[[Mask, Mask], Scores] | None,
        checkpoint: Checkpoint | None,
    ) -> None:
        self.score = score
        self.bound = bound
        self.checkpoint = checkpoint
        self.log: list[NDArray[np.float64]] = []  # every score that was not in the memo, for the checkpoint
        self.replay = checkpoint.load() if checkpoint else np.empty(0)
        self.n_replayed = 0
        self.n_scored = 0
        self.memo: dict[bytes, float] = {}
        self.chunk = 16
        self.saved = time.monotonic()

    def scores(self, masks: Mask, upper: Mask | None, max_evaluations: int | None) -> Iterator[tuple[slice, Scores]]:
        """Scores (or bounds) of consecutive parts of the masks, until done or the budget is used up."""
        # Only here, between two asks: what is forgotten must not depend on how an ask was cut into calls.
        room = _MEMO_BYTES // (masks.shape[1] // 8 + 150)
        while len(self.memo) > room:
            del self.memo[next(iter(self.memo))]
        start = 0
        while start < len(masks):
            end = min(len(masks), start + self.chunk)
            if max_evaluations is not None:
                end = min(end, start + max(1, max_evaluations - self.n_scored))
            if upper is None:
                values = self._known_or_new(masks[start:end], max_evaluations)
            elif self.n_scored == max_evaluations:
                values = None
            else:
                values = self._new(masks[start:end], upper[start:end])
            if values is None:
                return
            yield slice(start, end), values
            start = end

    def _known_or_new(self, masks: Mask, max_evaluations: int | None) -> Scores | None:
        keys = [row.tobytes() for row in np.packbits(masks, axis=1)]
        places: dict[bytes, int] = {}
        for i, key in enumerate(keys):
            if key not in self.memo:
                places.setdefault(key, i)
        if max_evaluations is not None and self.n_scored + len(places) > max_evaluations:
            return None
        values = self._new(masks[list(places.values())]) if places else np.empty(0)
        fresh = dict(zip(places, values.tolist(), strict=True))
        scores = np.array([fresh[key] if key in fresh else self.memo[key] for key in keys])
        self.memo.update(fresh)
        return scores

    def _new(self, masks: Mask, upper: Mask | None = None) -> Scores:
        old = self.replay[self.n_replayed : self.n_replayed + len(masks)]
        self.n_replayed += len(old)
        values = old
        if len(old) < len(masks):
            began = time.monotonic()
            rest = masks[len(old) :]
            if upper is None:
                fresh = self.score(rest)
            elif self.bound is None:
                raise ValueError("the search asks for bounds, but there are none for these scores.")
            else:
                fresh = self.bound(rest, upper[len(old) :])
            values = np.concatenate([old, check_scores(fresh, len(rest))])
            # Calls for scores grow or shrink towards the time that one may take.
            share = _CHUNK_SECONDS / max(time.monotonic() - began, 1e-6)
            self.chunk = int(np.clip(self.chunk * min(share, 4.0), 1, 1 << 16))
        self.log.append(values)
        self.n_scored += len(masks)
        if self.checkpoint and time.monotonic() - self.saved > _SAVE_EVERY:
            self.save()
        return values

    def save(self) -> None:
        if self.checkpoint:
            rest = self.replay[self.n_replayed :]  # of a run that ended earlier than the one before
            try:
                self.checkpoint.save(np.concatenate([*self.log, rest]))
            except OSError as error:  # a full disk must not cost the answer
                warn(
                    f"checkpoint {str(self.checkpoint.path)!r} could not be written ({error}); the run goes on without "
                    "it."
                )
                self.checkpoint = None
            self.saved = time.monotonic()


@contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """Within, the first Ctrl-C sets the event and the second one interrupts at once."""
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event  # signals reach the main thread only
        return
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield event  # the application has its own idea of Ctrl-C
        return

    def handle(number: int, frame: Any) -> None:
        signal.signal(signal.SIGINT, before)
        event.set()

    signal.signal(signal.SIGINT, handle)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, before)
