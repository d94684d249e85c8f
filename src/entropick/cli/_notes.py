"""Warnings of a run, as notes to its result."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from entropick.cli._progress import ProgressBar

# Those that Python too keeps from people who only run a program.
_FOR_DEVELOPERS = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)


@dataclass
class Notes:
    """What was warned of, each sentence once."""

    sentences: list[str] = field(default_factory=list)
    checkpoint_failed: bool = False


@contextmanager
def collected_notes(bar: ProgressBar) -> Iterator[Notes]:
    """Within, warnings are notes; that a checkpoint could not be written is said at once, too."""
    from entropick.search import CheckpointWarning

    notes = Notes()

    def take(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        sentence = str(message)
        if sentence in notes.sentences:
            return
        notes.sentences.append(sentence)
        if issubclass(category, CheckpointWarning):
            notes.checkpoint_failed = True
            bar.tell(sentence)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        for category in _FOR_DEVELOPERS:
            warnings.simplefilter("ignore", category)
        warnings.showwarning = take
        yield notes
