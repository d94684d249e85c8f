"""Independent draws, given how many succeed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_CELLS = 1 << 20  # numbers held at once


def draw_given_size(p: Floats, size: int, n_samples: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Draws with probabilities p, given that ``size`` of them succeed: sample and place of every success.

    The places are halved recursively. Of the r successes in an interval, the left half has i with a probability
    proportional to P(i in the left half) · P(r − i in the right half), which are distributions of sums of independent
    draws. Only intervals with successes are looked at, so few successes among many places are cheap.
    S. X. Chen, J. S. Liu, Statistical applications of the Poisson-binomial and conditional Bernoulli distributions,
    1997.

    Examples
    --------
    >>> rows, places = draw_given_size(np.array([0.2, 0.2, 1.0, 0.0]), 2, 3, np.random.default_rng(0))
    >>> rows.tolist(), bool((places[1::2] == 2).all())
    ([0, 0, 1, 1, 2, 2], True)
    """
    levels = _sum_distributions(p, size)
    rows = np.arange(n_samples if size else 0)
    nodes = np.zeros(len(rows), dtype=np.int64)
    counts = np.full(len(rows), size)
    for level, below in reversed(list(enumerate(levels[:-1]))):
        room = np.clip(len(p) - (np.arange(len(below)) << level), 0, 1 << level)  # places of every half
        left = _split(below, room, nodes, counts, rng.random(len(counts)))
        rows, nodes = np.repeat(rows, 2), np.stack([2 * nodes, 2 * nodes + 1], axis=1).reshape(-1)
        counts = np.stack([left, counts - left], axis=1).reshape(-1)
        rows, nodes, counts = (array[counts > 0] for array in (rows, nodes, counts))
    return rows, nodes


def _sum_distributions(p: Floats, size: int) -> list[Floats]:
    """P(r successes) for r = 0 to at most ``size``: for every place, every pair of places, and so on up to the whole.

    Places that never succeed are added so that there is always a pair. The whole is not needed and stays empty.
    """
    levels = [np.stack([1 - p, p], axis=1)[:, : size + 1]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        if len(below) % 2:
            never = np.zeros((1, below.shape[1]))
            never[0, 0] = 1.0
            below = levels[-1] = np.concatenate([below, never])
        if len(below) == 2:
            return [*levels, np.empty((1, 0))]
        left, right = below[::2], below[1::2]
        width = min(size + 1, 2 * below.shape[1] - 1)
        both = np.zeros((len(left), width))
        for r in range(min(below.shape[1], width)):
            reach = min(below.shape[1], width - r)
            both[:, r : r + reach] += left[:, r : r + 1] * right[:, :reach]
        levels.append(both)
    return levels


def _split(below: Floats, room: Ints, nodes: Ints, counts: Ints, uniform: Floats) -> Ints:
    """How many successes of every interval are in its left half."""
    # Intervals of the same node and number of successes are split by the same shares.
    base = int(counts.max(initial=0)) + 1
    keys = nodes * base + counts
    occurs = np.zeros(base * (len(below) // 2), dtype=np.bool_)
    occurs[keys] = True
    different, which = np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[keys]
    left = np.empty(len(counts), dtype=np.int64)
    step = max(1, _CELLS // below.shape[1])
    for start in range(0, len(different), step):
        some = different[start : start + step]
        ours = slice(None) if len(some) == len(different) else np.flatnonzero((which >= start) & (which < start + step))
        shares, ends = _shares_of_left(below, room, some // base, some % base)
        row = which[ours] - start
        # All shares in one sorted array: those of interval k are between k and k + 1.
        found = np.searchsorted((shares + np.arange(len(some))[:, None]).reshape(-1), row + uniform[ours], side="right")
        left[ours] = np.clip(found - row * below.shape[1], *ends[:, row])
    return left


def _shares_of_left(below: Floats, room: Ints, nodes: Ints, counts: Ints) -> tuple[Floats, Ints]:
    """P(at most i of the successes are in the left half), and the smallest and largest possible i."""
    i = np.arange(below.shape[1])
    rest = counts[:, None] - i
    possible = (rest >= 0) & (rest <= room[2 * nodes + 1, None]) & (i <= room[2 * nodes, None])
    weights = below[2 * nodes] * np.take_along_axis(below[2 * nodes + 1], np.where(possible, rest, 0), axis=1)
    weights[~possible] = 0.0
    # Where rounding has lost every possibility, all are equally likely.
    lost = ~weights.any(axis=1)
    weights[lost] = possible[lost]
    shares = np.cumsum(weights, axis=1)
    shares /= shares[:, -1:]
    can_be = weights > 0
    return shares, np.stack([can_be.argmax(axis=1), len(i) - 1 - can_be[:, ::-1].argmax(axis=1)])
