"""How much better the columns explain the classes than no columns at all, as a log Bayes factor."""

from __future__ import annotations

from scipy.special import gammaln

from entropick.criteria._criterion import criterion
from entropick.criteria._tables import Ints, Tables


@criterion()
def bayes(class_sizes: Ints, alpha: float = 1.0) -> Tables:
    """Log Bayes factor per row, ln P(y|U) − ln P(y|∅), with a Dirichlet prior in every block.

    The classes of a block of size a are Dirichlet-multinomial with parameters α·π_c, where π_c is the share of class c
    in the whole table, so ln P(block) = lnΓ(α) − lnΓ(a+α) + Σ_c lnΓ(q_c+απ_c) − lnΓ(απ_c).
    D. Heckerman, D. Geiger, D. Chickering, Learning Bayesian networks, 1995.
    """
    n = class_sizes.sum()
    prior = alpha * class_sizes / n
    one_block = gammaln(alpha) - gammaln(n + alpha) + (gammaln(class_sizes + prior) - gammaln(prior)).sum()
    return Tables(
        lambda a: gammaln(alpha) - gammaln(a + alpha),
        lambda c, q: gammaln(q + prior[c]) - gammaln(prior[c]),
        float(-one_block / n),
    )
