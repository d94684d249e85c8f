"""Each criterion against its definition, computed the slow way."""

import itertools

import numpy as np
import pytest
from helpers import matrix, random_table
from scipy.special import gammaln
from scipy.stats import hypergeom

from entropick import SubsetScorer
from entropick.criteria._reliable import expected_share


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
