"""Information less what chance alone would show."""

from __future__ import annotations

import numpy as np

from entropick import _kernels
from entropick.criteria._criterion import criterion
from entropick.criteria._plugin import plugin
from entropick.criteria._tables import Floats, Ints, Tables, entropy_nats, no_value, xlogx


@criterion(nothing="none carries more information about the target than chance alone would show.")
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
    """e(a) for each size a; see ``cpp/chance.hpp``."""
    # Classes of equal size have equal sums.
    different, times = np.unique(class_sizes, return_counts=True)
    shares = np.empty(len(sizes), dtype=np.float64)
    _kernels.expected_shares(np.ascontiguousarray(sizes), different.tolist(), times.tolist(), shares)
    return shares
