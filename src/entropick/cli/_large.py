"""Parquet files that are too large for memory, read a part at a time, here or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from entropick._extras import need
from entropick._words import did_you_mean, grouped
from entropick.cli._many import ManyFiles, check_alike
from entropick.cli._prepare import pick_columns
from entropick.notes import Note
from entropick.shards import Chunked, lazy_chunks

if TYPE_CHECKING:
    import polars as pl

    from entropick.cli._input import TableFile

_IN_MEMORY = 40_000_000  # cells of a table that is read as a whole


@dataclass(frozen=True)
class Large:
    """A table that is read in parts, as `Prepared` is one in memory."""

    X: Any  # Chunked, or a Dask frame
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
            where = stack.enter_context(distributed.LocalCluster(**settings))
        try:
            client = distributed.Client(where, timeout=10)
        except (OSError, ValueError) as error:
            raise ValueError(f"there is no Dask scheduler at {scheduler!r}: {str(error).splitlines()[0]}.") from error
        yield stack.enter_context(client)


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
    if table.kind != "parquet" or not table.paths or table.is_packed:
        if client is not None:
            raise ValueError("a cluster reads Parquet files; got another kind: save the table as Parquet.")
        return None
    frames, schema = _scan(table.paths)
    n_rows = sum(rows for _, rows, _ in frames)
    if client is None and n_rows * len(schema) <= _IN_MEMORY:
        return None
    if target not in schema:
        raise ValueError(
            f"--target must be a column of the table; got {target!r}, which is not one of its {len(schema)} columns."
            f"{did_you_mean(target, list(schema))}"
        )
    others, is_target = [name for name in schema if name != target], {target: "is the target"}
    chosen = pick_columns(others, columns, "--columns", is_target) if columns else others
    gone = set(pick_columns(others, drop, "--drop", is_target)) if drop else set()
    names = tuple(name for name in chosen if name not in gone)
    if not names:
        raise ValueError(f"there must be columns to choose from besides the target {target!r}; none are left.")
    told = [Note("files", table.told())] if isinstance(table, ManyFiles) else []
    told += _about_rows(frames, target, n_rows)
    left_out = tuple(name for name in others if name not in names)
    X: Any
    if client is None:
        X = Chunked(lazy_chunks(frames, len(names) + 1, target), names, target)
    else:
        frame: Any = need("dask.dataframe", "dask", "a Dask cluster")
        X = frame.read_parquet([str(path.absolute()) for path in table.paths], columns=[*names, target])
        X = X.dropna(subset=[target])
    return Large(X, target, names, left_out, tuple(told))


def _scan(paths: Sequence[Path]) -> tuple[list[tuple[pl.LazyFrame, int, str]], pl.Schema]:
    """The files as lazy frames, with their numbers of rows, and the columns that all of them have."""
    import polars as pl

    found: list[tuple[pl.LazyFrame, int, str]] = []
    first = None
    for path in paths:
        try:
            frame = pl.scan_parquet(path, glob=False)
            schema, n_rows = frame.collect_schema(), int(frame.select(pl.len()).collect().item())
        except (pl.exceptions.PolarsError, OSError) as error:
            raise ValueError(f"file {path.name!r} must be Parquet; it cannot be read: {_first_line(error)}.") from error
        if first is None:
            first = schema
        else:
            check_alike(schema, first, path.name, paths[0].name)
        found.append((frame, n_rows, f"file {path.name!r}"))
    if first is None:
        raise ValueError("there must be files to read; got none.")
    return found, first


def _about_rows(frames: Sequence[tuple[pl.LazyFrame, int, str]], target: str, n_rows: int) -> list[Note]:
    """A note about rows without a target."""
    missing = sum(int(_missing(frame, target).collect().item()) for frame, _, _ in frames)
    if missing == n_rows:
        raise ValueError(f"the target {target!r} must have values; it is missing in all {n_rows} rows.")
    if not missing:
        return []
    text = f"{grouped(missing)} of {grouped(n_rows)} rows have no value for the target {target!r} and were dropped."
    return [Note("no_target", text, (target,))]


def _missing(frame: pl.LazyFrame, target: str) -> pl.LazyFrame:
    """How many rows have no value for the target."""
    import polars as pl

    column = pl.col(target)
    is_float = frame.collect_schema()[target].is_float()
    return frame.select((column.is_null() | column.is_nan() if is_float else column.is_null()).sum())


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def check_large(options: Mapping[str, object]) -> None:
    """Refuse options that need the whole table in memory."""
    for option, value in options.items():
        if value:
            raise ValueError(f"{option} needs a table that fits into memory; this one is read in parts.")
