"""`entropick report`: make the page again from the JSON of a result."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from entropick.report import Result


def report(
    result: Annotated[
        str, typer.Argument(metavar="RESULT.json", help="A result written by `select --json`; - for standard input.")
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="PATH",
            help="The page to write, or a picture (.png, .svg, .pdf). (default: the name of the result, with .html)",
        ),
    ] = None,
    figure: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The figure that a picture shows: size_curve (how many columns are enough, the default where that was "
            "judged), columns (what each one adds, the default elsewhere), features, redundancy, convergence, "
            "probabilities, target_by_column_0 and so on.",
        ),
    ] = None,
) -> None:
    """Make the page, or one of its figures, from a result saved as JSON.

    [bold]Examples[/bold]

    entropick report outcome.json --out outcome.html

    entropick report outcome.json --figure size_curve --out curve.svg
    """
    from entropick._extras import need_page
    from entropick.cli._outputs import Outputs
    from entropick.cli._write import check_outputs, check_page
    from entropick.report import Report

    need_page()
    made, source = read_json(result)
    page = out if out is not None else "report.html" if source is None else str(source.with_suffix(".html"))
    check_page("--out", page)
    check_outputs([] if source is None else [source], {"--out": page})
    outputs = Outputs(quiet=True)
    outputs.write("--out", page, lambda path: Report(made).save(path, figure))
    outputs.end()


def read_json(path: str) -> tuple[Result, Path | None]:
    """A result from a file, and where that is; '-' is standard input."""
    from entropick._files import as_path
    from entropick.report import read_result

    if path == "-":
        data, name, source = sys.stdin.buffer.read(), "standard input", None
    else:
        source = as_path(path)
        if not source.is_file():
            raise ValueError(f"RESULT.json must be a file; {path!r} is not one.")
        data, name = source.read_bytes(), source.name
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name!r} must be JSON written by `entropick select --json`; it is not UTF-8 text."
        ) from error
    return read_result(text, name), source
