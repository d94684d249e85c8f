"""How many of the chosen columns the evidence carries: chosen from one half of the rows, scored on the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from entropick._masks import Mask, with_each
from entropick.criteria import Criterion
from entropick.encode import CodeTable, Encoded
from entropick.engine import local_engine
from entropick.notes import Note
from entropick.scorer import Scorers, SubsetScorer
from entropick.selectors._halves import Halves, half_tables

_SIZES = 20  # numbers of columns that are tried
_CLEARLY = 3.0  # standard errors; halves of different splits share rows, so that these are too small
_FEWEST = 4  # halves, to know a standard error
_MOST_ROWS = 20_000  # with more, columns are hardly chosen by luck
_MUCH = 0.01  # of the scale of the scores

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Carried:
    """What is left without the columns that help only the rows they were chosen from.

    Attributes
    ----------
    mask : ndarray of bool, shape (n_columns,)
        Of the columns chosen from all rows.
    halves : Halves
        Of those chosen from halves.
    note : Note
        What was dropped, and why.
    """

    mask: Mask
    halves: Halves
    note: Note


def carried(
    encoded: Encoded,
    binning: tuple[int, str],
    scorer: SubsetScorer,
    mask: Mask,
    base: Mask,
    halves: Halves,
    engine: str,
    n_jobs: int,
) -> Carried | None:
    """Drop the weaker columns, if rows from which they were not chosen are clearly better predicted without.

    None if there is nothing to drop, or if a table is so long that luck plays no part.

    Parameters
    ----------
    encoded : Encoded
        The table.
    binning : tuple of int and str
        Settings ``n_bins`` and ``binning`` of the encoding.
    scorer : SubsetScorer
        The criterion on all rows.
    mask : ndarray of bool, shape (n_columns,)
        The columns chosen from all rows.
    base : ndarray of bool, shape (n_columns,)
        Columns that are always kept.
    halves : Halves
        What was chosen from halves of the rows.
    engine, n_jobs
        As of a selector.
    """
    is_empty = not (halves.masks & ~base).any()
    if is_empty or encoded.table.n_rows > _MOST_ROWS or binning[1] == "mdlp":  # halves have bins of their own then
        return None
    tables = half_tables(encoded, len(halves.masks), binning, whole=False)
    orders, curves = _on_other_halves(tables, halves.masks, base, scorer.criterion, engine, n_jobs)
    share = share_carried(curves, scorer.scale)
    if share == 1:
        return None
    kept = first_columns(base, strongest_first(scorer, mask, base), share)
    text = (
        f"of {mask.sum()} columns that the search chose, the strongest {kept.sum()} are kept: of those chosen from "
        "one half of the rows, the others make the prediction of the other half worse."
    )
    masks = np.array([first_columns(base, order, share) for order in orders])
    return Carried(kept, replace(halves, masks=masks), Note("overfit", text))


def _on_other_halves(
    tables: Iterator[CodeTable], masks: NDArray[np.bool_], base: Mask, criterion: Criterion, engine: str, n_jobs: int
) -> tuple[list[list[Ints]], list[Floats]]:
    """The columns chosen from each half, the strongest first, and their scores on the other half as they are added."""
    orders: list[list[Ints]] = []
    curves: list[Floats] = []
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
                if len(scorers) > 1:
                    curves.append(growing(scorers[1 - i], base[columns], groups))
    return orders, curves


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
