"""Tables that are not in memory, as their users have them."""

from __future__ import annotations

from collections.abc import Sequence
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
        Chunks, a lazy polars frame or a Dask data frame.
    y : any
        The name of the target in X; of a Dask frame, a Dask series will do.
    """
    if isinstance(X, Chunked):
        return X
    if is_dask(X):
        from entropick.shards._dask import open_frame

        return open_frame(X, y)
    if not is_lazy(X):
        return None
    from entropick.shards._files import FileShards, LazyChunk, chunk_ranges

    polars = nw.dependencies.get_polars()
    names = X.collect_schema().names()
    target = check_name(y, names)
    n_rows = int(X.select(polars.len()).collect().item())
    others = tuple(name for name in names if name != target)
    ranges = chunk_ranges(n_rows, len(names))
    chunks = [LazyChunk("the frame", None, X, start, size, start + size == n_rows) for start, size in ranges]
    return Chunked(FileShards(chunks), others, target)


def is_dask(X: Any) -> bool:
    """Whether X is a Dask data frame or series; Dask is not loaded for that."""
    return type(X).__module__.partition(".")[0] in ("dask", "dask_expr") and hasattr(X, "to_delayed")


def is_lazy(X: Any) -> bool:
    """Whether X is a lazy polars frame or a Dask data frame."""
    polars = nw.dependencies.get_polars()
    return is_dask(X) or (polars is not None and isinstance(X, polars.LazyFrame))


def take_lazily(X: Any, names: Sequence[str]) -> Any:
    """Some columns of such a frame."""
    return X[list(names)] if is_dask(X) else X.select(names)


def check_name(y: Any, names: Sequence[str]) -> str:
    """The target, which must be the name of a column."""
    if not isinstance(y, str):
        raise ValueError(f"y must be the name of a column of X, because X is not in memory; got {type(y).__name__}.")
    if y not in names:
        raise ValueError(f"y must be a column of X; got {y!r}, which is not one.{did_you_mean(y, names)}")
    return y
