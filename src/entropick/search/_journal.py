"""What a run with a checkpoint knows from its earlier life, and what the next life will know."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from entropick._masks import Mask
from entropick._notes import Note
from entropick.search._checkpoint import ENTRY, Checkpoint, CheckpointWarning, Entries, digest
from entropick.search._run import Scores

_SAVE_EVERY = 2.0  # seconds
_PROOFS = 16  # old answers that are asked for again ...
_PROOF_SECONDS = 2.0  # ... while that takes no longer, but the last one always

Answer = Callable[[Mask, Mask | None], Scores]
Remark = Callable[[Note, type[Warning]], None]


class Journal:
    """Old answers, each given out only for the question that it belongs to, and new ones, kept in a file.

    Parameters
    ----------
    checkpoint : Checkpoint
        The file.
    answer : callable
        Scores of masks, or bounds of pairs of masks: a sample of the old answers must agree with it.
    remark : callable
        Takes a note and its category, if the file cannot be written.
    """

    def __init__(self, checkpoint: Checkpoint, answer: Answer, remark: Remark) -> None:
        self.checkpoint = checkpoint
        self.answer = answer
        self.remark = remark
        self.old = checkpoint.load()
        self.place = 0  # of the next old answer
        self.proofs = set(np.linspace(0, len(self.old) - 1, _PROOFS).astype(int).tolist()) if len(self.old) else set()
        self.proving = 0.0  # seconds so far
        self.new: list[Entries] = []
        self.saved = time.monotonic()
        self.is_open = False
        self._try(checkpoint.open)

    def replay(self, masks: Mask, upper: Mask | None) -> Scores:
        """The old answers to the first of these questions, as many as there are."""
        old = self.old[self.place : self.place + len(masks)]
        if not len(old):
            return np.empty(0)
        masks, upper = masks[: len(old)], None if upper is None else upper[: len(old)]
        other = np.flatnonzero(digest(masks, upper) != old["digest"])
        if len(other):
            raise ValueError(
                f"checkpoint {self._path} is of a run that asked about other subsets, from number "
                f"{self.place + int(other[0]) + 1} on: the search was changed; delete the file or name another."
            )
        self._prove(masks, upper, old["value"])
        self.place += len(old)
        return np.array(old["value"])

    def _prove(self, masks: Mask, upper: Mask | None, values: NDArray[np.float64]) -> None:
        last = len(self.old) - 1
        for i in sorted(self.proofs & set(range(self.place, self.place + len(masks)))):
            if self.proving > _PROOF_SECONDS and i < last:
                continue
            k, began = i - self.place, time.monotonic()
            (now,) = self.answer(masks[k : k + 1], None if upper is None else upper[k : k + 1])
            self.proving += time.monotonic() - began
            if not np.isclose(now, values[k], rtol=1e-9, atol=1e-9):
                raise ValueError(
                    f"checkpoint {self._path} has {values[k]:.6g} for a subset that scores {now:.6g} now: it is of "
                    "another criterion, or of one that gives a subset another score each time; delete the file or name "
                    "another."
                )

    def keep(self, masks: Mask, upper: Mask | None, values: Scores) -> None:
        """Take note of new answers."""
        if not self.is_open:
            return
        entries = np.empty(len(values), dtype=ENTRY)
        entries["digest"], entries["value"] = digest(masks, upper), values
        self.new.append(entries)
        if time.monotonic() - self.saved > _SAVE_EVERY:
            self.save()

    def save(self) -> None:
        """Write what is new."""
        if self.is_open and self.new:
            new = np.concatenate(self.new)
            if self._try(lambda: self.checkpoint.append(new)):
                self.new = []
        self.saved = time.monotonic()

    def close(self) -> None:
        """Write what is new and let go of the file."""
        try:
            self.save()
        finally:
            self.checkpoint.close()
            self.is_open = False

    @property
    def _path(self) -> str:
        return repr(str(self.checkpoint.path))

    def _try(self, write: Callable[[], None]) -> bool:
        """Whether it could be written; a full disk must not cost the answer."""
        try:
            write()
        except OSError as error:
            self.is_open, self.new = False, []
            text = f"checkpoint {self._path} could not be written ({error}); the run goes on without it."
            self.remark(Note("checkpoint", text), CheckpointWarning)
            return False
        self.is_open = True
        return True
