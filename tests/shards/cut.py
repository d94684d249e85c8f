"""Tables for tests, cut into shards."""

import numpy as np

from entropick.encode import CodeTable
from entropick.shards import LocalShards, ShardedTable


def pieces(table: CodeTable, cuts: list[int]) -> list[CodeTable]:
    """The rows of a table between cuts, as tables whose classes keep their numbers."""
    found = []
    for start, end in zip([0, *cuts], [*cuts, table.n_rows], strict=True):
        own = slice(start, end)
        values = [table.numbers_of(j) for j in range(table.n_columns)]
        found.append(
            CodeTable(
                tuple(column[own] for column in table.columns),
                table.levels,
                table.classes[own],
                table.ordered,
                values=tuple(None if x is None else x[own] for x in values),
                numbers=None if table.numbers is None else table.numbers[own],
            )
        )
    return found


def sharded(table: CodeTable, cuts: list[int]) -> ShardedTable:
    """The same table in shards."""
    parts = pieces(table, cuts)
    return ShardedTable.of(
        LocalShards([lambda part=part: part for part in parts]),
        np.array([part.n_rows for part in parts]),
        table.levels,
        table.classes,
        ordered=table.ordered,
        labels=table.labels,
        is_numeric=table.numbers is not None,
    )
