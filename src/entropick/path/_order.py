"""An order of columns, from the places that they have in halves of the rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from entropick.engine import Engine
from entropick.path._settings import NEAR

Floats = NDArray[np.float64]
Groups = tuple[NDArray[np.int64], ...]


def mean_places(places: Floats, last: float, near: Groups = ()) -> Floats:
    """The mean place of each column over halves; one that has none in a half is last there.

    Near copies of each other split their places, so that ten copies of the strongest column would come after weaker
    ones: the strongest of them has the mean of the best places of all of them, the others keep their own.

    Parameters
    ----------
    places : ndarray of shape (n_halves, n_columns)
        Infinite where a column has none.
    last : float
        The place of those.
    near : tuple of arrays
        The groups of near copies.

    Examples
    --------
    >>> places = np.array([[1.0, np.inf, 2.0], [np.inf, 1.0, 2.0]])
    >>> mean_places(places, 3.0)
    array([2., 2., 2.])
    >>> mean_places(places, 3.0, (np.array([0, 1]),))
    array([1., 2., 2.])
    """
    known = np.where(np.isinf(places), last, places)
    means = known.mean(axis=0)
    for group in near:
        means[group[means[group].argmin()]] = known[:, group].min(axis=1).mean()
    return np.asarray(means)


def near_copies(columns: NDArray[np.int64], engine: Engine) -> Groups:
    """The groups of columns that say nearly the same."""
    if len(columns) < 2:
        return ()
    _, label = connected_components(shared_entropy(columns, engine) >= NEAR, directed=False)
    groups = (columns[label == group] for group in range(int(label.max()) + 1))
    return tuple(group for group in groups if len(group) > 1)


def shared_entropy(columns: NDArray[np.int64], engine: Engine) -> Floats:
    """The share of the entropy of the simpler of two columns that both have, beyond what they have by chance."""
    narrow = engine.on(engine.table.take(columns))
    joint = narrow.pair_entropies(range(len(columns)))[0]
    alone = np.diag(joint)
    smaller = np.minimum(alone[:, None], alone)
    more = narrow.table.found_levels - 1
    by_chance = more[:, None] * more / (2 * narrow.table.n_rows * np.log(2))
    return np.asarray((alone[:, None] + alone - joint - by_chance) / np.where(smaller > 0, smaller, np.inf))
