"""The linear criterion against ridge regressions fitted one by one."""

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import polars as pl
import pytest
from helpers import LOCAL_ENGINES, random_table
from scipy.stats import f, norm
from sklearn.linear_model import Ridge as SklearnRidge

from entropick import SubsetScorer, SubsetSelector
from entropick.criteria import Ridge, _features, _linear, _ridge
from entropick.criteria._features import TARGET, Features, Targets, column_maps, fit_standards
from entropick.criteria._interactions import _spread, _z_values, pair_blocks
from entropick.criteria._linear import Linear, r_squared
from entropick.encode import CodeTable, encode
from entropick.engine import make_engine


def all_masks(n_columns):
    return np.array(list(itertools.product([False, True], repeat=n_columns)))


def some_table(rng, n_rows, target):
    """Numbers with missing ones, coins, strings, a constant and a duplicate, and a target of either kind."""
    x, coin = rng.normal(size=n_rows), rng.integers(2, size=n_rows)
    letters = rng.choice(list("abc"), n_rows)
    gaps = np.where(rng.random(n_rows) < 0.2, None, x + 0.1 * rng.normal(size=n_rows))
    frame = pl.DataFrame({"x": x, "gaps": gaps, "coin": coin, "letter": letters, "one": [1] * n_rows, "again": coin})
    signal = x + coin + (letters == "a") + 0.5 * rng.normal(size=n_rows)
    return encode(frame, signal if target == "numbers" else np.digitize(signal, [0.0, 1.0]).astype(str)).table


def code_table(columns, y):
    """A table of codes, with a numeric y if that has fractions."""
    levels = np.array([column.max() + 1 for column in columns])
    classes = y if y.dtype.kind == "i" else (y > np.median(y)).astype(np.int64)
    return CodeTable(tuple(columns), levels, classes, numbers=None if y.dtype.kind == "i" else y)


def features_and_target(table, mask):
    features = Features.of(table)
    X = features.on(table)(np.arange(table.n_rows))[:, features.members(mask[None])[0]]
    if table.numbers is None:
        return X, (table.classes[:, None] == np.arange(len(table.class_sizes))).astype(float)
    return X, (table.numbers - table.numbers.mean())[:, None] / table.numbers.std()


def fitted(X, y, penalty):
    """Predictions for new rows."""
    if not X.shape[1]:
        return lambda new: np.repeat(y.mean(axis=0)[None], len(new), axis=0)
    model = SklearnRidge(alpha=penalty).fit(X, y)
    return lambda new: model.predict(new).reshape(len(new), -1)


def best_v(X, y):
    """V by the definition, and its penalty."""
    n = len(X)
    centred = X - X.mean(axis=0)
    found = []
    for penalty in _ridge.PENALTIES:
        hat = centred @ np.linalg.solve(centred.T @ centred + penalty * np.eye(X.shape[1]), centred.T)
        df, rss = 1 + np.trace(hat), ((y - fitted(X, y, penalty)(X)) ** 2).sum()
        found += [(n * rss / (n - 1.4 * df) ** 2, penalty)] if 1.4 * df < n / 2 else []
    return min(found)


def left_out(X, y, penalty):
    rows = np.arange(len(X))
    rest = [rows != row for row in rows]
    return np.array([((y[r] - fitted(X[rest[r]], y[rest[r]], penalty)(X[[r]])[0]) ** 2).sum() for r in rows])


@pytest.mark.parametrize("target", ["numbers", "classes"])
def test_scores_and_losses_are_those_of_ridge_regressions_fitted_one_by_one(target):
    table = some_table(np.random.default_rng(0), 60, target)
    model, masks = Linear(pair_features=0).bind(table), all_masks(6)[::5]
    scores, finals, losses = model(masks), model.final(masks), model.losses(masks)
    nothing = features_and_target(table, np.zeros(6, dtype=bool))
    v_0, press_0 = best_v(*nothing)[0], left_out(*nothing, 1.0).sum()

    def score(ratio):
        return np.log2(1 / ratio) / 2 if target == "numbers" else table.class_entropy * (1 - ratio)

    for mask, found, final, loss in zip(masks, scores, finals, losses, strict=True):
        X, y = features_and_target(table, mask)
        v, penalty = best_v(X, y)
        expected = left_out(X, y, penalty)
        assert found == pytest.approx(score(v / v_0), abs=2e-5)  # numbers are rounded to a grid
        np.testing.assert_allclose(loss, expected, atol=1e-4)
        assert final == pytest.approx(score(expected.sum() / press_0), abs=2e-5)


def test_the_v_of_one_column_is_what_one_computes_by_hand():
    rng = np.random.default_rng(1)
    codes = rng.integers(3, size=40)
    y = codes == 1
    table = CodeTable((codes.astype(np.uint8),), np.array([3]), y.astype(np.int64))
    sizes = np.bincount(codes)
    n, share = 40, y.mean()
    least = np.inf
    for penalty in _ridge.PENALTIES:
        gram = np.diag(sizes) - np.outer(sizes, sizes) / n
        g = np.array([0, sizes[1], 0]) - sizes * share
        b = np.linalg.solve(gram + penalty * np.eye(3), g)
        df = 1 + np.trace(np.linalg.solve(gram + penalty * np.eye(3), gram))
        rss = n * share * (1 - share) - b @ g - penalty * b @ b
        least = min(least, 2 * n * rss / (n - 1.4 * df) ** 2)
    v_0 = 2 * n * n * share * (1 - share) / (n - 1.4) ** 2
    score = Linear().bind(table)(np.ones((1, 1), dtype=bool))[0]
    assert score == pytest.approx(table.class_entropy * (1 - least / v_0), abs=1e-12)


@pytest.mark.parametrize("target", ["numbers", "classes"])
def test_sums_are_the_same_to_the_last_bit_for_any_order_of_rows_and_any_parts(target, monkeypatch):
    rng = np.random.default_rng(0)
    n = 3001
    X = np.c_[rng.normal(size=(n, 3)), np.exp(3 * rng.normal(size=(n, 2))), rng.integers(2, size=n)]
    y = X[:, 0] + np.exp(rng.normal(size=n))
    y = y if target == "numbers" else (y > 1).astype(str)
    order = rng.permutation(n)
    whole, shuffled = (Linear().bind(encode(X[rows], y[rows]).table).ridge for rows in (slice(None), order))
    for size in ("_features._BLOCK", "_crossed._BITS", "_crossed._CELLS"):
        monkeypatch.setattr(f"entropick.criteria.{size}", 1000)
    parts = Linear().bind(encode(X, y).table).ridge
    for other in (shuffled, parts):
        np.testing.assert_array_equal(other.gram, whole.gram)
        np.testing.assert_array_equal(other.cross, whole.cross)
        assert other.total == whole.total


def test_sums_of_products_are_whole_numbers_of_the_grid():
    x = np.exp(4 * np.random.default_rng(0).normal(size=100_000))
    (standard,) = fit_standards(encode(x[:, None], x).table, [TARGET])
    ours = standard(x)
    whole = np.ldexp(ours, 16).astype(object)
    assert all(value == int(value) for value in whole[:1000])
    assert sum(int(value) ** 2 for value in whole) == int(np.ldexp(ours @ ours, 32))


@pytest.mark.parametrize("target", ["numbers", "classes"])
def test_noise_shows_far_less_than_by_plain_gcv(target, monkeypatch):
    def found():
        scores = []
        for seed in range(2):
            rng = np.random.default_rng(seed)
            X, y = rng.normal(size=(72, 100)), rng.normal(size=72)
            y = y if target == "numbers" else (y > 0).astype(str)
            scores.append(
                SubsetSelector("forward", "linear", max_features=8, halves=False, null=False).fit(X, y).best_score_
            )
        return np.mean(scores)

    ours = found()
    monkeypatch.setattr(_linear, "Ridge", partial(Ridge, price=1.0))
    assert ours < 0.5 * found()


def test_a_linear_signal_is_found_and_told_as_r_squared():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 12))
    y = X[:, 2] - 2 * X[:, 7] + rng.normal(size=300)
    selector = SubsetSelector("forward", "linear", null=False).fit(X, y)
    assert {2, 7} <= set(selector.get_support(indices=True))
    assert selector.n_features_ <= 4
    assert r_squared(selector.score_) == pytest.approx(5 / 6, abs=0.05)


@pytest.mark.parametrize("engine", LOCAL_ENGINES)
@pytest.mark.parametrize("shape", [(1, 1, 2, 1), (2, 3, 2, 2), (5, 3, 3, 2), (20, 30, 5, 3), (300, 4, 70, 9)], ids=str)
def test_odd_tables_have_finite_scores_and_the_empty_set_0(engine, shape):
    table = random_table(np.random.default_rng(0), *shape)
    masks = np.random.default_rng(1).random((20, table.n_columns)) < 0.5
    masks[0], masks[1] = False, True
    scorer = SubsetScorer(table, criterion="linear", engine=engine)
    assert np.isfinite(scorer(masks)).all()
    assert scorer(masks)[0] == scorer._score.final(masks)[0] == 0
    assert np.isfinite(scorer._score.final(masks)).all()
    assert np.isfinite(scorer._score.losses(masks)).all()


def test_sets_that_are_refused_score_less_the_larger_they_are():
    table = encode([["a", "c", "e"], ["b", "d", "f"]], ["no", "yes"]).table
    scores = SubsetScorer(table, criterion="linear")([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]])
    assert scores[0] == 0
    assert (scores[1:] < -3 * table.class_entropy).all()
    assert (np.diff(scores) <= 0).all()


def test_too_many_columns_are_refused_with_the_number_that_fits(monkeypatch):
    table = random_table(np.random.default_rng(0), 50, 20, 5, 2)
    monkeypatch.setattr(_linear, "MOST_FEATURES", 33)
    assert Linear().most_columns(table) == 6
    with pytest.raises(ValueError, match="'linear' holds at most 6 columns like these in memory; got 20"):
        Linear().bind(table)


def test_what_it_claims_is_said_of_numbers_and_of_classes():
    assert Linear().claim(1.0, None) == "a linear model predicts 75% of the variance of the target (R²)"
    assert Linear().claim(0.5, 1.0) == "a linear model predicts 50% of the variance of the classes"
    assert "linear model" in Linear().nothing()


@pytest.mark.parametrize("n_rows", [400, 30])  # fewer than features, too
@pytest.mark.parametrize("target", ["numbers", "classes"])
def test_engines_agree_and_neither_threads_nor_batches_change_a_score(target, n_rows):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n_rows, 12))
    X[:, 5], X[:, 6], X[:, 7] = X[:, 4], X[:, 4] + 1e-9 * X[:, 3], 1.0
    y = X[:, 0] + X[:, 4] * (X[:, 1] > 0) + 0.3 * rng.normal(size=n_rows)
    table = encode(X, y if target == "numbers" else np.digitize(y, [-1, 0, 1]).astype(str)).table
    assert (Features.of(table).n_features > n_rows) == (n_rows == 30)
    masks = rng.random((80, 12)) < rng.random((80, 1))
    engines = (make_engine(name, table, n_jobs) for name, n_jobs in (("numpy", 1), ("native", 1), ("native", 3)))
    twin, one, three = (Linear().bind(table, engine) for engine in engines)
    np.testing.assert_allclose(one(masks), twin(masks), atol=1e-9)
    np.testing.assert_allclose(Linear().bind(table)(masks), twin(masks), atol=1e-9)
    np.testing.assert_array_equal(three(masks), one(masks))
    np.testing.assert_array_equal([one(mask[None])[0] for mask in masks], one(masks))


def test_y_that_is_a_column_has_the_score_of_the_finest_error():
    x = np.random.default_rng(0).normal(size=20_000)
    scores = [SubsetScorer(x[:, None], x, "linear", engine=engine)([[True]])[0] for engine in LOCAL_ENGINES]
    assert scores[0] == pytest.approx(scores[1], abs=1e-9)
    assert 9 < scores[0] <= 10


def interaction_by_least_squares(a, b, y):
    """F of the cells of two columns beyond the sum of an effect of each."""

    def rest(X):
        return ((y - X @ np.linalg.lstsq(X, y)[0]) ** 2).sum(), np.linalg.matrix_rank(X)

    one_hot = [np.eye(codes.max() + 1)[codes] for codes in (a, b)]
    cells = np.unique(a.astype(int) * 10 + b, return_inverse=True)[1]
    (additive, rank), (saturated, n_cells) = rest(np.hstack(one_hot)), rest(np.eye(cells.max() + 1)[cells])
    return (additive - saturated) / (n_cells - rank) / (saturated / (len(y) - n_cells))


def test_the_statistic_of_a_pair_is_that_of_the_analysis_of_variance():
    rng = np.random.default_rng(0)
    for seed in range(5):
        a, b = rng.integers(4, size=200).astype(np.uint8), rng.integers(3, size=200).astype(np.uint8)
        y = np.clip(0.3 * a * b + rng.normal(size=200) - 0.5 * seed, -3, 3)
        table = code_table([a, b], y)
        targets = Targets.of(table)
        z = _z_values(table, list(enumerate(column_maps(table))), targets, _spread(table, targets))[0][0, 1]
        F = interaction_by_least_squares(a, b, y)
        assert norm.logsf(z) == pytest.approx(f.logsf(F, 6, 200 - 12), rel=0.05, abs=0.02)


@pytest.mark.parametrize("target", ["numbers", "classes"])
def test_a_pair_that_tells_only_together_is_found_and_noise_has_none(target):
    rng = np.random.default_rng(0)
    X = rng.integers(2, size=(500, 20))
    both, noise = X[:, 3] ^ X[:, 11], rng.normal(size=500)
    signal = both + 0.5 * noise
    signal, noise = (y if target == "numbers" else (y > 0.5).astype(str) for y in (signal, noise))
    scorer = SubsetScorer(X, signal, "linear")
    pairs = [block.columns for block in scorer._score.features.blocks if block.columns[0] != block.columns[1]]
    assert pairs == [(3, 11)]
    masks = np.zeros((3, 20), dtype=bool)
    masks[0, 3] = masks[1, 11] = masks[2, [3, 11]] = True
    scores = scorer(masks)
    assert max(scores[:2]) < 0.02 * scorer.scale < 0.3 * scorer.scale < scores[2]
    assert SubsetScorer(X, signal, Linear(pair_features=0))(masks)[2] < 0.02 * scorer.scale
    assert all(len(set(block.columns)) == 1 for block in SubsetScorer(X, noise, "linear")._score.features.blocks)


def test_noise_shows_a_pair_about_once_in_a_hundred_tables():
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(100):
        columns = [rng.integers(3, size=150).astype(np.uint8) for _ in range(10)]
        table = code_table(columns, rng.standard_normal(150))
        found += bool(pair_blocks(table, column_maps(table), Targets.of(table), 256))
    assert found <= 5


@pytest.mark.parametrize("place", [0, 5])
def test_a_column_that_is_y_has_no_pairs(place):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    columns = list(rng.integers(0, 2, (5, 200)).astype(np.uint8))
    columns.insert(place, y.astype(np.uint8))
    table = code_table(columns, y)
    assert pair_blocks(table, column_maps(table), Targets.of(table), 256) == []


def test_a_search_over_pairs_of_columns_finds_what_they_tell_together():
    rng = np.random.default_rng(0)
    X = rng.integers(2, size=(400, 10))
    y = np.where(rng.random(400) < 0.9, X[:, 2] ^ X[:, 5], rng.integers(2, size=400)).astype(str)
    selector = SubsetSelector("exhaustive", "linear", max_features=2, null=False).fit(X, y)
    assert selector.get_support(indices=True).tolist() == [2, 5]


def test_threads_that_begin_at_once_have_the_same_features(monkeypatch):
    # Rows are known by the block that they belong to: a second set of blocks could be freed and its place taken.
    table, both = some_table(np.random.default_rng(0), 60, "numbers"), threading.Barrier(2)

    def maps(table):
        both.wait(10)
        return column_maps(table)

    monkeypatch.setattr(_features, "column_maps", maps)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(Features.of, [table, table])
    assert first is second
    assert first.on(table).blocks[0] is second.on(table).blocks[0]
