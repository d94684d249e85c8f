"""Each criterion against its definition, computed the slow way."""

import itertools
import tracemalloc

import numpy as np
import pytest
from helpers import matrix, random_table
from scipy.special import gammaln
from scipy.stats import hypergeom

from entropick import SubsetScorer
from entropick.criteria import Usable
from entropick.criteria._reliable import expected_share
from entropick.encode import CodeTable


@pytest.fixture
def table():
    return random_table(np.random.default_rng(3), 40, 4, 3, 3)


def blocks_of(table, mask):
    """Class numbers of the rows of every block."""
    found = {}
    for row, y in zip(matrix(table)[:, mask].tolist(), table.classes, strict=True):
        found.setdefault(tuple(row), []).append(y)
    return found.values()


def all_masks(n_columns):
    return np.array(list(itertools.product([False, True], repeat=n_columns)))


def test_miller_madow_subtracts_the_first_order_bias(table):
    masks = all_masks(4)
    for mask, plain, corrected in zip(
        masks, SubsetScorer(table)(masks), SubsetScorer(table, criterion="miller_madow")(masks), strict=True
    ):
        blocks = list(blocks_of(table, mask))
        cells = sum(len(set(block)) for block in blocks)
        bias = (cells - len(blocks) - len(table.class_sizes) + 1) / (2 * table.n_rows) / np.log(2)
        assert corrected == pytest.approx(plain - bias, abs=1e-9)


def test_reliable_subtracts_the_mean_over_all_shuffles():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1], [0, 0]])
    y = np.array([0, 0, 1, 1, 2, 2, 0])
    masks = all_masks(2)
    # The 5040 shuffles of y are 210 different ones.
    shuffles = {tuple(y[list(order)]) for order in itertools.permutations(range(7))}
    mean = np.mean([SubsetScorer(X, np.array(shuffle))(masks) for shuffle in shuffles], axis=0)
    np.testing.assert_allclose(SubsetScorer(X, y, "reliable")(masks), SubsetScorer(X, y)(masks) - mean, atol=1e-9)


def test_reliable_of_a_shuffled_target_averages_zero(table):
    rng = np.random.default_rng(0)
    masks = all_masks(4)
    X = matrix(table)
    scores = [SubsetScorer(X, rng.permutation(table.classes), "reliable")(masks) for _ in range(400)]
    error = np.std(scores, axis=0) / np.sqrt(len(scores))
    assert (np.abs(np.mean(scores, axis=0)) <= 4 * error + 1e-9).all()


@pytest.mark.parametrize("class_sizes", [[1], [5, 3], [400, 3, 97], [1, 1, 1, 1997], [3000, 2000]], ids=str)
def test_expected_share_is_the_hypergeometric_sum(class_sizes):
    class_sizes = np.array(class_sizes)
    n = class_sizes.sum()
    sizes = np.unique(np.linspace(1, n, 25).astype(int))
    for a, share in zip(sizes, expected_share(sizes, class_sizes), strict=True):
        direct = 0.0
        for b in class_sizes:
            k = np.arange(max(1, a + b - n), min(a, b) + 1)
            direct += (k / n * np.log(n * k / (a * b)) * hypergeom.pmf(k, n, b, a)).sum()
        assert n * share == pytest.approx(direct * n, abs=1e-8)


def test_expected_share_of_a_million_rows_neither_underflows_nor_takes_long():
    class_sizes = np.array([700_000, 299_000, 1_000])
    sizes = np.array([1, 1000, 500_000, 999_999, 1_000_000])
    shares = expected_share(sizes, class_sizes)
    assert np.isfinite(shares).all()
    prior = class_sizes / 1e6
    assert shares[0] == pytest.approx(-(prior * np.log(prior)).sum() / 1e6)  # one row tells H(y) about itself
    # For a large block E[Σ] → (C − 1)(1 − a/n) / 2n
    assert shares[2] == pytest.approx((3 - 1) * 0.5 / 2 / 1e6, rel=1e-2)
    assert shares[-1] == 0


def test_bayes_is_the_log_ratio_of_two_evidences(table):
    prior = table.class_sizes / table.n_rows

    def evidence(block):
        counts = np.bincount(block, minlength=len(prior))
        return gammaln(1) - gammaln(len(block) + 1) + (gammaln(counts + prior) - gammaln(prior)).sum()

    masks = all_masks(4)
    for mask, score in zip(masks, SubsetScorer(table, criterion="bayes")(masks), strict=True):
        nats = sum(evidence(block) for block in blocks_of(table, mask)) - evidence(table.classes)
        assert score == pytest.approx(nats / table.n_rows / np.log(2), abs=1e-9)


def test_predictive_is_the_leave_one_out_log_loss_of_a_look_up_table(table):
    prior = table.class_sizes / table.n_rows
    masks = all_masks(4)
    for mask, score in zip(masks, SubsetScorer(table, criterion="predictive")(masks), strict=True):
        loss = 0.0
        for block in blocks_of(table, mask):
            for y in block:
                others = block.count(y) - 1
                loss -= np.log2((others + prior[y]) / (len(block) - 1 + 1))
        assert score == pytest.approx(table.class_entropy - loss / table.n_rows, abs=1e-9)


def naive_bayes_loss(table, mask, alpha):
    """A plain naive Bayes, trained anew without each row."""
    X, y = matrix(table)[:, mask], table.classes
    levels = [len(set(column)) for column in X.T.tolist()]
    n_classes = len(table.class_sizes)
    loss = 0.0
    for r in range(table.n_rows):
        rest = np.arange(table.n_rows) != r
        weights = []
        for c in range(n_classes):
            rows = X[rest & (y == c)]
            weight = max(len(rows), 0.5)
            for j in range(X.shape[1]):
                weight *= ((rows[:, j] == X[r, j]).sum() + alpha) / (len(rows) + alpha * levels[j])
            weights.append(weight)
        loss -= np.log2(weights[y[r]] / sum(weights))
    return loss / table.n_rows


@pytest.mark.parametrize("alpha", [1.0, 0.3])
@pytest.mark.parametrize("shape", [(40, 4, 3, 3), (25, 3, 6, 5), (12, 2, 2, 8), (2, 2, 2, 2)], ids=str)
def test_usable_is_the_leave_one_out_log_loss_of_naive_bayes(shape, alpha):
    table = random_table(np.random.default_rng(1), *shape)
    masks = all_masks(table.n_columns)
    scores = SubsetScorer(table, criterion=Usable(alpha))(masks)
    expected = [table.class_entropy - naive_bayes_loss(table, mask, alpha) for mask in masks]
    np.testing.assert_allclose(scores, expected, atol=1e-9)


def test_usable_works_in_blocks_of_any_size(monkeypatch, table):
    masks = all_masks(4)
    whole = SubsetScorer(table, criterion="usable")(masks)
    monkeypatch.setattr("entropick.criteria._usable._BLOCK", 50)
    np.testing.assert_allclose(SubsetScorer(table, criterion="usable")(masks), whole, atol=1e-9)


@pytest.mark.parametrize("alpha", [1.0, 0.1])
def test_usable_is_the_same_where_classes_and_levels_are_too_many_for_a_table(monkeypatch, alpha):
    table = random_table(np.random.default_rng(1), 300, 5, 40, 20)
    masks = np.random.default_rng(2).random((30, 5)) < 0.5
    dense = SubsetScorer(table, criterion=Usable(alpha))(masks)
    monkeypatch.setattr("entropick.criteria._usable._DENSE", 0)
    for block in (1 << 18, 20):
        monkeypatch.setattr("entropick.criteria._usable._BLOCK", block)
        np.testing.assert_allclose(SubsetScorer(table, criterion=Usable(alpha))(masks), dense, atol=1e-9)


def test_usable_keeps_no_table_of_classes_and_levels():
    rng = np.random.default_rng(0)
    columns = tuple(rng.integers(0, 3000, 4000).astype(np.uint16) for _ in range(10))
    table = CodeTable(columns, np.full(10, 3000), np.arange(4000) % 400)
    tracemalloc.start()
    SubsetScorer(table, criterion="usable")(np.eye(10, dtype=bool)[:2])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 400 * 30_000 * 8 / 2  # half of one such table of doubles


def test_usable_wants_a_positive_alpha(table):
    with pytest.raises(ValueError, match="alpha must be more than 0"):
        SubsetScorer(table, criterion=Usable(0))
