"""Is there anything at all? What is found is compared with what is found about a shuffled target."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from entropick._stages import stage
from entropick.criteria import Criterion, RowCriterion, TableCriterion
from entropick.encode import CodeTable, Encoded, encode
from entropick.notes import listening
from entropick.scorer import Scorers
from entropick.search import CrossEntropy, Run, drive
from entropick.selectors._problem import QUICK_PAIR_WORK, Problem
from entropick.selectors._threads import in_threads

LEVEL = 0.02  # a selection whose p-value is above this is not kept
SHUFFLES = 99
_FIRST_LOOK = 19  # shuffles before the test may end early, because there is clearly nothing
_MOST_ROWS = 100_000  # in which single columns and pairs are looked at; of a larger table a fixed sample is
_SEARCHED_ROWS = 5_000  # in which the search for each shuffle is made
_MOST_COLUMNS = 100  # that a search for each shuffle tries; of more, the most promising
_TAIL = 9  # shuffles needed to say anything: to fit a tail, if time does not allow as many as the level needs

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ChanceTest:
    """How what was found compares with what is found when y is shuffled.

    Attributes
    ----------
    p_value : float
        The share of shuffled targets, and of the real one, about which at least as much is found.
    n_shuffles : int
        The number of shuffles; fewer than planned if they settled it.
    is_fitted : bool
        Whether the p-value comes from a fitted tail, because there was no time for enough shuffles.
    """

    p_value: float
    n_shuffles: int
    is_fitted: bool = False

    @property
    def finds_something(self) -> bool:
        """Whether this is more than chance explains."""
        return self.p_value <= LEVEL


def against_chance(
    encoded: Encoded,
    statistics: Callable[[CodeTable], Floats],
    seed: int,
    binning: tuple[int, str],
    deadline: float = inf,
    n_threads: int = 1,
) -> ChanceTest | None:
    """Compare the statistics of a table with those of the same table with its target shuffled.

    None if the time is up before there are enough shuffles to say anything.

    Each statistic is put on the scale of all its values, real and shuffled, and the largest counts. Equal treatment of
    the real and the shuffled targets makes the p-value (1 + b) / (1 + B) exact, for b of B shuffles.

    Parameters
    ----------
    encoded : Encoded
        The table.
    statistics : callable
        Function from a table to a few numbers, larger if more is found. It repeats everything that looks at y.
    seed : int
        Where the shuffles come from.
    binning : tuple of int and str
        Settings ``n_bins`` and ``binning`` of the encoding, which is repeated if it looks at y.
    deadline : float
        When to stop, by ``time.monotonic()``.
    n_threads : int
        How many tables are looked at at the same time.
    """
    values: list[Floats] = []
    for value in in_threads(statistics, _tables(encoded, seed, binning), n_threads):
        values.append(value)
        stage("comparing with chance", len(values) - 1, SHUFFLES)
        is_settled = len(values) > _FIRST_LOOK and (1 + _larger(values)) / (1 + SHUFFLES) > LEVEL
        if is_settled or len(values) > SHUFFLES or time.monotonic() >= deadline:
            break
    n_shuffles = len(values) - 1
    if n_shuffles < _TAIL:
        return None
    p_value = (1 + _larger(values)) / (1 + n_shuffles)
    if 1 / (1 + n_shuffles) > LEVEL and p_value == 1 / (1 + n_shuffles):
        return ChanceTest(_tail(values), n_shuffles, is_fitted=True)
    return ChanceTest(p_value, n_shuffles)


def _combined(values: list[Floats]) -> Floats:
    """The largest statistic of each table, in standard deviations from the mean of all."""
    lines = np.array(values)
    spread = lines.std(axis=0)
    return np.asarray(((lines - lines.mean(axis=0)) / np.where(spread > 0, spread, 1.0)).max(axis=1))


def _larger(values: list[Floats]) -> int:
    combined = _combined(values)
    return int((combined[1:] >= combined[0]).sum())


def _tail(values: list[Floats]) -> float:
    """The p-value by a Gumbel distribution, that of maxima, fitted to what the shuffles gave."""
    lines = np.array(values)
    shuffled = lines[1:]
    spread = np.where(shuffled.std(axis=0) > 0, shuffled.std(axis=0, ddof=1), 1.0)
    combined = ((lines - shuffled.mean(axis=0)) / spread).max(axis=1)
    scale = combined[1:].std(ddof=1) * np.sqrt(6) / np.pi
    place = combined[1:].mean() - np.euler_gamma * scale
    return float(-np.expm1(-np.exp(-(combined[0] - place) / scale))) if scale > 0 else 1.0


def _tables(encoded: Encoded, seed: int, binning: tuple[int, str]) -> Iterator[CodeTable]:
    """The table, then the same with its target shuffled, again and again."""
    rng = np.random.default_rng([seed, 1])
    table = encoded.table
    looks_at_y = binning[1] == "mdlp"
    table = table if looks_at_y else _some_rows(table, _MOST_ROWS)
    yield table
    while True:
        order = rng.permutation(table.n_rows)
        classes, numbers = table.classes[order], None if table.numbers is None else table.numbers[order]
        if looks_at_y:
            y, kind = (classes, "classes") if numbers is None else (numbers, "numeric")
            with listening(lambda note: None):
                yield encode(encoded.source, y, *binning, kind).table
        else:
            yield replace(table, classes=classes, numbers=numbers)


def _some_rows(table: CodeTable, most: int) -> CodeTable:
    """The table, or a fixed sample of the rows of a larger one."""
    if table.n_rows <= most:
        return table
    rows = np.sort(np.random.default_rng(0).choice(table.n_rows, most, replace=False))
    if "some rows" not in table.of_columns:  # the same for every shuffle
        table.of_columns["some rows"] = table.take_rows(rows)
    known: CodeTable = table.of_columns["some rows"]
    classes = np.unique(table.classes[rows], return_inverse=True)[1].reshape(-1)
    return replace(known, classes=classes, numbers=None if table.numbers is None else table.numbers[rows])


def found_in(
    table: CodeTable,
    criterion: Criterion,
    *,
    most: int | None,
    parsimony: float,
    engine: str,
    n_jobs: int,
    seed: int,
) -> Floats:
    """How much is found in a table: by the best single column, the best pair, and the best subset of a quick search."""
    with Scorers(table, engine, n_jobs, pair_work=QUICK_PAIR_WORK) as scorers:
        found = scorers.associations
        values = [found.single.max(), found.strongest]
        narrow = table if table.n_columns <= _MOST_COLUMNS else table.take(scorers.screened(_MOST_COLUMNS))
        narrow = _some_rows(narrow, _SEARCHED_ROWS)
    if isinstance(criterion, TableCriterion | RowCriterion):
        with Scorers(narrow, engine, n_jobs, pair_work=QUICK_PAIR_WORK) as scorers:
            most = None if most is None else min(most, narrow.n_columns)
            problem = Problem.of(scorers, criterion.quick, most=most, parsimony=parsimony, hints=True)
            run = Run(CrossEntropy(effort="low"), problem.space, seed)
            drive(run, problem.score)
            values.append(run.best_score)
    return np.asarray(np.maximum(values, -1e9))  # without columns that differ, nothing is found
