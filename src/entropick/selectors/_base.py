"""What all selectors share: reading X and y, keeping the chosen columns, saying what they are worth."""

from __future__ import annotations

import warnings
from typing import Any, Self

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from entropick.encode import CodeTable, is_frame
from entropick.scorer import SubsetScorer, encode
from entropick.selectors._validate import check_table, check_target, find_columns


class InformationSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the estimators: a child chooses a mask in `_select`, the rest is here."""

    n_bins: int
    binning: str
    target: str
    always: Any

    def fit(self, X: Any, y: Any) -> Self:
        """Choose the columns of X that tell about y.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns)
            The table; strings, categories, dates and missing values are welcome.
        y : array-like of shape (n_rows,)
            The target.

        Returns
        -------
        self
        """
        y = check_target(self, y)
        X = check_table(self, X, reset=True)
        table, _, target = encode(X, y, self.n_bins, self.binning, self.target)
        self.target_ = {"kind": target.kind, "labels": target.labels}
        if target.kind == "numeric":
            self.target_["binning"] = target.binning
        self.class_entropy_ = table.class_entropy
        self.support_ = self._select(table)
        self.n_features_ = int(self.support_.sum())
        self.information_ = float(SubsetScorer(table, n_jobs=1)(self.support_[None])[0])
        self.delta_information_ = (
            abs(self.information_ - self.class_entropy_) / self.information_ if self.information_ > 0 else float("inf")
        )
        return self

    def _select(self, table: CodeTable) -> NDArray[np.bool_]:
        """The mask of the chosen columns; sets the attributes that are the child's own."""
        raise NotImplementedError

    def _always(self) -> tuple[int, ...]:
        return find_columns(self.always, _check_feature_names_in(self), "always")

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def transform(self, X: Any) -> Any:
        """X with the selected columns only, the same kind of table as it came.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns)
            A table with the columns of `fit`.
        """
        check_is_fitted(self)
        X = check_table(self, X, reset=False)
        if not self.support_.any():
            warnings.warn("no column was selected, so the table that comes out has none.", UserWarning, stacklevel=2)
        chosen = np.flatnonzero(self.support_)
        if not is_frame(X):
            return X[:, chosen]
        wanted = _get_output_config("transform", estimator=self)["dense"]
        if hasattr(X, "iloc"):
            selected = X.iloc[:, chosen]
        else:
            selected = nw.from_native(X, eager_only=True)[:, chosen.tolist()].to_native()
        if wanted in ("pandas", "polars"):
            frame = nw.from_native(selected, eager_only=True)
            return frame.to_pandas() if wanted == "pandas" else frame.to_polars()
        return selected

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags
