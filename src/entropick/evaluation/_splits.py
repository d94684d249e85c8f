"""Which rows a model is fitted on and which it is tested on."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from datetime import time as clock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold, TimeSeriesSplit

from entropick._errors import ParameterError
from entropick.encode import RawColumn, read_source

Rows = NDArray[np.int64]
_MOMENTS = (date, clock, timedelta, np.datetime64, np.timedelta64)  # a datetime is a date
_ISO = re.compile(r"(?P<month>\d{4}-\d\d)|\d{4}-\d\d-\d\d(?:[T ].*)?|(?P<clock>\d\d:\d\d(?::.*)?)")


class Splits:
    """Folds of a cross-validation, and random halves of the rows.

    Parameters
    ----------
    classes : ndarray of int, or None
        The class of every row; None if the target is a number.
    n_rows : int
        How many rows there are.
    seed : int
        Where the random ones come from.
    groups : array-like, optional
        Rows of one group are never on both sides.
    time : array-like, optional
        Models are fitted on earlier rows and tested on later ones.
    """

    def __init__(self, classes: Rows | None, n_rows: int, seed: int, groups: Any = None, time: Any = None) -> None:
        if groups is not None and time is not None:
            raise ParameterError("groups", "cannot be combined with an order in time: choose one of the two")
        self.classes, self.n_rows, self.seed = classes, n_rows, seed
        self.groups = None if groups is None else _places(_column(groups, n_rows, "groups"))
        self.order = None if time is None else np.argsort(in_time(_column(time, n_rows, "time")), kind="stable")
        self._rng = np.random.default_rng(seed)

    def folds(self, n: int) -> Iterator[tuple[Rows, Rows]]:
        """Training and test rows."""
        self._check(n)
        nothing = np.zeros(self.n_rows)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a class with fewer rows than folds is missing from some of them
            if self.order is not None:
                for train, test in TimeSeriesSplit(n).split(nothing):
                    yield np.sort(self.order[train]), np.sort(self.order[test])
            elif self.groups is not None and self.classes is not None:
                grouped = StratifiedGroupKFold(n, shuffle=True, random_state=self.seed)
                yield from grouped.split(nothing, self.classes, self.groups)
            elif self.groups is not None:
                yield from GroupKFold(n).split(nothing, groups=self.groups)
            elif self.classes is not None:
                yield from StratifiedKFold(n, shuffle=True, random_state=self.seed).split(nothing, self.classes)
            else:
                yield from KFold(n, shuffle=True, random_state=self.seed).split(nothing)

    def half(self) -> Rows:
        """A random half of the rows of every class, of the rows, or of the groups."""
        if self.groups is not None:
            every = self._rng.permutation(np.unique(self.groups))
            return np.flatnonzero(np.isin(self.groups, every[: (len(every) + 1) // 2]))
        classes = np.zeros(self.n_rows, dtype=np.int64) if self.classes is None else self.classes
        of_class = (self._rng.permutation(np.flatnonzero(classes == c)) for c in range(int(classes.max()) + 1))
        return np.sort(np.concatenate([rows[: (len(rows) + 1) // 2] for rows in of_class]))

    def _check(self, n: int) -> None:
        most, what = self.n_rows, "the number of rows"
        if self.order is not None:
            most, what = self.n_rows - 1, "the number of rows less one"
        elif self.groups is not None:
            most, what = len(np.unique(self.groups)), "the number of groups"
            if most == 1:
                raise ParameterError("groups", "must have at least two groups; all rows are in one")
        elif self.classes is not None:
            most, what = int(np.bincount(self.classes).max()), "the size of the largest class"
        if most < 2:
            raise ValueError(f"there are too few rows to fit a model on some and test it on others: {what} is {most}.")
        if n > most:
            raise ParameterError("folds", f"must be at most {most}, {what}", n)


def _column(values: Any, n_rows: int, name: str) -> RawColumn:
    """One value for every row."""
    (column,) = read_source(values, name)
    if len(column) != n_rows:
        raise ParameterError(name, f"must have a value for every row; got {len(column)} values for {n_rows} rows")
    if column.has_missing:
        rows = int(column.missing.sum())
        raise ParameterError(name, f"must have a value for every row; it is missing in {rows} of {n_rows} rows")
    return column


def _places(column: RawColumn) -> Rows:
    """The rank of every value among the sorted distinct ones."""
    if column.numbers is None:
        return column.ranks
    places: Rows = np.unique(column.present, return_inverse=True)[1].reshape(-1)
    return places


def in_time(column: RawColumn) -> Rows:
    """The rank of every value in time; a ParameterError if its values are not numbers, dates or ISO 8601 text."""
    if column.numbers is not None:
        return _places(column)
    first_rows = np.unique(column.places, return_index=True)[1]
    moments = {place: _moment(column.distinct[place]) for place in column.places[np.sort(first_rows)].tolist()}
    try:
        rank_of = {moment: rank for rank, moment in enumerate(sorted(set(moments.values())))}
    except TypeError as error:
        text = "must hold values of one kind, all with a time zone or all without one"
        raise ParameterError("time", text, hint="convert them to one kind") from error
    ranks = np.array([rank_of[moments[place]] for place in sorted(moments)], dtype=np.int64)
    return np.take(ranks, column.places)


def _moment(value: Any) -> Any:
    """A value that can be compared with others: a date, a time of day, a duration, or what a text means."""
    if isinstance(value, _MOMENTS):
        return value
    if isinstance(value, str) and (match := _ISO.fullmatch(value.strip())):
        text = value.strip()
        try:
            if match["clock"]:
                return clock.fromisoformat(text)
            return datetime.fromisoformat(f"{text}-01" if match["month"] else text)
        except ValueError:
            pass
    raise ParameterError(
        "time",
        "must hold numbers, dates, or text such as '2024-05-31' or '2024-05-31 13:45', whose order is that of time",
        value,
        "write dates as year-month-day, as in ISO 8601",
    )
