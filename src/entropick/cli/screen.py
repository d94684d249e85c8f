"""Results as text, for a terminal, a file or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from entropick._words import grouped, shortened
from entropick.report import Result
from entropick.report.reasons import why
from entropick.report.words import (
    agreement,
    answer,
    certainty,
    chosen_from,
    effort,
    information,
    loss,
    replacements,
    sure,
    tested,
    worth,
)

_WIDTH = 100  # where there is no terminal to fit
_MOST_ROWS = 500  # columns that are listed


class _Screen(Console):
    def on_broken_pipe(self) -> None:
        """Let the command decide how to end: rich would exit here, before any file is written."""
        raise BrokenPipeError


def screen() -> Console:
    """Standard output."""
    return _Screen(width=None if sys.stdout.isatty() else _WIDTH, highlight=False, soft_wrap=False)


def make_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, left: Sequence[int] = (0,)) -> Table:
    """A table of plain text, without markup."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for i, head in enumerate(heads):
        table.add_column(head, justify="left" if i in left else "right", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def show_result(result: Result, console: Console) -> None:
    """Print which columns are kept, what is lost with them, how sure that is and why; then the numbers."""
    console.print(Text(answer(result), style="bold"))
    for sentence in filter(None, (loss(result), tested(result), certainty(result), sure(result))):
        console.print(Text(sentence))
    if groups := replacements(result):
        console.print("Some say much the same and take each other's place:")
    for group in groups:
        console.print(Text(f"- {group}"))
    for note in result.notes:
        console.print(Text("Note: ", style="yellow").append(note.text, style="default"))
    if result.features:
        has_halves = result.halves is not None
        rows = [
            (
                str(place),
                shortened(feature.name, 40),
                *(f"{round(value, 4) + 0.0:.4f}" for value in (feature.alone, feature.lost_without)),
                *([chosen_from(result, feature.selection_frequency)] if has_halves else []),
                why(result, feature),
            )
            for place, feature in enumerate(result.features[:_MOST_ROWS], start=1)
        ]
        heads = ("", "column", "alone", "lost without", *["halves"] * has_halves, "why")
        console.print()
        console.print(make_table(heads, rows, left=(1, len(heads) - 1)))
        if len(result.features) > _MOST_ROWS:
            console.print(f"And {grouped(len(result.features) - _MOST_ROWS)} more; --json has all of them.")
    console.print()
    for sentence in filter(None, (information(result), worth(result), agreement(result), effort(result))):
        console.print(Text(sentence))
