"""`entropick select`: the columns of a table that carry information about a target."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from entropick._defaults import BINNING, KEEP, N_BINS, N_JOBS, TARGET
from entropick._plain import as_plain
from entropick._stages import watching
from entropick.cli._errors import DescriptionError, InterruptionError
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
    MethodOption,
    ParsimonyOption,
    QuietOption,
    SeedOption,
    SizeOption,
    TableArgument,
    TargetOption,
    TimeOption,
    complete,
)
from entropick.notes import Note, listening

if TYPE_CHECKING:
    from entropick.cli._input import TableFile
    from entropick.cli._large import Large
    from entropick.cli._many import ManyFiles
    from entropick.cli._prepare import Prepared
    from entropick.cli.progress import ProgressBar
    from entropick.report import Result
    from entropick.selectors import InformationSelector

_SELECTING = 0.6  # share of a time limit for the selection, without reading and describing
# Python hides these from people who only run a program, and so do we.
_FOR_DEVELOPERS = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)


def select(
    file: TableArgument,
    target: TargetOption,
    method: MethodOption = "cross_entropy",
    criterion: CriterionOption = None,
    n_features: SizeOption = None,
    max_features: MaxOption = None,
    always: AlwaysOption = None,
    parsimony: ParsimonyOption = None,
    effort: Annotated[
        str | None,
        typer.Option(
            help="How thoroughly cross_entropy searches: low, normal or high. (default: normal)",
            autocompletion=complete(["low", "normal", "high"]),
            show_default=False,
        ),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="How many columns are enough, for criteria that predict: the fewest that keep this share of what the "
            f"best number of columns predicts, or one_se: those that predict no clearly less. (default: {KEEP})",
            show_default=False,
        ),
    ] = None,
    null: Annotated[
        bool,
        typer.Option(
            "--null/--no-null",
            help="Permutation test: select nothing unless more is found than about shuffled targets.",
        ),
    ] = True,
    halves: Annotated[
        bool | None,
        typer.Option(
            "--halves/--no-halves",
            help="Choose from halves of the rows, to judge how many columns are enough and how often each is chosen. "
            "(default: for criteria that predict, unless -k says how many, and for rankings)",
            show_default=False,
        ),
    ] = None,
    decoys: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Compare the columns with N copies of them that have lost the target, to see which are sure: useless "
            "columns get among those in at most 1 of N + 1 tables. 0 for none. (default: 4 where halves are used)",
            show_default=False,
        ),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Another table, to test a model on with the chosen columns and with all."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help="The same selection, and little else: no copies, no test of a model, nothing about the other columns.",
        ),
    ] = False,
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
    checkpoint: Annotated[
        str | None, typer.Option(metavar="PATH", help="Where a search saves its progress, to resume if interrupted.")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Write the selected columns and the target, in the format of the suffix."),
    ] = None,
    names: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Write the names of the selected columns, one per line; - for the screen."),
    ] = None,
    json: JsonOption = None,
    report: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Write a page with plots, one HTML file, or its first plot as a picture (.png, .svg, .pdf).",
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Read Parquet files and count on the Dask cluster at tcp://HOST:PORT."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="The same with N worker processes on this machine.")
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Select the few columns that carry the information about a target, and show how much.

    [bold]Examples[/bold]

    entropick select patients.csv --target outcome --report outcome.html

    entropick select big.parquet -t price --drop id -k 10 --out small.parquet

    entropick select patients.csv -t outcome --method mrmr --json - | jq '.features[].name'

    entropick select 'events/*.parquet' -t clicked --report clicked.html
    """
    from entropick.cli.progress import ProgressBar

    began = time.monotonic()
    with ProgressBar(quiet, time_limit) as bar, _cluster(scheduler, workers) as client:
        bar.phase("reading")
        from entropick.cli._large import Large, check_large, open_large
        from entropick.cli._many import open_table
        from entropick.cli._other import OtherTable
        from entropick.cli._prepare import prepare, time_left
        from entropick.cli._write import check_outputs, check_page, check_writable, output_kind

        if out is not None:
            output_kind(out)
        if report is not None:
            check_page("--report", report)
        if json == names == "-":
            raise ValueError("--json and --names cannot both be -, for standard output.")
        table = open_table(file, header)
        check_outputs(
            table.paths,
            {"--out": out, "--json": json, "--names": names, "--report": report, "--checkpoint": checkpoint},
        )
        prepared: Prepared | Large | None = open_large(table, target, columns, drop, client)
        other = None
        if isinstance(prepared, Large):
            check_large({"--test": test, "--dates parts": dates == "parts"})
        else:
            frame = table.read()
            if out is not None:
                check_writable(frame, out)
            prepared = prepare(frame, target, columns, drop, table.notes, header, dates)
            del frame
            other = None if test is None else OtherTable(test, prepared, table.paths, header)
        width = len(prepared.names)
        searching = {
            "always": always_kept(prepared, target, always) if always else None,
            "criterion": criterion,
            "max_features": None if max_features is None else min(max_features, width),  # may be more than there are
            "parsimony": parsimony,
            "effort": effort,
            "keep": _share(keep),
            "null": None if null else False,
            "max_seconds": time_left(time_limit, began, _SELECTING),
            "checkpoint": checkpoint,
        }
        settings = {
            "n_features_to_select": n_features,
            **_looks(method, halves, decoys, quick),
            **{name: value for name, value in searching.items() if value is not None},
            "n_bins": bins,
            "binning": binning,
            "target": target_kind,
            "n_jobs": jobs,
        }
        result = run(
            prepared,
            method,
            settings,
            bar,
            table.name,
            seed,
            quick,
            None if time_limit is None else began + time_limit,
        )
        told = {"columns": columns, "drop": drop, "dates": None if dates == "auto" else dates}
        settled = {**result.settings, **{name: as_plain(value) for name, value in told.items() if value is not None}}
        result = replace(result, settings=settled)
        if other is not None:
            bar.phase("testing")
            result = other.tried(result)
    from entropick.cli._outputs import Outputs
    from entropick.cli._prepare import write_json
    from entropick.cli._write import write_names
    from entropick.cli.screen import screen, show_result

    plain = result.to_dict()
    chosen = [feature.name for feature in result.features]
    outputs = Outputs(quiet, tells="-" not in (json, names))
    if names == "-":
        outputs.show(lambda: write_names(chosen, "-"))
    else:
        outputs.show((lambda: write_json(plain, "-")) if json == "-" else lambda: show_result(result, screen()))
    outputs.write("--names", None if names == "-" else names, lambda path: write_names(chosen, path))
    outputs.write("--json", None if json == "-" else json, lambda path: write_json(plain, path))
    outputs.write("--out", out, lambda path: _write_chosen(table, result, prepared.parts, target, path, header))
    outputs.write("--report", report, lambda path: write_page(result, path))
    outputs.end()


def _share(keep: str | None) -> float | str | None:
    """A number, if it is one."""
    try:
        return keep if keep is None else float(keep)
    except ValueError:
        return keep


def _looks(method: str, halves: bool | None, decoys: int | None, quick: bool) -> dict[str, bool | int]:
    """The settings that say how sure a selection is, as they were given; rankings are fast enough for halves."""
    from entropick.ranking import RANKINGS

    is_ranking = method in RANKINGS
    usual = (not quick if is_ranking else None, 0 if quick and not is_ranking else None)
    given = {"halves": usual[0] if halves is None else halves, "decoys": usual[1] if decoys is None else decoys}
    return {name: value for name, value in given.items() if value is not None}


@contextmanager
def _cluster(scheduler: str | None, workers: int | None) -> Iterator[Any]:
    """The Dask cluster that is asked for, if any."""
    if scheduler is None and workers is None:
        yield None
        return
    from entropick.cli._large import cluster

    with cluster(scheduler, workers) as client:
        yield client


def always_kept(prepared: Prepared | Large, target: str, always: list[str]) -> list[str]:
    """The columns that are always kept; those that were left out are refused."""
    from entropick.cli._prepare import pick_columns

    others = {**dict.fromkeys(prepared.left_out, "is left out"), target: "is the target"}
    return pick_columns(prepared.names, always, "--always", others, prepared.parts)


def _write_chosen(
    table: TableFile | ManyFiles,
    result: Result,
    parts: Mapping[str, Sequence[str]],
    target: str,
    path: str,
    has_header: bool,
) -> None:
    """Write all rows of the chosen columns and the target; from text to text the cells stay unchanged."""
    from entropick.cli._dates import with_parts
    from entropick.cli._write import output_kind, write_table

    chosen = [feature.name for feature in sorted(result.features, key=lambda feature: feature.index)]
    source_of = {part: name for name, some in parts.items() for part in some}
    columns = list(dict.fromkeys(source_of.get(name, name) for name in chosen))
    text = table.kind in ("csv", "tsv") and output_kind(path)[0] in ("csv", "tsv")
    frame = table.read(as_text=text, columns=[*columns, target])
    write_table(with_parts(frame, chosen, parts)[0].select([*chosen, target]), path, has_header)


def write_page(result: Result, path: str) -> None:
    """Write the result as a page."""
    from entropick.report import Report

    Report(result).save(path)


def run(
    prepared: Prepared | Large,
    method: str,
    settings: Mapping[str, object],
    bar: ProgressBar,
    table_name: str,
    seed: int = 0,
    quick: bool = False,
    deadline: float | None = None,
) -> Result:
    """The result of a selection from a table; ``settings`` are those of the selector."""
    from entropick.ranking import RANKINGS
    from entropick.selectors import make_selector

    bar.phase("encoding")
    if method not in RANKINGS:
        ours = {"random_state": seed, "callback": bar.step, "on_interrupt": "best"}
        settings = {**settings, **ours}
    selector = make_selector(method, **settings)
    tell_now = listening(lambda note: bar.tell(note.text) if note.code == "checkpoint" else None)
    with tell_now, watching(bar.share), _foreign_warnings() as warned:
        selector.fit(prepared.X, prepared.y)
        _stop_if_interrupted(selector, settings.get("checkpoint"))
        bar.phase("describing")
        left = None if deadline is None else deadline - time.monotonic()
        result = _described(selector, prepared, table_name, quick, left)
    return replace(result, notes=tuple(dict.fromkeys([*result.notes, *warned])))


@contextmanager
def _foreign_warnings() -> Iterator[list[Note]]:
    """Collect the warnings of other packages as notes, which are in the list at the end."""
    notes: list[Note] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for category in _FOR_DEVELOPERS:
            warnings.simplefilter("ignore", category)
        yield notes
    notes += [Note("warning", str(warning.message)) for warning in caught]


def _described(
    selector: InformationSelector, prepared: Prepared | Large, table_name: str, quick: bool, seconds: float | None
) -> Result:
    """The full result; if describing it fails, the error still names the chosen columns."""
    from entropick.report import describe

    try:
        return describe(
            selector,
            table_name=table_name,
            target_name=prepared.target,
            notes=prepared.notes,
            quick=quick,
            seconds=seconds,
        )
    except Exception as error:
        chosen = ", ".join(repr(prepared.names[j]) for j in selector.support_.nonzero()[0])
        raise DescriptionError(f"The chosen columns are {chosen or 'none'}.", error) from error


def _stop_if_interrupted(selector: InformationSelector, checkpoint: object) -> None:
    """End the command after Ctrl-C, with the best subset so far and how to resume."""
    outcome = selector.record_.outcome
    if not any(note.code == "interrupted" for note in outcome.notes):
        return
    from entropick._words import grouped, listed, shortened

    names = selector.get_feature_names_out()
    best = listed([shortened(str(name), 40) for name in names], 10)
    can_go_on = checkpoint is not None and not any(note.code == "checkpoint" for note in outcome.notes)
    on = f" Run the same command again to resume from {checkpoint!r}." if can_go_on else ""
    done = grouped(outcome.evaluations or 0)
    raise InterruptionError(
        f"interrupted after {done} subsets; the best so far: {best or 'none'}. Nothing was written.{on}"
    )
