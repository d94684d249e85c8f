"""An answer for a run that was stopped before it had one."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._masks import Mask, flip_each
from entropick.notes import Note
from entropick.search._ledger import Ledger
from entropick.search._run import Run

_GRACE = 0.3  # seconds beyond the time limit


def rescue(run: Run, ledger: Ledger, reasons: dict[str, Any]) -> None:
    """Make sure that the best subset of a run is a valid answer, and not just the smallest subset.

    If time ran out with nothing but the smallest subset, single columns are scored for a moment. If the number of
    columns is fixed and no subset of that size was scored, the largest promising part of one is filled up with the best
    single columns known, then with the first ones.
    """
    space, out_of_time = run.space, "max_seconds" in reasons
    nothing = not run.has_best or (run.best_mask == space.base).all()
    if not nothing or not len(space.free):
        return
    order, n_known = _by_themselves(run, ledger) if out_of_time else (space.free, 0)
    if not run.has_best:
        mask = space.base.copy() if run.nearest is None else run.nearest.copy()
        missing = (space.exactly or 0) - int(mask.sum())
        mask[order[~mask[order]][:missing]] = True
        run.observe(mask[None], ledger.aside(mask[None]))
        text = (
            f"the search ended before any subset of {space.exactly} columns was scored; the answer is a promising "
            "smaller subset, filled up with the best single columns known."
        )
        run.remark(Note("filled", text))
    elif out_of_time and n_known < len(space.free):
        text = (
            "the time limit ended the search before it found anything better than the smallest subset; the answer is "
            f"the best of that subset and {n_known} single columns."
        )
        run.remark(Note("hardly_begun", text))


def _by_themselves(run: Run, ledger: Ledger) -> tuple[NDArray[np.int64], int]:
    """The free columns, those that were scored first and best first, and how many were scored."""
    columns, until = run.space.free, time.monotonic() + _GRACE
    scores: list[float] = []
    while len(scores) < len(columns) and (not scores or time.monotonic() < until):
        most = max(1, min(ledger.call, int(_GRACE / 4 / max(ledger.per_mask, 1e-9))))
        some = columns[len(scores) : len(scores) + most]
        masks: Mask = flip_each(run.space.base, some)
        values = ledger.aside(masks)
        run.observe(masks, values)
        scores += values.tolist()
    known = np.argsort(-np.array(scores), kind="stable")
    return np.concatenate([columns[known], columns[len(scores) :]]), len(scores)
