"""A problem for searches that has many local optima, and runs on it."""

import numpy as np

from entropick.search import Run, Space, drive

PAIRS = np.random.default_rng(0).normal(size=(11, 11))


def rough(masks):
    return np.einsum("si,ij,sj->s", masks, PAIRS, masks)


def rough_bound(lower, upper):
    """What is there, and all that could be gained."""
    most, now = (np.einsum("si,ij,sj->s", masks, np.maximum(PAIRS, 0), masks) for masks in (upper, lower))
    return rough(lower) + most - now + 1e-9


def size(masks):
    return -masks.sum(axis=1).astype(float)


def go(search, score=rough, seed=0, bound=rough_bound, **how):
    run = Run(search, Space(11, scale=100.0), seed)
    return run, drive(run, score, bound=bound, **how)


def same(one, other):
    np.testing.assert_array_equal(one.mask, other.mask)
    assert one.score == other.score
    assert one.stop == other.stop
    assert [{**line, "seconds": 0, "probabilities": 0} for line in one.trace] == [
        {**line, "seconds": 0, "probabilities": 0} for line in other.trace
    ]
