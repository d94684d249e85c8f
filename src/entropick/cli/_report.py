"""`entropick report`: make the page again from the JSON of a result."""

from __future__ import annotations

import sys
from typing import Annotated

import typer


def report(
    result: Annotated[
        str, typer.Argument(metavar="RESULT.json", help="A result written by `select --json`; - for standard input.")
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out", "-o", metavar="PATH", help="The page to write. (default: the name of the result, with .html)"
        ),
    ] = None,
) -> None:
    """Make the page from a result saved as JSON.

    [bold]Example[/bold]

    entropick report outcome.json --out outcome.html
    """
    from entropick._extras import need_page
    from entropick._files import as_path
    from entropick.cli._outputs import Outputs
    from entropick.cli._write import check_outputs
    from entropick.report import Report, read_result

    need_page()
    if result == "-":
        data, name, source = sys.stdin.buffer.read(), "standard input", None
    else:
        source = as_path(result)
        if not source.is_file():
            raise ValueError(f"RESULT.json must be a file; {result!r} is not one.")
        data, name = source.read_bytes(), source.name
    page = out if out is not None else "report.html" if source is None else str(source.with_suffix(".html"))
    check_outputs(source, {"--out": page})
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name!r} must be JSON written by `entropick select --json`; it is not UTF-8 text."
        ) from error
    made = Report(read_result(text, name))
    outputs = Outputs(quiet=True)
    outputs.write("--out", page, made.save)
    outputs.end()
