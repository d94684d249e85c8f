"""`entropick apply`: the columns of a saved selection, from another file."""

from __future__ import annotations

from typing import Annotated

import typer

from entropick.cli.options import HeaderOption, QuietOption, TableArgument


def apply(
    result: Annotated[
        str, typer.Argument(metavar="RESULT.json", help="A result written by `select --json`; - for standard input.")
    ],
    file: TableArgument,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="PATH", help="Where to write them, in the format of the suffix.")
    ],
    header: HeaderOption = True,
    quiet: QuietOption = False,
) -> None:
    """Write the selected columns of another table, by name, whatever their order there.

    The target comes last if the table has it; new rows need not. All selected columns must be there.

    [bold]Example[/bold]

    entropick apply outcome.json new-patients.csv --out few.csv
    """
    from entropick.cli._dates import with_parts
    from entropick.cli._many import open_table
    from entropick.cli._outputs import Outputs
    from entropick.cli._report import read_json
    from entropick.cli._write import check_outputs, output_kind, write_table
    from entropick.cli.progress import ProgressBar

    if result == file == "-":
        raise ValueError("RESULT.json and FILE cannot both be standard input.")
    kind, _ = output_kind(out)
    selection, source = read_json(result)
    with ProgressBar(quiet) as bar:
        bar.phase("reading")
        table = open_table(file, header)
        check_outputs((*table.paths, *([] if source is None else [source])), {"--out": out})
        frame = table.read(as_text=table.kind in ("csv", "tsv") and kind in ("csv", "tsv"))
    chosen = [feature.name for feature in sorted(selection.features, key=lambda feature: feature.index)]
    if not chosen:
        raise ValueError(f"{result!r} has no selected columns, so that there is nothing to take from {table.name!r}.")
    split = {name for note in selection.notes if note.code == "dates" for name in note.columns}
    frame, told = with_parts(frame, chosen, split)
    check_names(chosen, frame.columns, table.name)
    target = [selection.target.name] if selection.target.name in frame.columns else []
    outputs = Outputs(quiet)
    outputs.write("--out", out, lambda path: write_table(frame.select([*chosen, *target]), path, header))
    for text in told.values():
        outputs.tell(f"Note: {text}")
    outputs.end()


def check_names(chosen: list[str], columns: list[str], table: str, what: str = "selected columns") -> None:
    """Raise an error that names the columns that a table must have and lacks."""
    from entropick._words import did_you_mean, listed
    from entropick.dates import part_of

    if missing := [name for name in chosen if name not in columns]:
        which = "column" if len(missing) == 1 else f"{len(missing)} columns"
        near = did_you_mean(missing[0], columns)
        if part := part_of(missing[0]):
            near = f" {missing[0]!r} is made from {'times' if part[1] == 'hour' else 'dates'} in a column {part[0]!r}."
        raise ValueError(f"{table!r} must have all {what}; it lacks the {which} {listed(missing, 10)}.{near}")
