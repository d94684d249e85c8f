"""Random subsets: each column with its own probability, within a space."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from entropick._masks import Mask
from entropick.search._given_size import draw_given_size
from entropick.search._space import Space

Floats = NDArray[np.float64]


def draw(space: Space, p: Floats, n_samples: int, rng: np.random.Generator) -> Mask:
    """``n_samples`` masks z ~ g(z, p) that the space allows; column i is in with probability p[i].

    With a fixed size the draws are from g(z, p) given that size; above a largest size, surplus columns are removed at
    random.
    """
    masks = np.repeat(space.base[None], n_samples, axis=0)
    if space.exactly is not None:
        rows, places = draw_given_size(p[space.free], space.exactly - int(space.base.sum()), n_samples, rng)
        masks[rows, space.free[places]] = True
        return masks
    rows_at_once = max(1, (1 << 20) // space.n_columns)  # so that the random numbers need little memory
    for start in range(0, n_samples, rows_at_once):
        part = masks[start : start + rows_at_once]
        part[:, space.free] = rng.random((len(part), len(space.free))) < p[space.free]
        part[:] = repair(part, space, rng)
    return masks


def repair(masks: Mask, space: Space, rng: np.random.Generator) -> Mask:
    """The masks, changed at random where the space does not allow them."""
    masks = (masks & space.whole) | space.base
    least = space.exactly or 0
    sizes = masks.sum(axis=1)
    for i in np.flatnonzero((sizes > space.largest) | (sizes < least)):
        change = max(int(sizes[i]) - space.largest, least - int(sizes[i]))
        wrong = space.free[masks[i, space.free] == (sizes[i] > space.largest)]
        masks[i, rng.choice(wrong, change, replace=False)] ^= True
    return masks


def start_probabilities(space: Space, initial_features: float) -> Floats:
    """Equal probabilities for all free columns: for a fixed size if there is one, else for an expected size."""
    free, fixed = len(space.free), int(space.base.sum())
    p = space.base.astype(np.float64)
    if space.exactly is not None:
        p[space.free] = (space.exactly - fixed) / max(free, 1)
    else:
        p[space.free] = min(0.5, initial_features / (free + fixed)) if free else 0.0
    return p
