"""Halves of the rows put the columns in order, and the other rows judge the order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from entropick._defaults import KEEP
from entropick._stages import stage
from entropick.criteria import Criterion, RowModel
from entropick.encode import CodeTable
from entropick.engine import Engine
from entropick.path._blocks import cut, halves, n_blocks
from entropick.path._curve import Curve, curve_of, grid
from entropick.path._grow import Grower
from entropick.path._growing import Growing
from entropick.path._order import Groups, mean_places, near_copies
from entropick.path._settings import EXCHANGES, FACTOR, MOST_GROWN, PATIENCE, SIZES_ONE_BY_ONE
from entropick.path._threads import in_threads

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Halves:
    """Which rows each half has, and the block of each row.

    Attributes
    ----------
    tables : list of CodeTable
        The rows of each half.
    design : ndarray of bool, shape (n_halves, n_blocks)
        Which blocks it has.
    blocks : ndarray of int, shape (n_rows,)
        The block of each row.
    rows : ndarray of int, shape (n_rows,)
        Which row of the table of the fit each row is.
    """

    tables: list[CodeTable]
    design: NDArray[np.bool_]
    blocks: NDArray[np.int64]
    rows: NDArray[np.int64]

    @property
    def in_half(self) -> NDArray[np.bool_]:
        """Which rows each half has, shape (n_halves, n_rows)."""
        return self.design[:, self.blocks]


def halve(
    table: CodeTable,
    rng: np.random.Generator,
    rows: NDArray[np.int64] | None = None,
    take: Callable[[NDArray[np.int64]], CodeTable] | None = None,
) -> Halves | None:
    """Halves of a table whose rows are in the order of their content; None if there are too few rows.

    ``rows`` are those of the table that they are from, and ``take`` makes a table of some of them, if that is more than
    to take them.
    """
    n = n_blocks(table.n_rows)
    if not n:
        return None
    blocks, design = cut(table.classes, n, rng), halves(n)
    places = [np.flatnonzero(half[blocks]) for half in design]
    tables = [table.take_rows(own, whole=False) if take is None else take(own) for own in places]
    return Halves(tables, design, blocks, np.arange(table.n_rows) if rows is None else rows)


@dataclass(frozen=True)
class Path:
    """What halves of the rows say.

    Attributes
    ----------
    places : ndarray of shape (n_halves, n_columns)
        At which number of columns each column is first in the set of a half; infinite if never.
    sets : list of dict
        The set of each number of columns, of each half.
    near : tuple of arrays
        Groups of near copies.
    curve : Curve or None
        What the order predicts of other rows.
    last : int
        The largest number of columns that all halves came to.
    halved : Halves
        The halves.
    """

    places: Floats
    sets: list[dict[int, NDArray[np.bool_]]]
    near: Groups
    curve: Curve | None
    last: int
    halved: Halves

    @property
    def mean(self) -> Floats:
        """The mean place of each column."""
        return mean_places(self.places, self.last + 1, self.near)


class Judge:
    """What rows lose that are left out of a model of all rows, with the columns that other rows put first.

    Parameters
    ----------
    model : RowModel or Growing
        The criterion's model of all rows.
    blocks : ndarray of int
        The block of each of the rows whose losses the model tells.
    design : ndarray of bool
        The blocks of each half.
    n_columns : int
        How many columns there are.
    never : sequence of int
        Columns that no set has.
    """

    def __init__(
        self,
        model: RowModel | Growing,
        blocks: NDArray[np.int64],
        design: NDArray[np.bool_],
        n_columns: int,
        never: Sequence[int] = (),
    ) -> None:
        self.model, self.blocks, self.design, self.never = model, blocks, design, list(never)
        self.nothing = model.losses(np.zeros((1, n_columns), dtype=np.bool_))[0]
        self.of_all, self.gain_of_all = None, -inf
        if isinstance(model, RowModel):
            everything = np.ones(n_columns, dtype=np.bool_)
            everything[self.never] = False
            self.of_all = model.losses(everything[None])[0]
            self.gain_of_all = float(self.nothing.mean() - self.of_all.mean())
        mean = float(self.nothing.mean())
        self.scale = 1 / mean if mean > 0 else 0.0

    def __call__(self, sizes: Sequence[int], places: Floats, last: int, near: Groups) -> Floats:
        """The loss of every row with the first columns of the order of the halves without it, by number of columns."""
        losses = np.empty((len(sizes), len(self.blocks)))
        is_all = np.zeros(len(sizes), dtype=np.bool_)
        if self.of_all is not None:  # the same columns for all rows
            is_all = np.array(sizes) == places.shape[1] - len(self.never)
            losses[is_all] = self.of_all
        sizes = np.array(sizes)[~is_all].tolist()
        for block, order in enumerate(self.orders(places, last, near)):
            masks = np.zeros((len(sizes), len(order)), dtype=np.bool_)
            for mask, size in zip(masks, sizes, strict=True):
                mask[order[:size]] = True
            own = self.blocks == block
            losses[np.ix_(~is_all, own)] = self.model.losses(masks)[:, own] if len(masks) else 0.0
        return losses

    def orders(self, places: Floats, last: int, near: Groups) -> Iterator[NDArray[np.int64]]:
        """The order of the halves without each block, one after the other."""
        for block in range(self.design.shape[1]):
            means = mean_places(places[~self.design[:, block]], last + 1, near)
            means[self.never] = np.inf
            yield np.argsort(means, kind="stable")


def walk(
    halved: Halves,
    criterion: Criterion,
    engine: Engine,
    engine_name: str,
    *,
    judge: Judge | None,
    always: Sequence[int] = (),
    never: Sequence[int] = (),
    largest: int,
    stop: int | None = None,
    n_threads: int = 1,
    deadline: float = inf,
    exchanges: int = EXCHANGES,
    what: str = "choosing from halves",
) -> Path | None:
    """Grow the sets of all halves in step, until no larger number of columns predicts more, or up to a number.

    None if there is no time to set up the models of all halves.

    Parameters
    ----------
    halved : Halves
        The halves; their columns are in the order of their content.
    criterion : Criterion
        The one criterion of the fit.
    engine : Engine
        Of all rows, to find near copies.
    engine_name : str
        What counts in halves.
    judge : Judge or None
        What says when to stop; without it, ``stop`` does.
    always, never : sequence of int
        Columns that are in every set, or in none.
    largest, stop : int
        The largest number of columns there is, and that is looked at.
    n_threads : int
        How many halves grow at a time.
    deadline : float
        After this time, by ``time.monotonic``, no larger number is looked at.
    exchanges : int
        Rounds of exchanges after each growth.
    what : str
        What this is called while it runs.
    """
    most = largest if stop is None else min(stop, largest)
    sizes = grid(most, FACTOR, SIZES_ONE_BY_ONE, max(1, len(always)))

    def planted(table: CodeTable) -> Grower | None:
        return None if time.monotonic() >= deadline else Grower(table, criterion, always, never, engine_name, exchanges)

    growers = [grower for grower in in_threads(planted, iter(halved.tables), n_threads) if grower is not None]
    if len(growers) < len(halved.tables):
        for grower in growers:
            grower.close()
        return None
    gains: list[float] = []
    reached: list[int] = []
    for size in sizes:
        stage(what, min(size, most), most)

        def grown(grower: Grower, size: int = size) -> None:
            while grower.size < size and not grower.is_whole:
                grower.grow()

        list(in_threads(grown, iter(growers), n_threads))
        reached.append(size)
        if judge is not None:
            places = np.array([grower.places for grower in growers])
            losses = judge([size], places, size, ())
            gains.append(float(judge.nothing.mean() - losses.mean()))
            is_enough = max(gains) >= KEEP * judge.gain_of_all or size >= MOST_GROWN
            if is_enough and len(gains) - 1 - int(np.argmax(gains)) >= PATIENCE:
                break
        if time.monotonic() >= deadline:
            break
    places = np.array([grower.places for grower in growers])
    for grower in growers:
        grower.close()
    last = reached[-1] if reached else len(always)
    near = () if judge is None else near_copies(np.flatnonzero((places <= last).any(axis=0)), engine)
    curve = None
    if judge is not None and reached:
        judged = [*reached, *([largest] if reached[-1] < largest and judge.of_all is not None else [])]
        curve = curve_of(judged, judge(judged, places, last, near), judge.nothing, judge.scale)
    return Path(places, [grower.sets for grower in growers], near, curve, last, halved)
