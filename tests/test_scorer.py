import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from helpers import random_table
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from entropick import CrossEntropySelector, SubsetScorer
from entropick.criteria import CRITERIA, TableCriterion, Tables, plugin, reliable
from entropick.encode import CodeTable
from entropick.engine import make_engine

SEEDS = st.integers(0, 2**32 - 1)


@pytest.fixture
def table():
    return random_table(np.random.default_rng(0), 200, 6, 3, 3)


def any_table(seed, n_rows, n_columns):
    table = random_table(np.random.default_rng(seed), n_rows, n_columns, 3, 3)
    return np.stack(table.columns, axis=1).astype(int), table.classes


@pytest.mark.parametrize("criterion", CRITERIA)
@settings(max_examples=25)
@given(seed=SEEDS, n_rows=st.integers(2, 120), n_columns=st.integers(1, 6))
def test_renaming_levels_and_permuting_rows_or_columns_changes_no_score(criterion, seed, n_rows, n_columns):
    rng = np.random.default_rng(seed)
    codes, y = any_table(seed, n_rows, n_columns)
    assume(len(set(y)) > 1)
    masks = rng.random((10, n_columns)) < 0.5
    X, renamed = (np.array(list(letters))[codes] for letters in ("abc", "cab"))  # numbers are more than names
    scores = SubsetScorer(X, y, criterion)(masks)
    rows, columns = rng.permutation(n_rows), rng.permutation(n_columns)
    np.testing.assert_allclose(SubsetScorer(renamed, 2 - y, criterion)(masks), scores, atol=1e-9)
    np.testing.assert_allclose(SubsetScorer(X[rows], y[rows], criterion)(masks), scores, atol=1e-9)
    np.testing.assert_allclose(SubsetScorer(X[:, columns], y, criterion)(masks[:, columns]), scores, atol=1e-9)


@pytest.mark.parametrize("criterion", [name for name in CRITERIA if isinstance(CRITERIA[name], TableCriterion)])
@settings(max_examples=25)
@given(seed=SEEDS, n_rows=st.integers(2, 120), n_columns=st.integers(1, 6))
def test_repeating_a_column_changes_nothing(criterion, seed, n_rows, n_columns):
    X, y = any_table(seed, n_rows, n_columns)
    assume(len(set(y)) > 1)
    first, both, second = np.zeros((3, n_columns + 1), dtype=bool)
    rest = np.random.default_rng(seed).random(n_columns - 1) < 0.5
    for mask, place in ((first, [0]), (both, [0, -1]), (second, [-1])):
        mask[1:n_columns] = rest
        mask[place] = True
    scores = SubsetScorer(np.c_[X, X[:, 0]], y, criterion)([first, both, second])
    assert scores[0] == scores[1] == scores[2]


@settings(max_examples=15)
@given(seed=SEEDS, n_rows=st.integers(10, 150), n_jobs=st.integers(1, 6))
def test_a_search_has_one_answer_for_any_threads_and_engine_and_its_best_never_falls(seed, n_rows, n_jobs):
    X, y = any_table(seed, n_rows, 8)
    assume(len(set(y)) > 1)
    setting = {
        "effort": None,
        "min_samples": 40,
        "max_samples": 80,
        "min_elite": 5,
        "max_steps": 4,
        "random_state": seed,
    }
    answers = []
    for engine, jobs in (("native", 1), ("native", n_jobs), ("numpy", 1)):
        selector = CrossEntropySelector("reliable", engine=engine, n_jobs=jobs, **setting, null=False).fit(X, y)
        assert selector.n_steps_ == 4
        assert (np.diff(selector.trace_["best"]) >= 0).all()
        answers.append((selector.support_.tolist(), selector.score_, selector.probabilities_.tolist()))
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("criterion", ["plugin", "reliable", "bayes"])
def test_nothing_is_worth_nothing(criterion, table):
    assert SubsetScorer(table, criterion=criterion)(np.zeros((1, 6)))[0] == 0


def test_a_criterion_of_your_own_is_one_function(table):
    def half(class_sizes):
        tables = plugin(class_sizes)
        return Tables(lambda a: tables.block(a) / 2, lambda c, q: tables.cell(c, q) / 2, tables.constant / 2)

    masks = np.random.default_rng(0).random((5, 6)) < 0.5
    for engine in ("native", "numpy"):
        scores = SubsetScorer(table, criterion=half, engine=engine)(masks)
        np.testing.assert_allclose(scores, SubsetScorer(table)(masks) / 2, atol=1e-9)


def test_a_model_of_your_own_is_one_method(table):
    class Size:
        def bind(self, table):
            return lambda masks: masks.sum(axis=1).astype(float)

    assert SubsetScorer(table, criterion=Size())(np.tri(2, 6, dtype=bool)).tolist() == [1, 2]


def test_a_criterion_whose_values_are_not_one_per_size_is_refused(table):
    with pytest.raises(ValueError, match="one block value per size; got shape \\(3,\\) for"):
        SubsetScorer(table, criterion=lambda class_sizes: Tables(lambda a: np.zeros(3), lambda c, q: q * 0.0, 0.0))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_criterion_without_numbers_is_refused(value, table):
    with pytest.raises(ValueError, match="block values must be finite numbers"):
        SubsetScorer(table, criterion=lambda class_sizes: Tables(lambda a: a * value, lambda c, q: q * 0.0, 0.0))
    with pytest.raises(ValueError, match="cell values must be finite numbers"):
        SubsetScorer(table, criterion=lambda class_sizes: Tables(lambda a: a * 0.0, lambda c, q: q * value, 0.0))


@pytest.mark.parametrize("scale", [1e-12, 1e6, 1e100])
def test_a_criterion_may_have_values_of_any_size(scale, table):
    def scaled(class_sizes):
        return Tables(lambda a: a * -scale, lambda c, q: q * q * scale, 0.0)

    masks = np.random.default_rng(0).random((20, 6)) < 0.5
    native, twin = (
        SubsetScorer(table, criterion=scaled, engine=engine)._score(masks) for engine in ("native", "numpy")
    )
    np.testing.assert_array_equal(native, twin)
    assert native.max() > scale


def test_a_criterion_that_jumps_between_the_sizes_looked_at_is_refused():
    codes = (np.arange(5000) >= 2001).astype(np.uint8)  # blocks of 2001 and of 2999 rows
    table = CodeTable((codes,), np.array([2]), np.arange(5000) % 2)

    def spike(class_sizes):
        return Tables(lambda a: np.where(a == 2001, 1e9, 1.0), lambda c, q: q * 0.0, 0.0)

    with pytest.raises(ValueError, match="block values must not jump"):
        SubsetScorer(table, criterion=spike)([[True]])


@pytest.mark.parametrize("n_rows", [100, 1000, 1024, 1025, 1500, 4000, 10_000, 65_537])
def test_a_criterion_of_your_own_may_grow_with_the_size_of_a_block(n_rows):
    """The largest block there can be decides about the fixed point, not the largest that was looked at first."""
    classes = np.arange(n_rows) % 10
    table = CodeTable((np.zeros(n_rows, dtype=np.uint8), (classes % 3).astype(np.uint8)), np.array([1, 3]), classes)
    masks = [[False, False], [True, False], [True, True]]

    def twice(class_sizes):
        once = plugin(class_sizes)
        return Tables(lambda a: 2 * once.block(a), lambda c, q: 2 * once.cell(c, q), 2 * once.constant)

    expected = 2 * SubsetScorer(table)(masks)
    np.testing.assert_allclose(SubsetScorer(table, criterion=twice)(masks), expected, atol=2e-9)


def test_booleans_made_of_other_bytes_are_refused(table):
    masks = np.full((3, table.n_columns), 2, dtype=np.uint8).view(np.bool_)
    with pytest.raises(ValueError, match="masks must hold True and False; got booleans made of other bytes"):
        SubsetScorer(table)(masks)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_scorer_survives_pickling(criterion, table):
    masks = np.random.default_rng(0).random((5, 6)) < 0.5
    scorer = SubsetScorer(table, criterion=criterion)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(scorer))(masks), scorer(masks))


@pytest.mark.parametrize("criterion", ["plugin", "reliable"])
def test_bounds_are_never_too_low(criterion):
    rng = np.random.default_rng(0)
    for _ in range(20):
        scorer = SubsetScorer(random_table(rng, 60, 6, 3, 3), criterion=criterion)
        lower = rng.random((50, 6)) < 0.3
        upper = lower | (rng.random((50, 6)) < 0.5)
        between = lower | (upper & (rng.random((50, 6)) < 0.5))
        assert (scorer.bounds(lower, upper) >= scorer(between)).all()


def test_bounds_are_never_too_low_by_a_rounding():
    """Scores are shifted to where ten decimals round up or down: there one wrong bit in a bound is a wrong bound."""
    rng = np.random.default_rng(0)
    table = random_table(rng, 60, 6, 3, 3)
    masks = rng.random((40, 6)) < 0.4
    plain = make_engine("numpy", table).bind(reliable(table.class_sizes))(masks)
    to_the_edge = (np.floor(plain * 1e10) + 0.5) / 1e10 - plain
    ulps = np.spacing(plain) * np.log(2)
    for mask, shift, ulp in zip(masks[:, None], to_the_edge * np.log(2), ulps, strict=True):
        for steps in range(-3, 4):
            scorer = SubsetScorer(table, criterion=shifted(reliable, shift + steps * ulp), engine="numpy")
            assert scorer.bounds(mask, mask) >= scorer(mask)


def shifted(criterion, by):
    """The criterion with so many nats more."""

    def more(class_sizes):
        tables = criterion(class_sizes)
        upper, lower = tables.bound()
        bound = replace(upper, constant=upper.constant + by), lower
        return replace(tables, constant=tables.constant + by, bound=lambda: bound)

    return more


@pytest.mark.parametrize("criterion", CRITERIA)
def test_two_threads_on_one_scorer_get_the_scores_of_one(criterion):
    rng = np.random.default_rng(0)
    table = random_table(rng, 3000, 12, 4, 3)
    masks = rng.random((8, 40, 12)) < 0.4
    alone = [SubsetScorer(replace(table), criterion=criterion, n_jobs=1)(some) for some in masks]
    scorer = SubsetScorer(table, criterion=criterion, n_jobs=2)
    with ThreadPoolExecutor(2) as threads:
        np.testing.assert_array_equal(list(threads.map(scorer, masks)), alone)


def test_a_criterion_without_bounds_says_so(table):
    with pytest.raises(ValueError, match="must have a bound for an exact search by bounds, and 'bayes' has none"):
        SubsetScorer(table, criterion="bayes").bounds(np.zeros((1, 6)), np.ones((1, 6)))


def test_bad_masks_end_with_a_sentence(table):
    scorer = SubsetScorer(table)
    with pytest.raises(ValueError, match=r"masks must have shape \(n_subsets, 6\).*got \(6,\)"):
        scorer(np.ones(6, dtype=bool))
    with pytest.raises(ValueError, match="use a mask, not indices"):
        scorer([[0, 1, 2, 3, 4, 5]])
    assert scorer(np.empty((0, 6), dtype=bool)).shape == (0,)


def test_bad_arguments_end_with_a_sentence():
    X, y = [[0], [1]], [0, 1]
    with pytest.raises(ValueError, match="y must be given"):
        SubsetScorer(X)
    with pytest.raises(ValueError, match="unknown engine 'nativ'.*Did you mean 'native'"):
        SubsetScorer(X, y, engine="nativ")
    with pytest.raises(ValueError, match="unknown criterion 'plug-in'.*Did you mean 'plugin'"):
        SubsetScorer(X, y, "plug-in")
    with pytest.raises(ValueError, match="a CodeTable already has its classes"):
        SubsetScorer(random_table(np.random.default_rng(0), 5, 2, 2, 2), y)
    with pytest.raises(ValueError, match="n_jobs must be a number of threads"):
        SubsetScorer(X, y, n_jobs=0)
