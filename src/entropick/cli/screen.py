"""Results as text, for a terminal, a file or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from entropick._words import grouped, shortened
from entropick.report import Curve, Result, words
from entropick.report.reasons import why

_WIDTH = 100  # where there is no terminal to fit
_MOST_ROWS = 500  # columns that are listed
_MOST_SIZES = 9  # numbers of columns beside each other
_ANSWERS = (words.sure, words.not_needed, words.loss, words.tested, words.certainty)


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
    """Print how many columns are enough, which are sure, what is lost and whether it is chance; then the numbers."""
    console.print(Text(words.answer(result), style="bold"))
    for sentence in filter(None, (tell(result) for tell in _ANSWERS)):
        console.print(Text(sentence))
    if groups := words.replacements(result):
        console.print(Text(f"Interchangeable columns: {'; '.join(groups)}."))
    for note in words.further_notes(result):
        console.print(Text("Note: ", style="yellow").append(note.text, style="default"))
    if result.features:
        if result.curve is not None:
            console.print()
            for line in curve_lines(result, result.curve, console.width):
                console.print(Text(line))
        console.print()
        _show_features(result, console)
    console.print()
    told = (words.information, *([words.worth] if result.curve is None else []), words.agreement, words.effort)
    for sentence in filter(None, (tell(result) for tell in told)):
        console.print(Text(sentence))


def curve_lines(result: Result, curve: Curve, width: int) -> list[str]:
    """What some numbers of columns predict, the chosen one between stars; what that is comes below if it is wide."""
    value, is_judged = words.predicted(result, curve)
    known = {**dict(zip(curve.sizes, curve.predicted, strict=True)), result.n_features: value}
    cells = [
        (f"*{size}*", f"{'' if is_judged else '~'}{words.as_share(value)}")
        if size == result.n_features
        else (str(size), words.as_share(known[size]))
        for size in _some_sizes(sorted(known), result.n_features)
    ]
    heads, shares = (" ".join(f"{text:>5}" for text in line) for line in zip(*cells, strict=True))
    lines, what = [f"columns   {heads}", f"predicted {shares}"], words.of_what(result)
    if len(lines[1]) + 3 + len(what) <= width:
        return [lines[0], f"{lines[1]}   {what}"]
    return [*lines, f"          {what}"]


def _some_sizes(sizes: Sequence[int], chosen: int) -> list[int]:
    """The first and the last, the chosen one and some between, nearly evenly spread."""
    if len(sizes) <= _MOST_SIZES:
        return list(sizes)
    last = len(sizes) - 1
    places = [round(i * last / (_MOST_SIZES - 1)) for i in range(_MOST_SIZES)]
    at = sizes.index(chosen)
    if at not in places:
        nearest = min(range(1, _MOST_SIZES - 1), key=lambda i: abs(places[i] - at))
        places[nearest] = at
    return [sizes[place] for place in sorted(places)]


def _show_features(result: Result, console: Console) -> None:
    """A line for each chosen column."""
    shown = result.features[:_MOST_ROWS]
    columns: dict[str, list[str]] = {
        "": [str(place) for place in range(1, len(shown) + 1)],
        "column": [shortened(feature.name, 40) for feature in shown],
    }
    if result.decoys is not None:
        columns["verdict"] = [feature.verdict or "" for feature in shown]
    if result.halves is not None:
        columns["halves"] = [words.chosen_from(result, feature.selection_frequency) for feature in shown]
    columns["lost without"] = [f"{round(feature.lost_without, 4) + 0.0:.4f}" for feature in shown]
    columns["why"] = [why(result, feature) for feature in shown]
    left = [i for i, head in enumerate(columns) if head in ("column", "verdict", "why")]
    console.print(make_table(list(columns), list(zip(*columns.values(), strict=True)), left=left))
    if len(result.features) > _MOST_ROWS:
        console.print(f"And {grouped(len(result.features) - _MOST_ROWS)} more; --json has all of them.")
