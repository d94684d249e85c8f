"""The target: classes stay as they are, numbers are binned."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from entropick._defaults import BINNING, N_BINS, TARGET
from entropick._errors import Mention, ParameterError
from entropick._names import look_up
from entropick.encode._binning import Binner, fit_bins, interval
from entropick.encode._raw import ColumnWarning, RawColumn, in_order
from entropick.encode._source import read_source
from entropick.notes import Note, tell

MAX_NUMERIC_CLASSES = 20
_MOST_CODES = 100  # whole numbers that may be codes of classes,
_ROWS_OF_A_CODE = 20  # if each has as many rows on average
_KINDS = {kind: kind for kind in ("auto", "classes", "numeric")}


class TargetEncoder:
    """Turns y into class numbers and remembers how.

    Parameters
    ----------
    target : {'auto', 'classes', 'numeric'}
        'auto' treats numbers as numeric if there are fractions or more than 20 distinct values.
    n_bins, binning : int, str
        How a numeric y is cut, like a column. 'mdlp' needs classes to begin with, so y is then cut by quantiles.

    Attributes
    ----------
    kind : 'classes' or 'numeric'
    labels : the classes, or the intervals as text
    binner : the fitted bins of a numeric y, else None

    Examples
    --------
    >>> encoder = TargetEncoder()
    >>> encoder.fit_transform(["no", "yes", "no"]), encoder.kind, encoder.labels
    (array([0, 1, 0]), 'classes', ('no', 'yes'))
    >>> encoder.fit_transform([0.5, 1.5, 2.5, 3.5, 4.5, 5.5]), encoder.kind
    (array([0, 1, 2, 3, 4, 4]), 'numeric')
    """

    def __init__(self, target: str = TARGET, n_bins: int = N_BINS, binning: str = BINNING) -> None:
        self.target = look_up(Mention("target"), target, _KINDS)
        self.n_bins = n_bins
        self.binning = "quantile" if binning == "mdlp" else binning
        self.kind: Literal["classes", "numeric"] = "classes"
        self.name = "y"  # that of the series, if it is one and has one
        self.labels: tuple[Any, ...] = ()
        self.binner: Binner | None = None
        self.is_text = True
        self.numbers: NDArray[np.float64] | None = None  # of a numeric y
        self.notes: tuple[Note, ...] = ()
        self.bins: NDArray[np.integer] = np.empty(0, dtype=np.int64)  # those that have rows; each is a class

    def fit_transform(self, y: Any) -> NDArray[np.int64]:
        """Class number of every row."""
        column = _read_target(y)
        self.kind, self.name, self.notes = "classes", column.name, column.notes
        self.binner, self.numbers = None, None
        numbers = None if column.numbers is None else column.present
        self.is_text = numbers is None
        if numbers is not None and self._is_numeric(numbers):
            self.kind, self.numbers = "numeric", column.numbers
            self.binner = fit_bins(numbers, self.binning, self.n_bins, np.zeros(len(numbers), dtype=np.int64))
            bins = self.binner(numbers)
            self.bins, classes = np.unique(bins, return_inverse=True)
            self.labels = tuple(interval(numbers[bins == b]) for b in self.bins)
            self._note_codes(numbers)
        elif numbers is not None:
            values, classes = np.unique(numbers, return_inverse=True)
            self.labels = tuple(int(value) if value == int(value) else float(value) for value in values)
        elif self.target == "numeric":
            hint = "use ", Mention("target", "classes")
            raise ParameterError("target", "may be 'numeric' only if y holds numbers; it holds other values", hint=hint)
        else:
            self.labels = in_order(column.distinct)
            code_of = {label: code for code, label in enumerate(self.labels)}
            classes = np.array([code_of[value] for value in column.distinct], dtype=np.int64)[column.places]
        if len(self.labels) == 1:
            raise ValueError(
                f"y must have at least two classes; got one class, {self.labels[0]!r}, in all {len(classes)} rows: "
                "nothing can be learnt about a constant target."
            )
        if len(self.labels) == len(classes) > MAX_NUMERIC_CLASSES:
            text = (
                f"y has a different class in each of its {len(classes)} rows, so one row says nothing about another: "
                "use target='numeric' if it holds numbers."
            )
            self.notes += (Note("target_id", text),)
        for note in self.notes:
            tell(note, ColumnWarning)
        return np.asarray(classes, dtype=np.int64).reshape(-1)

    def _note_codes(self, numbers: NDArray[Any]) -> None:
        """Say so if numbers may be codes of classes."""
        n = len(np.unique(numbers))
        if self.target == "auto" and n <= _MOST_CODES and n * _ROWS_OF_A_CODE <= len(numbers) and _are_whole(numbers):
            text = (
                f"the target {self.name!r} has {n} different whole numbers and is predicted as a number: if they are "
                "codes of classes, use target='classes' (--target-kind classes in the command)."
            )
            self.notes += (Note("codes", text),)

    def transform(self, y: Any) -> NDArray[np.int64]:
        """Class number of further rows; −1 for a class that `fit_transform` did not see.

        Examples
        --------
        >>> encoder = TargetEncoder()
        >>> _ = encoder.fit_transform(["no", "yes", "no"])
        >>> encoder.transform(["yes", "perhaps"])
        array([ 1, -1])
        """
        column = _read_target(y)
        if (column.numbers is None) != self.is_text:
            raise ValueError("y must hold the same kind of values as in fit, numbers or not; got the other kind.")
        if self.binner is not None and column.numbers is not None:
            # A bin that had no rows in fit has no class: it gets that of the next lower bin, or of the lowest.
            below = np.searchsorted(self.bins, self.binner(column.present), side="right")
            return np.asarray(np.maximum(below - 1, 0), dtype=np.int64)
        place_of = {label: place for place, label in enumerate(self.labels)}
        if column.numbers is not None:
            return np.array([place_of.get(number, -1) for number in column.present.tolist()], dtype=np.int64)
        codes = np.array([place_of.get(value, -1) for value in column.distinct], dtype=np.int64)
        return np.asarray(codes[column.places])

    def _is_numeric(self, numbers: NDArray[Any]) -> bool:
        if self.target != "auto":
            return self.target == "numeric"
        return not _are_whole(numbers) or len(np.unique(numbers)) > MAX_NUMERIC_CLASSES


def _are_whole(numbers: NDArray[Any]) -> bool:
    return numbers.dtype != np.float64 or bool((numbers == np.floor(numbers)).all())


def _read_target(y: Any) -> RawColumn:
    source = read_source(y, "y")
    if len(source.names) != 1:
        raise ValueError(f"y must be one column; got {len(source.names)} columns: select one target at a time.")
    if source.n_rows == 0:
        raise ValueError("y must have at least one row; got a target with 0 sample(s).")
    (column,) = replace(source, names=("y",)) if isinstance(source.data, np.ndarray) else source
    missing = column.missing
    if missing.any():
        raise ValueError(
            f"y must not have missing values (NaN or None); got {int(missing.sum())} in {len(missing)} rows: "
            "drop those rows."
        )
    return column
