"""Copies of the table that have lost the target say which columns are sure."""

import numpy as np
import pytest

from entropick.criteria import CRITERIA
from entropick.encode import encode
from entropick.path import _decoys, beside_decoys
from entropick.path._decoys import Decoys, with_copies


def sample(X, y):
    """Rows in the order of their content."""
    table = encode(X, y).table
    return table.sample(table.n_rows, np.random.default_rng(0))[0]


def looked_at(table, criterion="linear", seed=0, **settings):
    settings = {"n_copies": 4, "stop": 12, "engine": "auto", "n_threads": 1, **settings}
    return beside_decoys(table, CRITERIA[criterion], np.random.default_rng(seed), **settings)


def rows_of(n):
    """A number that says which row a row is, and does not count the rows."""
    return np.random.default_rng(9).permutation(n) * 7.5


def mixed(n=143, seed=0):
    """Columns of many kinds, some alike, some rows twice; the first and the second tell something."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    kinds = [x, rng.integers(0, 3, n), x + 0.3 * rng.normal(size=n), rng.integers(0, 2, n), rng.normal(size=n)]
    X = np.column_stack([*kinds, rng.random(n) < 0.05, x > 0])
    y = np.where(x + X[:, 1] + 0.5 * rng.normal(size=n) > 1, "yes", "no")
    return np.vstack([X, X[:9]]), np.concatenate([y, y[:9]])


@pytest.mark.parametrize("n_copies", [1, 2, 4])
def test_a_copy_keeps_its_values_and_its_ties_and_no_row_keeps_its_own(n_copies):
    n, size = 152, n_copies + 1
    X, y = mixed()
    table = sample(np.column_stack([X, rows_of(n)]), y)  # the last column says which row a row is
    wide, is_copy = with_copies(table, n_copies, np.random.default_rng(1))
    m, kept = table.n_columns, n // size * size
    assert (wide.n_rows, wide.n_columns) == (kept, size * m)
    assert is_copy.tolist() == [False] * m + [True] * (n_copies * m)
    numbers = np.array([wide.numbers_of(j) for j in range(size * m)]).reshape(size, m, kept)
    codes = np.array(wide.columns).reshape(size, m, kept)
    ids = numbers[:, -1].astype(int)
    where = {int(row): place for place, row in enumerate(table.numbers_of(m - 1))}
    for own, own_codes in zip(numbers, codes, strict=True):
        # As a whole a row of a copy is a row of the table: values and ties between columns are kept.
        places = [where[int(row)] for row in own[-1]]
        for j in range(m):
            np.testing.assert_array_equal(own[j], table.numbers_of(j)[places])
            np.testing.assert_array_equal(own_codes[j], table.columns[j][places])
        assert sorted(own[-1]) == sorted(numbers[0, -1])  # the same rows, and each of them once
    for one in range(size):  # a row never has its own values in a copy, nor the same ones in two
        for other in range(one):
            assert (ids[one] != ids[other]).all()
    targets = table.classes[[where[int(row)] for row in ids[0]]]
    np.testing.assert_array_equal(wide.classes, targets)


def test_a_numeric_target_stays_with_the_columns_of_its_rows():
    rng = np.random.default_rng(0)
    X = np.column_stack([rows_of(60), rng.normal(size=60)])
    table = sample(X, X[:, 0] / 7)
    wide, _ = with_copies(table, 2, rng)
    np.testing.assert_allclose(wide.numbers, wide.numbers_of(0) / 7)
    assert (wide.numbers_of(2) != wide.numbers_of(0)).all()
    assert abs(np.corrcoef(wide.numbers_of(2), wide.numbers)[0, 1]) < 0.5


def test_rows_of_copies_are_exchanged_at_random():
    table = sample(rows_of(100)[:, None], np.arange(100) % 2)
    one, other, again = (with_copies(table, 4, np.random.default_rng(seed))[0] for seed in (0, 1, 0))
    np.testing.assert_array_equal(one.numbers_of(1), again.numbers_of(1))
    assert (one.numbers_of(1)[:50] != other.numbers_of(1)[:50]).mean() > 0.8


class Watched:
    """The places that the second pass gives to the columns of a wide table whose columns were put in another order."""

    def __init__(self, monkeypatch, order=None):
        self.order, self.places, self.last = order, None, None
        made, walked = _decoys.with_copies, _decoys.walk
        monkeypatch.setattr(_decoys, "with_copies", lambda *args: self._permuted(*made(*args)))
        monkeypatch.setattr(_decoys, "walk", lambda *args, **settings: self._seen(walked(*args, **settings)))

    def _permuted(self, wide, is_copy):
        self.order = np.arange(wide.n_columns) if self.order is None else self.order
        wide = wide.take(self.order).sample(wide.n_rows, np.random.default_rng(0))[0]
        self.content = wide.content.columns
        return wide, is_copy  # what stands in the place of a real column is taken for one

    def _seen(self, path):
        self.last = path.last
        self.places = np.empty(path.places.shape)
        self.places[:, self.order[self.content]] = path.places
        return path


@pytest.mark.parametrize("criterion", ["linear", "blend", "reliable"])
@pytest.mark.parametrize("alike", [False, True], ids=["columns differ", "some columns are identical"])
def test_real_and_copied_columns_are_treated_alike_in_everything(criterion, alike):
    """The pass is a function of all columns, real and copied, that commutes with every permutation of them."""
    X, y = mixed()
    if alike:  # rare indicators: one of them may be the same as the copy of another
        rare = np.zeros((len(X), 20))
        rare[np.random.default_rng(3).permutation(len(X))[:20], np.arange(20)] = 1
        X = np.column_stack([X, X[:, 0], rare])
    table = sample(X, y)
    m = table.n_columns
    with pytest.MonkeyPatch.context() as patch:
        plain = Watched(patch)
        expected = looked_at(table, criterion)
    wide, _ = with_copies(table, 4, np.random.default_rng(0))
    keys = [(wide.columns[j].tobytes(), wide.numbers_of(j).tobytes()) for j in range(wide.n_columns)]
    same = np.array([[one == other for other in keys] for one in keys])
    assert (same.sum() > wide.n_columns + 2 * 10) == alike
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(5 * m)
        with pytest.MonkeyPatch.context() as patch:
            watched = Watched(patch, order)
            found = looked_at(table, criterion)
        if not alike:
            np.testing.assert_array_equal(watched.places, plain.places)
        assert watched.last == plain.last
        # By hand, from the places of the first pass: identical columns have one place, the best of them.
        known = np.where(np.isinf(plain.places), plain.last + 1, plain.places).mean(axis=0)
        known = np.array([known[row].min() for row in same])
        for decoys, first in ((expected, np.arange(m)), (found, order[:m])):
            others = np.setdiff1d(np.arange(5 * m), first)
            above = (known[others] <= known[first][:, None]).sum(axis=1)
            np.testing.assert_allclose(decoys.expected_false, (1 + above) / 4)
            np.testing.assert_array_equal(decoys.is_sure, (above == 0) & (known[first] < plain.last + 1))


def test_of_useless_columns_one_is_sure_as_rarely_as_the_copies_promise():
    """Two columns carry y, the others are useless and depend on each other: 1 in c + 1 tables, c = 1."""
    tables = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, 120)
        useless = rng.normal(size=(120, 1)) + 0.7 * rng.normal(size=(120, 5))
        X = np.column_stack([y + 0.8 * rng.normal(size=120), y + 1.2 * rng.normal(size=120), useless])
        found = looked_at(sample(X, y), n_copies=1, seed=seed, stop=6)
        tables += found.is_sure[2:].any()
    assert tables <= 15 + 2 * np.sqrt(30 / 4)  # at most a half, and two standard errors
    assert tables >= 3  # or there would be no need to count copies


def test_what_tells_of_the_target_is_sure_and_noise_is_not():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 8))
    y = X[:, 1] - X[:, 6] + 0.5 * rng.normal(size=300) > 0
    for criterion in ("linear", "blend", "naive", "reliable"):
        found = looked_at(sample(X, y), criterion)
        assert np.flatnonzero(found.is_sure).tolist() == [1, 6]
        assert found.expected_false[[1, 6]].tolist() == [0.25, 0.25]
        assert (found.expected_false[[0, 2, 3, 4, 5, 7]] >= 0.5).all()


def test_near_copies_share_a_verdict():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    X[:, 3] = X[:, 0] + 0.05 * rng.normal(size=200)
    y = X[:, 0] + 0.3 * rng.normal(size=200) > 0
    table = sample(X, y)
    group = np.array([0, 3])
    apart, together = looked_at(table), looked_at(table, near=(group,))
    assert together.expected_false[0] == together.expected_false[3] == apart.expected_false[group].min()
    assert together.is_sure[group].all()


def test_columns_that_are_always_there_have_no_copies():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    y = X[:, 0] + X[:, 2] + 0.3 * rng.normal(size=200) > 0
    with pytest.MonkeyPatch.context() as patch:
        watched = Watched(patch)
        found = looked_at(sample(X, y), always=[2])
    assert (watched.places[:, 2] == 0).all()
    assert np.isinf(watched.places[:, 2 + 5 * np.arange(1, 5)]).all()
    assert found.is_sure[0]
    assert found.expected_false.max() <= (1 + 4 * 4) / 4


def test_a_column_that_goes_with_one_that_is_always_there_is_not_sure_for_that():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    y = X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=200) > 0
    table = sample(X, y)
    found = looked_at(table, always=[0], near=(np.array([0, 4]),))
    np.testing.assert_array_equal(found.is_sure, looked_at(table, always=[0]).is_sure)
    assert not found.is_sure[4]


@pytest.mark.parametrize("fixed", [1, 4])
def test_what_is_identical_to_a_column_that_is_always_there_is_not_sure(fixed):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    X[:, 4] = X[:, 1]
    y = X[:, 1] + X[:, 2] + 0.3 * rng.normal(size=200) > 0
    found = looked_at(sample(X, y), always=[fixed])
    assert np.flatnonzero(found.is_sure).tolist() == [2]


def test_a_place_that_no_half_gives_is_never_sure():
    X = np.column_stack([np.arange(60) % 2, np.ones(60), np.arange(60) % 2 == 0])
    found = looked_at(sample(X, np.arange(60) % 2), "reliable", stop=1)
    assert not found.is_sure[1]


def test_words_for_columns():
    decoys = Decoys(4, np.array([True, True, False, False]), np.full(4, 0.25))
    assert decoys.verdicts(np.array([True, False, True, False])) == ("sure", "sure", "useful", "no")


def test_too_few_rows_have_no_verdicts():
    rng = np.random.default_rng(0)
    table = sample(rng.normal(size=(12, 3)), np.arange(12) % 2)
    assert looked_at(table, n_copies=1) is not None
    assert looked_at(table) is None or table.n_rows // 5 * 5 >= 8
    assert looked_at(sample(rng.normal(size=(7, 3)), np.arange(7) % 2)) is None
