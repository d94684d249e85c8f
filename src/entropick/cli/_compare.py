"""`entropick compare`: methods side by side on one table."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from entropick.cli._options import (
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
    bins: BinsOption = 5,
    binning: BinningOption = "quantile",
    target_kind: KindOption = "auto",
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
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
    from entropick.cli._progress import ProgressBar

    with ProgressBar(quiet) as bar:
        bar.phase("reading")
        from entropick.cli._prepare import prepare, write_json
        from entropick.cli._tables import TableFile
        from entropick.cli._write import check_outputs

        table = TableFile(file)
        check_outputs(table.path, {"--json": json})
        X, y, notes = prepare(table.read(), target, columns, drop, table.notes)
        bar.phase("preparing")
        from entropick.evaluation import compare as compare_methods

        searching = {"criterion": criterion, "max_seconds": time_limit}
        comparison = compare_methods(
            X,
            y,
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
        ).to_dict()
        result = {"format": "entropick-comparison", "version": 1, "table": table.name, "target": target, **comparison}
        result["warnings"] = [*notes, *comparison["warnings"]]
    from entropick.cli._outputs import Outputs

    outputs = Outputs(quiet)
    outputs.show((lambda: write_json(result, "-")) if json == "-" else lambda: _show(result, target))
    outputs.write("--json", None if json == "-" else json, lambda path: write_json(result, path))
    outputs.end()


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _show(result: dict[str, Any], target: str) -> None:
    from entropick._words import shortened
    from entropick.cli._screen import make_table, screen

    console = screen()
    models = list(result["methods"][0]["mce"])
    heads = ["", "k", "I(U;y)", "ΔI_r", *(f"MCE\n{model}" for model in models), "seconds", "stability"]
    rows = [
        [
            method["method"],
            _estimate(method["n_features"], 1),
            _estimate(method["information_bits"], 3),
            _estimate(method["delta_information"], 3),
            *(_estimate(method["mce"][model], 3) for model in models),
            "" if method["method"] == "all" else _estimate(method["seconds"], 3),
            "" if method["method"] == "all" else _estimate(method["stability"], 2),
        ]
        for method in result["methods"]
    ]
    console.print(
        f"{result['n_rows']} rows, {result['n_columns']} columns, target {shortened(target)!r} with "
        f"{len(result['classes'])} classes; means and standard errors over {result['folds']} folds.\n",
        markup=False,
    )
    console.print(make_table(heads, rows))
    console.print(
        "\nk: columns kept. I(U;y): bits that they tell on the training rows; ΔI_r: what is missing, relative to it. "
        "MCE: share of the rows left out that a model gets wrong. seconds: of a selection from the encoded table. "
        "stability: of the selection over "
        f"{result['resamples']} random halves of the rows, 1 always the same columns, 0 no better than chance.",
        markup=False,
    )
    for note in result["warnings"]:
        console.print(f"Note: {note}", markup=False)


def _estimate(estimate: dict[str, float | None], digits: int) -> str:
    if estimate["mean"] is None:
        return "—"
    error = "" if estimate["error"] is None else f"±{estimate['error']:.{digits}f}"
    return f"{estimate['mean']:.{digits}f}{error}"
