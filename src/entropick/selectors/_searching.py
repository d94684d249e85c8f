"""What the selectors that search share: how many columns, which ones, which are sure, and whether there is anything."""

from __future__ import annotations

import os
import time
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from entropick._checks import check_flag, check_number, check_size
from entropick._errors import Mention, ParameterError
from entropick._names import look_up
from entropick.criteria import CriterionLike, RowCriterion, find_criterion
from entropick.encode import CodeTable, Encoded
from entropick.scorer import Scorers
from entropick.search import ON_INTERRUPT, Budget, Search, StepLine
from entropick.selectors._base import InformationSelector
from entropick.selectors._fit import Fit
from entropick.selectors._record import Outcome

_DEAREST = 10**9  # times H(y): even the penalty of the widest table stays finite
_READING = 0.5  # of a time limit, by which the table is read


class SearchingSelector(InformationSelector):
    """Base of the estimators that search: the subclass makes the search in `_make_search`."""

    criterion: CriterionLike
    keep: float | str
    n_features_to_select: int | None
    min_features: int
    max_features: int | None
    always: Any
    parsimony: float
    null: bool
    halves: bool | None
    decoys: int | None
    max_evaluations: int | None
    max_seconds: float | None
    checkpoint: str | os.PathLike[str] | None
    on_interrupt: str
    random_state: Any
    callback: Callable[[StepLine], object] | None

    @abstractmethod
    def _make_search(self) -> Search:
        """The search with its settings."""

    def _check_parameters(self) -> None:
        super()._check_parameters()
        find_criterion(self.criterion)
        if self.keep != "one_se":
            try:
                check_number("keep", self.keep, 0, 1, above=True)
            except ParameterError:
                expected = "must be a share greater than 0 and at most 1, or 'one_se'"
                raise ParameterError("keep", expected, self.keep) from None
        check_number("min_features", self.min_features, 0, integer=True)
        check_number("parsimony", self.parsimony, 0, _DEAREST)
        check_flag("null", self.null)
        if self.halves is not None:
            check_flag("halves", self.halves)
        check_number("decoys", self.decoys, 0, integer=True, optional=True)
        Budget(self.max_evaluations, self.max_seconds)
        look_up(Mention("on_interrupt"), self.on_interrupt, ON_INTERRUPT)
        self._make_search().check()
        if self.callback is not None and not callable(self.callback):
            raise ParameterError("callback", "must be a function of a dict", self.callback, optional=True)

    def _time_limit(self) -> float | None:
        return self.max_seconds

    def _time_for_reading(self) -> float | None:
        # A run that may be resumed needs the whole table.
        return None if self.max_seconds is None or self.checkpoint is not None else _READING * self.max_seconds

    def at(self, k: int, X: Any = None, y: Any = None) -> Self:
        """A fitted selector of exactly k columns, of the same table and with the same settings.

        Parameters
        ----------
        k : int
            How many columns.
        X, y : as in `fit`
            Needed only if the selector was pickled or copied after `fit`: the table is not stored with it.

        Examples
        --------
        >>> from sklearn.datasets import load_wine
        >>> from entropick import CrossEntropySelector
        >>> X, y = load_wine(return_X_y=True)
        >>> CrossEntropySelector(random_state=0).fit(X, y).at(3).n_features_
        3
        """
        check_is_fitted(self)
        check_size("k", k, self.n_features_in_)
        exact: Self = clone(self)
        exact.set_params(
            n_features_to_select=k, min_features=0, max_features=None, random_state=self.seed_, halves=None, decoys=None
        )
        encoded = self.record_.encoded
        if X is not None or y is not None:
            exact.fit(X, y)
            return exact
        if encoded is None:
            raise ValueError("the table of fit is not stored with the selector: call at(k, X, y) with the same table.")
        exact._check_parameters()
        exact._names_in = self._names_in
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(exact, name, getattr(self, name))
        began = time.monotonic()
        exact._fit_encoded(encoded, began, began)
        return exact

    def _working(self, table: CodeTable) -> tuple[CodeTable, NDArray[np.int64]]:
        """The table with its columns in the order of their content, for criteria that predict."""
        if not isinstance(find_criterion(self.criterion).on(table), RowCriterion):
            return super()._working(table)
        return table.reordered(table.content.columns), table.content.columns

    def _select(self, encoded: Encoded, scorers: Scorers, order: NDArray[np.int64], began: float) -> Outcome:
        outcome = Fit(self, encoded, scorers, order, began).outcome()
        self.score_, self.best_score_ = outcome.score, outcome.best_score
        return outcome
