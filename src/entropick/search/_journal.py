"""The answers a run takes from its checkpoint, and those it saves there."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from entropick._masks import Mask
from entropick.notes import Note
from entropick.search._checkpoint import ENTRY, Checkpoint, CheckpointWarning, Entries, digest
from entropick.search._run import Scores

_SAVE_EVERY = 2.0  # seconds
_PROOFS = 16  # saved answers that are computed again ...
_PROOF_SECONDS = 2.0  # ... as long as that takes no longer; the last one always is

Answer = Callable[[Mask, Mask | None], Scores]
Remark = Callable[[Note, type[Warning]], None]


class Journal:
    """Saved answers, each used only for its own question, and new ones, saved to the file.

    Parameters
    ----------
    checkpoint : Checkpoint
        The file.
    answer : callable
        Scores of masks, or bounds of pairs of masks: a sample of the saved answers must agree with it.
    remark : callable
        Takes a note and its category, if the file cannot be written.
    """

    def __init__(self, checkpoint: Checkpoint, answer: Answer, remark: Remark) -> None:
        self.checkpoint = checkpoint
        self.answer = answer
        self.remark = remark
        self.old = checkpoint.load()
        self.place = 0  # of the next saved answer
        self.proofs = set(np.linspace(0, len(self.old) - 1, _PROOFS).astype(int).tolist()) if len(self.old) else set()
        self.proving = 0.0  # seconds so far
        self.new: list[Entries] = []
        self.saved = time.monotonic()
        self.is_open = False
        self._try(checkpoint.open)

    def replay(self, masks: Mask, upper: Mask | None) -> Scores:
        """The saved answers to the first of these questions, as many as there are."""
        old = self.old[self.place : self.place + len(masks)]
        if not len(old):
            return np.empty(0)
        masks, upper = masks[: len(old)], None if upper is None else upper[: len(old)]
        other = np.flatnonzero(digest(masks, upper) != old["digest"])
        if len(other):
            raise ValueError(
                f"checkpoint {self._path} is from a run that asked about different subsets from number "
                f"{self.place + int(other[0]) + 1} on: the search has changed; delete the file or use another."
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
                    f"checkpoint {self._path} has {values[k]:.6g} for a subset that now scores {now:.6g}: it is from "
                    "another criterion, or the criterion scores a subset differently each time; delete the file or use "
                    "another."
                )

    def keep(self, masks: Mask, upper: Mask | None, values: Scores) -> None:
        """Record new answers."""
        if not self.is_open:
            return
        entries = np.empty(len(values), dtype=ENTRY)
        entries["digest"], entries["value"] = digest(masks, upper), values
        self.new.append(entries)
        if time.monotonic() - self.saved > _SAVE_EVERY:
            self.save()

    def save(self) -> None:
        """Write the new answers."""
        if self.is_open and self.new:
            new = np.concatenate(self.new)
            if self._try(lambda: self.checkpoint.append(new)):
                self.new = []
        self.saved = time.monotonic()

    def close(self) -> None:
        """Write the new answers and close the file."""
        try:
            self.save()
        finally:
            self.checkpoint.close()
            self.is_open = False

    @property
    def _path(self) -> str:
        return repr(str(self.checkpoint.path))

    def _try(self, write: Callable[[], None]) -> bool:
        """Whether writing worked; a full disk must not end the run."""
        try:
            write()
        except OSError as error:
            self.is_open, self.new = False, []
            text = f"checkpoint {self._path} could not be written ({error}); the run continues without it."
            self.remark(Note("checkpoint", text), CheckpointWarning)
            return False
        self.is_open = True
        return True
