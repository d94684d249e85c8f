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
    """A new engine of that name on a table; 'auto' is the fastest. A table in shards has an engine of its own."""
    check_engine(name, n_jobs)
    if isinstance(table, ShardedTable):
        from entropick.engine._sharded import ShardedEngine

        return ShardedEngine(table, n_jobs)
    return ENGINES[AUTO if name == "auto" else name](table, n_jobs)
