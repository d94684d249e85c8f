"""How well a look-up table over the columns predicts rows it has not seen."""

from __future__ import annotations

from scipy.special import xlogy

from entropick.criteria._criterion import criterion
from entropick.criteria._tables import Ints, Tables, entropy_nats


@criterion()
def predictive(class_sizes: Ints, alpha: float = 1.0) -> Tables:
    """H(y) minus the leave-one-out log loss of the block frequencies, smoothed by α·π_c.

    For a row of class c in a block of size a with q rows of that class, the other rows predict c with probability
    (q − 1 + απ_c) / (a − 1 + α). In a block of one row the class shares π_c alone predict it.
    """
    prior = alpha * class_sizes / class_sizes.sum()
    return Tables(
        lambda a: -xlogy(a, a - 1 + alpha),
        lambda c, q: xlogy(q, q - 1 + prior[c]),
        entropy_nats(class_sizes),
    )
