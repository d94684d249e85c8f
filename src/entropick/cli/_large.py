"""Parquet files that are too large for memory, read a part at a time, here or on a Dask cluster."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any

from entropick._extras import need
from entropick.cli._many import ManyFiles
from entropick.cli._prepare import about_missing, check_classes, check_target, pick_columns
from entropick.notes import Note
from entropick.shards import Chunked, FileShards, chunks_on_cluster

if TYPE_CHECKING:
    from entropick.cli._input import TableFile
    from entropick.shards import ParquetFiles

_IN_MEMORY = 40_000_000  # cells of a table that is read as a whole


@dataclass(frozen=True)
class Large:
    """A table that is read in parts, as `Prepared` is one in memory."""

    X: Chunked
    y: str
    names: tuple[str, ...]
    left_out: tuple[str, ...]
    notes: tuple[Note, ...]
    parts: Mapping[str, Sequence[str]] = field(default_factory=dict)  # of dates: they stay values

    @property
    def target(self) -> str:
        """The name of the target."""
        return self.y


@contextmanager
def cluster(scheduler: str | None, workers: int | None) -> Iterator[Any]:
    """A client of the Dask cluster that is asked for, and None without one."""
    if scheduler is None and workers is None:
        yield None
        return
    if scheduler is not None and workers is not None:
        raise ValueError("--workers starts workers here, --scheduler uses those of a cluster: use one of the two.")
    if workers is not None and workers < 1:
        raise ValueError(f"--workers must be at least 1; got {workers}.")
    distributed: Any = need("distributed", "dask", "a Dask cluster")
    with ExitStack() as stack:
        where: Any = scheduler
        if scheduler is None:
            settings = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": ":0"}
            settings["silence_logs"] = logging.CRITICAL  # what matters is raised
            with _ctrl_c_held_back():
                where = stack.enter_context(distributed.LocalCluster(**settings))
        try:
            client = distributed.Client(where, timeout=10)
        except (OSError, ValueError) as error:
            raise ValueError(f"there is no Dask scheduler at {scheduler!r}: {str(error).splitlines()[0]}.") from error
        yield stack.enter_context(client)


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Inside, Ctrl-C waits, and processes and threads that begin here never see it.

    A terminal sends it to the workers as well: they would print where they were, and this process ends them anyway.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which else begins inside, and lets signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def open_large(
    table: TableFile | ManyFiles, target: str, columns: list[str] | None, drop: list[str] | None, client: Any
) -> Large | None:
    """A table in Parquet files, to be read in parts; None if it is small enough to be read as a whole.

    Parameters
    ----------
    table : TableFile or ManyFiles
        The files.
    target : str
        The target; rows without a value for it are left out.
    columns, drop : list of str, optional
        As of the command.
    client : distributed.Client or None
        The cluster that reads them.
    """
    files = table.parquet
    if files is None:
        if client is not None:
            raise ValueError("a cluster reads Parquet files; got another kind: save the table as Parquet.")
        return None
    if client is None and files.n_rows * len(files.types) <= _IN_MEMORY:
        return None
    check_target(target, list(files.types))
    others, is_target = [name for name in files.types if name != target], {target: "is the target"}
    chosen = pick_columns(others, columns, "--columns", is_target) if columns else others
    gone = set(pick_columns(others, drop, "--drop", is_target)) if drop else set()
    names = tuple(name for name in chosen if name not in gone)
    if not names:
        raise ValueError(f"there must be columns to choose from besides the target {target!r}; none are left.")
    told = [Note("table", text)] if (text := table.told() if isinstance(table, ManyFiles) else files.told) else []
    told += _about_rows(files, target)
    left_out = tuple(name for name in others if name not in names)
    chunks = files.chunks(names, target, keep=client is not None)
    shards: Any = FileShards(chunks) if client is None else chunks_on_cluster(chunks)
    return Large(Chunked(shards, names, target), target, names, left_out, tuple(told))


def _about_rows(files: ParquetFiles, target: str) -> list[Note]:
    """A note about rows without a target; a ValueError unless the others have at least two classes."""
    import polars as pl

    y = pl.col(target)
    is_there = y.is_not_null() & y.is_not_nan() if files.types[target].is_float() else y.is_not_null()
    present = y.filter(is_there)
    others = (present != present.first()).any()
    found = files.collect(is_there.sum().alias("n"), present.first().alias("first"), others.alias("others"))
    counts, first, are_many = zip(*found, strict=True)
    values = [value for count, value in zip(counts, first, strict=True) if count]
    check_classes(target, files.n_rows, values[:1], any(are_many) or any(value != values[0] for value in values))
    return about_missing(target, files.n_rows - sum(counts), files.n_rows)


def check_large(options: Mapping[str, object]) -> None:
    """Refuse options that need the whole table in memory."""
    for option, value in options.items():
        if value:
            raise ValueError(f"{option} needs a table that fits into memory; this one is read in parts.")
