"""The sub-commands together."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Annotated

import typer

from entropick._version import __version__
from entropick.cli._apply import apply
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


def _add(name: str, entry: EntryPoint | None) -> None:
    """Add a command of another package; if it is not there or does not load, the command says so."""
    problem = f"{name!r} is a separate package: run `pip install ./paper` in a clone of entropick."
    try:
        if entry is not None:
            app.command(name)(entry.load())
            return
    except Exception as error:
        problem = f"the package that adds {name!r} does not load ({type(error).__name__}: {error}): install it again."

    def refuse() -> None:
        raise ValueError(problem)

    anything = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
    app.command(name, hidden=True, context_settings=anything)(refuse)


for _command in (select, compare, apply, report, datasets, demo):
    app.command()(_command)
# Other packages may add commands; their modules must load fast, because every call of entropick loads them.
_found = {entry.name: entry for entry in entry_points(group="entropick.commands")}
for _name in {"reproduce": None, **_found}:
    _add(_name, _found.get(_name))
