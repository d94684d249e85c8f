"""What columns have in common, regardless of the target."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from entropick.criteria import expected_share
from entropick.encode import CodeTable
from entropick.engine import Engine


def redundancies(engine: Engine, columns: NDArray[np.int64]) -> NDArray[np.float64]:
    """The adjusted mutual information of some columns f with all columns g, shape (len(columns), n_columns).

    (I(f;g) − E) / ((H(f) + H(g)) / 2 − E), where E is what chance alone would give: 0 if they have nothing in common, 1
    if each determines the other.
    """
    table = engine.table
    if not len(columns):
        return np.zeros((0, table.n_columns))
    h = engine.entropy.each(range(table.n_columns))
    joint, _ = engine.pair_entropies(columns)
    chance = _by_chance(table, columns)
    most = (h[columns, None] + h) / 2 - chance
    shares = (h[columns, None] + h - joint - chance) / np.where(most > 1e-9, most, 1.0)
    return np.clip(np.round(shares, 10), 0.0, 1.0)


def _by_chance(table: CodeTable, columns: NDArray[np.int64]) -> NDArray[np.float64]:
    """E, in bits; it depends only on how often each value of the two columns occurs."""
    sizes = [some[some > 0] for some in table.counts]
    different, places = np.unique(np.concatenate(sizes), return_inverse=True)
    starts = np.cumsum([0, *map(len, sizes[:-1])])
    of_size = {sizes[f].tobytes(): expected_share(different, sizes[f]) for f in columns}  # the same for equal sizes
    nats = [np.add.reduceat(of_size[sizes[f].tobytes()][places], starts) for f in columns]
    return np.asarray(np.array(nats) / np.log(2))
