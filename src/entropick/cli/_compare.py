"""`entropick compare`: methods side by side on one table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from entropick._defaults import BINNING, N_BINS, N_JOBS, TARGET
from entropick._plain import Json
from entropick.cli.options import (
    BinningOption,
    BinsOption,
    ColumnsOption,
    CriterionOption,
    DropOption,
    JobsOption,
    JsonOption,
    KindOption,
    QuietOption,
    SeedOption,
    SizeOption,
    TableArgument,
    TargetOption,
    TimeOption,
)

if TYPE_CHECKING:
    from entropick.evaluation import Comparison, Estimate

METHODS = "cross_entropy,cmim,mrmr,disr,particle_swarm"
CLASSIFIERS = "naive_bayes,3nn"


def compare(
    file: TableArgument,
    target: TargetOption,
    methods: Annotated[
        str, typer.Option("--methods", "-m", help="Searches and rankings, comma-separated; see `select --help`.")
    ] = METHODS,
    classifiers: Annotated[
        str, typer.Option(help="Models to measure the error of, comma-separated; scikit-learn's go by class name.")
    ] = CLASSIFIERS,
    n_features: SizeOption = None,
    criterion: CriterionOption = None,
    folds: Annotated[int, typer.Option(help="Number of cross-validation folds.")] = 10,
    resamples: Annotated[int, typer.Option(help="Random halves of the rows to measure stability on; 0 for none.")] = 10,
    columns: ColumnsOption = None,
    drop: DropOption = None,
    bins: BinsOption = N_BINS,
    binning: BinningOption = BINNING,
    target_kind: KindOption = TARGET,
    seed: SeedOption = 0,
    jobs: JobsOption = N_JOBS,
    time_limit: TimeOption = None,
    json: JsonOption = None,
    quiet: QuietOption = False,
) -> None:
    """Select with several methods inside the same cross-validation, and show how each did.

    A ranking keeps as many columns as the first search among the methods found on the same rows, or --n-features.

    [bold]Examples[/bold]

    entropick compare patients.csv --target outcome

    entropick compare patients.csv -t outcome -m cross_entropy,forward,jmi --classifiers LogisticRegression
    """
    from entropick.cli.progress import ProgressBar

    with ProgressBar(quiet) as bar:
        bar.phase("reading")
        from entropick.cli._input import TableFile
        from entropick.cli._prepare import prepare, write_json
        from entropick.cli._write import check_outputs

        table = TableFile(file)
        check_outputs(table.path, {"--json": json})
        prepared = prepare(table.read(), target, columns, drop, table.notes)
        bar.phase("preparing")
        from entropick.evaluation import compare as compare_methods

        searching = {"criterion": criterion, "max_seconds": time_limit}
        comparison = compare_methods(
            prepared.X,
            prepared.y,
            _split(methods),
            classifiers=_split(classifiers),
            n_features=n_features,
            folds=folds,
            resamples=resamples,
            target=target_kind,
            n_bins=bins,
            binning=binning,
            n_jobs=jobs,
            random_state=seed,
            callback=lambda done, total, name: bar.share(name, done, total),
            **{name: value for name, value in searching.items() if value is not None},
        )
        comparison = replace(comparison, notes=(*prepared.notes, *comparison.notes))
        head: dict[str, Json] = {"format": "entropick-comparison", "version": 2, "table": table.name, "target": target}
        plain = {**head, **comparison.to_dict()}
    from entropick.cli._outputs import Outputs

    outputs = Outputs(quiet)
    outputs.show((lambda: write_json(plain, "-")) if json == "-" else lambda: _show(comparison, target))
    outputs.write("--json", None if json == "-" else json, lambda path: write_json(plain, path))
    outputs.end()


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _show(comparison: Comparison, target: str) -> None:
    from entropick._words import shortened
    from entropick.cli.screen import make_table, screen

    console = screen()
    models = list(comparison.methods[0].mce)
    heads = ["", "k", "I(U;y)", "ΔI_r", *(f"MCE\n{model}" for model in models), "seconds", "stability"]
    rows = [
        [
            method.method,
            _estimate(method.n_features, 1),
            _estimate(method.information_bits, 3),
            _estimate(method.delta_information, 3),
            *(_estimate(method.mce[model], 3) for model in models),
            "" if method is comparison.methods[-1] else _estimate(method.seconds, 3),
            "" if method is comparison.methods[-1] else _estimate(method.stability, 2),
        ]
        for method in comparison.methods
    ]
    console.print(
        f"{comparison.n_rows} rows, {comparison.n_columns} columns, target {shortened(target)!r} with "
        f"{len(comparison.classes)} classes; means and standard errors over {comparison.folds} folds.\n",
        markup=False,
    )
    console.print(make_table(heads, rows))
    console.print(
        "\nk: columns kept. I(U;y): bits of information that they carry on the training rows; ΔI_r: what is missing, "
        "relative to I(U;y). MCE: share of the held-out rows that a model gets wrong. seconds: of a selection from the "
        f"encoded table. stability: of the selection over {comparison.resamples} random halves of the rows, 1 means "
        "always the same columns, 0 no better than chance.",
        markup=False,
    )
    for note in comparison.notes:
        console.print(f"Note: {note.text}", markup=False)


def _estimate(estimate: Estimate, digits: int) -> str:
    if estimate.mean is None:
        return "—"
    error = "" if estimate.error is None else f"±{estimate.error:.{digits}f}"
    return f"{estimate.mean:.{digits}f}{error}"
