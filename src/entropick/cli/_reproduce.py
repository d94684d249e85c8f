"""`entropick reproduce`: the paper's tables and figures, ours beside its."""

from __future__ import annotations

from typing import Annotated

import typer

from entropick.cli._options import JobsOption, QuietOption


def reproduce(
    dataset: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this data set; may be given again. (default: all six)"),
    ] = None,
    out: Annotated[str, typer.Option(metavar="DIR", help="Folder for tables, figures and runs.")] = "reproduction",
    quick: Annotated[
        bool, typer.Option("--quick", help="One seed and fewer rows: minutes instead of half an hour.")
    ] = False,
    seeds: Annotated[
        int | None, typer.Option(min=1, help="Runs for each data set. (default: 10, or 1 with --quick)")
    ] = None,
    jobs: JobsOption = -1,
    quiet: QuietOption = False,
) -> None:
    """Repeat the evaluation of the paper on its data sets, with its numbers beside ours.

    An interrupted run goes on where it was. `entropick datasets` tells where the data sets are.

    [bold]Examples[/bold]

    entropick reproduce --quick

    entropick reproduce --dataset connect_4 --dataset advertisements --seeds 3 --out two
    """
    from entropick.cli._progress import ProgressBar

    with ProgressBar(quiet) as bar:
        bar.phase("preparing")
        from dataclasses import replace

        from entropick.datasets import DATASETS, fetch
        from entropick.reproduce import QUICK, Plan
        from entropick.reproduce import reproduce as run

        names = dataset or list(DATASETS)
        for name in names:
            fetch(name)  # before hours of work, all that may be missing
        results = run(
            out,
            names,
            seeds=seeds or (1 if quick else 10),
            plan=replace(QUICK if quick else Plan(), n_jobs=jobs),
            callback=lambda done, total, step: bar.share(step, done, total),
        )
    from entropick.cli._screen import make_table, screen
    from entropick.reproduce._claims import judge_claims

    console = screen()
    rows = [(claim.claim, claim.verdict) for claim in judge_claims(results["summary"])]
    console.print(make_table(("claim of the paper", "verdict"), rows, left=(0, 1)))
    console.print(f"\nWritten: {out}/README.md, {out}/report.html, {out}/results.json", markup=False, soft_wrap=True)
