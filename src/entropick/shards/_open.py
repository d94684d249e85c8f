"""Tables that are not in memory, as their users have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from entropick._words import did_you_mean
from entropick.shards._chunks import Chunks


@dataclass(frozen=True)
class Chunked:
    """A table in chunks.

    Attributes
    ----------
    chunks : Chunks
        Its rows.
    names : tuple of str
        The columns to choose from.
    target : str
        The column that is the target.
    """

    chunks: Chunks
    names: tuple[str, ...]
    target: str


def open_chunks(X: Any, y: Any) -> Chunked | None:
    """A table that is not in memory in chunks, or None if X is in memory.

    Parameters
    ----------
    X : any
        Chunks, or a lazy polars frame.
    y : any
        The name of the target in X.
    """
    if isinstance(X, Chunked):
        return X
    polars = nw.dependencies.get_polars()
    if polars is None or not isinstance(X, polars.LazyFrame):
        return None
    from entropick.shards._files import lazy_chunks

    names = X.collect_schema().names()
    if not isinstance(y, str):
        raise ValueError(f"y must be the name of a column of X, because X is not in memory; got {type(y).__name__}.")
    if y not in names:
        raise ValueError(f"y must be a column of X; got {y!r}, which is not one.{did_you_mean(y, names)}")
    n_rows = int(X.select(polars.len()).collect().item())
    others = tuple(name for name in names if name != y)
    return Chunked(lazy_chunks([(X, n_rows, "the frame")], len(names)), others, y)
