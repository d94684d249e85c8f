"""Information less what chance alone would show."""

from __future__ import annotations

import numpy as np

from entropick.criteria._plugin import plugin
from entropick.criteria._tables import Floats, Ints, Tables, entropy_nats, no_value, xlogx

_CHUNK = 1 << 20  # hypergeometric terms held at once


def reliable(class_sizes: Ints) -> Tables:
    """I(U;y) − E[I(U;y)], the expectation over all shuffles of y.

    It sums over blocks: a block of size a has under shuffling the expected share
    e(a) = Σ_c Σ_k (k/n) ln(nk / (a b_c)) Hyp(k; n, a, b_c), k rows of class c among a drawn out of n.
    P. Mandros, M. Boley, J. Vreeken, Discovering reliable approximate functional dependencies, 2017.
    """
    n = int(class_sizes.sum())
    # More columns never lower I(U;y), nor what chance shows of it.
    chance = Tables(lambda a: -n * expected_share(a, class_sizes), no_value, 0.0)
    return Tables(
        lambda a: -xlogx(a) - n * expected_share(a, class_sizes),
        lambda c, q: xlogx(q),
        entropy_nats(class_sizes),
        bound=lambda: (plugin(class_sizes), chance),
    )


def expected_share(sizes: Ints, class_sizes: Ints) -> Floats:
    """e(a) for each size a.

    Each sum over k runs over a window of ten standard deviations and more around the mode; what lies outside
    is below the rounding of a double.
    """
    n = int(class_sizes.sum())
    shares = np.zeros(len(sizes), dtype=np.float64)
    # Classes of equal size have equal sums.
    for class_size, times in zip(*np.unique(class_sizes, return_counts=True), strict=True):
        low, width = _window(sizes, int(class_size), n)
        order = np.argsort(width, kind="stable")  # like widths together: little padding
        start = 0
        while start < len(order):
            # As many sizes as keep the rectangle below the chunk; widths rise, so the last one is the widest.
            end = start + 1
            while end < len(order) and (end + 1 - start) * int(width[order[end]]) <= _CHUNK:
                end += 1
            rows = order[start:end]
            k = low[rows, None] + np.arange(int(width[rows[-1]]))
            shares[rows] += times * _mean_contribution(k, sizes[rows, None], int(class_size), n, low[rows], width[rows])
            start = end
    return shares


def _window(sizes: Ints, class_size: int, n: int) -> tuple[Ints, Ints]:
    mean = sizes * (class_size / n)
    deviation = np.sqrt(mean * (1 - class_size / n) * (n - sizes) / max(n - 1, 1))
    reach = 10 * deviation + 40
    low = np.maximum(np.maximum(0, sizes + class_size - n), np.floor(mean - reach).astype(np.int64))
    high = np.minimum(np.minimum(sizes, class_size), np.ceil(mean + reach).astype(np.int64))
    return low, high - low + 1


def _mean_contribution(k: Ints, a: Ints, b: int, n: int, low: Ints, width: Ints) -> Floats:
    """Σ_k (k/n) ln(nk / (ab)) Hyp(k; n, a, b) for each row of ``k``, of which the first ``width`` count."""
    inside = (k - low[:, None]) < width[:, None]
    k = np.where(inside, k, low[:, None])
    # Successive quotients Hyp(k+1)/Hyp(k), summed in logarithms and normalised: no Γ of large arguments, whose
    # differences would lose digits.
    with np.errstate(divide="ignore"):
        steps = np.log((a - k) * (b - k).astype(np.float64)) - np.log((k + 1) * (n - a - b + k + 1).astype(np.float64))
    log_mass = np.zeros(k.shape)
    np.cumsum(steps[:, :-1], axis=1, out=log_mass[:, 1:])
    log_mass = np.where(inside, log_mass, -np.inf)
    mass = np.exp(log_mass - log_mass.max(axis=1, keepdims=True))
    mass /= mass.sum(axis=1, keepdims=True)
    gain = k / n * np.log(np.where(k > 0, n * k / (a * b), 1.0))
    return np.asarray((mass * gain).sum(axis=1))
