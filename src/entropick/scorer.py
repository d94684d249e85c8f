"""A table, a target and a criterion: everything a search needs, for searches of your own too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from entropick.criteria import Criterion, ModelCriterion, find_criterion
from entropick.encode import CodeTable, TableEncoder, TargetEncoder, read_source
from entropick.engine import make_engine


class SubsetScorer:
    """Score subsets of the columns of X by what they tell about y, in bits.

    Parameters
    ----------
    X : data frame, array, sparse matrix or CodeTable
        The table. Of a CodeTable, which has its classes, y must be None.
    y : array-like of shape (n_rows,)
        The target.
    criterion : str or criterion, default='plugin'
        'plugin', 'miller_madow', 'reliable', 'bayes', 'predictive', 'usable', or one of your own.
    engine : {'auto', 'native', 'numpy'}, default='auto'
        What counts; the answers are the same.
    n_jobs : int, default=-1
        Threads; −1 is one per processor.
    n_bins, binning, target : int, str, str
        How reals are cut and what y is; see `CrossEntropySelector`.

    Attributes
    ----------
    table : CodeTable
        The encoded table.
    class_entropy : float
        H(y) in bits.

    Examples
    --------
    >>> scorer = SubsetScorer([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])  # y is x0 xor x1
    >>> scorer([[True, False], [False, True], [True, True]])
    array([0., 0., 1.])
    """

    def __init__(
        self,
        X: Any,
        y: Any = None,
        criterion: str | Criterion = "plugin",
        engine: str = "auto",
        n_jobs: int = -1,
        *,
        n_bins: int = 5,
        binning: str = "quantile",
        target: str = "auto",
    ) -> None:
        self.table = X if isinstance(X, CodeTable) else encode(X, y, n_bins, binning, target)[0]
        self.class_entropy = self.table.class_entropy
        self.criterion = criterion
        self._score = _bind(find_criterion(criterion), self.table, engine, n_jobs)

    def __call__(self, masks: ArrayLike) -> NDArray[np.float64]:
        """Scores of subsets.

        Parameters
        ----------
        masks : array-like of bool, shape (n_subsets, n_columns)
            True where a column is in the subset.

        Returns
        -------
        ndarray of shape (n_subsets,)
        """
        array = np.asarray(masks)
        if array.ndim != 2 or array.shape[1] != self.table.n_columns:
            raise ValueError(
                f"masks must have shape (n_subsets, {self.table.n_columns}), a row for every subset; got {array.shape}."
            )
        if array.dtype != np.bool_ and not np.isin(array, (0, 1)).all():
            raise ValueError("masks must hold True and False, or 1 and 0; got other values: use a mask, not indices.")
        # Ten decimals are well above the rounding of every criterion, so that what is equal in exact arithmetic
        # compares as equal; adding 0 turns −0 into 0.
        return np.round(self._score(array.astype(np.bool_)), 10) + 0.0


def encode(
    X: Any, y: Any, n_bins: int = 5, binning: str = "quantile", target: str = "auto"
) -> tuple[CodeTable, TableEncoder, TargetEncoder]:
    """The table of codes of X and y, and the encoders that made it."""
    if y is None:
        raise ValueError("y must be given: information is about a target; got None.")
    table_encoder = TableEncoder(n_bins, binning)
    target_encoder = TargetEncoder(target, n_bins, binning)
    source = read_source(X)
    return table_encoder.fit_transform(source, target_encoder.fit_transform(y)), table_encoder, target_encoder


def _bind(
    criterion: Criterion, table: CodeTable, engine: str, n_jobs: int
) -> Callable[[NDArray[np.bool_]], NDArray[np.float64]]:
    if isinstance(criterion, ModelCriterion):
        return criterion.bind(table)
    return make_engine(engine, table, n_jobs).bind(criterion(table.class_sizes))
