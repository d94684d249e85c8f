"""One-dependence and naive Bayes models against their definition, and the native engine against the twin."""

import itertools
import json
import runpy
import shutil
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from helpers import LOCAL_ENGINES, matrix, random_table
from sklearn.datasets import load_breast_cancer

from entropick import SubsetScorer
from entropick.criteria import CRITERIA, EXPONENTS
from entropick.criteria._rows import loss_rows
from entropick.encode import CodeTable
from entropick.engine import make_engine

ROOT = Path(__file__).parents[2]
REFERENCE = json.loads((ROOT / "tests" / "data" / "usable_information.json").read_text())
NAMES = ["one_dependence", "naive"]
ODD = [  # levels of each column, rows, classes
    ([5], 30, 2),
    ([1], 12, 2),
    ([1, 1, 3], 20, 3),
    ([1, 2, 3, 4, 5, 6, 7], 40, 4),
    ([7, 7, 7], 9, 9),  # every class has one row
    ([2, 2], 2, 2),
    ([4, 3, 2], 25, 1),
]


def odd_table(levels, n_rows, n_classes, seed=0):
    rng = np.random.default_rng(seed)
    columns = tuple(np.minimum(rng.integers(0, n + 1, n_rows), n - 1).astype(np.uint8) for n in levels)
    return CodeTable(columns, np.array(levels), rng.permutation(np.arange(n_rows) % n_classes))


def all_masks(n_columns):
    return np.array(list(itertools.product([False, True], repeat=n_columns)))


def one_weight(rest, row, levels, n_classes, prior):
    """The sum over parents for one class, from its rows without the row itself."""
    total = 0.0
    for i, xi in enumerate(row):
        same = rest[rest[:, i] == xi]
        weight = len(same) + 1 / (levels[i] * n_classes)
        for j, xj in enumerate(row):
            if j != i:
                weight *= ((same[:, j] == xj).sum() + 1 / levels[j]) / (len(same) + 1)
        total += weight
    return total


def naive_weight(rest, row, levels, n_classes, prior):
    """The product over columns for one class, from its rows without the row itself."""
    return prior * np.prod(((rest == row).sum(axis=0) + 1 / levels) / (len(rest) + 1))


WEIGHTS = dict(zip(NAMES, (one_weight, naive_weight), strict=True))


def plain_losses(name, table, mask):
    """The loss of every row at every exponent, shape (n_exponents, n_rows), from a model made anew for each row."""
    X, y, levels = matrix(table)[:, mask], table.classes, table.levels[mask]
    prior = table.class_sizes / table.n_rows
    losses = np.empty((len(EXPONENTS), table.n_rows))
    for r in range(table.n_rows):
        rest = np.arange(table.n_rows) != r
        s = np.array([WEIGHTS[name](X[rest & (y == c)], X[r], levels, len(prior), p) for c, p in enumerate(prior)])
        weights = prior * (s / prior if mask.any() else s * 0 + 1) ** EXPONENTS[:, None]
        losses[:, r] = -np.log(weights[:, y[r]] / weights.sum(axis=1))
    return losses


@pytest.mark.parametrize("engine", LOCAL_ENGINES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", ODD, ids=str)
def test_a_score_is_the_leave_one_out_loss_at_the_best_exponent(shape, name, engine):
    table = odd_table(*shape)
    model = CRITERIA[name].bind(table, make_engine(engine, table, 1))
    masks = all_masks(table.n_columns)
    expected = [plain_losses(name, table, mask) for mask in masks]
    bits = np.array([table.class_entropy - each.mean(axis=1).min() / np.log(2) for each in expected])
    np.testing.assert_allclose(model(masks)[1:], bits[1:], atol=1e-9)
    assert model(masks)[0] == model.final(masks)[0] == 0.0
    np.testing.assert_allclose(model.final(masks), model(masks), atol=1e-9)
    losses = model.losses(masks)
    np.testing.assert_allclose(losses.mean(axis=1), [each.mean(axis=1).min() for each in expected], atol=1e-9)
    for found, each in zip(losses, expected, strict=True):
        assert np.abs(each - found).max(axis=1).min() < 1e-9  # all rows at one exponent


@pytest.mark.parametrize("engine", LOCAL_ENGINES)
@pytest.mark.parametrize(("name", "key"), [("one_dependence", "one"), ("naive", "naive")])
def test_breast_cancer_has_the_losses_of_the_reference(name, key, engine, monkeypatch):
    X, y = load_breast_cancer(return_X_y=True)
    edges = [np.unique(np.quantile(x, [0.2, 0.4, 0.6, 0.8])) for x in X.T]
    codes = tuple(np.searchsorted(e, x, side="right").astype(np.uint8)[:200] for e, x in zip(edges, X.T, strict=True))
    reference = REFERENCE["breast_cancer_quantile5"]
    table = CodeTable(codes, np.array(reference["levels"]), y[:200])
    assert table.class_entropy == pytest.approx(reference["class_entropy_bits"], abs=1e-9)
    model = CRITERIA[name].bind(table, make_engine(engine, table, 2))
    for subset in reference["subsets"]:
        mask = np.isin(np.arange(30), subset["features"])[None]
        expected = subset["loss_bits"][key]
        twin = CRITERIA[name].bind(table)._losses.tables.losses(mask[0], table, np.arange(200))
        losses = np.concatenate(list(twin), axis=1).mean(axis=1) / np.log(2)
        for exponent, loss in expected.items():
            assert losses[float(exponent) == EXPONENTS] == pytest.approx(loss, abs=1e-9)
        if losses.argmin() < 6:  # of the reference's exponents
            assert model(mask)[0] == pytest.approx(table.class_entropy - min(expected.values()), abs=1e-9)


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")
@pytest.mark.parametrize("n_classes", [2, 10])
def test_the_plain_loop_finds_the_same(n_classes, tmp_path):
    benchmark = runpy.run_path(str(ROOT / "benchmarks" / "one_dependence.py"))
    table = random_table(np.random.default_rng(0), 400, 12, 5, n_classes)
    tables = CRITERIA["one_dependence"].bind(table)._losses.tables
    masks = np.random.default_rng(1).random((20, 12)) < 0.5
    rows = np.arange(0, 400, 3)
    plain = benchmark["plain_scorer"](benchmark["plain"](tmp_path), table, tables, rows)(masks)
    six = [
        each[:6].mean(axis=1).min() for mask in masks for each in [np.hstack(list(tables.losses(mask, table, rows)))]
    ]
    np.testing.assert_allclose(plain, six, atol=1e-5)


SHAPES = [  # rows, columns, levels, classes
    (3000, 12, 5, 2),
    (2500, 30, 3, 10),
    (1200, 5, 40, 3),  # levels put together
    (700, 9, 4, 300),
    (1003, 70, 2, 2),
]


@pytest.mark.parametrize("engine", [name for name in LOCAL_ENGINES if name != "numpy"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_an_engine_agrees_with_the_twin_and_with_itself_in_any_threads_and_batches(shape, name, engine):
    rng = np.random.default_rng(1)
    table = random_table(rng, *shape)
    masks = rng.random((12, table.n_columns)) < rng.random((12, 1))
    masks[3:8] = masks[2]
    masks[np.arange(4, 8), rng.integers(0, table.n_columns, 4)] ^= True  # most have much in common
    masks[0], masks[1] = False, True
    twin = CRITERIA[name].bind(table)
    expected = twin(masks), twin.losses(masks), twin.final(masks[:3])
    models = [CRITERIA[name].bind(table, make_engine(engine, table, n_jobs)) for n_jobs in (1, 2, 5)]
    for found in [(model(masks), model.losses(masks), model.final(masks[:3])) for model in models]:
        for ours, theirs in zip(found, expected, strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-9)
    whole, order = models[0](masks), rng.permutation(12)
    for model in models[1:]:
        np.testing.assert_array_equal(model(masks), whole)
        np.testing.assert_array_equal(model.losses(masks), models[0].losses(masks))
        np.testing.assert_array_equal(model.final(masks[:3]), models[0].final(masks[:3]))
    np.testing.assert_array_equal(models[1](masks[order]), whole[order])
    np.testing.assert_array_equal(
        np.concatenate([models[0](part) for part in (masks[:5], masks[5:6], masks[6:])]), whole
    )
    np.testing.assert_array_equal(models[0](masks[:0]), np.empty(0))


def test_pairs_tell_one_dependence_what_single_columns_do_not():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (1600, 3))
    y = ((X[:, 0] + X[:, 1]) % 3 == 0) ^ (rng.random(1600) < 0.1)
    one, naive = (SubsetScorer(X, y, name)([[True, True, False], [True, False, False]]) for name in NAMES)
    assert one[0] > 0.3 > 0.05 > abs(naive[0])
    assert abs(one[1]) < 0.05


def of_classes(sizes, n_columns=1):
    """A table with classes of these sizes, in random order."""
    rng = np.random.default_rng(0)
    classes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    columns = tuple(rng.integers(0, 200, len(classes)).astype(np.uint8) for _ in range(n_columns))
    return CodeTable(columns, np.full(n_columns, 200), classes)


def test_the_sample_of_rows_is_fixed_and_has_the_shares_of_the_classes():
    table = of_classes([5000, 2500, 2500], 3)
    rows = loss_rows(table)
    np.testing.assert_array_equal(rows, loss_rows(table))
    assert len(rows) == len(set(rows.tolist())) == 2000
    np.testing.assert_array_equal(np.bincount(table.classes[rows]), [1000, 500, 500])
    assert np.diff(rows).max() < 100  # from everywhere
    np.testing.assert_array_equal(loss_rows(of_classes([450, 450])), np.arange(900))
    sizes = {n: len(loss_rows(of_classes([10_000 // n] * n))) for n in (2, 5, 10, 5000)}
    assert sizes == {2: 2000, 5: 1600, 10: 1000, 5000: (1 << 21) // 5000}


def test_the_sample_is_of_the_same_rows_in_any_order_of_rows_and_by_any_names_of_classes():
    table = of_classes([2600, 1400, 1400], 3)
    rows, order = loss_rows(table), np.random.default_rng(1).permutation(5400)
    moved = CodeTable(tuple(column[order] for column in table.columns), table.levels, (table.classes[order] + 1) % 3)
    assert sorted(order[loss_rows(moved)]) == rows.tolist()


def test_the_score_is_on_the_sample_and_the_final_one_on_all_rows():
    table = random_table(np.random.default_rng(2), 2600, 4, 3, 3)
    model = CRITERIA["one_dependence"].bind(table)
    mask = np.array([[True, True, False, True]])
    every = np.concatenate(list(model._losses.tables.losses(mask[0], table, np.arange(2600))), axis=1)
    on_sample = every[:, model.rows].mean(axis=1).min()
    assert model(mask)[0] == pytest.approx(table.class_entropy - on_sample / np.log(2), abs=1e-12)
    assert model.final(mask)[0] == pytest.approx(table.class_entropy - every.mean(axis=1).min() / np.log(2), abs=1e-12)
    assert model.losses(mask)[0].mean() == pytest.approx(on_sample, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_the_twin_works_in_blocks_of_any_size(name, monkeypatch):
    table = random_table(np.random.default_rng(3), 300, 5, 4, 3)
    masks = all_masks(5)
    whole = CRITERIA[name].bind(table)(masks)
    monkeypatch.setattr("entropick.criteria._dependence._BLOCK", 50)
    np.testing.assert_allclose(CRITERIA[name].bind(table)(masks), whole, atol=1e-12)


@pytest.mark.parametrize(("name", "most"), [("one_dependence", 16), ("naive", 255)])
def test_rare_levels_are_put_together(name, most):
    rng = np.random.default_rng(4)
    n = 2000  # all rows count; of more it would be a sample by content
    many = np.minimum(rng.geometric(0.004, n) - 1, 999)
    common = np.argsort(-np.bincount(many, minlength=1000), kind="stable")[: most - 1]
    place = np.full(1000, most - 1)
    place[common] = np.arange(most - 1)
    other, y = rng.integers(0, 3, n), (many + rng.integers(0, 200, n)) % 2
    whole, reduced = (
        CodeTable((codes.astype(np.uint16), other.astype(np.uint8)), np.array([levels, 3]), y)
        for codes, levels in ((many, 1000), (place[many], most))
    )
    np.testing.assert_array_equal(*(CRITERIA[name].bind(table)(all_masks(2)) for table in (whole, reduced)))


def test_tables_that_would_not_fit_are_refused_with_the_way_out():
    table = random_table(np.random.default_rng(0), 100, 700, 5, 2)
    levels = CRITERIA["one_dependence"].most_columns(table)
    assert 500 < levels < 700
    with pytest.raises(ValueError, match=rf"'one_dependence' holds at most {levels} columns .* got 700: leave"):
        CRITERIA["one_dependence"].bind(table)
    assert CRITERIA["naive"].most_columns(table) > 1_000_000


@pytest.mark.parametrize("engine", LOCAL_ENGINES)
def test_many_classes_and_rows_take_bounded_memory(engine):
    rng = np.random.default_rng(0)
    classes = np.arange(60_000) % 400
    table = CodeTable(tuple(rng.integers(0, 3, 60_000).astype(np.uint8) for _ in range(4)), np.full(4, 3), classes)
    model = CRITERIA["one_dependence"].bind(table, make_engine(engine, table, 2))
    tracemalloc.start()
    model(np.ones((2, 4), dtype=bool))
    model.final(np.ones((1, 4), dtype=bool))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60_000 * 400 * 8 / 2  # half of the log scores of all rows
