"""The engine of tables on a Dask cluster."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick.encode import CodeTable
from entropick.engine._fixed import FixedTables
from entropick.engine._native import NativeEngine
from entropick.engine._sharded import ShardedEngine
from entropick.shards import DaskShards, ShardedTable, clear_errors, itself, on_cluster

_SHARE = 0.25  # of a worker's memory that all codes may take
_CELL = 2  # bytes, with the bit planes made from a code
_PARTS = 4  # batches of subsets a worker, so that none waits long for the others


class DaskEngine(ShardedEngine):
    """Counts of shards, added up by the workers that have them.

    Where all codes fit into the memory of every worker, each gets them, and subsets are dealt out instead of rows.

    Parameters
    ----------
    table : CodeTable
        The table; one in memory is shared out among the workers of the client that is open here.
    n_jobs : int
        Threads of a worker.
    """

    def __init__(self, table: CodeTable, n_jobs: int | None = 1) -> None:
        super().__init__(table if isinstance(table, ShardedTable) else on_cluster(table), n_jobs)
        self._sent: dict[int, tuple[FixedTables, Any]] = {}

    @property
    def shards(self) -> DaskShards:
        """The shards on the workers."""
        shards = self.table.shards
        if not isinstance(shards, DaskShards):
            raise TypeError("the table is not on a cluster.")
        return shards

    @property
    def how(self) -> str:
        """What was done where."""
        workers = f"{len(self.shards.workers)} Dask worker{'s' * (len(self.shards.workers) > 1)}"
        if self.deals:
            return f"subsets were dealt out to {workers}, each with all codes."
        return f"the rows stayed in {len(self.shards)} shards on {workers}."

    @cached_property
    def deals(self) -> bool:
        """Whether all codes fit on every worker, so that subsets are dealt out instead of rows."""
        size = self.table.n_rows * self.table.n_columns * _CELL
        limits = [worker.get("memory_limit") or np.inf for worker in self.shards.workers.values()]
        return size <= _SHARE * min(limits, default=0)

    @cached_property
    def _everywhere(self) -> dict[str, Any]:
        """An engine with all rows on each worker, as futures."""
        submit = self.shards.client.submit
        return {
            worker: submit(
                _whole_engine,
                self.shards.shards,
                self.table.which,
                self.n_threads,
                workers=[worker],
                allow_other_workers=True,
                pure=False,
            )
            for worker in self.shards.workers
        }

    def _sums_of_many(self, masks: NDArray[np.bool_], tables: FixedTables) -> NDArray[np.int64]:
        """The sums of masks with many blocks."""
        if not self.deals or not len(masks):
            return super()._sums_of_many(masks, tables)
        client = self.shards.client
        with clear_errors(client):
            there, engines = self._tables_there(tables), list(self._everywhere.items())
            found = []
            for i, part in enumerate(np.array_split(masks, min(len(masks), _PARTS * len(engines)))):
                worker, engine = engines[i % len(engines)]
                settings = {"workers": [worker], "allow_other_workers": True, "pure": False}
                found.append(client.submit(NativeEngine.sums, engine, part, there, **settings))
            return np.concatenate(client.gather(found))

    def _tables_there(self, tables: FixedTables) -> Any:
        """The tables of a criterion, on the workers."""
        if id(tables) not in self._sent:
            self._sent[id(tables)] = tables, self.shards.client.submit(itself, tables, pure=False)
        return self._sent[id(tables)][1]


def _whole_engine(shards: list[CodeTable], which: NDArray[np.int64] | None, n_threads: int) -> NativeEngine:
    """An engine on all rows."""
    some = [shard if which is None else shard.take(which) for shard in shards]
    columns = tuple(np.concatenate(own) for own in zip(*(shard.columns for shard in some), strict=True))
    classes = np.concatenate([shard.classes for shard in some])
    return NativeEngine(CodeTable(columns, some[0].levels, classes), n_threads)
