"""The sub-commands together."""

from __future__ import annotations

from typing import Annotated

import typer

from entropick._version import __version__
from entropick.cli._compare import compare
from entropick.cli._datasets import datasets
from entropick.cli._demo import demo
from entropick.cli._report import report
from entropick.cli._reproduce import reproduce
from entropick.cli._select import select

app = typer.Typer(
    name="entropick",
    help="Pick the few columns of a table that tell you what you want to know.",
    epilog="Begin with: entropick demo",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"entropick {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Pick the few columns of a table that tell you what you want to know."""


for _command in (select, compare, report, reproduce, datasets, demo):
    app.command()(_command)
