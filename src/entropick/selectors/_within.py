"""The fewest columns whose losses do not clearly exceed those of the best subset."""

from __future__ import annotations

import numpy as np

from entropick._masks import Mask, flip_each
from entropick.criteria import RowModel


def fewest_within(model: RowModel, best: Mask, base: Mask, within: float, least: int = 1) -> Mask:
    """Drop columns from the best subset, the most dispensable first, while that costs less than chance may explain.

    With d_r the loss of row r without some columns minus its loss with the best subset, columns are dropped as long as
    mean(d) ≤ ``within`` · sd(d) / √n: a rule of thumb (one standard error), not a test.

    Parameters
    ----------
    model : RowModel
        What knows the losses.
    best, base : ndarray of bool, shape (n_columns,)
        The best subset, and the columns in it that must stay.
    within : float
        The width, in standard errors.
    least : int
        At least so many columns stay.
    """
    mask = best.copy()
    reference = model.losses(best[None])[0]
    while mask.sum() > least:
        columns = np.flatnonzero(mask & ~base)
        if not len(columns):
            break
        shorter = flip_each(mask, columns)
        losses = model.losses(shorter)
        i = int(losses.mean(axis=1).argmin())
        cost = losses[i] - reference
        if cost.mean() > within * cost.std() / np.sqrt(len(cost)):
            break
        mask = shorter[i]
    return mask
