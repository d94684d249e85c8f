"""Options shared by several commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated

import typer

from entropick._defaults import CRITERION
from entropick._names import BINNINGS, CRITERIA, RANKINGS, SEARCHES

DATES = ("auto", "parts", "values")


def complete(names: Iterable[str]) -> Callable[[str], list[str]]:
    """The completion of an option that takes one of some names."""
    return lambda incomplete: [name for name in names if name.startswith(incomplete)]


TableArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="The table: CSV, TSV, Excel, Parquet, Arrow, Feather or ARFF; text may be gzipped; - for standard input.",
        show_default=False,
    ),
]
HeaderOption = Annotated[
    bool,
    typer.Option(
        "--header/--no-header",
        help="Whether the first line has the names of the columns; else they are numbers from 1: --target 5.",
    ),
]
TargetOption = Annotated[
    str,
    typer.Option("--target", "-t", metavar="COLUMN", help="The target column.", show_default=False),
]
ColumnsOption = Annotated[
    list[str] | None,
    typer.Option("--columns", metavar="NAMES", help="Choose only among these; comma-separated, may be repeated."),
]
DropOption = Annotated[
    list[str] | None,
    typer.Option("--drop", metavar="NAMES", help="Leave these out, such as ids; comma-separated, may be repeated."),
]
CriterionOption = Annotated[
    str | None,
    typer.Option(
        "--criterion",
        "-c",
        help=f"How searches score a subset: {', '.join(CRITERIA)}. (default: {CRITERION})",
        autocompletion=complete(CRITERIA),
        show_default=False,
    ),
]
MethodOption = Annotated[
    str,
    typer.Option(
        "--method",
        "-m",
        help=f"How to select. Searches: {', '.join(SEARCHES)}. Rankings: {', '.join(RANKINGS)}.",
        autocompletion=complete([*SEARCHES, *RANKINGS]),
    ),
]
MaxOption = Annotated[int | None, typer.Option("--max-features", help="At most this many columns.")]
AlwaysOption = Annotated[
    list[str] | None,
    typer.Option("--always", metavar="NAMES", help="Columns that are always kept; comma-separated, may be repeated."),
]
ParsimonyOption = Annotated[
    float | None,
    typer.Option("--parsimony", help="Penalty per column, as a share of H(y); .001 drops columns that add little."),
]
SizeOption = Annotated[
    int | None, typer.Option("--n-features", "-k", help="Exactly this many columns. (default: the search decides)")
]
BinsOption = Annotated[int, typer.Option("--bins", help="Number of bins for a column of real numbers.")]
BinningOption = Annotated[
    str,
    typer.Option("--binning", help=f"How the bins are cut: {', '.join(BINNINGS)}.", autocompletion=complete(BINNINGS)),
]
KindOption = Annotated[
    str,
    typer.Option(
        "--target-kind",
        help="What the target holds: classes, numeric, or auto: numeric if there are fractions or many numbers.",
        autocompletion=complete(["auto", "classes", "numeric"]),
    ),
]
DatesOption = Annotated[
    str,
    typer.Option(
        "--dates",
        help="auto: dates that are nearly all different become numbers: year, month, weekday, hour, days since 1970; "
        "parts: all dates do; values: none. The name of a column of dates then stands for all its parts.",
        autocompletion=complete(DATES),
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Random seed; the same seed gives the same answer.")]
JobsOption = Annotated[int, typer.Option("--jobs", "-j", help="Number of threads; -1 for one per processor.")]
TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="SECONDS",
        help="End after about SECONDS, with the best so far; what there was no time for is said.",
    ),
]
JsonOption = Annotated[
    str | None, typer.Option("--json", metavar="PATH", help="Write the result as JSON; - for standard output.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")]
