"""The information that the counts show, and its first-order correction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from entropick.criteria._tables import Ints, Tables, entropy_nats, no_value, xlogx


def plugin(class_sizes: Ints) -> Tables:
    """The plug-in estimate I(U;y) = H(y) − H(y|U), the objective of the paper.

    n·H(y|U) = Σ_blocks a ln a − Σ_cells q ln q. It never falls when a column is added and reaches H(y) when
    every row is alone in its block: see `reliable` for an estimate that does not reward memorising.
    """
    nothing = Tables(lambda a: np.zeros(len(a)), no_value, 0.0)
    tables = Tables(lambda a: -xlogx(a), lambda c, q: xlogx(q), entropy_nats(class_sizes))
    return replace(tables, bound=lambda: (tables, nothing))


def miller_madow(class_sizes: Ints) -> Tables:
    """The plug-in estimate less its first-order bias, (cells − blocks − classes + 1) / 2n.

    G. A. Miller, Note on the bias of information estimates, 1955.
    """
    n, n_classes = float(class_sizes.sum()), len(class_sizes)
    return Tables(
        lambda a: -xlogx(a) + 0.5,
        lambda c, q: xlogx(q) - 0.5,
        entropy_nats(class_sizes) + (n_classes - 1) / (2 * n),
    )
