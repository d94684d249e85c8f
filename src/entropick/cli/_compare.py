"""`entropick compare`: methods side by side on one table."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from entropick._defaults import BINNING, N_BINS, N_JOBS, TARGET
from entropick._plain import Json
from entropick.cli.options import (
    AlwaysOption,
    BinningOption,
    BinsOption,
    ColumnsOption,
    CriterionOption,
    DatesOption,
    DropOption,
    HeaderOption,
    JobsOption,
    JsonOption,
    KindOption,
    MaxOption,
    ParsimonyOption,
    QuietOption,
    SeedOption,
    SizeOption,
    TableArgument,
    TargetOption,
    TimeOption,
    complete,
)

if TYPE_CHECKING:
    from rich.console import Console

    from entropick.evaluation import Comparison

METHODS = "cross_entropy,cmim,mrmr,disr,particle_swarm"
_MOST_COLUMNS = 20  # listed with the share of folds that chose them
_SHORT = 12  # letters of the name of a model ...
_WIDE = 100  # letters, from which on the information is shown, too


def compare(
    file: TableArgument,
    target: TargetOption,
    methods: Annotated[
        str, typer.Option("--methods", "-m", help="Searches and rankings, comma-separated; see `select --help`.")
    ] = METHODS,
    models: Annotated[
        str | None,
        typer.Option(
            "--models",
            help="Models to test, comma-separated: naive_bayes, 3nn, forest for classes, ridge, 3nn, forest for "
            "numbers; scikit-learn's go by class name. (default: the first two)",
            show_default=False,
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            help="What to show of them: error, auc, balanced_accuracy or log_loss for classes, r2 or mae for numbers. "
            "(default: error or r2; --json has all)",
            autocompletion=complete(["error", "auc", "balanced_accuracy", "log_loss", "r2", "mae"]),
            show_default=False,
        ),
    ] = None,
    n_features: SizeOption = None,
    max_features: MaxOption = None,
    always: AlwaysOption = None,
    parsimony: ParsimonyOption = None,
    criterion: CriterionOption = None,
    folds: Annotated[int, typer.Option(help="Number of cross-validation folds.")] = 10,
    groups: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Rows with the same value here, such as a patient, stay on one side."),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Fit on earlier rows and test on later ones, in the order of this column."),
    ] = None,
    resamples: Annotated[int, typer.Option(help="Random halves of the rows to measure stability on; 0 for none.")] = 10,
    header: HeaderOption = True,
    columns: ColumnsOption = None,
    drop: DropOption = None,
    bins: BinsOption = N_BINS,
    binning: BinningOption = BINNING,
    target_kind: KindOption = TARGET,
    dates: DatesOption = "auto",
    seed: SeedOption = 0,
    jobs: JobsOption = N_JOBS,
    time_limit: TimeOption = None,
    json: JsonOption = None,
    quiet: QuietOption = False,
) -> None:
    """Select with several methods inside the same cross-validation, and show how each did.

    A ranking keeps as many columns as the first search among the methods found on the same rows, or --n-features. The
    last lines are all columns, and none: the commonest class or the mean.

    [bold]Examples[/bold]

    entropick compare patients.csv --target outcome

    entropick compare patients.csv -t outcome -m cross_entropy,forward,jmi --models LogisticRegression --metric auc

    entropick compare visits.csv -t cost --groups patient --metric mae
    """
    from entropick.cli.progress import ProgressBar

    began = monotonic()
    with ProgressBar(quiet) as bar:
        bar.phase("reading")
        from entropick.cli._many import open_table
        from entropick.cli._prepare import prepare, split_by, time_left, write_json
        from entropick.cli._select import always_kept
        from entropick.cli._write import check_outputs

        table = open_table(file, header)
        check_outputs(table.paths, {"--json": json})
        frame = table.read()
        apart = split_by(frame, target, {"--groups": groups, "--time": time})
        prepared = prepare(frame, target, columns, [*(drop or []), *apart], table.notes, header, dates)
        bar.phase("preparing")
        from entropick.evaluation import compare as compare_methods

        searching = {
            "criterion": criterion,
            "max_features": None if max_features is None else min(max_features, prepared.X.width),
            "always": always_kept(prepared, target, always) if always else None,
            "parsimony": parsimony,
        }
        given: dict[str, Any] = {name: value for name, value in searching.items() if value is not None}
        comparison = compare_methods(
            prepared.X,
            prepared.y,
            _split(methods),
            models=None if models is None else _split(models),
            metric=metric,
            n_features=n_features,
            folds=folds,
            groups=None if groups is None else prepared.kept_rows(frame[groups]),
            time=None if time is None else prepared.kept_rows(frame[time]),
            resamples=resamples,
            target=target_kind,
            n_bins=bins,
            binning=binning,
            n_jobs=jobs,
            random_state=seed,
            max_seconds=time_left(time_limit, began),
            callback=lambda done, total, name: bar.share(name, done, total),
            **given,
        )
        comparison = replace(comparison, notes=(*prepared.notes, *comparison.notes))
        head: dict[str, Json] = {"format": "entropick-comparison", "version": 3, "table": table.name, "target": target}
        plain = {**head, **comparison.to_dict()}
    from entropick.cli._outputs import Outputs

    outputs = Outputs(quiet)
    outputs.show((lambda: write_json(plain, "-")) if json == "-" else lambda: _show(comparison, target))
    outputs.write("--json", None if json == "-" else json, lambda path: write_json(plain, path))
    outputs.end()


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _show(comparison: Comparison, target: str) -> None:
    from entropick._words import counted, shortened
    from entropick.cli.screen import make_table, screen
    from entropick.evaluation import MEASURES

    console = screen()
    models, label = list(comparison.methods[0].measures), MEASURES[comparison.metric].label
    fits = console.width >= _WIDE and max(map(len, models)) <= _SHORT
    has_bits = comparison.kind == "classes" and fits
    bits = ("I(U;y)", "ΔI_r") if has_bits else ()
    heads = ["", "k", *bits, *(f"{label}\n{model}" for model in models), "seconds", "stability"]
    rows = [
        [
            method.method,
            method.n_features.text(1),
            *([method.information_bits.text(3), method.delta_information.text(3)] if has_bits else []),
            *(method.measures[model][comparison.metric].text(3) for model in models),
            *(["", ""] if method.method in ("all", "none") else [method.seconds.text(3), method.stability.text(2)]),
        ]
        for method in comparison.methods
    ]
    what = f"with {len(comparison.classes)} classes" if comparison.kind == "classes" else "a number"
    console.print(
        f"{counted(comparison.n_rows, 'row')}, {counted(comparison.n_columns, 'column')}, target "
        f"{shortened(target)!r} {what}; means and standard errors over {comparison.folds} folds.\n",
        markup=False,
    )
    console.print(make_table(heads, rows))
    console.print(f"\n{_explained(comparison, has_bits)}", markup=False)
    _show_shares(comparison, console)
    for note in comparison.notes:
        console.print(f"Note: {note.text}", markup=False)


def _show_shares(comparison: Comparison, console: Console) -> None:
    """The share of folds in which each method chose each column, for the columns chosen most."""
    from entropick._words import percent, shortened
    from entropick.cli.screen import make_table

    methods = [method for method in comparison.methods if method.method not in ("all", "none")]
    often: dict[str, float] = {}
    for method in methods:
        for name, share in method.chosen.items():
            often[name] = often.get(name, 0.0) + share
    names = sorted(often, key=lambda name: -often[name])
    if not names:
        return
    rows = [
        [shortened(name, 30), *(percent(method.chosen.get(name, 0.0), 1) for method in methods)]
        for name in names[:_MOST_COLUMNS]
    ]
    console.print("\nShare of the folds that chose a column:\n", markup=False)
    console.print(make_table(["", *(method.method.replace("_", "\n") for method in methods)], rows))
    if len(names) > _MOST_COLUMNS:
        console.print(f"And {len(names) - _MOST_COLUMNS} more; --json has all of them.", markup=False)
    console.print()


def _explained(comparison: Comparison, has_bits: bool) -> str:
    """What the columns of the table are."""
    bits = (
        " I(U;y): bits of information that they carry on the training rows; ΔI_r: what is missing, relative to I(U;y)."
        if has_bits
        else ""
    )
    measures = {
        "error": "MCE: share of the held-out rows that a model gets wrong.",
        "auc": "AUC: how well a model ranks the held-out rows; 0.5 is no better than chance, 1 is perfect.",
        "balanced_accuracy": "Balanced accuracy: the mean share of each class that a model gets right.",
        "log_loss": "Log loss: bits that the class of a held-out row still takes, given the model's probabilities.",
        "r2": "R²: share of the variance of the held-out rows that a model predicts.",
        "mae": "MAE: mean distance of a model's predictions from the truth.",
    }
    none = "the commonest class" if comparison.kind == "classes" else "the mean"
    return (
        f"k: columns kept.{bits} {measures[comparison.metric]} none: {none}. seconds: of a selection from the encoded "
        f"table. stability: of the selection over {comparison.resamples} random halves of the rows, 1 means always the "
        "same columns, 0 no better than chance."
    )
