"""How strongly columns and pairs of columns go with the classes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from entropick.association import associations, single_strengths, strengths_alone
from entropick.encode import encode
from entropick.engine import make_engine


def found(X, y, engine="native", **settings):
    return associations(make_engine(engine, encode(X, y).table), **settings)


def test_strengths_of_noise_are_those_of_a_normal_variable_whatever_the_levels():
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, levels, 2000) for levels in (2, 5, 15) for _ in range(200)]
    single = found(np.stack(columns, axis=1), rng.integers(0, 3, 2000)).single
    for some in np.split(single, 3):
        assert abs(some.mean()) < 0.2
        assert 0.85 < some.std() < 1.15


def test_the_strongest_single_column_and_pair_are_those_that_matter():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (1000, 30))
    y = np.where(rng.random(1000) < 0.3, X[:, 4] == 0, (X[:, 7] + X[:, 21]) % 3 == 0)
    result = found(X, y)
    assert result.single.argmax() == 4
    assert tuple(result.pairs[0]) == (7, 21)
    assert set(np.argsort(-result.paired)[:2]) == {7, 21}
    assert result.strongest > 10


def test_both_engines_agree():
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 4, (150, 12)), rng.integers(0, 3, 150)
    native, numpy = found(X, y), found(X, y, "numpy")
    np.testing.assert_allclose(native.single, numpy.single)
    np.testing.assert_allclose(native.paired, numpy.paired)
    assert native.pairs.tolist() == numpy.pairs.tolist()


def test_with_little_work_only_pairs_with_the_strongest_columns_are_looked_at():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (300, 40))
    y = X[:, 3] ^ (rng.random(300) < 0.2)
    few = found(X, y, work=40 * 600)
    assert 3 in few.pairs[0]
    assert np.isfinite(few.paired).all()
    assert len(few.pairs) <= len(found(X, y).pairs)


@pytest.mark.parametrize("n_columns", [1, 2])
def test_constant_columns_and_tables_without_pairs_are_no_trouble(n_columns):
    X = np.zeros((20, n_columns))
    result = found(X, [0, 1] * 10)
    assert (result.single == -np.inf).all()
    assert result.strongest == -np.inf
    assert len(result.pairs) == 0


@pytest.mark.parametrize("n_classes", [2, 7])
@pytest.mark.parametrize("n_rows", [40, 1000])
def test_single_strengths_without_an_engine_are_those_of_the_engine_for_every_target(n_rows, n_classes):
    rng = np.random.default_rng(3)
    X = np.column_stack([rng.integers(0, levels, n_rows) for levels in (2, 5, 30, 1, 200)] + [rng.normal(size=n_rows)])
    table = encode(X, rng.integers(0, n_classes, n_rows)).table
    for classes in (table.classes, rng.permutation(table.classes), np.sort(table.classes)):
        other = replace(table, classes=classes)
        expected = single_strengths(make_engine("numpy", other))
        np.testing.assert_allclose(strengths_alone(other), expected, atol=1e-3)


def test_very_many_levels_or_classes_need_an_engine():
    rng = np.random.default_rng(4)
    words = np.array([f"w{i}" for i in rng.permutation(600) // 2])
    assert strengths_alone(encode(rng.normal(size=(600, 2)), words).table) is None
    assert strengths_alone(encode(words[:, None], rng.integers(0, 2, 600)).table) is None
