"""The command ``entropick``: one file per sub-command."""

from entropick.cli._main import main

__all__ = ["main"]
