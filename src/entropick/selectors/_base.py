"""What all selectors share: reading X and y, keeping the chosen columns, reporting on them."""

from __future__ import annotations

import time
from abc import abstractmethod
from dataclasses import replace
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Self

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted

from entropick._decimals import ten_decimals
from entropick._extras import frame_library
from entropick._masks import flip_each, in_parts
from entropick._version import __version__
from entropick._words import listed
from entropick.association import single_strengths
from entropick.criteria import RowCriterion, TableCriterion, plugin
from entropick.encode import (
    CodeTable,
    Encoded,
    TableEncoder,
    TargetEncoder,
    as_frame,
    encode,
    is_frame,
    take_columns,
)
from entropick.engine import check_engine
from entropick.information import relative_loss
from entropick.notes import Note, listening, tell, warn
from entropick.scorer import Scorers
from entropick.selectors._record import FitRecord, Outcome
from entropick.selectors._validate import check_table, check_target, set_names
from entropick.shards import encode_chunks, is_lazy, open_chunks, take_lazily
from entropick.stability import stability_interval

if TYPE_CHECKING:
    from entropick.report import Report


class InformationSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the estimators: a subclass chooses a mask in `_select`, the rest is here."""

    n_bins: int
    binning: str
    target: str
    engine: str
    n_jobs: int

    _names_in: tuple[str, ...] | None = None  # the column names of a frame, as text

    def fit(self, X: Any, y: Any) -> Self:
        """Choose the columns of X that carry information about y.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns)
            The table; it may have strings, categories, dates and missing values. It need not fit into memory if it is a
            lazy polars frame or a Dask data frame.
        y : array-like of shape (n_rows,), or str
            The target; of a table that is not in memory, the name of its column.

        Returns
        -------
        self
        """
        before = dict(self.__dict__)
        try:
            return self._fit(X, y)
        except BaseException:
            self.__dict__ = before  # as before: not half fitted
            raise

    def _fit(self, X: Any, y: Any) -> Self:
        began = time.monotonic()
        self._check_parameters()
        limit = self._time_for_reading()
        encoded = self._encoded(X, y, reset=True, deadline=None if limit is None else began + limit)
        encoded_at = time.monotonic()
        self._fit_encoded(encoded, began, encoded_at)
        return self

    def _fit_encoded(self, encoded: Encoded, began: float, encoded_at: float) -> None:
        """Choose columns of a table in codes, and set the attributes."""
        table, order = self._working(encoded.table)
        with Scorers(table, self.engine, self.n_jobs) as scorers:
            outcome = _told_of_bins(self._select(encoded, scorers, order, began), encoded)
            selected_at = time.monotonic()
            self.n_features_ = int(outcome.mask.sum())
            self.class_entropy_: float | None = None
            if outcome.criterion.keeps_numbers(encoded.table):
                self.information_ = float(scorers[outcome.criterion].final(outcome.mask[None])[0])
                self.delta_information_ = float(4.0**-self.information_)  # 1 − R²
            else:
                self.class_entropy_ = encoded.table.class_entropy
                self.information_ = float(scorers[plugin](outcome.mask[None])[0])
                self.delta_information_ = relative_loss(self.information_, self.class_entropy_)
            places = np.argsort(order)
            self.feature_importances_ = _importances(scorers, outcome)[places]
            self.ranking_ = _ranking(scorers, outcome)[places]
            if scorers.engine.how:
                encoded = replace(encoded, notes=(*encoded.notes, Note("shards", scorers.engine.how)))
        encoded.table.of_columns.clear()  # the table is kept
        outcome = outcome.in_order(order)
        self.support_ = outcome.mask
        choices, curve, decoys = outcome.choices, outcome.curve, outcome.decoys
        self.selection_frequency_ = None if choices is None else choices.frequency
        self.stability_ = None if choices is None else stability_interval(choices.masks)
        self.p_value_ = None if outcome.chance is None else outcome.chance.p_value
        self.curve_ = None if curve is None else {**vars(curve)}
        self.verdict_ = None if decoys is None else np.array(decoys.verdicts(outcome.mask))
        self.expected_false_ = None if decoys is None else decoys.expected_false
        target = encoded.target
        self.target_: dict[str, Any] = {"kind": target.kind, "labels": target.labels}
        if target.kind == "numeric":
            self.target_["binning"] = target.binning
        seconds = time.monotonic() - began
        self.record_ = FitRecord(outcome, encoded, seconds, selected_at - encoded_at, self._time_limit())

    def _encoded(self, X: Any, y: Any, *, reset: bool, deadline: float | None = None) -> Encoded:
        """The table and the target in codes, after checking them."""
        settings = self.n_bins, self.binning, self.target
        chunked = open_chunks(X, y)
        if chunked is None:
            y = check_target(self, y)
            return encode(check_table(self, X, reset=reset), y, *settings, deadline)
        if reset:
            set_names(self, chunked.names)
        return encode_chunks(chunked.chunks, chunked.names, chunked.target, *settings)

    def _time_limit(self) -> float | None:
        """Seconds that a fit may take."""
        return None

    def _time_for_reading(self) -> float | None:
        """Seconds after which no more columns are read."""
        return None

    def to_frame(self) -> Any:
        """All columns as a data frame: whether they are selected and sure, their place, importance, frequency and rank.

        A pandas frame if pandas is installed, else a polars frame.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from entropick import RankSelector
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> list(RankSelector("mim", n_features_to_select=2).fit(X, y).to_frame().columns)
        ['column', 'selected', 'verdict', 'expected_false', 'place', 'importance', 'frequency', 'rank']
        """
        check_is_fitted(self)
        names = self._names_in or [f"x{j}" for j in range(len(self.support_))]
        nothing = [None] * len(names)
        known = {
            "verdict": self.verdict_,
            "expected_false": self.expected_false_,
            "place": self.record_.outcome.places,
            "frequency": self.selection_frequency_,
        }
        lists = {name: nothing if values is None else values.tolist() for name, values in known.items()}
        columns = {
            "column": list(names),
            "selected": self.support_.tolist(),
            "verdict": lists["verdict"],
            "expected_false": lists["expected_false"],
            "place": lists["place"],
            "importance": self.feature_importances_.tolist(),
            "frequency": lists["frequency"],
            "rank": self.ranking_.tolist(),
        }
        return nw.from_dict(columns, backend=frame_library()).to_native()

    def plot(self, X: Any = None, y: Any = None) -> Any:
        """What numbers of columns predict, or else what each column adds, as a matplotlib figure; see `report`."""
        return self.report(X, y).plot()

    def report(self, X: Any = None, y: Any = None) -> Report:
        """A page about what was selected and how, to show in a notebook or save.

        Parameters
        ----------
        X, y : as in `fit`
            Needed only if the estimator was pickled or copied after `fit`: the table is not stored with it.

        Returns
        -------
        Report
            With ``save(path)``, ``html``, ``result`` (a `Result`) and ``figures`` (matplotlib figures by name).
        """
        from entropick.report import Report, describe

        check_is_fitted(self)
        if X is None and y is None:
            return Report(describe(self))
        with listening(lambda note: None):  # fit has reported them
            encoded = self._encoded(X, y, reset=False)
        return Report(describe(self, encoded))

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the table of `fit`."""
        state = dict(super().__getstate__())
        if "record_" in state:
            state["record_"] = state["record_"].without_table()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Parameters that the version that stored the estimator did not have get their defaults, with a warning."""
        parameters = signature(type(self)).parameters.values()
        new = {p.name: p.default for p in parameters if p.name not in state and p.default is not Parameter.empty}
        if new:
            warn(
                f"this {type(self).__name__} was stored by a version of entropick other than {__version__}, without "
                f"{', '.join(new)}; the defaults are used for them: fit it again to be sure."
            )
        super().__setstate__({**new, **state})

    def _check_parameters(self) -> None:
        """Raise a ValueError for parameters that are wrong for any table, before the estimator changes."""
        TableEncoder(self.n_bins, self.binning)
        TargetEncoder(self.target)
        check_engine(self.engine, self.n_jobs)

    def _working(self, table: CodeTable) -> tuple[CodeTable, NDArray[np.int64]]:
        """The table to work on, and which column of the table of `fit` each of its columns is."""
        return table, np.arange(table.n_columns)

    @abstractmethod
    def _select(self, encoded: Encoded, scorers: Scorers, order: NDArray[np.int64], began: float) -> Outcome:
        """Choose columns of the table of the scorers, and set the attributes of the subclass.

        ``order`` says which column of the encoded table each of its columns is; ``began`` is when `fit` began, by
        ``time.monotonic()``.
        """

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def transform(self, X: Any) -> Any:
        """Return X with the selected columns only, as the same kind of table.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns)
            A table with the same columns as in `fit`.
        """
        check_is_fitted(self)
        if is_lazy(X):
            return take_lazily(X, self.get_feature_names_out().tolist())
        kind = X.format if sparse.issparse(X) else None
        X = check_table(self, X, reset=False).native
        if not self.support_.any():
            warn("no column was selected, so the transformed table has none.")
        selected = take_columns(X, np.flatnonzero(self.support_))
        if kind is not None:
            return selected.asformat(kind)
        wanted = _get_output_config("transform", estimator=self)["dense"]
        if is_frame(X) and wanted in ("pandas", "polars"):
            frame = nw.from_native(as_frame(selected), eager_only=True)
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


def _importances(scorers: Scorers, outcome: Outcome) -> NDArray[np.float64]:
    """What would be lost without each selected column, at least 0; of a model of your own, the same for all."""
    chosen = np.flatnonzero(outcome.mask)
    importances = np.zeros(len(outcome.mask))
    if not isinstance(outcome.criterion, TableCriterion | RowCriterion):
        importances[chosen] = 1 / max(1, len(chosen))
        return importances
    scorer = scorers[outcome.criterion]
    for part in in_parts(chosen, len(outcome.mask)):
        importances[part] = np.maximum(0.0, scorer(outcome.mask[None]) - scorer(flip_each(outcome.mask, part)))
    return ten_decimals(importances)


def _ranking(scorers: Scorers, outcome: Outcome) -> NDArray[np.int64]:
    """1 for the selected columns; the others by their places in halves of the rows, then by what they say alone."""
    places = np.zeros(len(outcome.mask)) if outcome.places is None else outcome.places
    order = np.lexsort((-single_strengths(scorers.engine), places, ~outcome.mask))
    ranking = np.ones(len(outcome.mask), dtype=np.int64)
    others = order[int(outcome.mask.sum()) :]
    ranking[others] = np.arange(2, len(others) + 2)
    return ranking


def _told_of_bins(outcome: Outcome, encoded: Encoded) -> Outcome:
    """The outcome, with a note if y is a number that the criterion could only use in bins."""
    target = encoded.target
    if target.kind != "numeric" or outcome.criterion.keeps_numbers(encoded.table):
        return outcome
    is_ranking = outcome.kind == "ranking"
    what = f"ranking {outcome.method!r}" if is_ranking else f"criterion {outcome.criterion.name!r}"
    text = (
        f"the target {target.name!r} is numeric and was cut into {len(target.labels)} classes "
        f"({listed(target.labels, 10)}), because the {what} needs classes: cut it yourself if you need others."
    )
    note = Note("binned_target", text, (target.name,))
    tell(note)
    return replace(outcome, notes=(*outcome.notes, note))
