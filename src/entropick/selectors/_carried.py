"""How many of the chosen columns the evidence carries: chosen from one half of the rows, scored on the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from entropick._masks import Mask, with_each
from entropick.criteria import Criterion
from entropick.encode import CodeTable
from entropick.engine import local_engine
from entropick.scorer import Scorers, SubsetScorer

_SIZES = 20  # numbers of columns that are tried
_CLEARLY = 3.0  # standard errors; halves of different splits share rows, so that these are too small
_FEWEST = 4  # halves, to know a standard error
_MUCH = 0.01  # of the scale of the scores

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Carried:
    """What is left of the columns chosen from halves of the rows.

    Attributes
    ----------
    share : float
        The share of the chosen columns that is best for rows they were not chosen from; 1 unless it is clearly better.
    masks : ndarray of bool, shape (n_halves, n_columns)
        That share of the columns chosen from each half, the strongest.
    """

    share: float
    masks: NDArray[np.bool_]


def carried(
    tables: Iterator[CodeTable], masks: NDArray[np.bool_], base: Mask, criterion: Criterion, engine: str, n_jobs: int
) -> Carried:
    """Score the columns chosen from each half of the rows on the other half, the strongest first.

    Parameters
    ----------
    tables : iterator of CodeTable
        The halves, each followed by the other one of the same split.
    masks : ndarray of bool, shape (n_halves, n_columns)
        The columns chosen from each.
    base : ndarray of bool, shape (n_columns,)
        Columns that are always kept.
    criterion, engine, n_jobs
        As of a selector.
    """
    orders: list[list[Ints]] = []
    curves: list[Floats] = []
    scale = 0.0
    for first in range(0, len(masks), 2):
        halves = list(islice(tables, 2))
        columns = np.flatnonzero(masks[first : first + 2].any(axis=0) | base)
        if not len(columns):
            orders += [[] for _ in halves]
            continue
        with ExitStack() as stack:
            narrow = (Scorers(half.take(columns), local_engine(engine), n_jobs) for half in halves)
            scorers = [stack.enter_context(each)[criterion] for each in narrow]
            for i, scorer in enumerate(scorers):
                groups = strongest_first(scorer, masks[first + i, columns], base[columns])
                orders.append([columns[group] for group in groups])
                scale = scorer.scale
                if len(scorers) > 1:
                    curves.append(growing(scorers[1 - i], base[columns], groups))
    share = share_carried(curves, scale)
    return Carried(share, np.array([first_columns(base, order, share) for order in orders]))


def strongest_first(scorer: SubsetScorer, mask: Mask, base: Mask) -> list[Ints]:
    """The columns of a subset in the order in which they add most, at most 20 groups of them, without those of base."""
    groups: list[Ints] = []
    part, left = mask & base, np.flatnonzero(mask & ~base)
    size = -(-len(left) // _SIZES)
    while len(left):
        gains = scorer.near(with_each(part, left), part)
        best = left[np.argsort(-gains, kind="stable")[:size]]
        groups.append(best)
        part = part | np.isin(np.arange(len(mask)), best)
        left = np.setdiff1d(left, best)
    return groups


def first_columns(base: Mask, groups: Sequence[Ints], share: float) -> Mask:
    """The base and a share of the columns, the strongest."""
    order = np.concatenate([np.empty(0, dtype=np.int64), *groups])
    kept: Mask = base | np.isin(np.arange(len(base)), order[: max(1, round(share * len(order)))])
    return kept


def growing(scorer: SubsetScorer, base: Mask, groups: Sequence[Ints]) -> Floats:
    """The scores of the base, and of it with one group of columns after the other."""
    masks = [base]
    for group in groups:
        masks.append(masks[-1] | np.isin(np.arange(len(base)), group))
    return scorer(np.array(masks))


def share_carried(curves: Sequence[Floats], scale: float) -> float:
    """The share of the chosen columns that is best for rows they were not chosen from; 1 unless it is clearly better.

    Parameters
    ----------
    curves : sequence of arrays
        For each half, the scores on the other one as columns are added, the strongest first.
    scale : float
        The unit of the scores.

    Examples
    --------
    >>> rising, falling = np.array([0.0, 0.3, 0.4]), np.array([0.0, 0.5, 0.3])
    >>> share_carried([rising] * 4, 1.0), share_carried([falling] * 4, 1.0)
    (1.0, 0.5)
    """
    shares = np.linspace(0, 1, _SIZES + 1)[1:]
    lines = np.array([np.interp(shares, np.linspace(0, 1, len(curve)), curve) for curve in curves if len(curve) > 1])
    if len(lines) < _FEWEST:
        return 1.0
    best = int(lines.mean(axis=0).argmax())
    gains = lines[:, best] - lines[:, -1]
    error = gains.std(ddof=1) / np.sqrt(len(gains))
    return float(shares[best]) if gains.mean() > max(_CLEARLY * error, _MUCH * scale) else 1.0
