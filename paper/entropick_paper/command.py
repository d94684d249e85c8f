"""`entropick reproduce`: the paper's tables and figures, its numbers beside ours."""

from __future__ import annotations

from typing import Annotated

import typer

from entropick._names import DATASETS, look_up
from entropick.cli.options import JobsOption, QuietOption, complete


def reproduce(
    dataset: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Only this data set; may be repeated. (default: all six)",
            autocompletion=complete(DATASETS),
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="DIR", help="Folder for tables and figures. (default: reproduction, or reproduction-quick)"
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="One seed and fewer rows: a few minutes instead of forty.")
    ] = False,
    seeds: Annotated[
        int | None, typer.Option(min=1, help="Runs for each data set. (default: 10, or 1 with --quick)")
    ] = None,
    jobs: JobsOption = -1,
    quiet: QuietOption = False,
) -> None:
    """Repeat the evaluation of the paper on its data sets, with its numbers beside ours.

    An interrupted run resumes where it stopped. `entropick datasets` shows where the data sets are.

    [bold]Examples[/bold]

    entropick reproduce --quick

    entropick reproduce --dataset connect_4 --dataset advertisements --seeds 3 --out two
    """
    from dataclasses import replace

    from entropick.cli.progress import ProgressBar
    from entropick.datasets import fetch
    from entropick_paper.claims import judge_claims
    from entropick_paper.protocol import Plan
    from entropick_paper.run import QUICK, missing
    from entropick_paper.run import reproduce as run

    names, plan = dataset or list(DATASETS), replace(QUICK if quick else Plan(), n_jobs=jobs)
    for name in names:
        look_up("data set", name, DATASETS)
    out, seeds = out or ("reproduction-quick" if quick else "reproduction"), seeds or (1 if quick else 10)
    for name in missing(out, names, seeds, plan):
        fetch(name)  # before the work begins, with its own line of progress
    with ProgressBar(quiet) as bar:
        bar.phase("preparing")
        results = run(out, names, seeds=seeds, plan=plan, callback=lambda *line: bar.share(line[2], *line[:2]))
    from entropick.cli.screen import make_table, screen

    console = screen()
    rows = [(claim.claim, claim.verdict) for claim in judge_claims(results["summary"])]
    console.print(make_table(("claim of the paper", "verdict"), rows, left=(0, 1)))
    console.print(f"\nWritten: {out}/README.md, {out}/report.html, {out}/results.json", markup=False, soft_wrap=True)
