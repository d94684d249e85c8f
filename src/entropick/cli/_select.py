"""`entropick select`: the columns of a table that carry information about a target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from entropick.cli._errors import DescriptionError, InterruptionError
from entropick.cli._options import (
    BinningOption,
    BinsOption,
    ColumnsOption,
    CriterionOption,
    DropOption,
    JobsOption,
    JsonOption,
    KindOption,
    MethodOption,
    QuietOption,
    SeedOption,
    SizeOption,
    TableArgument,
    TargetOption,
    TimeOption,
)

if TYPE_CHECKING:
    import polars as pl

    from entropick.cli._progress import ProgressBar
    from entropick.cli._tables import TableFile


def select(
    file: TableArgument,
    target: TargetOption,
    method: MethodOption = "cross_entropy",
    criterion: CriterionOption = None,
    n_features: SizeOption = None,
    max_features: Annotated[int | None, typer.Option(help="At most this many columns.")] = None,
    always: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help="Columns that are always kept; comma-separated, may be repeated."),
    ] = None,
    parsimony: Annotated[
        float | None, typer.Option(help="Penalty per column, as a share of H(y); .001 drops columns that add little.")
    ] = None,
    columns: ColumnsOption = None,
    drop: DropOption = None,
    bins: BinsOption = 5,
    binning: BinningOption = "quantile",
    target_kind: KindOption = "auto",
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
    time_limit: TimeOption = None,
    checkpoint: Annotated[
        str | None, typer.Option(metavar="PATH", help="Where a search saves its progress, to resume if interrupted.")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Write the selected columns and the target, in the format of the suffix."),
    ] = None,
    json: JsonOption = None,
    report: Annotated[
        str | None, typer.Option(metavar="PATH", help="Write a page with plots, a single HTML file.")
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Select the few columns that carry the information about a target, and show how much.

    [bold]Examples[/bold]

    entropick select patients.csv --target outcome --report outcome.html

    entropick select big.parquet -t price --drop id -k 10 --out small.parquet

    entropick select patients.csv -t outcome --method mrmr --json - | jq '.features[].name'
    """
    from entropick.cli._progress import ProgressBar

    with ProgressBar(quiet, time_limit) as bar:
        bar.phase("reading")
        from entropick.cli._tables import TableFile
        from entropick.cli._write import check_outputs, check_writable, output_kind

        if out is not None:
            output_kind(out)
        table = TableFile(file)
        check_outputs(table.path, {"--out": out, "--json": json, "--report": report, "--checkpoint": checkpoint})
        frame = table.read()
        if out is not None:
            check_writable(frame, out)
        searching = {
            "criterion": criterion,
            "max_features": max_features,
            "parsimony": parsimony,
            "max_seconds": time_limit,
            "checkpoint": checkpoint,
        }
        settings = {
            "n_features_to_select": n_features,
            **{name: value for name, value in searching.items() if value is not None},
            "n_bins": bins,
            "binning": binning,
            "target": target_kind,
            "n_jobs": jobs,
        }
        result = run(frame, target, method, settings, bar, table.name, columns, drop, always, seed, table.notes)
        del frame
    from entropick.cli._outputs import Outputs
    from entropick.cli._prepare import write_json
    from entropick.cli._screen import screen, show_result

    outputs = Outputs(quiet, tells=json != "-")
    outputs.show((lambda: write_json(result, "-")) if json == "-" else lambda: show_result(result, screen()))
    outputs.write("--json", None if json == "-" else json, lambda path: write_json(result, path))
    outputs.write("--out", out, lambda path: _write_chosen(table, result, target, path))
    outputs.write("--report", report, lambda path: write_page(result, path))
    outputs.end()


def _write_chosen(table: TableFile, result: dict[str, Any], target: str, path: str) -> None:
    """Write the chosen columns and the target, all rows; from text to text the cells stay as they were."""
    from entropick.cli._write import output_kind, write_table

    chosen = [feature["name"] for feature in sorted(result["features"], key=lambda feature: feature["index"])]
    text = table.kind in ("csv", "tsv") and output_kind(path)[0] in ("csv", "tsv")
    write_table(table.read(as_text=text, columns=[*chosen, target]), path)


def write_page(result: dict[str, Any], path: str) -> None:
    """Write the result as a page."""
    from entropick.report import Report

    Report(result).save(path)


def run(
    frame: pl.DataFrame,
    target: str,
    method: str,
    settings: dict[str, Any],
    bar: ProgressBar,
    name: str,
    columns: list[str] | None = None,
    drop: list[str] | None = None,
    always: list[str] | None = None,
    seed: int = 0,
    told: dict[str, str] | None = None,
) -> dict[str, Any]:
    """The result of a selection from a table."""
    from entropick.cli._notes import collected_notes
    from entropick.cli._prepare import prepare
    from entropick.ranking import METHODS
    from entropick.selectors import make_selector

    X, y, notes = prepare(frame, target, columns, drop, told)
    bar.phase("encoding")
    if method not in METHODS:
        settings = {**settings, "random_state": seed, "callback": bar.step, "on_interrupt": "best"}
    if always:
        from entropick.cli._prepare import pick_columns

        left_out = dict.fromkeys(set(frame.columns) - set(X.columns), "is left out")
        settings["always"] = pick_columns(X.columns, always, "--always", {**left_out, target: "is the target"})
    if settings.get("max_features") is not None:
        settings["max_features"] = min(settings["max_features"], X.width)  # an upper bound may be high
    selector = make_selector(method, **settings)
    with collected_notes(bar) as warned:
        selector.fit(X, y)
        _stop_if_interrupted(selector, X.columns, settings.get("checkpoint"), warned.checkpoint_failed)
        bar.phase("describing")
        notes += warned.sentences
        result = _described(selector, X.columns, table_name=name, target_name=target, notes=notes)
    result["warnings"] += [sentence for sentence in warned.sentences if sentence not in notes]
    return result


def _described(selector: Any, names: list[str], **words: Any) -> dict[str, Any]:
    """The full result; if describing it fails, the error still names the chosen columns."""
    from entropick.report import describe

    try:
        return describe(selector, **words)
    except Exception as error:
        chosen = ", ".join(repr(names[j]) for j in selector.support_.nonzero()[0])
        raise DescriptionError(f"The chosen columns are {chosen or 'none'}.", error) from error


def _stop_if_interrupted(selector: Any, names: list[str], checkpoint: str | None, lost: bool) -> None:
    """End the command after Ctrl-C, with the best subset so far and how to resume."""
    if "interrupted" not in getattr(selector, "stop_", {}):
        return
    from entropick._words import grouped, listed, shortened

    best = listed([shortened(names[j], 40) for j in selector.support_.nonzero()[0]], 10)
    on = f" Run the same command again to go on from {checkpoint!r}." if checkpoint and not lost else ""
    raise InterruptionError(
        f"interrupted after {grouped(selector.n_evaluations_)} subsets; the best so far: {best or 'none'}. Nothing was "
        f"written.{on}"
    )
