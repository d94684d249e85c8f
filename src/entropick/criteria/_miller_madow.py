"""Plug-in information minus its first-order bias."""

from __future__ import annotations

from entropick.criteria._criterion import criterion
from entropick.criteria._tables import Ints, Tables, entropy_nats, xlogx


@criterion(rewards_luck=True)
def miller_madow(class_sizes: Ints) -> Tables:
    """The plug-in estimate minus its first-order bias, (cells − blocks − classes + 1) / 2n.

    G. A. Miller, Note on the bias of information estimates, 1955.
    """
    n, n_classes = float(class_sizes.sum()), len(class_sizes)
    return Tables(
        lambda a: -xlogx(a) + 0.5,
        lambda c, q: xlogx(q) - 0.5,
        entropy_nats(class_sizes) + (n_classes - 1) / (2 * n),
    )
