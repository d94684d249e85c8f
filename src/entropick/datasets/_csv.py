"""Comma-separated text as a data frame with known columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


def read_table(content: bytes, types: Mapping[str, Any], *, header: bool = False) -> pl.DataFrame:
    """Read columns of the given polars types, the target last; ``?`` becomes null."""
    import polars as pl

    first = content.partition(b"\n")[0].decode("latin-1").strip().split(",")
    if len(first) != len(types) or (header and first != list(types)):
        raise ValueError(f"the first line must have {len(types)} fields, {', '.join(types)[:40]}...; got {len(first)}")
    frame = pl.read_csv(content, has_header=header, schema=dict(types), null_values="?")
    if frame[:, -1].null_count():
        raise ValueError(f"every row must have a value of {frame.columns[-1]!r}; got a row without one")
    return frame
