"""What is found is compared with what is found about shuffled targets."""

import warnings

import numpy as np
import pytest

from entropick import CrossEntropySelector
from entropick.criteria import CRITERIA
from entropick.encode import encode
from entropick.notes import listening
from entropick.path import _test as test_room
from entropick.path import against_chance, exchangeable, usual_looks
from entropick.path._settings import FEWEST_SHUFFLES, LEVEL, SHUFFLES

BEST = 1 / (1 + SHUFFLES)
SMALL = encode([[0], [1]] * 10, [0, 1] * 10).table


def values_of(values):
    """A look that finds these values, in the real table first, then in the shuffled ones."""
    iterator = iter(values)
    return lambda table: [float(next(iterator))]


def compared(looks, table=SMALL, seed=0, **settings):
    return against_chance(table, looks, np.random.default_rng(seed), **settings)


def test_p_values_count_the_shuffles_that_find_as_much():
    rng = np.random.default_rng(0)
    strong = compared([values_of([100.0, *rng.normal(size=SHUFFLES)])])
    assert (strong.p_value, strong.n_shuffles, strong.finds_something) == (0.01, SHUFFLES, True)
    second = compared([values_of([9.0, 10.0, *rng.normal(size=SHUFFLES - 1)])])
    assert (second.p_value, second.finds_something) == (0.02, True)
    equal = compared([values_of([9.0, 9.0, *rng.normal(size=SHUFFLES - 1)])])
    assert equal.p_value == 0.02  # what is found about as much counts against
    third = compared([values_of([9.0, 10.0, 10.0, *rng.normal(size=SHUFFLES)])])
    assert not third.finds_something
    assert third.n_shuffles < SHUFFLES  # nothing that comes could change that
    assert third.p_value == 3 / (1 + third.n_shuffles)


def test_p_is_exact_where_all_shuffles_are_known(monkeypatch):
    """Of the 20 ways to share out the classes among 3 + 3 rows two agree with a column as well as the real one."""
    monkeypatch.setattr(test_room, "_FIRST_LOOK", 1000)  # all shuffles are taken
    table = encode(np.array([0, 0, 0, 1, 1, 1])[:, None], [0, 0, 0, 1, 1, 1]).table

    def agreement(table):
        return [float(abs(np.mean(table.classes == table.columns[0]) - 0.5))]

    found = [compared([agreement], table, seed).p_value for seed in range(200)]
    expected = (1 + SHUFFLES * 0.1) / (1 + SHUFFLES)
    assert np.mean(found) == pytest.approx(expected, abs=3 * 0.03 / np.sqrt(200))
    assert min(found) > LEVEL


def test_on_average_noise_passes_as_often_as_the_level_says():
    rng = np.random.default_rng(1)
    looks = [lambda table: rng.gumbel(size=2), lambda table: [rng.gumbel()], lambda table: [rng.normal()]]
    found = [compared(looks).finds_something for _ in range(1000)]
    assert np.mean(found) == pytest.approx(LEVEL, abs=3 * np.sqrt(LEVEL / 1000))


def test_what_an_early_look_finds_makes_later_ones_needless():
    noise = np.random.default_rng(3).normal(size=SHUFFLES)

    def never(table):
        raise AssertionError("this look is dear")

    assert compared([values_of([50.0, *noise]), never, never]).p_value == BEST
    assert compared([values_of([0.0, *noise]), values_of([50.0, *noise]), never]).p_value == BEST


def test_what_only_the_last_look_finds_is_found():
    rng = np.random.default_rng(4)
    looks = [values_of([first, *rng.normal(size=SHUFFLES)]) for first in (0.0, 1.0, 50.0)]
    assert compared(looks).p_value == BEST


def test_of_all_that_a_look_finds_the_largest_counts():
    found = iter([(0.0, 50.0), *np.random.default_rng(8).normal(size=(SHUFFLES, 2))])
    assert compared([lambda table: next(found)]).p_value == BEST


def test_each_table_is_looked_at_once_in_each_way():
    rng = np.random.default_rng(5)
    seen = [[], []]

    def look(i):
        return lambda table: seen[i].append(table.classes.tolist()) or [rng.normal()]

    compared([look(0), look(1)])
    assert seen[1] == seen[0][: len(seen[1])]  # the same shuffles
    assert len({tuple(classes) for classes in seen[0]}) == len(seen[0])
    assert seen[0][0] == SMALL.classes.tolist()
    assert all(sorted(classes) == sorted(SMALL.classes) for classes in seen[0])


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on by one each time somebody looks at it."""
    ticks = iter(range(10_000))
    monkeypatch.setattr(test_room.time, "monotonic", lambda: next(ticks))


def test_a_time_limit_within_a_late_look_leaves_what_the_earlier_ones_found(clock):
    noise = np.random.default_rng(6).normal(size=SHUFFLES)
    looks = [values_of([3.0, *noise]), values_of([0.0, *noise])]
    found = compared(looks, deadline=SHUFFLES + 10)
    assert found.n_shuffles == SHUFFLES
    assert found.p_value == (1 + (noise >= 3).sum()) / (1 + SHUFFLES)


@pytest.mark.parametrize("n", [5, 20, FEWEST_SHUFFLES - 1])
def test_fewer_shuffles_than_a_p_value_takes_say_nothing(clock, n):
    noise = np.random.default_rng(2).normal(size=200)
    assert compared([values_of([30.0, *noise])], deadline=n) is None


def test_with_just_enough_shuffles_there_is_a_p_value(clock):
    noise = np.random.default_rng(2).normal(size=200)
    found = compared([values_of([30.0, *noise])], deadline=FEWEST_SHUFFLES)
    assert (found.n_shuffles, found.p_value, found.finds_something) == (FEWEST_SHUFFLES, LEVEL, True)


def test_few_shuffles_are_enough_to_see_that_there_is_nothing(clock):
    noise = np.random.default_rng(2).normal(size=200)
    found = compared([values_of([0.0, *noise])], deadline=30)
    assert found.n_shuffles < FEWEST_SHUFFLES
    assert not found.finds_something


@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_targets_are_exchanged_within_strata_only(target):
    rng = np.random.default_rng(0)
    strata = rng.integers(0, 4, 80)
    y = rng.integers(0, 3, 80) if target == "classes" else rng.normal(size=80)
    table = encode(rng.normal(size=(80, 2)), y).table
    seen = []

    def look(table):
        seen.append(table)
        return [rng.normal()]

    compared([look], table, strata=strata)
    for shuffled in seen:
        for j in range(2):
            assert shuffled.columns[j] is table.columns[j]
        for stratum in range(4):
            own = strata == stratum
            assert sorted(shuffled.classes[own]) == sorted(table.classes[own])
            if target == "numbers":
                assert sorted(shuffled.numbers[own]) == sorted(table.numbers[own])
                assert set(zip(shuffled.numbers, shuffled.classes, strict=True)) == set(
                    zip(table.numbers, table.classes, strict=True)
                )
    assert any((shuffled.classes != table.classes).any() for shuffled in seen[1:])
    alone = np.arange(80)
    seen.clear()
    compared([look], table, strata=alone)
    assert all((shuffled.classes == table.classes).all() for shuffled in seen)


def test_rows_that_are_equal_in_what_is_kept_may_exchange_their_targets():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 2, (60, 2)).astype(str), rng.choice(list("abc"), 60)]).astype(object)
    table = encode(X, rng.integers(0, 2, 60)).table

    def never():
        raise AssertionError("not needed")

    strata, is_approximate = exchangeable(table, [0, 2], never)
    assert not is_approximate
    assert len(set(strata)) == 6
    for one in range(60):
        same = (X[:, [0, 2]] == X[one, [0, 2]]).all(axis=1)
        np.testing.assert_array_equal(strata == strata[one], same)


def test_where_hardly_any_rows_are_equal_tenths_of_what_is_predicted_take_their_place():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=60), rng.permutation(60) * 3.5])
    table = encode(X, rng.integers(0, 2, 60)).table
    strata, is_approximate = exchangeable(table, [0, 1], lambda: X[:, 0])
    assert is_approximate
    assert np.bincount(strata).tolist() == [6] * 10
    order = np.argsort(X[:, 0])
    assert (np.diff(strata[order]) >= 0).all()


def test_bins_that_look_at_y_are_made_again_for_every_shuffle():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), np.repeat([0, 1], 40)
    X[:, 0] += 3 * y
    encoded = encode(X, y, 5, "mdlp")
    levels = []

    def look(table):
        levels.append(table.levels.tolist())
        return [0.0]

    compared([look], encoded.table, encoded=encoded, binning=(5, "mdlp"))
    assert len({tuple(some) for some in levels}) > 1


def test_many_columns_that_each_tell_a_little_are_found_together():
    found = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, 100)
        table = encode(rng.normal(size=(100, 60)) + 0.3 * y[:, None], y).table
        looks = [
            lambda table, own=own: test_room.single_columns(table, "native")[own] for own in (slice(1), slice(1, 2))
        ]
        found.append([compared([look], table).finds_something for look in looks])
    strongest, together = np.sum(found, axis=0)
    assert together == 4
    assert strongest < 4


@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_a_pair_is_found_by_the_look_at_pairs_alone(target):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (250, 10))
    y = X[:, 3] ^ X[:, 8] if target == "classes" else (X[:, 3] ^ X[:, 8]) + 0.3 * rng.normal(size=250)
    table = encode(X, y).table
    singles, pairs = usual_looks(CRITERIA["linear"], "auto", (), lambda table: 0.0)[:2]
    assert compared([pairs], table).p_value == BEST
    assert compared([singles, pairs], table).p_value == BEST
    assert not compared([singles], table).finds_something


def test_columns_that_are_kept_anyway_are_not_looked_at():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (200, 5))
    table = encode(X, X[:, 0] + X[:, 2] > 2).table
    looks = usual_looks(CRITERIA["plugin"], "auto", (0, 2), lambda table: 0.0)
    narrow = usual_looks(CRITERIA["plugin"], "auto", (), lambda table: 0.0)
    for look, other in zip(looks[:2], narrow[:2], strict=True):
        np.testing.assert_allclose(look(table), other(table.take(np.array([1, 3, 4]))))


def noise_beside_what_is_known(seed, kind):
    """An informative column to keep, and noise."""
    rng = np.random.default_rng(seed)
    known = rng.normal(size=200) if kind == "numbers" else rng.integers(0, 3, 200)
    y = (known + 0.7 * rng.normal(size=200) > known.mean()).astype(int)
    return np.column_stack([known, rng.normal(size=(200, 10))]), y


@pytest.mark.parametrize("kind", ["numbers", "levels"])
def test_noise_beside_an_informative_column_to_keep_gives_nothing(kind):
    kept = 0
    for seed in range(12):
        X, y = noise_beside_what_is_known(seed, kind)
        with warnings.catch_warnings(), listening(lambda note: None):
            warnings.simplefilter("ignore")
            selector = CrossEntropySelector(always=[0], decoys=0, random_state=seed).fit(X, y)
        assert selector.support_[0]
        kept += selector.n_features_ > 1
    assert kept <= 1


def test_what_a_column_to_keep_does_not_say_is_found_beside_it():
    for seed in range(3):
        X, y = noise_beside_what_is_known(seed, "numbers")
        rng = np.random.default_rng(seed)
        X[:, 4] = 1.5 * y + rng.normal(size=200)
        selector = CrossEntropySelector(always=[0], decoys=0, random_state=seed).fit(X, y)
        assert selector.support_[[0, 4]].all()
        assert selector.p_value_ == BEST
        assert selector.record_.outcome.chance.is_approximate
