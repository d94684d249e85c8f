"""The sub-commands together."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Annotated

import typer

from entropick._version import __version__
from entropick.cli._compare import compare
from entropick.cli._datasets import datasets
from entropick.cli._demo import demo
from entropick.cli._report import report
from entropick.cli._select import select

app = typer.Typer(
    name="entropick",
    help="Pick the few columns of a table that carry the information about a target.",
    epilog="To get started: entropick demo",
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
    """Pick the few columns of a table that carry the information about a target."""


def _reproduce() -> None:
    """Stand-in for the command when its package is not installed."""
    raise ValueError("'reproduce' is a separate package: run `pip install ./paper` in a clone of entropick.")


for _command in (select, compare, report, datasets, demo):
    app.command()(_command)
# Other packages may add commands; their modules must load fast, because every call of entropick loads them.
_added = {entry.name: entry.load() for entry in entry_points(group="entropick.commands")}
for _name, _command in _added.items():
    app.command(_name)(_command)
if "reproduce" not in _added:
    _anything = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
    app.command("reproduce", hidden=True, context_settings=_anything)(_reproduce)
