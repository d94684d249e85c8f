"""A table whose codes are kept by the workers of a Dask cluster."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from entropick._extras import need
from entropick._version import __version__
from entropick.encode import CodeTable, RawColumn, Source, read_source
from entropick.shards._chunks import Chunk, kept_numbers
from entropick.shards._open import Chunked, check_name, is_dask
from entropick.shards._table import ShardedTable

T = TypeVar("T")
Piece = TypeVar("Piece")

_TRIES = 10  # to ask all workers something while some of them die ...
_PAUSE = 0.5  # ... and seconds between them


def open_frame(X: Any, y: Any) -> Chunked:
    """The chunks of a Dask data frame: its partitions.

    Parameters
    ----------
    X : dask.dataframe.DataFrame
        The table.
    y : str or dask.dataframe.Series
        The target: the name of one of its columns, or a series with the same partitions.
    """
    names = [str(name) for name in X.columns]
    if is_dask(y):
        target = str(y.name) if y.name is not None and str(y.name) not in names else "y"
        while target in names:
            target += "_"
        X = X.assign(**{target: y})
    else:
        target = check_name(y, names)
    chunks = [_chunk(part, i) for i, part in enumerate(X.to_delayed())]
    return Chunked(DaskChunks(find_client(), chunks), tuple(name for name in names if name != target), target)


def find_client() -> Any:
    """The client that is open here, or a new one whose cluster is this process."""
    distributed: Any = need("distributed", "dask", "a table on a cluster")
    try:
        client = distributed.get_client()
    except ValueError:
        return _own_client()
    with clear_errors(client):
        found = _versions(client)
    for worker, theirs in found.items():
        if theirs != __version__:
            has = f"has {theirs}" if theirs else "has none"
            raise ValueError(
                f"all workers need the entropick of this process, {__version__}; {worker} {has}: install it."
            )
    return client


def _versions(client: Any) -> dict[str, str | None]:
    """The version of entropick on each worker, None if it has none; a worker that dies meanwhile is left out."""
    for _ in range(_TRIES):
        found = client.run(_version, on_error="return")
        if not any(isinstance(answer, OSError) for answer in found.values()):
            break
        time.sleep(_PAUSE)  # then there may be another in its place
    versions: dict[str, str | None] = {}
    for worker, answer in found.items():
        if isinstance(answer, ImportError):
            versions[worker] = None
        elif isinstance(answer, Exception) and not isinstance(answer, OSError):
            raise answer
        elif not isinstance(answer, OSError):
            versions[worker] = answer
    return versions


@cache
def _own_client() -> Any:
    """A client whose cluster is this process, the same for all that have none."""
    distributed: Any = need("distributed", "dask", "a table on a cluster")
    return distributed.Client(processes=False, dashboard_address=":0", set_as_default=False)


def _version() -> str:
    """The version of entropick on a worker."""
    from entropick._version import __version__ as found

    return found


@contextmanager
def clear_errors(client: Any, what: str = "") -> Iterator[None]:
    """Say in a sentence what happened to the cluster, or to a partition."""
    distributed: Any = need("distributed", "dask", "a table on a cluster")
    address = client.scheduler.address if client.scheduler is not None else "its address"
    gone = (distributed.comm.CommClosedError, distributed.client.FutureCancelledError, TimeoutError)
    try:
        yield
    except distributed.KilledWorker as error:
        raise ValueError(
            f"workers of the Dask cluster died{what}, several times: they may need more memory, or smaller partitions."
        ) from error
    except Exception as error:
        # What is raised once the client has closed itself differs between versions of Dask.
        if not isinstance(error, gone) and client.status not in ("closing", "closed"):
            raise
        raise ValueError(
            f"the Dask scheduler at {address} does not answer any more: start it again, then fit again (with a "
            "checkpoint, scores are not lost)."
        ) from error


def on_cluster(table: CodeTable) -> ShardedTable:
    """A table in memory, its rows shared out among the workers of the client that is open here."""
    shards = DaskShards(find_client(), [])
    ends = np.linspace(0, table.n_rows, len(shards.workers) + 1).astype(np.int64)
    parts = [_between(table, *own) for own in pairwise(ends.tolist())]
    with without_advice():
        shards.shards = [shards.client.submit(itself, part, pure=False) for part in parts]
    return ShardedTable.of(
        shards,
        np.diff(ends),
        table.levels,
        table.classes,
        ordered=table.ordered,
        labels=table.labels,
        is_numeric=table.numbers is not None,
    )


def _between(table: CodeTable, start: int, end: int) -> CodeTable:
    """The rows of a table from one to another, with its classes."""
    own = slice(start, end)
    values = [table.numbers_of(j) for j in range(table.n_columns)]
    return CodeTable(
        tuple(column[own] for column in table.columns),
        table.levels,
        table.classes[own],
        table.ordered,
        values=tuple(None if numbers is None else numbers[own] for numbers in values),
        numbers=None if table.numbers is None else table.numbers[own],
    )


@dataclass(frozen=True)
class FrameChunk:
    """A partition."""

    frame: Any
    place: str

    def source(self, names: Sequence[str]) -> Source:
        """Some columns, in this order."""
        return read_source(self.frame[list(names)])

    def rows(self, names: Sequence[str], rows: NDArray[np.int64]) -> Any:
        """Some rows of some columns, as a frame."""
        return self.frame[list(names)].iloc[rows]

    def numbers(
        self, columns: Sequence[RawColumn], are_numbers: Sequence[bool]
    ) -> Sequence[NDArray[np.float64] | None]:
        """The numbers of columns that were read."""
        return kept_numbers(columns, are_numbers)


def _chunk(part: Any, i: int) -> Any:
    """A partition as a chunk, once it is there."""
    dask: Any = need("dask", "dask", "a table on a cluster")
    return dask.delayed(FrameChunk, pure=True)(part, f"partition {i}")


class DaskShards:
    """Shards that are on workers, or that these make when they are asked for them.

    Parameters
    ----------
    client : distributed.Client
        What talks to the cluster.
    shards : list of Future or Delayed
        The shards.
    """

    on_cluster = True

    def __init__(self, client: Any, shards: Sequence[Any]) -> None:
        self.client, self.shards = client, list(shards)

    @property
    def workers(self) -> dict[str, dict[str, Any]]:
        """The workers, by address."""
        found: dict[str, dict[str, Any]] = self.client.scheduler_info(n_workers=-1)["workers"]
        return found

    def __len__(self) -> int:
        """How many there are."""
        return len(self.shards)

    def each(self, function: Callable[..., T], *arguments: Sequence[Any]) -> Iterator[T]:
        """The values of a function of each shard, in order, with its own of further arguments."""
        return self._results(self._compute(self._delayed(function, *arguments)))

    def meet(
        self, split: Callable[[Any, int], list[Piece]], merge: Callable[[list[Piece]], T], n_parts: int
    ) -> Iterator[T]:
        """Split each shard on its worker, send the pieces to those that merge them."""
        pieces = self._delayed(split, [n_parts] * len(self))
        dask: Any = need("dask", "dask", "a table on a cluster")
        merged = dask.delayed(merge, pure=False)
        return self._results(self._compute([merged([own[part] for own in pieces]) for part in range(n_parts)]))

    def _delayed(self, function: Callable[..., Any], *arguments: Sequence[Any]) -> list[Any]:
        """The calls of a function. It is a part of their graph, so that what is lost with a worker is made again."""
        dask: Any = need("dask", "dask", "a table on a cluster")
        called = dask.delayed(function, pure=False)
        return [called(shard, *own) for shard, *own in zip(self.shards, *arguments, strict=True)]

    def _compute(self, calls: list[Any]) -> list[Any]:
        """Calls as futures."""
        with without_advice(), clear_errors(self.client):
            futures: list[Any] = self.client.compute(calls)
        return futures

    def _results(self, futures: list[Any]) -> Iterator[Any]:
        for i in range(len(futures)):
            with clear_errors(self.client, f" at shard {i} of {len(self)}"):
                found = futures.pop(0).result()
            yield found


def chunks_on_cluster(chunks: Sequence[Chunk]) -> DaskChunks:
    """Chunks that workers of the client that is open here read when they are asked for them."""
    dask: Any = need("dask", "dask", "a table on a cluster")
    return DaskChunks(find_client(), [dask.delayed(chunk, pure=False, traverse=False) for chunk in chunks])


class DaskChunks(DaskShards):
    """Chunks of rows, read anew for every pass unless they are kept by their owner."""

    def _results(self, futures: list[Any]) -> Iterator[Any]:
        for i in range(len(futures)):
            try:
                yield from super()._results([futures.pop(0)])
            except Exception as error:
                if not isinstance(error, OSError | ImportError) and type(error).__module__.split(".")[0] != "pyarrow":
                    raise
                raise ValueError(f"partition {i} cannot be read by the worker that tried: {error}") from error

    def keep(self, function: Callable[[Any], CodeTable]) -> DaskShards:
        """Tables of codes, kept by the workers that make them."""
        return DaskShards(self.client, self._compute(self._delayed(function)))


@contextmanager
def without_advice() -> Iterator[None]:
    """Keep Dask from warning of large arguments: they must be a part of the graph, or they are lost with a worker."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
        yield


def itself(value: T) -> T:
    """A value, as a task that has it."""
    return value
