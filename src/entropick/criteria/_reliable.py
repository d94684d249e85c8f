"""Information corrected for chance."""

from __future__ import annotations

import numpy as np

from entropick import _kernels
from entropick.criteria._criterion import criterion
from entropick.criteria._plugin import plugin
from entropick.criteria._tables import Floats, Ints, Tables, entropy_nats, no_value, xlogx


@criterion(nothing="none carries more information about the target than expected by chance.")
def reliable(class_sizes: Ints) -> Tables:
    """I(U;y) − E[I(U;y)], the expectation over all shuffles of y.

    The expectation is a sum over blocks: under shuffling, the expected share of a block of size a is
    e(a) = Σ_c Σ_k (k/n) ln(nk / (a b_c)) Hyp(k; n, a, b_c), for k rows of class c among a rows drawn from n.
    P. Mandros, M. Boley, J. Vreeken, Discovering reliable approximate functional dependencies, 2017.
    """
    n = int(class_sizes.sum())
    # Adding columns never lowers I(U;y), nor its expectation.
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
