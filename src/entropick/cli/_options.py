"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from entropick._names import BINNINGS, CRITERIA, RANKINGS, SEARCHES

SEARCH_NAMES, RANKING_NAMES, CRITERION_NAMES, BINNING_NAMES = (
    ", ".join(names) for names in (SEARCHES, RANKINGS, CRITERIA, BINNINGS)
)


def _complete(names: str) -> Callable[[str], list[str]]:
    def complete(incomplete: str) -> list[str]:
        return [name for name in names.split(", ") if name.startswith(incomplete)]

    return complete


TableArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="The table: CSV, TSV, Parquet, Arrow, Feather or ARFF, also gzipped; - is standard input.",
        show_default=False,
    ),
]
TargetOption = Annotated[
    str,
    typer.Option("--target", "-t", metavar="COLUMN", help="The column to learn about.", show_default=False),
]
ColumnsOption = Annotated[
    list[str] | None,
    typer.Option("--columns", metavar="NAMES", help="Choose among these only; commas between, or given again."),
]
DropOption = Annotated[list[str] | None, typer.Option("--drop", metavar="NAMES", help="Leave these out, such as ids.")]
CriterionOption = Annotated[
    str | None,
    typer.Option(
        "--criterion",
        "-c",
        help=f"What a subset is worth, for searches: {CRITERION_NAMES}. (default: reliable)",
        autocompletion=_complete(CRITERION_NAMES),
        show_default=False,
    ),
]
MethodOption = Annotated[
    str,
    typer.Option(
        "--method",
        "-m",
        help=f"How to choose. Searches: {SEARCH_NAMES}. Rankings: {RANKING_NAMES}.",
        autocompletion=_complete(f"{SEARCH_NAMES}, {RANKING_NAMES}"),
    ),
]
SizeOption = Annotated[
    int | None, typer.Option("--n-features", "-k", help="Exactly so many columns. (default: found by the search)")
]
BinsOption = Annotated[int, typer.Option("--bins", help="Bins of a column of real numbers.")]
BinningOption = Annotated[
    str,
    typer.Option("--binning", help=f"How they are cut: {BINNING_NAMES}.", autocompletion=_complete(BINNING_NAMES)),
]
KindOption = Annotated[
    str,
    typer.Option(
        "--target-kind",
        help="What the target is: classes, numeric (then it is cut into bins), or auto.",
        autocompletion=_complete("auto, classes, numeric"),
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same answer.")]
JobsOption = Annotated[int, typer.Option("--jobs", "-j", help="Threads; -1 is one per processor.")]
TimeOption = Annotated[
    float | None,
    typer.Option("--time-limit", metavar="SECONDS", help="End a search after so long, with the best so far."),
]
JsonOption = Annotated[
    str | None, typer.Option("--json", metavar="PATH", help="Write the result as JSON; - is standard output.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")]
