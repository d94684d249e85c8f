"""A table, a target and a criterion: everything a search needs, for searches of your own too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from entropick._names import look_up
from entropick.criteria import Criterion, ModelCriterion, find_criterion
from entropick.encode import CodeTable, TableEncoder, TargetEncoder, as_array, is_frame, read_source
from entropick.engine import ENGINES, BoundEngine, count_threads, make_engine


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
    scale : float
        About the largest score there is: H(y), unless the criterion has another.

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
        if isinstance(X, CodeTable) and y is not None:
            raise ValueError("a CodeTable has its classes, so y must be None; got both.")
        look_up("engine", engine, {"auto": None, **ENGINES})
        count_threads(n_jobs)
        self.engine, self.n_jobs = engine, n_jobs
        self.table = X if isinstance(X, CodeTable) else encode(X, y, n_bins, binning, target)[0]
        self.class_entropy = self.table.class_entropy
        self.criterion = criterion
        found = find_criterion(criterion)
        self.scale = float(getattr(found, "scale", self.class_entropy))
        self._score: Callable[[NDArray[np.bool_]], NDArray[np.float64]] = (
            found.bind(self.table)
            if isinstance(found, ModelCriterion)
            else make_engine(engine, self.table, n_jobs).bind(found(self.table.class_sizes))
        )

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
        # Ten decimals are well above the rounding of every criterion, so that what is equal in exact arithmetic
        # compares as equal; adding 0 turns −0 into 0.
        return np.round(self._score(self._check(masks)), 10) + 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as what it was made from; the counting is set up again where it is loaded."""
        return SubsetScorer, (self.table, None, self.criterion, self.engine, self.n_jobs)

    def digest(self) -> str | None:
        """A hash of the tables of the criterion: equal for criteria that score equally; None for a model."""
        return self._score.tables.digest() if isinstance(self._score, BoundEngine) else None

    def bounds(self, lower: ArrayLike, upper: ArrayLike) -> NDArray[np.float64]:
        """Upper bounds of the scores of all subsets between two, for exact search.

        Parameters
        ----------
        lower, upper : array-like of bool, shape (n_subsets, n_columns)
            ``bounds(U, W) >= score(V)`` for every V that has all columns of U and no others than those of W.
        """
        above, below = self._bounds
        # Rounded like the scores, after a little more than what fixed-point sums may be wrong by: never too low.
        return np.round(above(self._check(upper)) + below(self._check(lower)) + 2e-11, 10)

    @cached_property
    def _bounds(self) -> tuple[BoundEngine, BoundEngine]:
        if isinstance(self._score, BoundEngine) and self._score.tables.tables.bound:
            upper, lower = self._score.tables.tables.bound()
            return self._score.engine.bind(upper), self._score.engine.bind(lower)
        raise ValueError(
            f"criterion {self.criterion!r} has no bound, which exact search needs: use 'plugin' or 'reliable', or the "
            "search 'exhaustive'."
        )

    def _check(self, masks: ArrayLike) -> NDArray[np.bool_]:
        array = np.asarray(masks)
        if array.ndim != 2 or array.shape[1] != self.table.n_columns:
            raise ValueError(
                f"masks must have shape (n_subsets, {self.table.n_columns}), a row for every subset; got {array.shape}."
            )
        if array.dtype != np.bool_ and not np.isin(array, (0, 1)).all():
            raise ValueError("masks must hold True and False, or 1 and 0; got other values: use a mask, not indices.")
        checked = np.ascontiguousarray(array, dtype=np.bool_)
        if checked.view(np.uint8).max(initial=0) > 1:  # bytes that were declared to be booleans
            raise ValueError("masks must hold True and False; got booleans made of other bytes: use mask != 0.")
        return checked


def encode(
    X: Any,
    y: Any,
    n_bins: int = 5,
    binning: str = "quantile",
    target: str = "auto",
    deadline: float | None = None,
) -> tuple[CodeTable, TableEncoder, TargetEncoder]:
    """The table of codes of X and y, and the encoders that made it; columns are read until the deadline only."""
    if y is None:
        raise ValueError("y must be given: information is about a target; got None.")
    table_encoder = TableEncoder(n_bins, binning)
    target_encoder = TargetEncoder(target, n_bins, binning)
    table = table_encoder.fit_transform(read_source(X), target_encoder.fit_transform(y), deadline)
    if not is_frame(X):
        X = X.tocsc() if sparse.issparse(X) else as_array(X)
    labels = target_encoder.labels if target_encoder.kind == "classes" else None
    return replace(table, X=X, y=y, labels=labels), table_encoder, target_encoder
