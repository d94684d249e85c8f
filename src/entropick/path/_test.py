"""Is there anything at all? What is found is compared with what is found about a shuffled target."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf

import numpy as np
from numpy.typing import NDArray

from entropick._stages import stage
from entropick.association import single_strengths, strengths_alone
from entropick.criteria import Criterion, TableCriterion
from entropick.encode import CodeTable, Encoded, encode, joint_codes
from entropick.engine import local_engine
from entropick.notes import listening
from entropick.path._settings import FEWEST_SHUFFLES, LEVEL, PAIR_WORK, SHUFFLES
from entropick.path._threads import in_threads
from entropick.scorer import Scorers

_FIRST_LOOK = 19  # shuffles before the test may end early, because there is clearly nothing
_LIMITS = (inf, 5.5, 5.0)  # standard deviations up to which what each look finds counts
_FREE = 0.5  # of the rows that must be free to move if only rows that are equal in `always` exchange their target
_DIGITS = 8  # of a strength: sums in another order are the same
_TENTHS = 10  # of what `always` predicts, within which targets are exchanged otherwise

Floats = NDArray[np.float64]
Look = Callable[[CodeTable], Sequence[float]]
Values = list[list[Sequence[float]]]  # what each look finds in each table


@dataclass(frozen=True)
class ChanceTest:
    """How what was found compares with what is found when y is shuffled.

    Attributes
    ----------
    p_value : float
        The share of shuffled targets, and of the real one, about which at least as much is found.
    n_shuffles : int
        The number of shuffles; fewer than planned if they settled it.
    is_approximate : bool
        Whether targets were exchanged between rows for which `always` predicts about the same, not the same.
    """

    p_value: float
    n_shuffles: int
    is_approximate: bool = False

    @property
    def finds_something(self) -> bool:
        """Whether this is more than chance explains."""
        return self.p_value <= LEVEL


def against_chance(
    table: CodeTable,
    looks: Sequence[Look],
    rng: np.random.Generator,
    *,
    encoded: Encoded | None = None,
    binning: tuple[int, str] = (5, "quantile"),
    strata: NDArray[np.int64] | None = None,
    is_approximate: bool = False,
    deadline: float = inf,
    n_threads: int = 1,
) -> ChanceTest | None:
    """Compare what is found in a table with what is found in the same table with its target shuffled.

    None if there is no time for the 49 shuffles that a p-value of 0.02 takes.

    What each look finds is put on the scale of all its values, real and shuffled, and the largest counts; equal
    treatment of the real and the shuffled targets makes the p-value (1 + b) / (1 + B) exact, for b of B shuffles. Later
    looks count up to a limit. So, where an earlier one finds more than that about the real target, the later ones
    cannot change anything and are not taken.

    Parameters
    ----------
    table : CodeTable
        Its rows are in the order of their content.
    looks : sequence of callable
        At most three functions from a table to numbers that are larger if more is found; the dearest last. Together
        they repeat everything that looks at y.
    rng : Generator
        Where the shuffles come from.
    encoded : Encoded, optional
        What the table is made from, if its encoding looks at y and is to be repeated by ``binning``.
    binning : tuple of int and str
        Settings ``n_bins`` and ``binning``.
    strata : ndarray of int, optional
        Targets are exchanged between rows of the same stratum only.
    is_approximate : bool
        Whether that makes the test approximate.
    deadline : float
        When to stop, by ``time.monotonic``.
    n_threads : int
        How many tables are looked at at the same time.
    """
    values: Values = []
    seed = int(rng.integers(2**62))
    for depth in range(1, len(looks) + 1):
        before, tables = values, _tables(table, encoded, np.random.default_rng(seed), binning, strata)
        values = _look_at(tables, looks[:depth], before, depth == len(looks), deadline, n_threads)
        if time.monotonic() >= deadline:
            values = max(values, before, key=len)
            break
        if depth < len(looks) and len(values) > SHUFFLES and _combined(values)[0] > _LIMITS[depth]:
            break
    n_shuffles = len(values) - 1
    p_value = (1 + _larger(values)) / (1 + n_shuffles)
    if n_shuffles < FEWEST_SHUFFLES and not _is_settled(values, True):
        return None
    return ChanceTest(p_value, n_shuffles, is_approximate)


def exchangeable(
    table: CodeTable, always: Sequence[int], predicted: Callable[[], Floats]
) -> tuple[NDArray[np.int64], bool]:
    """Rows between which targets may be exchanged without a change to what some columns say; whether only nearly so.

    Rows that are equal in these columns, if that leaves enough of them free to move; else those for which the columns
    predict about the same.
    """
    strata = joint_codes((table.columns[j] for j in always), table.n_rows)
    sizes = np.bincount(strata)
    if sizes[sizes > 1].sum() >= _FREE * table.n_rows and not any(table.numbers_of(j) is not None for j in always):
        return strata, False
    found = predicted()
    ranks = np.argsort(np.argsort(found, kind="stable"), kind="stable")
    return ranks * _TENTHS // len(ranks), True


def _look_at(
    tables: Iterator[CodeTable],
    looks: Sequence[Look],
    known: Values,
    is_last: bool,
    deadline: float,
    n_threads: int,
) -> Values:
    """What the looks find in each table, the real one first; what is known already is not looked at again."""

    def find(numbered: tuple[int, CodeTable]) -> list[Sequence[float]]:
        i, table = numbered
        before = known[i] if i < len(known) else []
        return before + [look(table) for look in looks[len(before) :]]

    values: Values = []
    for value in in_threads(find, enumerate(tables), n_threads):
        values.append(value)
        stage("comparing with chance", len(values) - 1, SHUFFLES)
        if len(values) > SHUFFLES or (len(values) > _FIRST_LOOK and _is_settled(values, is_last)):
            break
        if time.monotonic() >= deadline:
            break
    return values


def _is_settled(values: Values, is_last: bool) -> bool:
    """Whether further shuffles are of no use: there is nothing, or further looks have to tell."""
    if is_last:
        return (1 + _larger(values)) / (1 + SHUFFLES) > LEVEL
    lines = _lines(values)
    return not (lines[0] > lines[1:].max(axis=0)).any()


def _lines(values: Values) -> Floats:
    """All numbers of each table in a line."""
    return np.array([np.concatenate(line) for line in values])


def _combined(values: Values) -> Floats:
    """The largest value of each table, in standard deviations from the mean of all, up to the limit of its look."""
    lines = _lines(values)
    limits = np.repeat(_LIMITS[: len(values[0])], [len(found) for found in values[0]])
    spread = lines.std(axis=0)
    standard = (lines - lines.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return np.asarray(np.minimum(standard, limits).max(axis=1))


def _larger(values: Values) -> int:
    combined = _combined(values)
    return int((combined[1:] >= combined[0]).sum())


def _tables(
    table: CodeTable,
    encoded: Encoded | None,
    rng: np.random.Generator,
    binning: tuple[int, str],
    strata: NDArray[np.int64] | None,
) -> Iterator[CodeTable]:
    """The table, then the same with its target shuffled, again and again."""
    yield table
    strata = np.zeros(table.n_rows, dtype=np.int64) if strata is None else strata
    by_stratum = np.argsort(strata, kind="stable")
    while True:
        shuffled = rng.permutation(table.n_rows)
        order = np.empty(table.n_rows, dtype=np.int64)
        order[by_stratum] = shuffled[np.argsort(strata[shuffled], kind="stable")]
        classes, numbers = table.classes[order], None if table.numbers is None else table.numbers[order]
        if encoded is None:
            yield replace(table, classes=classes, numbers=numbers)
            continue
        y, kind = (classes, "classes") if numbers is None else (numbers, "numeric")
        with listening(lambda note: None):
            yield encode(encoded.source, y, *binning, kind).table


def usual_looks(
    criterion: Criterion, engine: str, always: Sequence[int], best_subset: Callable[[CodeTable], float]
) -> list[Look]:
    """What is looked for in a table and its shuffles: single columns, a pair and, by criteria that count, a subset.

    Only a search for a subset finds sets of three and more that no single column or pair shows. Models do not see them
    either.
    """
    looks: list[Look] = [
        partial(single_columns, engine=local_engine(engine), always=tuple(always)),
        partial(best_pair, engine=local_engine(engine), always=tuple(always)),
    ]
    if isinstance(criterion, TableCriterion):
        looks.append(lambda table: (_at_least(best_subset(table)),))
    return looks


def single_columns(table: CodeTable, engine: str, always: Sequence[int] = ()) -> tuple[float, float]:
    """How strongly the best single column goes with the target, and how strongly all of them do.

    Many columns that each tell a little are seen by the second number, the root mean square, and by nothing else.
    """
    found = strengths_alone(table)
    if found is None:
        with Scorers(table, engine, 1) as scorers:
            found = single_strengths(scorers.engine)
    strengths = np.delete(found, list(always)).round(_DIGITS)
    return _at_least(float(strengths.max())), float(np.sqrt(np.mean(np.maximum(strengths, 0.0) ** 2)))


def best_pair(table: CodeTable, engine: str, always: Sequence[int] = ()) -> tuple[float]:
    """How strongly the best pair of columns does."""
    free = np.setdiff1d(np.arange(table.n_columns), always)
    with Scorers(table.take(free) if len(always) else table, engine, 1, pair_work=PAIR_WORK) as scorers:
        return (_at_least(scorers.associations.strongest),)


def _at_least(value: float) -> float:
    return max(value, -1e9)  # without columns that differ, nothing is found
