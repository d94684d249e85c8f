"""Scores to ten decimals, which hides rounding errors: scores that are equal in exact arithmetic compare as equal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

ERROR = 2e-11  # more than the error of a score before it is rounded


def ten_decimals(x: float | Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers rounded so that equal ones compare as equal.

    Examples
    --------
    >>> ten_decimals([0.1 + 0.2, -1e-12]).tolist()
    [0.3, 0.0]
    """
    return np.asarray(np.round(np.asarray(x), 10) + 0.0)  # adding 0 turns −0 into 0
