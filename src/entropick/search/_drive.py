"""The driver of every run: budget, deadline, callback, memo of known scores, Ctrl-C, checkpoint."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from entropick._checks import check_number
from entropick._errors import Mention
from entropick._masks import Mask
from entropick._names import look_up
from entropick.notes import Note
from entropick.search._checkpoint import Checkpoint
from entropick.search._interrupt import holding_back
from entropick.search._ledger import Ledger
from entropick.search._rescue import rescue
from entropick.search._run import Ask, Run, Scores, StepLine

ON_INTERRUPT = {name: name for name in ("raise", "best")}


@dataclass(frozen=True)
class Budget:
    """Limits of a run; None means no limit. Subsets scored before cost nothing."""

    max_evaluations: int | None = None
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        check_number("max_evaluations", self.max_evaluations, 1, integer=True, optional=True)
        check_number("max_seconds", self.max_seconds, 0, above=True, optional=True)


def drive(
    run: Run,
    score: Callable[[Mask], Scores],
    budget: Budget | None = None,
    callback: Callable[[StepLine], object] | None = None,
    checkpoint: Checkpoint | None = None,
    bound: Callable[[Mask, Mask], Scores] | None = None,
    near: Callable[[Mask, Mask], Scores] | None = None,
    *,
    on_interrupt: str = "raise",
    began: float | None = None,
) -> int:
    """Drive a run to its end and return the number of subsets scored.

    Parameters
    ----------
    run : Run
        The run; when this returns, ``run.stop`` says why.
    score : callable
        Masks, shape (n_masks, n_columns), to scores.
    budget : Budget
        When to stop before the search ends. A run that is stopped before it has scored any valid answer is given one,
        which may cost a few more evaluations and a fraction of a second.
    callback : callable
        Called with each line of the trace; if it returns True the run ends.
    checkpoint : Checkpoint
        Where scores are saved, and loaded from if the file exists.
    bound : callable
        Lower and upper masks to bounds on what lies between, for searches that ask for them. They count as evaluations.
    near : callable
        Masks and one from which they differ little to scores, if that is quicker.
    on_interrupt : {'raise', 'best'}
        What Ctrl-C does: let the KeyboardInterrupt through, or end the run with the best subset so far and a warning.
        Either way the checkpoint has all scores up to then.
    began : float, optional
        When the time limit started to run, by ``time.monotonic()``; now if None.
    """
    look_up(Mention("on_interrupt"), on_interrupt, ON_INTERRUPT)
    budget = budget or Budget()
    limit = float("inf") if budget.max_seconds is None else budget.max_seconds
    deadline = (time.monotonic() if began is None else began) + limit
    with holding_back(on_interrupt == "best") as interrupts:
        ledger = Ledger(score, bound, near, checkpoint, interrupts, deadline, run.remark)
        try:
            reasons = _go(run, ledger, budget, callback)
            if reasons:
                rescue(run, ledger, reasons)
                run.end(reasons)
        except KeyboardInterrupt:
            if on_interrupt == "raise" or not run.has_best:
                raise
            run.end({"interrupted": ledger.n_scored})
            text = f"interrupted after {ledger.n_scored} subsets; the answer is the best subset so far."
            run.remark(Note("interrupted", text))
        finally:
            ledger.close()
    late = time.monotonic() - deadline
    if late > 0.1 * limit + 1:
        text = f"the search ended {late:.1f} s after its time: one call of the criterion takes that long."
        run.remark(Note("late", text))
    return ledger.n_scored


def _go(run: Run, ledger: Ledger, budget: Budget, callback: Callable[[StepLine], object] | None) -> dict[str, Any]:
    """Drive a run until it ends, or until it must stop for the reasons returned."""
    reported = 0
    while run.question is not None:
        answer = _answer(run, run.question, ledger, budget.max_evaluations)
        if answer is None:
            full = ledger.n_scored == budget.max_evaluations
            return {"max_evaluations": ledger.n_scored} if full else {"max_seconds": budget.max_seconds}
        run.advance(answer)
        for step in range(reported, len(run.trace)):
            reported = step + 1
            line: StepLine = {"step": reported, "evaluations": ledger.n_scored, **run.trace[step]}
            told = None if callback is None else callback(line)
            if isinstance(told, bool | np.bool_) and told and run.stop is None:
                return {"callback": reported}
        if run.stop is None and time.monotonic() > ledger.deadline:
            return {"max_seconds": budget.max_seconds}
    return {}


def _answer(run: Run, question: Ask, ledger: Ledger, max_evaluations: int | None) -> Scores | None:
    """The complete answer to a question, or None if the budget runs out first."""
    values = np.empty(len(question.masks))
    done = 0
    for part, some in ledger.answers(question, max_evaluations):
        values[part] = some
        done = part.stop
        if question.kind == "scores":
            run.observe(question.masks[part], some)
        ledger.interrupts.check()
        if time.monotonic() > ledger.deadline:
            break
    return values if done == len(values) else None
