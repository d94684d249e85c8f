"""The engines by name."""

from __future__ import annotations

from entropick._names import look_up
from entropick.encode import CodeTable
from entropick.engine._base import Engine, count_threads
from entropick.engine._native import NativeEngine
from entropick.engine._numpy import NumpyEngine

ENGINES: dict[str, type[Engine]] = {"native": NativeEngine, "numpy": NumpyEngine}


def make_engine(name: str, table: CodeTable, n_jobs: int = -1) -> Engine:
    """The engine of that name on a table; 'auto' takes the fastest. A table has one of a kind."""
    known: dict[str, type[Engine]] = {"auto": NativeEngine, **ENGINES}
    key = (look_up("engine", name, known), count_threads(n_jobs))
    if key not in table.engines:
        table.engines[key] = key[0](table, n_jobs)
    engine: Engine = table.engines[key]
    return engine
