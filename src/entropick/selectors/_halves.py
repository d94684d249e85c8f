"""How sure a selection is: what is chosen from random halves of the rows."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components
from scipy.special import ndtri

from entropick._checks import check_number
from entropick._masks import Mask
from entropick._stages import stage
from entropick.association import Associations
from entropick.encode import CodeTable, Encoded, encode
from entropick.engine import Engine
from entropick.notes import listening
from entropick.selectors._threads import in_threads
from entropick.stability import stability

_MOST_CELLS = 10_000_000  # of a table that is halved; of a larger one, a sample of the rows is
_FEWEST = 1000  # rows of the sample
_VISIBLE = 0.02  # chance that a useless column of two levels shows anything, alone or beside another
_SHARED = 0.5  # of the entropy of the simpler of two columns: from here on one may replace the other


@dataclass(frozen=True)
class Halves:
    """What was chosen from halves of the rows.

    Attributes
    ----------
    masks : ndarray of bool, shape (n_halves, n_columns)
        The columns chosen from each half.
    groups : tuple of tuples of int
        Columns that replace each other: they say much the same, and each half has chosen one of them or another.
    """

    masks: NDArray[np.bool_]
    groups: tuple[tuple[int, ...], ...]

    @property
    def frequency(self) -> NDArray[np.float64]:
        """The share of the halves from which each column was chosen."""
        return np.asarray(self.masks.mean(axis=0))

    @property
    def stability(self) -> tuple[float, float, float]:
        """How much the choices agree, 1 if they are the same and 0 if by chance only, and its 95 % interval."""
        value, error = stability(self.masks)
        return value, value - 1.96 * error, min(1.0, value + 1.96 * error)


def check_halves(half_samples: int | None, optional: bool = False) -> None:
    """Raise a ValueError for a number of halves that makes no sense: one is too few to compare."""
    if not (half_samples == 0 and isinstance(half_samples, int)):
        check_number("half_samples", half_samples, 2, integer=True, optional=optional)


def choose_from_halves(
    tables: Iterator[CodeTable],
    n_halves: int,
    choose: Callable[[CodeTable, float], Mask],
    n_threads: int,
    deadline: float = inf,
) -> NDArray[np.bool_]:
    """The columns chosen from each half of the rows; from fewer halves than there are, if the time is up.

    Parameters
    ----------
    tables : iterator of CodeTable
        The halves.
    n_halves : int
        How many there are.
    choose : function
        Of a half and the seconds that may be spent on it.
    n_threads : int
        How many are chosen from at a time.
    deadline : float
        When the time is up, by the clock of `time.monotonic`.
    """
    n_threads = min(n_halves, n_threads)

    def in_time(half: tuple[int, CodeTable]) -> Mask | None:
        i, table = half
        seconds = (deadline - time.monotonic()) / -(-(n_halves - i) // n_threads)
        return choose(table, seconds) if seconds > 0 else None

    masks: list[Mask] = []
    for i, mask in enumerate(in_threads(in_time, enumerate(tables), n_threads)):
        stage("choosing from halves", i, n_halves)
        if mask is None:
            break
        masks.append(mask)
    return np.array(masks)


def plausible(table: CodeTable, associations: Associations) -> Mask:
    """Which columns may come in because halves agree on them.

    A useless column of two levels costs a model so little that luck often makes halves agree on it: one of these must
    show something, alone or beside another.
    """
    return (table.found_levels > 2) | associations.visible(_VISIBLE)


def telling(table: CodeTable, associations: Associations) -> Mask:
    """Which columns may come in because one half has chosen them: those that show more alone than chance would.

    Of as many useless columns about one would show as much. Models predict classes better with these columns; for
    numbers, two halves have to agree on any.
    """
    if table.numbers is not None:
        return np.zeros(table.n_columns, dtype=np.bool_)
    return np.asarray(associations.single > -ndtri(1 / table.n_columns))


def with_agreed(
    mask: Mask,
    masks: NDArray[np.bool_],
    telling: Mask,
    base: Mask,
    most: int | None,
    is_possible: Callable[[Mask], bool] = lambda mask: True,
) -> Mask:
    """The columns chosen from all rows, and those that at least two halves, or a third of more than six, agree on.

    What another sample of rows would have shown comes in: columns that are nearly as good as those chosen, or that say
    the same with other errors. Models predict better with them. Of the telling columns, half as many halves will do.

    Parameters
    ----------
    mask : ndarray of bool, shape (n_columns,)
        The columns chosen from all rows.
    masks : ndarray of bool, shape (n_halves, n_columns)
        Those chosen from halves.
    telling : ndarray of bool, shape (n_columns,)
        The columns that show something alone.
    base : ndarray of bool, shape (n_columns,)
        Columns that are kept anyway.
    most : int or None
        If there are more, the columns are kept that were chosen most often, of equals those chosen from all rows.
    is_possible : function
        Whether the criterion can score a subset. If it has no score with all of them, as with more columns than rows
        allow, those that were chosen most often come in as far as it has.
    """
    times = masks.sum(axis=0)
    enough = np.where(telling, max(1, -(-len(masks) // 6)), max(2, -(-len(masks) // 3)))
    kept: Mask = mask | base | (times >= enough)
    if most is not None and kept.sum() > most:
        order = np.lexsort((~mask, -times, ~base))
        kept[order[most:]] = False
    if is_possible(kept):
        return kept
    added = np.flatnonzero(kept & ~mask & ~base)
    added = added[np.argsort(-times[added], kind="stable")]

    def without(n: int) -> Mask:
        fewer = kept.copy()
        fewer[added[len(added) - n :]] = False
        return fewer

    return without(bisect_left(range(len(added)), True, key=lambda n: is_possible(without(n))))


def replaceable(masks: NDArray[np.bool_], engine: Engine) -> tuple[tuple[int, ...], ...]:
    """The groups of columns that replace each other in the choices from halves.

    Two columns do if both were chosen but never together, and what they have in common, beyond what columns with so
    many levels have by chance, is at least half of what the simpler one has.
    """
    chosen = np.flatnonzero(masks.any(axis=0) & ~masks.all(axis=0))
    if len(chosen) < 2:
        return ()
    often = masks[:, chosen].astype(np.int64)
    joint = engine.pair_entropies(chosen)[0][:, chosen]
    alone = np.diag(joint)
    smaller = np.minimum(alone[:, None], alone)
    more = engine.table.found_levels[chosen] - 1
    by_chance = more[:, None] * more / (2 * engine.table.n_rows * np.log(2))
    shared = (alone[:, None] + alone - joint - by_chance) / np.where(smaller > 0, smaller, np.inf)
    _, label = connected_components((often.T @ often == 0) & (shared >= _SHARED), directed=False)
    groups = (chosen[label == group] for group in range(label.max() + 1))
    return tuple(tuple(group.tolist()) for group in groups if len(group) > 1)


def half_tables(encoded: Encoded, n_halves: int, binning: tuple[int, str], whole: bool = True) -> Iterator[CodeTable]:
    """The table with a half of its rows, for each half of `half_rows`.

    Parameters
    ----------
    encoded : Encoded
        The table.
    n_halves : int
        How many halves.
    binning : tuple of int and str
        Settings ``n_bins`` and ``binning`` of the encoding, which is repeated if it looks at y.
    whole : bool
        Whether the halves need X and y; codes and numbers they always have.
    """
    looks_at_y = binning[1] == "mdlp"
    table = halved(encoded.table, whole or looks_at_y)
    for is_in in half_rows(table.classes, n_halves):
        half = table.take_rows(np.flatnonzero(is_in), whole or looks_at_y)
        if looks_at_y:
            y, kind = (half.classes, "classes") if half.numbers is None else (half.numbers, "numeric")
            with listening(lambda note: None):
                half = encode(half.X, y, *binning, kind).table
        yield half


def halved(table: CodeTable, whole: bool = True) -> CodeTable:
    """The table whose rows are halved: this one, or a fixed sample of the rows of a large one.

    Unless it is to be ``whole``, a sample lacks X and y; codes and numbers it has.
    """
    most = max(_FEWEST, _MOST_CELLS // table.n_columns)
    if table.n_rows <= most:
        return table.in_memory()
    rows = np.sort(np.random.default_rng([0, 4]).choice(table.n_rows, most, replace=False))
    sample = table.take_rows(rows, whole)
    return replace(sample, values=tuple(map(sample.numbers_of, range(sample.n_columns))))


def half_rows(classes: NDArray[np.int64], n_halves: int) -> Iterator[NDArray[np.bool_]]:
    """Whether each row is in a half: two by two from the same random split, every class shared out evenly.

    The halves are the same in every run, which then chooses more often the same columns.
    """
    rng = np.random.default_rng([0, 2])
    for i in range(n_halves):
        if i % 2 == 0:
            is_first = _split(classes, rng)
        yield is_first if i % 2 == 0 else ~is_first


def _split(classes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Whether each row is in the first half: every second row of a random order, class by class."""
    shuffled = rng.permutation(len(classes))
    by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
    is_first = np.zeros(len(classes), dtype=np.bool_)
    is_first[by_class[::2]] = True
    return is_first
