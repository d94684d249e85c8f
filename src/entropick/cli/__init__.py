"""The command ``entropick``: one file per sub-command."""

import sys
from collections.abc import Sequence
from importlib.util import find_spec

from entropick._extras import MissingExtraError, need

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process if None.
    """
    try:
        for package in ("typer", "rich", "polars"):
            if find_spec(package) is None:  # found, but not loaded: the help is to be fast
                need(package, "cli", "the command")
    except MissingExtraError as error:
        print(f"entropick: {error}", file=sys.stderr)
        return 2
    from entropick.cli._main import main as run

    return run(arguments)
