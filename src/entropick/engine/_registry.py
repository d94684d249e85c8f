"""The engines by name."""

from __future__ import annotations

from entropick import _names
from entropick._defaults import N_JOBS
from entropick._names import Registry, look_up
from entropick.encode import CodeTable
from entropick.engine._base import Engine, count_threads
from entropick.shards import ShardedTable

ENGINES: Registry[type[Engine]] = _names.ENGINES
AUTO = "native"  # what 'auto' stands for


def check_engine(name: str, n_jobs: int | None) -> None:
    """Raise a ValueError unless both the engine and the number of threads are possible."""
    look_up("engine", name, dict.fromkeys(("auto", *ENGINES)))
    count_threads(n_jobs)


def make_engine(name: str, table: CodeTable, n_jobs: int | None = N_JOBS) -> Engine:
    """A new engine of that name on a table; 'auto' is the fastest. A table in shards has that of its shards."""
    check_engine(name, n_jobs)
    if isinstance(table, ShardedTable) and not table.shards.on_cluster:
        from entropick.engine._sharded import ShardedEngine

        return ShardedEngine(table, n_jobs)
    name = "dask" if isinstance(table, ShardedTable) else name
    return ENGINES[AUTO if name == "auto" else name](table, n_jobs)


def local_engine(name: str) -> str:
    """The engine for smaller tables made from one that has this engine: they are in memory, and stay there."""
    return "auto" if name == "dask" else name
