"""What a look-up table over the columns predicts of a row it has not seen."""

from __future__ import annotations

from scipy.special import xlogy

from entropick.criteria._criterion import criterion
from entropick.criteria._tables import Ints, Tables, entropy_nats


@criterion()
def predictive(class_sizes: Ints, alpha: float = 1.0) -> Tables:
    """H(y) less the leave-one-out log loss of the block frequencies, smoothed by α·π_c.

    A row of class c in a block of size a with q of its class is predicted by the others with probability
    (q − 1 + απ_c) / (a − 1 + α). A block of one row is predicted by the shares π_c alone.
    """
    prior = alpha * class_sizes / class_sizes.sum()
    return Tables(
        lambda a: -xlogy(a, a - 1 + alpha),
        lambda c, q: xlogy(q, q - 1 + prior[c]),
        entropy_nats(class_sizes),
    )
