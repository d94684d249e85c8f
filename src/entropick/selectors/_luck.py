"""What a useless column seems to add: the price of a column when the best of many subsets is looked for."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._masks import Mask, with_each
from entropick.criteria import RowCriterion
from entropick.encode import CodeTable
from entropick.engine import local_engine
from entropick.scorer import Scorers
from entropick.search import Budget, CrossEntropy, Run, drive
from entropick.selectors._problem import Floats, Problem

_SHADOWS = 100  # columns whose rows are shuffled; of long tables fewer, but at least
_FEWEST = 30  # so many
_CELLS = 2_000_000  # about so many in them
_MOST_ROWS = 200_000  # of a larger table a fixed sample is looked at: the fewer rows, the less useless columns gain
_TAIL = 0.1  # share of the gains that show how fast larger ones become rare
_QUICK_COLUMNS = 100  # besides those always kept: an answer of more is mostly luck, and takes long


class _EnoughError(Exception):
    """A quick search has gone far enough."""


def quick_answer(problem: Problem, seconds: float | None) -> Mask:
    """A subset that has what matters most; its seed is fixed, so that all runs on a table maximise the same."""
    run = Run(CrossEntropy(effort="low"), problem.space, 0)
    with suppress(_EnoughError):
        score, near = (_of_few(score, len(problem.space.always)) for score in (problem.score, problem.near))
        drive(run, score, Budget(None, seconds), near=near)
    return run.best_mask


def _of_few(score: Callable[..., Floats], n_always: int) -> Callable[..., Floats]:
    """The scores of subsets, unless they are so large that more columns add nothing but luck."""

    def score_few(masks: Mask, *center: Mask) -> Floats:
        if len(masks) and masks.sum(axis=1).max() > n_always + _QUICK_COLUMNS:
            raise _EnoughError
        return score(masks, *center)

    return score_few


def price_of_luck(table: CodeTable, criterion: RowCriterion, mask: Mask, engine: str, n_jobs: int, seed: int) -> Floats:
    """For every column, the gain that the luckiest of as many useless ones like it would bring to a subset, or 0.

    Some columns, their rows shuffled, are added to the subset one by one. The tail of their gains tells how much the
    best of all columns would gain if none had anything to do with the target. Columns with about as many levels are
    alike: the fewer levels, the less a model loses by a useless column, and the more one gains by luck.

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
    prices = np.zeros(table.n_columns)
    chosen = np.flatnonzero(mask)
    varied = np.setdiff1d(np.arange(table.n_columns), table.constant_columns)
    if not len(varied):
        return prices
    n_shadows = min(_SHADOWS, max(_FEWEST, _CELLS // table.n_rows))
    alike = np.ceil(np.log2(table.found_levels[varied]))  # 2; 3, 4; 5 to 8; ...
    groups = [varied[alike == some] for some in np.unique(alike)]
    sizes = [max(_FEWEST, n_shadows * len(group) // len(varied)) for group in groups]
    drawn = [rng.choice(group, n, replace=len(group) < n) for group, n in zip(groups, sizes, strict=True)]
    shadows = _with_shadows(table, chosen, np.concatenate(drawn), rng)
    gains = _gains(shadows, criterion, len(chosen), engine, n_jobs)
    if not len(gains):
        return prices
    for group, some in zip(groups, np.split(gains, np.cumsum(sizes)[:-1]), strict=True):
        prices[group] = max(0.0, _largest_of(some, len(varied)))
    return prices


def _gains(table: CodeTable, criterion: RowCriterion, n_chosen: int, engine: str, n_jobs: int) -> Floats:
    """What each of the later columns adds to the first ones: in parts, if the model cannot hold all of them at once."""
    parts, gains = range(n_chosen, table.n_columns), [np.empty(0)]
    size = criterion.most_columns(table) - n_chosen
    for start in parts[::size] if size > 0 else ():
        part = table.take(np.r_[:n_chosen, start : min(start + size, table.n_columns)])
        base = np.arange(part.n_columns) < n_chosen
        with Scorers(part, local_engine(engine), n_jobs) as scorers:
            scorer = scorers[criterion]
            added = with_each(base, np.arange(n_chosen, part.n_columns))
            gains.append(scorer.near(added, base) - scorer(base[None]))
    return np.concatenate(gains)


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


def _largest_of(gains: Floats, n_columns: int) -> float:
    """What about one of so many columns exceeds: a quantile, or where these are too few, by an exponential tail."""
    place = np.quantile(gains, 1 - max(_TAIL, 1 / n_columns))
    beyond = gains[gains > place]
    return float(place + (beyond.mean() - place if len(beyond) else 0.0) * max(0.0, np.log(_TAIL * n_columns)))
