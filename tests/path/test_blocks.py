"""Rows are cut into blocks, and blocks are put together to halves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from entropick.path._blocks import cut, halves, n_blocks


@given(st.lists(st.integers(1, 60), min_size=1, max_size=6), st.sampled_from([4, 8, 12]), st.integers(0, 1000))
def test_blocks_have_an_even_share_of_the_rows_and_of_every_class(sizes, n, seed):
    classes = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    blocks = cut(classes, n, np.random.default_rng(seed))
    of_all = np.bincount(blocks, minlength=n)
    assert of_all.max() - of_all.min() <= 1
    for c in range(len(sizes)):
        own = np.bincount(blocks[classes == c], minlength=n)
        assert own.max() - own.min() <= 1


def test_blocks_are_drawn():
    classes = np.zeros(60, dtype=np.int64)
    one, other, again = (cut(classes, 12, np.random.default_rng(seed)) for seed in (0, 1, 0))
    assert (one == again).all()
    assert 0.02 < (one == other).mean() < 0.3  # by chance, in a twelfth of the rows


@pytest.mark.parametrize("n", [4, 8, 12])
def test_halves_are_complements_in_which_all_blocks_meet_equally_often(n):
    design = halves(n)
    assert design.shape == (2 * (n - 1), n)
    assert (design.sum(axis=1) == n // 2).all()
    assert (design[::2] == ~design[1::2]).all()
    together = design.T.astype(int) @ design
    assert set(np.diag(together)) == {n - 1}  # every block is in half of the halves
    assert set(together[~np.eye(n, dtype=bool)]) == {n // 2 - 1}
    shared = design.astype(int) @ design.T
    pair = np.arange(len(design)) // 2
    assert set(shared[pair[:, None] != pair]) == {n // 4}  # halves that are not complementary share a quarter


@pytest.mark.parametrize(
    ("n_rows", "expected"),
    [(0, 0), (7, 0), (8, 4), (15, 4), (16, 8), (23, 8), (24, 12), (10**6, 12)],
)
def test_few_rows_make_few_blocks(n_rows, expected):
    assert n_blocks(n_rows) == expected
