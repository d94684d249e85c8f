"""The set of a half grows by the best column, or by the best pair of columns."""

from itertools import combinations

import numpy as np
import pytest

from entropick import SubsetScorer
from entropick.criteria import CRITERIA
from entropick.encode import encode
from entropick.path import _grow
from entropick.path._grow import Grower


def masks_of(size, m):
    return np.array([[j in some for j in range(m)] for some in combinations(range(m), size)])


def grown(table, criterion="linear", always=(), never=(), exchanges=2, sizes=None):
    """Its sets by size, its places, and whether the scores it compared were those of the criterion."""
    criterion = CRITERIA[criterion].on(table)
    grower = Grower(table, criterion, always, never, "auto", exchanges)
    scorer = SubsetScorer(table, None, criterion, n_jobs=1)
    while grower.size < (sizes or table.n_columns) and not grower.is_whole:
        grower.grow()
        assert grower.score == pytest.approx(scorer(grower.sets[grower.size][None])[0], abs=1e-9)
    grower.close()
    return grower, scorer


def table_of(seed, n=200, m=7, target="classes"):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m))
    X[:, 1] = X[:, 0] + 0.7 * rng.normal(size=n)
    X[:, 2] = rng.integers(0, 3, n)
    signal = X[:, 0] - X[:, 3] + 0.6 * X[:, 4] * X[:, 5] + 0.5 * rng.normal(size=n)
    return encode(X, signal > 0 if target == "classes" else signal).table


CASES = [
    (criterion, target)
    for criterion in ("auto", "linear", "naive", "reliable", "one_dependence")
    for target in ("classes", "numbers")
    if target == "classes" or criterion in ("auto", "linear")
]


@pytest.mark.parametrize(("criterion", "target"), CASES)
def test_the_first_column_is_the_best_of_all_and_no_exchange_makes_a_set_worse(criterion, target):
    for seed in range(3):
        table = table_of(seed, target=target)
        grower, scorer = grown(table, criterion)
        plain, _ = grown(table, criterion, exchanges=0)
        assert sorted(grower.sets) == list(range(8))
        best = scorer(masks_of(1, 7)).max()
        assert scorer(grower.sets[1][None])[0] == best
        for size in range(1, 8):
            assert grower.sets[size].sum() == size
            # Not worse than the best column beside the set before it, nor than the best pair beside the one before.
            before = grower.sets[size - 1]
            beside = np.array([before | (np.arange(7) == j) for j in np.flatnonzero(~before)])
            assert scorer(grower.sets[size][None])[0] >= scorer(beside).max() - 1e-9
        assert scorer(grower.sets[2][None])[0] >= scorer(plain.sets[2][None])[0] - 1e-9


def test_a_place_is_the_size_at_which_a_column_is_first_there_and_stays():
    left = 0
    for seed in range(4):
        grower, _ = grown(table_of(seed, n=80, m=8), "one_dependence", sizes=6)
        for j in range(8):
            sizes = [size for size in range(1, 7) if grower.sets[size][j]]
            stays = [size for size in sizes if size + 1 in sizes or size == 6]
            assert grower.places[j] == (min(stays) if stays else np.inf)
            left += bool(sizes) and grower.places[j] != min(sizes)
        assert np.isinf(grower.places).any()
    assert left > 0  # a column that had to give way at once was not the first


def test_the_strongest_column_that_gives_way_to_a_pair_is_not_the_first():
    X, y = xor(0)
    X[:, 0] = np.where(np.random.default_rng(1).random(300) < 0.4, 1 - y, y)
    grower, _ = grown(encode(X, y).table, "one_dependence", sizes=3)
    assert np.flatnonzero(grower.sets[1]).tolist() == [0]
    assert np.flatnonzero(grower.sets[2]).tolist() == [4, 9]
    assert grower.places[[4, 9]].tolist() == [2, 2]
    assert grower.places[0] >= 3


def xor(seed, m=12, n=300):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, m))
    y = np.where(rng.random(n) < 0.05, 0, 1) ^ X[:, 4] ^ X[:, 9]
    return X, y


@pytest.mark.parametrize("criterion", ["one_dependence", "blend", "reliable"])
def test_a_pair_that_only_works_together_is_found(criterion):
    for seed in range(3):
        X, y = xor(seed)
        grower, _ = grown(encode(X, y).table, criterion, sizes=3)
        assert np.flatnonzero(grower.sets[2]).tolist() == [4, 9]
        assert grower.places[[4, 9]].max() == 2


def test_a_pair_comes_in_beside_what_was_chosen_before():
    X, y = xor(0)
    X[:, 0] = np.where(np.random.default_rng(1).random(300) < 0.3, 1 - y, y)
    grower, _ = grown(encode(X, y).table, "one_dependence", sizes=3)
    assert np.flatnonzero(grower.sets[1]).tolist() == [0]
    assert grower.sets[3][[4, 9]].all()


@pytest.mark.parametrize("criterion", ["auto", "reliable"])
def test_columns_to_keep_are_always_inside_and_those_to_leave_out_never(criterion):
    table = table_of(0)
    grower, _ = grown(table, criterion, always=[6, 2], never=[0, 3])
    assert sorted(grower.sets) == [2, 3, 4, 5]
    for mask in grower.sets.values():
        assert mask[[2, 6]].all()
        assert not mask[[0, 3]].any()
    assert grower.places[[2, 6]].tolist() == [0, 0]
    assert np.isinf(grower.places[[0, 3]]).all()
    assert grower.is_whole
    size = grower.size
    grower.grow()  # changes nothing
    assert grower.size == size


def test_a_wide_half_is_screened_inside_the_half(monkeypatch):
    monkeypatch.setattr(_grow, "MOST_COLUMNS", 8)
    monkeypatch.setattr(_grow, "_FEWEST", 8)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 40))
    y = X[:, 17] + X[:, 30] + 0.3 * rng.normal(size=200) > 0
    grower, _ = grown(encode(X, y).table, "linear", always=[3], never=[30], sizes=8)
    assert len(grower.columns) <= 8
    assert {3, 17} <= set(grower.columns.tolist())
    assert 30 not in grower.columns
    assert grower.sets[2][[3, 17]].all()
    assert len(grower.sets[2]) == 40


def test_of_equal_columns_the_first_wins():
    X = np.random.default_rng(0).integers(0, 2, (100, 3))[:, [2, 1, 0, 0, 1]]
    grower, _ = grown(encode(X, X[:, 2]).table, "reliable", sizes=1)
    assert np.flatnonzero(grower.sets[1]).tolist() == [2]


@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_trying_first_what_gained_most_finds_what_trying_all_does(target, monkeypatch):
    """Where nothing gains more beside a larger set but pairs that are known."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 80))
    X[:, 7:10] = rng.integers(0, 2, (300, 3))
    signal = X[:, :5] @ [1, 0.8, 0.7, 0.6, 0.5] + 1.5 * (X[:, 7] == X[:, 8]) + 0.5 * rng.normal(size=300)
    table = encode(X, signal > np.median(signal) if target == "classes" else signal).table
    few, _ = grown(table, "auto", sizes=8)
    monkeypatch.setattr(_grow, "_TRIED", 1000)
    every, _ = grown(table, "auto", sizes=8)
    for size in range(6):
        np.testing.assert_array_equal(few.sets[size], every.sets[size])
    assert few.score == pytest.approx(every.score, abs=0.005)  # which of the useless ones is better may change


def test_only_those_that_may_be_best_are_scored(monkeypatch):
    rng = np.random.default_rng(6)
    X = rng.normal(size=(200, 150))
    table = encode(X, X[:, :4].sum(axis=1) + rng.normal(size=200)).table
    criterion = CRITERIA["linear"].on(table)
    grower = Grower(table, criterion, (), (), "auto", 0)
    scored = []
    near = grower.scorer.near
    monkeypatch.setattr(grower.scorer, "near", lambda masks, center: scored.append(len(masks)) or near(masks, center))
    for _ in range(6):
        grower.grow()
    grower.close()
    assert sum(scored) < 150 + 5 * 80
