"""Subsets at random: every column with its probability, within a space."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from entropick.search._space import Mask, Space

Floats = NDArray[np.float64]


def draw(space: Space, p: Floats, n_samples: int, rng: np.random.Generator) -> Mask:
    """``n_samples`` masks z ~ g(z, p), column i being in with probability p[i], that the space allows.

    With a fixed size the draws are from g(z, p) given that size; with a largest size, columns too many are
    taken away at random.
    """
    masks = np.empty((n_samples, space.n_columns), dtype=np.bool_)
    rows = max(1, (1 << 20) // space.n_columns)  # so that the uniform numbers need little memory
    for start in range(0, n_samples, rows):
        part = masks[start : start + rows]
        part[:] = space.base
        if space.exactly is not None:
            part[:, space.free] = _given_size(p[space.free], space.exactly - int(space.base.sum()), len(part), rng)
        else:
            part[:, space.free] = rng.random((len(part), len(space.free))) < p[space.free]
            part[:] = repair(part, space, rng)
    return masks


def _given_size(p: Floats, size: int, n_samples: int, rng: np.random.Generator) -> Mask:
    """Independent draws with probabilities p, given that ``size`` of them succeed.

    ``tail[i, r]`` is the probability that r of the columns i and later are in; column i is then in with
    probability p_i · tail[i+1, r−1] / tail[i, r] when r are still to come. S. X. Chen, J. S. Liu, 1997.
    """
    m = len(p)
    tail = np.zeros((m + 1, size + 1))
    tail[m, 0] = 1.0
    for i in range(m - 1, -1, -1):
        tail[i] = (1 - p[i]) * tail[i + 1]
        tail[i, 1:] += p[i] * tail[i + 1, :-1]
    masks = np.zeros((n_samples, m), dtype=np.bool_)
    left = np.full(n_samples, size)
    uniform = rng.random((n_samples, m))
    for i in range(m):
        inside = p[i] * np.where(left > 0, tail[i + 1, left - 1], 0.0)
        outside = (1 - p[i]) * tail[i + 1, left]
        # Where rounding has lost both, as many of the last columns as are still missing come in.
        lost = inside + outside <= 0
        total = np.where(lost, 1.0, inside + outside)
        inside = np.where(lost, left >= m - i, inside / total)
        masks[:, i] = uniform[:, i] < inside
        left = left - masks[:, i]
    return masks


def repair(masks: Mask, space: Space, rng: np.random.Generator) -> Mask:
    """The masks, changed at random where the space does not allow them."""
    masks = masks | space.base
    least = space.exactly or 0
    sizes = masks.sum(axis=1)
    for i in np.flatnonzero((sizes > space.largest) | (sizes < least)):
        change = max(int(sizes[i]) - space.largest, least - int(sizes[i]))
        wrong = masks[i] & ~space.base if sizes[i] > space.largest else ~masks[i]
        masks[i, rng.choice(np.flatnonzero(wrong), change, replace=False)] ^= True
    return masks


def start_probabilities(space: Space, initial_features: float) -> Floats:
    """Equal probabilities of all free columns: for a fixed size if there is one, else for an expected size."""
    free, fixed = len(space.free), int(space.base.sum())
    p = np.ones(space.n_columns)
    if space.exactly is not None:
        p[space.free] = (space.exactly - fixed) / max(free, 1)
    else:
        p[space.free] = min(0.5, initial_features / space.n_columns)
    return p
