"""What a useless column seems to add: the price of a column when the best of many subsets is looked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._masks import Mask, with_each
from entropick.criteria import RowCriterion
from entropick.encode import CodeTable
from entropick.engine import local_engine
from entropick.scorer import Scorers

_SHADOWS = 100  # columns whose rows are shuffled; of long tables fewer, but at least
_FEWEST = 30  # so many
_CELLS = 2_000_000  # about so many in them
_MOST_ROWS = 200_000  # of a larger table a fixed sample is looked at: the fewer rows, the less useless columns gain
_TAIL = 0.1  # share of the gains that show how fast larger ones become rare


def price_of_luck(table: CodeTable, criterion: RowCriterion, mask: Mask, engine: str, n_jobs: int, seed: int) -> float:
    """The gain that the luckiest of as many useless columns as the table has would bring to a subset, or 0.

    Some columns, their rows shuffled, are added to the subset one by one. The tail of their gains tells how much the
    best of all columns would gain if none had anything to do with the target.

    Parameters
    ----------
    table : CodeTable
        The table.
    criterion : RowCriterion
        What scores subsets.
    mask : ndarray of bool, shape (n_columns,)
        The subset, which should have what matters most.
    engine, n_jobs, seed
        As of a selector.
    """
    rng = np.random.default_rng([seed, 3])
    if table.n_rows > _MOST_ROWS:
        table = table.take_rows(np.sort(rng.choice(table.n_rows, _MOST_ROWS, replace=False)))
    table = table.in_memory()
    chosen = np.flatnonzero(mask)
    varied = np.setdiff1d(np.arange(table.n_columns), table.constant_columns)
    n_shadows = min(_SHADOWS, max(_FEWEST, _CELLS // table.n_rows), criterion.most_columns(table) - len(chosen))
    if not len(varied) or n_shadows < 1:
        return 0.0
    shadows = rng.choice(varied, n_shadows, replace=len(varied) < n_shadows)
    with Scorers(_with_shadows(table, chosen, shadows, rng), local_engine(engine), n_jobs) as scorers:
        base = np.zeros(len(chosen) + len(shadows), dtype=np.bool_)
        base[: len(chosen)] = True
        scorer = scorers[criterion]
        added = with_each(base, np.arange(len(chosen), len(base)))
        gains = scorer(added) - scorer(base[None])
    return max(0.0, _largest_of(gains, len(varied)))


def _with_shadows(
    table: CodeTable, chosen: NDArray[np.int64], shadows: NDArray[np.int64], rng: np.random.Generator
) -> CodeTable:
    """A table of some columns as they are, and of some whose rows are shuffled."""
    orders = [None] * len(chosen) + [rng.permutation(table.n_rows) for _ in shadows]
    columns = [*chosen.tolist(), *shadows.tolist()]
    values = [table.numbers_of(j) for j in columns]
    return replace(
        table,
        columns=tuple(_shuffled(table.columns[j], order) for j, order in zip(columns, orders, strict=True)),
        levels=table.levels[columns],
        ordered=None if table.ordered is None else table.ordered[columns],
        values=tuple(None if x is None else _shuffled(x, order) for x, order in zip(values, orders, strict=True)),
        X=None,
        of_columns={},
    )


def _shuffled(x: NDArray[Any], order: NDArray[np.int64] | None) -> NDArray[Any]:
    return x if order is None else x[order]


def _largest_of(gains: NDArray[np.float64], n_columns: int) -> float:
    """What about one of so many columns exceeds: a quantile, or where these are too few, by an exponential tail."""
    place = np.quantile(gains, 1 - max(_TAIL, 1 / n_columns))
    beyond = gains[gains > place]
    return float(place + (beyond.mean() - place if len(beyond) else 0.0) * max(0.0, np.log(_TAIL * n_columns)))
