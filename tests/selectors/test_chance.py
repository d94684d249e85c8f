"""A selection is compared with what a shuffled target gives, and nothing is selected from noise."""

from __future__ import annotations

import time
import warnings
from itertools import combinations

import numpy as np
import pytest

from entropick import CrossEntropySelector, SubsetScorer, SubsetSelector
from entropick.encode import encode
from entropick.report.words import certainty
from entropick.selectors import _chance, _searching
from entropick.selectors._chance import LEVEL, SHUFFLES, against_chance, luck_of_any_subset

pytestmark = pytest.mark.all_shuffles


def coins(seed, n=200, m=15):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (n, m)), rng.integers(0, 2, n)


def signal(seed, n=500, m=30):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, (n, m)), rng.integers(0, 2, n)
    X[:, 5] = np.where(rng.random(n) < 0.66, y, 1 - y)
    return X, y


def test_noise_gives_the_empty_set_and_a_sentence():
    X, y = coins(0)
    with pytest.warns(UserWarning, match="no column is better than chance"):
        selector = CrossEntropySelector(random_state=0).fit(X, y)
    assert selector.n_features_ == 0
    assert selector.score_ == 0
    assert selector.p_value_ > LEVEL
    assert [note.code for note in selector.record_.notes] == ["nothing_there"]
    with pytest.warns(UserWarning, match="no column was selected"):
        assert selector.transform(X).shape == (200, 0)


@pytest.mark.parametrize("criterion", ["auto", "linear", "naive", "reliable", "bayes"])
def test_noise_rarely_gives_anything(criterion):
    wrong = 0
    for seed in range(8):
        X, y = coins(seed, 100, 8)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            wrong += CrossEntropySelector(criterion, random_state=0).fit(X, y).n_features_ > 0
    assert wrong <= 1


def test_a_weak_column_is_kept_with_the_least_p_value_that_the_shuffles_allow():
    X, y = signal(0)
    selector = CrossEntropySelector(random_state=0).fit(X, y)
    assert selector.support_[5]
    assert selector.p_value_ == 1 / (1 + SHUFFLES)


def test_a_numeric_target_is_tested_as_a_number():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 10))
    with pytest.warns(UserWarning, match="better than chance"):
        assert CrossEntropySelector(random_state=0).fit(X, rng.normal(size=150)).n_features_ == 0
    found = CrossEntropySelector(random_state=0).fit(X, X[:, 2] + rng.normal(size=150))
    assert found.support_[2]
    assert found.p_value_ == 1 / (1 + SHUFFLES)


def test_columns_that_must_stay_stay():
    X, y = coins(2)
    with pytest.warns(UserWarning, match="better than chance"):
        selector = CrossEntropySelector(always=[3], random_state=0).fit(X, y)
    assert selector.get_support(indices=True).tolist() == [3]


@pytest.mark.parametrize(
    "settings",
    [{"null": False, "luck": 0}, {"n_features_to_select": 2}, {"criterion": "plugin"}],
    ids=lambda s: next(iter(s)),
)
def test_it_can_be_turned_off_and_is_off_where_it_makes_no_sense(settings):
    X, y = coins(3)
    selector = CrossEntropySelector(random_state=0, **settings).fit(X, y)
    assert selector.p_value_ is None
    assert selector.n_features_ > 0


def test_the_paper_has_no_such_test():
    X, y = coins(3)
    assert CrossEntropySelector.paper(random_state=0).fit(X, y).p_value_ is None


def test_the_same_seed_gives_the_same_p_value_whatever_the_threads():
    X, y = coins(4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        values = {CrossEntropySelector(random_state=7, n_jobs=n).fit(X, y).p_value_ for n in (1, 2)}
    assert len(values) == 1


def test_every_search_is_tested():
    X, y = coins(5)
    with pytest.warns(UserWarning, match="better than chance"):
        assert SubsetSelector("forward", random_state=0).fit(X, y).n_features_ == 0


def test_bins_that_look_at_y_are_made_again_for_every_shuffle():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), np.repeat([0, 1], 40)
    X[:, 0] += 3 * y
    encoded = encode(X, y, 5, "mdlp")
    levels = []
    against_chance(encoded, [lambda table: levels.append(table.levels.tolist()) or [0.0]], 0, (5, "mdlp"))
    assert len({tuple(some) for some in levels}) > 1


def values_of(values):
    """A look that finds these values, in the real table first, then in the shuffled ones."""
    iterator = iter(values)
    return lambda table: [float(next(iterator))]


def test_p_values_count_the_shuffles_that_find_as_much():
    encoded = encode([[0], [1]] * 10, [0, 1] * 10)
    rng = np.random.default_rng(0)
    strong = against_chance(encoded, [values_of([100.0, *rng.normal(size=SHUFFLES)])], 0, (5, "quantile"))
    assert strong.p_value == 0.01
    assert strong.n_shuffles == SHUFFLES
    assert strong.finds_something
    second = against_chance(encoded, [values_of([9.0, 10.0, *rng.normal(size=SHUFFLES - 1)])], 0, (5, "quantile"))
    assert second.p_value == 0.02
    assert second.finds_something
    third = against_chance(encoded, [values_of([9.0, 10.0, 10.0, *rng.normal(size=SHUFFLES)])], 0, (5, "quantile"))
    assert not third.finds_something
    assert third.n_shuffles < SHUFFLES


def test_on_average_noise_passes_as_often_as_the_level_says():
    encoded = encode([[0], [1]] * 10, [0, 1] * 10)
    rng = np.random.default_rng(1)
    looks = [lambda table: rng.gumbel(size=2), lambda table: [rng.gumbel()]]
    tests = [against_chance(encoded, looks, 0, (5, "quantile")).finds_something for _ in range(1000)]
    assert np.mean(tests) == pytest.approx(LEVEL, abs=3 * np.sqrt(LEVEL / 1000))


def test_what_an_early_look_finds_makes_later_ones_needless():
    encoded = encode([[0], [1]] * 10, [0, 1] * 10)
    rng = np.random.default_rng(3)
    noise = rng.normal(size=SHUFFLES)

    def never(table):
        raise AssertionError("this look is dear")

    found = against_chance(encoded, [values_of([50.0, *noise]), never, never], 0, (5, "quantile"))
    assert found.p_value == 1 / (1 + SHUFFLES)
    by_pairs = [values_of([0.0, *noise]), values_of([50.0, *noise]), never]
    assert against_chance(encoded, by_pairs, 0, (5, "quantile")).p_value == 1 / (1 + SHUFFLES)


def test_of_all_that_a_look_finds_the_largest_counts():
    encoded = encode([[0], [1]] * 10, [0, 1] * 10)
    rng = np.random.default_rng(8)
    found = iter([(0.0, 50.0), *rng.normal(size=(SHUFFLES, 2))])
    assert against_chance(encoded, [lambda table: next(found)], 0, (5, "quantile")).p_value == 1 / (1 + SHUFFLES)


def test_many_columns_that_each_tell_a_little_are_found_together():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 100)
    X = rng.normal(size=(100, 60)) + 0.35 * y[:, None]
    encoded = encode(X, y)
    strongest, together = np.array([_chance.single_columns(encoded.table, "native", 1)])[0]
    looks = [lambda table: _chance.single_columns(table, "native", 1)[1:]]
    alone = [lambda table: _chance.single_columns(table, "native", 1)[:1]]
    assert strongest > together
    assert against_chance(encoded, looks, 0, (5, "quantile")).p_value == 1 / (1 + SHUFFLES)
    assert not against_chance(encoded, alone, 0, (5, "quantile")).finds_something


def test_what_only_the_last_look_finds_is_found():
    encoded = encode([[0], [1]] * 10, [0, 1] * 10)
    rng = np.random.default_rng(4)
    looks = [values_of([first, *rng.normal(size=SHUFFLES)]) for first in (0.0, 1.0, 50.0)]
    assert against_chance(encoded, looks, 0, (5, "quantile")).p_value == 1 / (1 + SHUFFLES)


def test_each_table_is_looked_at_once_in_each_way():
    encoded = encode([[0], [1]] * 10, [0, 1] * 10)
    rng = np.random.default_rng(5)
    seen = [[], []]

    def look(i):
        return lambda table: seen[i].append(table.classes.tolist()) or [rng.normal()]

    against_chance(encoded, [look(0), look(1)], 0, (5, "quantile"))
    assert seen[1] == seen[0][: len(seen[1])]  # the same shuffles
    assert len({tuple(classes) for classes in seen[0]}) == len(seen[0])


def test_a_time_limit_within_a_late_look_leaves_what_the_earlier_ones_found(monkeypatch):
    encoded = encode([[0], [1]] * 10, [0, 1] * 10)
    clock = iter(range(1000))
    monkeypatch.setattr(_chance.time, "monotonic", lambda: next(clock))
    noise = np.random.default_rng(6).normal(size=SHUFFLES)
    looks = [values_of([3.0, *noise]), values_of([0.0, *noise])]
    found = against_chance(encoded, looks, 0, (5, "quantile"), deadline=SHUFFLES + 10)
    assert found.n_shuffles == SHUFFLES
    assert found.p_value == (1 + (noise >= 3).sum()) / (1 + SHUFFLES)


def test_without_time_for_enough_shuffles_the_tail_is_fitted_and_that_is_known(monkeypatch):
    encoded = encode([[0], [1]] * 10, [0, 1] * 10)
    rng = np.random.default_rng(2)
    clock = iter(range(1000))
    monkeypatch.setattr(_chance.time, "monotonic", lambda: next(clock))
    found = against_chance(encoded, [values_of([30.0, *rng.normal(size=200)])], 0, (5, "quantile"), deadline=25)
    assert found.is_fitted
    assert found.p_value < 1e-4
    assert found.n_shuffles == 25
    nothing = against_chance(encoded, [values_of([0.5, *rng.normal(size=200)])], 0, (5, "quantile"), deadline=60)
    assert not nothing.finds_something


@pytest.mark.filterwarnings("ignore:there was no time to compare")  # on a busy machine
def test_a_time_limit_holds_for_the_test_too():
    X, y = signal(1, 2000, 60)
    began = time.monotonic()
    selector = CrossEntropySelector(half_samples=0, random_state=0, max_seconds=1).fit(X, y)
    assert time.monotonic() - began < 4
    assert selector.n_features_ > 0


def test_too_few_shuffles_say_nothing(monkeypatch):
    encoded = encode([[0], [1]] * 10, [0, 1] * 10)
    clock = iter(range(1000))
    monkeypatch.setattr(_chance.time, "monotonic", lambda: next(clock))
    values = np.random.default_rng(2).normal(size=200)
    assert against_chance(encoded, [values_of([30.0, *values])], 0, (5, "quantile"), deadline=5) is None


def parity(n_columns, n=600):
    rng = np.random.default_rng(n_columns)
    X = rng.integers(0, 2, (n, n_columns))
    return X, X[:, 1] ^ X[:, 4] ^ X[:, 7]


def test_the_bound_speaks_where_the_quick_looks_see_nothing(monkeypatch):
    X, y = parity(20)
    monkeypatch.setattr(_searching, "against_chance", lambda *args: _chance.ChanceTest(0.5, 19))
    found = CrossEntropySelector("reliable", random_state=0).fit(X, y)
    assert (found.p_value_, found.n_features_) == (_chance.CERTAIN, 3)
    assert "p < 0.000001: the luckiest of all subsets of up to 3 columns" in certainty(found.report().result)
    for settings in ({"always": [0]}, {"binning": "mdlp"}):
        with pytest.warns(UserWarning, match="no column is better than chance"):
            assert CrossEntropySelector("reliable", random_state=0, **settings).fit(X, y).p_value_ == 0.5


def test_the_bound_is_not_fooled_by_the_best_of_all_small_subsets_of_noise():
    for seed in range(20):
        X, y = coins(seed)
        table = encode(X, y).table
        masks = np.array([[j in some for j in range(15)] for k in (1, 2, 3) for some in combinations(range(15), k)])
        best = masks[SubsetScorer(table, None, "plugin")(masks).argmax()]
        assert luck_of_any_subset(table, best) > 0.01


def test_the_bound_says_nothing_of_small_cells():
    X, y = parity(20, n=60)
    table = encode(X, y).table
    assert luck_of_any_subset(table, np.isin(np.arange(20), [1, 4, 7])) == 1.0
