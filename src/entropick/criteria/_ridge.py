"""Ridge regression on many subsets of features, from their Gram matrix alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from entropick.criteria._tables import Floats

PENALTIES = (1.0, 10.0, 100.0, 1000.0)
PRICE = 1.4


@dataclass(frozen=True)
class RidgeCenter:
    """A subset of features, in terms of which those that differ little from it cost little; see ``cpp/near.hpp``.

    Attributes
    ----------
    member : ndarray of bool, shape (n_features,)
        The subset.
    values : ndarray of shape (n_axes,)
        The eigenvalues of its Gram matrix, or of XX' if it has more features than there are rows.
    columns : ndarray of shape (n_features, n_axes)
        Along the axes, of every feature outside: its products with those inside; of those inside: the unit vector. Of
        XX': every feature.
    targets : ndarray of shape (n_targets, n_axes)
        The products with the targets along the axes; of XX', the targets.
    """

    member: NDArray[np.bool_]
    values: Floats
    columns: Floats
    targets: Floats


@dataclass(frozen=True)
class Ridge:
    """What ridge regression with an unpenalised intercept needs to know of features and targets.

    Attributes
    ----------
    gram : ndarray of shape (n_features, n_features)
        X'X of the centred features.
    cross : ndarray of shape (n_features, n_targets)
        X'Y of the centred features and targets.
    X, Y : ndarray
        The centred features, shape (n_features, n_rows), and targets, shape (n_rows, n_targets), which are quicker for
        subsets of more features than rows; empty if there are none.
    total : float
        Σ Y² of the centred targets; more than 0.
    n_rows : int
        The number of rows.
    penalties : tuple of float
        The penalties λ to try, in rows: a feature of n rows is shrunk by n / (n + λ).
    price : float
        Of a degree of freedom; 1 would be plain GCV.
    """

    gram: Floats
    cross: Floats
    X: Floats
    Y: Floats
    total: float
    n_rows: int
    penalties: tuple[float, ...] = PENALTIES
    price: float = PRICE

    def around(self, member: NDArray[np.bool_]) -> RidgeCenter:
        """A subset that others are near to, along the axes of its Gram matrix or, if that is smaller, of XX'."""
        own = np.flatnonzero(member)
        if len(self.X) and len(own) > self.n_rows:
            values, axes = np.linalg.eigh(self.X[own].T @ self.X[own])
            columns, targets = self.X @ axes, self.Y
        else:
            values, axes = np.linalg.eigh(self.gram[np.ix_(own, own)])
            columns, targets = self.gram[:, own] @ axes, self.cross[own]
            columns[own] = axes
        return RidgeCenter(member, np.maximum(values, 0.0), columns, np.ascontiguousarray((axes.T @ targets).T))

    def solve(self, members: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.int64]]:
        """V(U)/V(∅) of subsets of features, shape (n_subsets, n_features), and the place of the penalty.

        V = n·RSS / (n − 1.4·df)², of the penalty that makes it least, the smallest of equals; RSS is summed over the
        targets, df = 1 + tr G(G + λI)⁻¹. Infinite, and the place −1, if 1.4·df ≥ n/2 for all penalties.
        """
        ratios, places = np.full(len(members), np.inf), np.full(len(members), -1)
        for i, member in enumerate(members):
            own = np.flatnonzero(member)
            values, axes = np.linalg.eigh(self.gram[np.ix_(own, own)])
            values = np.maximum(values, 0.0)
            squares = ((axes.T @ self.cross[own]) ** 2).sum(axis=1)
            for place, penalty in enumerate(self.penalties):
                df = 1 + (values / (values + penalty)).sum()
                if 2 * self.price * df >= self.n_rows:
                    continue
                rss = self.total - (squares * (values + 2 * penalty) / (values + penalty) ** 2).sum()
                ratio = rss / self.total * ((self.n_rows - self.price) / (self.n_rows - self.price * df)) ** 2
                if ratio < ratios[i]:
                    ratios[i], places[i] = ratio, place
        return ratios, places
