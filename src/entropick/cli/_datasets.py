"""`entropick datasets`."""

from __future__ import annotations


def datasets() -> None:
    """List the data sets."""
    raise ValueError("not yet")
