"""Is there anything at all? What is found is compared with what is found about a shuffled target."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import comb, exp, inf, log

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy
from scipy.stats import chi2

from entropick._stages import stage
from entropick.association import single_strengths
from entropick.criteria import Criterion, RowCriterion, TableCriterion
from entropick.encode import CodeTable, Encoded, encode, joint_codes
from entropick.engine import local_engine
from entropick.notes import listening
from entropick.scorer import Scorers
from entropick.search import CrossEntropy, Run, drive
from entropick.selectors._problem import QUICK_PAIR_WORK, Problem
from entropick.selectors._threads import in_threads

LEVEL = 0.02  # a selection whose p-value is above this is not kept
SHUFFLES = 99
_FIRST_LOOK = 19  # shuffles before the test may end early, because there is clearly nothing
_MOST_ROWS = 100_000  # in which single columns and pairs are looked at; of a larger table a fixed sample is
_CELLS = 5_000_000  # of a table whose numbers are read once for all shuffles
_SEARCHED_ROWS = 5_000  # in which the search for each shuffle is made
_MOST_COLUMNS = 100  # that a search for each shuffle tries; of more, the most promising
_LIMITS = (inf, 5.5, 5.0)  # standard deviations up to which what each look finds counts
_LEAST_EXPECTED = 5.0  # rows of a cell, for the χ² distribution to hold
CERTAIN = 1e-6  # a bound below this settles that something is there; no p-value is said to be less
_TAIL = 9  # shuffles needed to say anything: to fit a tail, if time does not allow as many as the level needs

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
    is_fitted : bool
        Whether the p-value comes from a fitted tail, because there was no time for enough shuffles.
    is_bound : bool
        Whether the p-value is a bound over all subsets, because the quick looks of the shuffles did not find what the
        search found; see `luck_of_any_subset`.
    """

    p_value: float
    n_shuffles: int
    is_fitted: bool = False
    is_bound: bool = False

    @property
    def finds_something(self) -> bool:
        """Whether this is more than chance explains."""
        return self.p_value <= LEVEL


def against_chance(
    encoded: Encoded,
    looks: Sequence[Look],
    seed: int,
    binning: tuple[int, str],
    deadline: float = inf,
    n_threads: int = 1,
) -> ChanceTest | None:
    """Compare what is found in a table with what is found in the same table with its target shuffled.

    None if the time is up before there are enough shuffles to say anything.

    What each look finds is put on the scale of all its values, real and shuffled, and the largest counts; equal
    treatment of the real and the shuffled targets makes the p-value (1 + b) / (1 + B) exact, for b of B shuffles. Later
    looks count up to a limit. So, where an earlier one finds more than that about the real target, the later ones
    cannot change anything and are not taken.

    Parameters
    ----------
    encoded : Encoded
        The table.
    looks : sequence of callable
        At most three functions from a table to numbers that are larger if more is found; the dearest last. Together
        they repeat everything that looks at y.
    seed : int
        Where the shuffles come from.
    binning : tuple of int and str
        Settings ``n_bins`` and ``binning`` of the encoding, which is repeated if it looks at y.
    deadline : float
        When to stop, by ``time.monotonic()``.
    n_threads : int
        How many tables are looked at at the same time.
    """
    values: Values = []
    for depth in range(1, len(looks) + 1):
        before, tables = values, _tables(encoded, seed, binning)
        values = _look_at(tables, looks[:depth], before, depth == len(looks), deadline, n_threads)
        if time.monotonic() >= deadline:
            values = max(values, before, key=len)
            break
        if depth < len(looks) and len(values) > SHUFFLES and _combined(values)[0] > _LIMITS[depth]:
            break
    n_shuffles = len(values) - 1
    if n_shuffles < _TAIL:
        return None
    p_value = (1 + _larger(values)) / (1 + n_shuffles)
    if 1 / (1 + n_shuffles) > LEVEL and p_value == 1 / (1 + n_shuffles):
        return ChanceTest(_tail(values), n_shuffles, is_fitted=True)
    return ChanceTest(p_value, n_shuffles)


def luck_of_any_subset(table: CodeTable, mask: NDArray[np.bool_]) -> float:
    """A bound on the probability that some subset of as few columns tells as much about a shuffled target.

    For one subset and a shuffled y, G = 2n·I(U;y), in nats, has about a χ² distribution with (blocks − 1)(classes − 1)
    degrees of freedom. The sum over all subsets with at most as many columns bounds what any search can find. It is 1
    if cells are too small for that: if less than five rows are to be expected in one of them.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, (400, 20))
    >>> table = encode(X, X[:, 0] ^ X[:, 1] ^ X[:, 2]).table
    >>> luck_of_any_subset(table, np.arange(20) < 3) < 1e-50, luck_of_any_subset(table, np.arange(20) < 2)
    (True, 1.0)
    """
    blocks = joint_codes((table.columns[j] for j in np.flatnonzero(mask)), table.n_rows)
    counts = np.zeros((int(blocks.max()) + 1, len(table.class_sizes)))
    np.add.at(counts, (blocks, table.classes), 1.0)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / table.n_rows
    if expected.min() < _LEAST_EXPECTED:
        return 1.0
    g = 2 * float(xlogy(counts, counts / expected).sum())
    n_subsets = sum(comb(table.n_columns, k) for k in range(1, int(mask.sum()) + 1))
    of_one = float(chi2.logsf(g, (counts.shape[0] - 1) * (counts.shape[1] - 1)))
    return exp(min(0.0, of_one + log(n_subsets)))


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


def _tail(values: Values) -> float:
    """The p-value by a Gumbel distribution, that of maxima, fitted to what the shuffles gave."""
    lines = _lines(values)
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
    table = table if looks_at_y else _some_rows(table, _MOST_ROWS).read(_CELLS)
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
        return table.in_memory()
    rows = np.sort(np.random.default_rng(0).choice(table.n_rows, most, replace=False))
    if "some rows" not in table.of_columns:  # the same for every shuffle
        table.of_columns["some rows"] = table.take_rows(rows)
    known: CodeTable = table.of_columns["some rows"]
    classes = np.unique(table.classes[rows], return_inverse=True)[1].reshape(-1)
    return replace(known, classes=classes, numbers=None if table.numbers is None else table.numbers[rows])


def usual_looks(criterion: Criterion, engine: str, *, most: int | None, parsimony: float, seed: int) -> list[Look]:
    """What is looked for in a table and its shuffles: single columns, a pair and, if that is quick, a subset."""
    looks: list[Look] = [
        partial(single_columns, engine=local_engine(engine), n_jobs=1),
        partial(best_pair, engine=local_engine(engine), n_jobs=1),
    ]
    if isinstance(criterion, TableCriterion | RowCriterion):
        search = partial(best_subset, criterion=criterion, most=most, parsimony=parsimony, seed=seed)
        looks.append(partial(search, engine=local_engine(engine), n_jobs=1))
    return looks


def single_columns(table: CodeTable, engine: str, n_jobs: int) -> tuple[float, float]:
    """How strongly the best single column goes with the target, and how strongly all of them do.

    Many columns that each tell a little are seen by the second number, the root mean square, and by nothing else.
    """
    with Scorers(table, engine, n_jobs) as scorers:
        strengths = single_strengths(scorers.engine)
    return _at_least(float(strengths.max())), float(np.sqrt(np.mean(np.maximum(strengths, 0.0) ** 2)))


def best_pair(table: CodeTable, engine: str, n_jobs: int) -> tuple[float]:
    """How strongly the best pair of columns does."""
    with Scorers(table, engine, n_jobs, pair_work=QUICK_PAIR_WORK) as scorers:
        return (_at_least(scorers.associations.strongest),)


def best_subset(
    table: CodeTable,
    criterion: Criterion,
    *,
    most: int | None,
    parsimony: float,
    engine: str,
    n_jobs: int,
    seed: int,
) -> tuple[float]:
    """The score of the best subset that a quick search finds; in a wide table, among the most promising columns."""
    narrow = table
    if table.n_columns > _MOST_COLUMNS:  # what pairs of the others show, another look has seen
        with Scorers(table, engine, n_jobs) as scorers:
            strongest = np.argsort(-single_strengths(scorers.engine), kind="stable")[:_MOST_COLUMNS]
        narrow = table.take(np.sort(strongest))
    narrow = _some_rows(narrow, _SEARCHED_ROWS)
    with Scorers(narrow, engine, n_jobs, pair_work=QUICK_PAIR_WORK) as scorers:
        most = None if most is None else min(most, narrow.n_columns)
        problem = Problem.of(scorers, criterion.quick, most=most, parsimony=parsimony, hints=True)
        run = Run(CrossEntropy(effort="low"), problem.space, seed)
        drive(run, problem.score, near=problem.near)
        return (_at_least(run.best_score),)


def _at_least(value: float) -> float:
    return max(value, -1e9)  # without columns that differ, nothing is found
