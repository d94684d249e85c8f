"""The progress bar on standard error, if that is a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
from rich.text import Text

from entropick.cli._signals import raise_received

if TYPE_CHECKING:
    from entropick.search import StepLine


class ProgressBar:
    """What is running, how far it is and how long it may take; silent if standard error is not a terminal.

    Parameters
    ----------
    quiet : bool
        Never show it.
    limit : float, optional
        Seconds after which a search ends by itself.
    """

    def __init__(self, quiet: bool = False, limit: float | None = None) -> None:
        console = Console(stderr=True)
        self._limit = limit
        self._began: float | None = None
        self._first: float | None = None
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[facts]}", markup=False),
            TimeElapsedColumn(),
            _TimeLeft(),
            console=console,
            transient=True,
            disable=quiet or not sys.stderr.isatty(),
            redirect_stdout=False,
        )
        self._task = self._bar.add_task("", total=None, facts="", left=None)

    def __enter__(self) -> Self:
        if not self._bar.disable:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._bar.disable:  # some versions of rich print an empty line even when disabled
            self._bar.stop()

    def phase(self, description: str) -> None:
        """Begin something of unknown length."""
        raise_received()
        self._bar.update(self._task, description=description, total=None, completed=0, facts="", left=None)

    def share(self, description: str, done: int, total: int) -> None:
        """Show how many of a known number of parts are done."""
        raise_received()
        now = time.monotonic()
        self._began = now if self._began is None or not done else self._began
        left = (now - self._began) / done * (total - done) if done else None
        facts = f"{done} of {total}"
        self._bar.update(self._task, description=description, total=total, completed=done, facts=facts, left=left)

    def step(self, line: StepLine) -> None:
        """Show a step of a search; meant as its callback."""
        raise_received()
        facts = f"step {line['step']} · best {line['best']:.4f} · {line['size']} columns kept"
        done = self._settled(line["probabilities"])
        left = line["seconds"] * (1 - done) / done if done else None
        if self._limit is not None:
            rest = max(0.0, self._limit - line["seconds"])
            left = rest if left is None else min(left, rest)
        self._bar.update(
            self._task, description="searching", total=1 if done else None, completed=done, facts=facts, left=left
        )

    def tell(self, sentence: str) -> None:
        """Print a sentence on standard error at once, above the bar if there is one."""
        self._bar.console.print(f"entropick: {sentence}", markup=False, highlight=False, soft_wrap=True)

    def _settled(self, probabilities: Any) -> float:
        """How far the probabilities have settled: the share of their initial entropy that is gone."""
        if probabilities is None:
            return 0.0
        import numpy as np  # so that the bar shows before this is loaded

        p = np.clip(probabilities, 1e-12, 1 - 1e-12)
        entropy = float(-(p * np.log(p) + (1 - p) * np.log1p(-p)).sum())
        self._first = entropy if self._first is None else max(self._first, entropy)
        return max(0.0, 1 - entropy / self._first) if self._first else 0.0


class _TimeLeft(ProgressColumn):
    def render(self, task: Task) -> Text:
        left = task.fields["left"]
        return Text("" if left is None else f"about {_spoken(left)} left")


def _spoken(seconds: float) -> str:
    return (
        f"{seconds:.0f} s"
        if seconds < 90
        else f"{seconds / 60:.0f} min"
        if seconds < 5400
        else f"{seconds / 3600:.1f} h"
    )
