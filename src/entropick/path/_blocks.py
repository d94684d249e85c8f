"""Blocks of rows, and balanced halves made of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from entropick.path._settings import BLOCKS, FEWEST_IN_BLOCK

# R. L. Plackett, J. P. Burman, The design of optimum multifactorial experiments, 1946: first lines of cyclic designs.
_FIRST_LINES = {12: "++-+++---+-", 8: "+++-+--", 4: "++-"}


def n_blocks(n_rows: int) -> int:
    """How many blocks so many rows, or groups of rows, are cut into; 0 if they are too few.

    Examples
    --------
    >>> [n_blocks(n) for n in (1000, 24, 23, 8, 7)]
    [12, 12, 8, 4, 0]
    """
    return next((n for n in (BLOCKS, 8, 4) if n_rows >= FEWEST_IN_BLOCK * n), 0)


def cut(classes: NDArray[np.int64], n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The block of each row, at random, the rows of every class shared out evenly.

    Examples
    --------
    >>> blocks = cut(np.repeat([0, 1], 8), 4, np.random.default_rng(0))
    >>> np.bincount(blocks[:8]), np.bincount(blocks[8:])
    (array([2, 2, 2, 2]), array([2, 2, 2, 2]))
    """
    shuffled = rng.permutation(len(classes))
    by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
    blocks = np.empty(len(classes), dtype=np.int64)
    blocks[by_class] = np.arange(len(classes)) % n
    return blocks


def halves(n: int) -> NDArray[np.bool_]:
    """Which blocks each half has, shape (2(n − 1), n): complementary halves follow each other.

    Any two blocks are together in as many halves as any other two, and halves that are not complementary share a
    quarter of the blocks. (P. J. McCarthy, Pseudoreplication: half samples, 1969.)

    Examples
    --------
    >>> found = halves(12)
    >>> found.shape, np.unique(found.sum(axis=1)), np.unique(found[::2].astype(int) @ found[::2].T)
    ((22, 12), array([6]), array([3, 6]))
    """
    line = np.array([sign == "+" for sign in _FIRST_LINES[n]])
    design = np.vstack([[np.roll(line, shift) for shift in range(n - 1)], np.zeros((1, n - 1), dtype=np.bool_)])
    return np.stack([design.T, ~design.T], axis=1).reshape(-1, n)
