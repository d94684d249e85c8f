"""The target: classes stay as they are, numbers are binned."""

from __future__ import annotations

from collections.abc import Sequence
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
        self.fit_column(column, len(column))
        for note in self.notes:
            tell(note, ColumnWarning)
        return self.transform_column(column)

    def fit_column(self, column: RawColumn, n_rows: int) -> None:
        """Learn the classes from a column; of so many rows, it has at least one of each class or, of numbers, all."""
        self.kind, self.name, self.notes = "classes", column.name, column.notes
        self.binner, self.numbers = None, None
        numbers = None if column.numbers is None else column.present
        self.is_text = numbers is None
        if numbers is not None and self._is_numeric(numbers):
            binner = fit_bins(numbers, self.binning, self.n_bins, np.zeros(len(numbers), dtype=np.int64))
            found = binner(numbers)
            of_bins = [numbers[found == b] for b in range(int(found.max()) + 1)]
            low, high = ([getattr(own, end)() if len(own) else None for own in of_bins] for end in ("min", "max"))
            self.fit_bins(binner, low, high, len(np.unique(numbers)), n_rows, _are_whole(numbers))
            self.numbers = column.numbers
        elif numbers is not None:
            values = np.unique(numbers)
            self.labels = tuple(int(value) if value == int(value) else float(value) for value in values)
        elif self.target == "numeric":
            hint = "use ", Mention("target", "classes")
            raise ParameterError("target", "may be 'numeric' only if y holds numbers; it holds other values", hint=hint)
        else:
            self.labels = in_order(column.distinct)
        if len(self.labels) == 1:
            raise ValueError(
                f"y must have at least two classes; got one class, {self.labels[0]!r}, in all {n_rows} rows: "
                "nothing can be learnt about a constant target."
            )
        if len(self.labels) == n_rows > MAX_NUMERIC_CLASSES:
            text = (
                f"y has a different class in each of its {n_rows} rows, so one row says nothing about another: "
                "use target='numeric' if it holds numbers."
            )
            self.notes += (Note("target_id", text),)

    def fit_bins(
        self,
        binner: Binner,
        low: Sequence[Any],
        high: Sequence[Any],
        n_different: int | None,
        n_rows: int,
        are_whole: bool,
    ) -> None:
        """Learn the classes of a numeric y from its bins.

        Parameters
        ----------
        binner : Binner
            The bins.
        low, high : sequence of numbers
            The least and the largest number in each of them, None in an empty one.
        n_different, n_rows : int
            How many numbers there are, different ones (None if many) and all.
        are_whole : bool
            Whether all of them are whole.
        """
        self.kind, self.binner, self.is_text = "numeric", binner, False
        self.bins = np.array([b for b, least in enumerate(low) if least is not None], dtype=np.int64)
        self.labels = tuple(interval(np.array([low[b], high[b]])) for b in self.bins)
        is_few = n_different is not None and n_different <= _MOST_CODES
        if self.target == "auto" and is_few and (n_different or 0) * _ROWS_OF_A_CODE <= n_rows and are_whole:
            text = (
                f"the target {self.name!r} has {n_different} different whole numbers and is predicted as a number: if "
                "they are codes of classes, use target='classes' (--target-kind classes in the command)."
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
        return self.transform_column(_read_target(y))

    def transform_column(self, column: RawColumn) -> NDArray[np.int64]:
        """The same for a column that has been read."""
        if (column.numbers is None) != self.is_text:
            raise ValueError("y must hold the same kind of values as in fit, numbers or not; got the other kind.")
        if self.binner is not None and column.numbers is not None:
            # A bin that had no rows in fit has no class: it gets that of the next lower bin, or of the lowest.
            below = np.searchsorted(self.bins, self.binner(column.present), side="right")
            return np.asarray(np.maximum(below - 1, 0), dtype=np.int64)
        place_of = {label: place for place, label in enumerate(self.labels)}
        if column.numbers is not None:
            values, places = np.unique(column.present, return_inverse=True)
            codes = np.array([place_of.get(number, -1) for number in values.tolist()], dtype=np.int64)
            return np.asarray(codes[places.reshape(-1)])
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
