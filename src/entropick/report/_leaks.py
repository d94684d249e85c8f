"""Columns that give the target away, looked for in their values as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from entropick._words import listed, percent
from entropick.association import single_strengths
from entropick.encode import CodeTable, Encoded
from entropick.notes import Note
from entropick.scorer import Scorers

_ROWS = 5000  # that are looked at; of more, a fixed sample
_SUSPECTS = 50  # columns that are looked at, those that say most about the target first
_PAIRED = 12  # of these whose sums and differences are
_MOST_CLASSES = 50  # of a target, for values to be cut into as many intervals
_GIVES_AWAY = 0.9  # share of the errors without any column that a column spares by itself
_SUM_GIVES_AWAY = 0.98  # a sum or a difference of two
_FOLLOWS = 0.999  # R² of a number, and the same for ranks
_IMBALANCED = 0.8  # share of the commoner of two classes, from which on both count alike
_TELLS_BOTH = 0.95  # share of the rows of either class, on average, that a column tells
_EQUAL = 0.5  # share of rows with the same number
_FEW = 5  # rows of a level or an interval that show nothing
_PURE = 0.99  # share of the rows with a value, or without one, that are of one class
_BY_LUCK = 1e-6  # probability that they would be

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_ADVICE = "make sure that this is known before the target is, or leave it out."
_ADVICE_TWO = "make sure that both are known before the target is, or leave one out."


def about_leaks(scorers: Scorers, encoded: Encoded, chosen: Ints) -> Iterator[Note]:
    """Columns, and sums and differences of two, that nearly determine the target by themselves.

    Parameters
    ----------
    scorers : Scorers
        Of the table.
    encoded : Encoded
        The table.
    chosen : ndarray of int
        The columns that were selected.
    """
    table = encoded.table
    strengths = single_strengths(scorers.engine)
    suspects = np.union1d(chosen[:_SUSPECTS], np.argsort(-strengths, kind="stable")[:_SUSPECTS])
    suspects = suspects[np.argsort(-strengths[suspects], kind="stable")]
    suspects = np.setdiff1d(suspects, scorers.table.constant_columns, assume_unique=True)
    rows = np.arange(table.n_rows)
    if table.n_rows > _ROWS:
        rows = np.sort(np.random.default_rng(0).choice(table.n_rows, _ROWS, replace=False))
    values = {int(j): _numbers(encoded, int(j), rows) for j in suspects}
    if table.numbers is not None:
        yield from _of_numbers(table.numbers[rows], values, encoded.names)
    elif len(table.class_sizes) <= _MOST_CLASSES:
        yield from _of_classes(encoded, rows, values)


def _numbers(encoded: Encoded, j: int, rows: Ints) -> Floats | None:
    """The numbers of a column, NaN where one is missing."""
    numbers = encoded.source[j].numbers
    return None if numbers is None else numbers[rows]


def _of_classes(encoded: Encoded, rows: Ints, values: dict[int, Floats | None]) -> Iterator[Note]:
    names, labels, target = encoded.names, encoded.target.labels, encoded.target.name
    classes = encoded.table.classes[rows]
    base = 1 - np.bincount(classes).max() / len(classes)
    if not base:
        return
    right = {j: _right(encoded.table, j, rows, x, classes) for j, x in values.items()}
    leaks = [j for j in values if 1 - right[j] <= (1 - _GIVES_AWAY) * base]
    of_which = "the rows"
    if np.bincount(classes).max() > _IMBALANCED * len(classes) and classes.max() == 1:
        right = {j: _balanced(encoded.table.columns[j][rows], x, classes) for j, x in values.items()}
        leaks = [j for j in values if j in leaks or right[j] >= _TELLS_BOTH]
        of_which = "the rows of either class, on average"
    if leaks:
        which = f"column {names[leaks[0]]!r}" if len(leaks) == 1 else f"each of {listed([names[j] for j in leaks])}"
        share = min(right[j] for j in leaks)
        text = f"{which} alone tells {target!r} in {_nearly(share)} of {of_which}: {_ADVICE}"
        yield Note("leak", text, tuple(names[j] for j in leaks))
    for j in values:
        if (found := _set_for_one_class(encoded.source[j].missing[rows], classes)) is not None and j not in leaks:
            when, c = found
            text = f"column {names[j]!r} {when} only where {target!r} is {labels[c]!r}: {_ADVICE}"
            yield Note("leak", text, (names[j],))
    numeric = [j for j, x in values.items() if x is not None and j not in leaks][:_PAIRED]
    for i, j in combinations(numeric, 2):
        for what, x in _sums(values, i, j):
            if 1 - _by_intervals(x, classes) <= (1 - _SUM_GIVES_AWAY) * base:
                pair = (names[i], names[j])
                yield Note("leak", f"the {what} of {pair[0]!r} and {pair[1]!r} tells {target!r}: {_ADVICE_TWO}", pair)
                break


def _right(table: CodeTable, j: int, rows: Ints, x: Floats | None, classes: Ints) -> float:
    """The share of rows whose class a column tells: by intervals of its numbers, or by other rows of its level."""
    by_level = _by_levels(table.columns[j][rows], classes)
    return by_level if x is None else max(by_level, _by_intervals(x, classes))


def _by_levels(codes: NDArray[np.integer], classes: Ints) -> float:
    """The share of rows whose class is the commonest among the others of their level."""
    n_classes = int(classes.max()) + 1
    counts = np.bincount(codes.astype(np.int64) * n_classes + classes)
    counts = np.pad(counts, (0, -len(counts) % n_classes)).reshape(-1, n_classes)
    others = np.sort(counts, axis=1)
    largest, second = others[:, -1], others[:, -2] if n_classes > 1 else 0
    return float(largest[largest - 1 >= np.maximum(second, 1)].sum() / len(classes))


def _by_intervals(x: Floats, classes: Ints) -> float:
    """The share of rows whose class is told by as many intervals of the numbers as there are classes."""
    return _cut(x, classes, np.ones(len(x)), n_intervals=max(2, int(classes.max()) + 1), fewest=2)


def _cut(x: Floats, classes: Ints, weights: Floats, n_intervals: int, fewest: int) -> float:
    """The share of the weight told by intervals, each cut where that makes them purest; missing values at either end.

    Parameters
    ----------
    x, classes, weights : ndarray
        Of every row.
    n_intervals : int
        How many intervals.
    fewest : int
        Rows of an interval.
    """
    shares = []
    for missing in {-np.inf, np.inf} if np.isnan(x).any() else {np.inf}:
        values = np.where(np.isnan(x), missing, np.clip(x, -1e300, 1e300))
        order = np.argsort(values, kind="stable")
        values, n = values[order], len(x)
        weight = np.zeros((n + 1, int(classes.max()) + 1))
        weight[np.arange(1, n + 1), classes[order]] = weights[order]
        weight = weight.cumsum(axis=0)  # of each class before a row
        ends = np.flatnonzero(np.r_[True, values[1:] > values[:-1], True])
        pieces = [_best_cut(weight, ends, 0, n, fewest)]
        while len(pieces) < n_intervals and (best := max(pieces))[0] > 0:
            pieces.remove(best)
            _, first, where, last = best
            pieces += [_best_cut(weight, ends, *part, fewest) for part in ((first, where), (where, last))]
        told = sum((weight[last] - weight[first]).max() for _, first, _, last in pieces)
        shares.append(float(told / weight[-1].sum()))
    return max(shares)


def _best_cut(weight: Floats, ends: Ints, first: int, last: int, fewest: int) -> tuple[float, int, int, int]:
    """By how much the best cut between two rows lessens Gini's impurity; the first row, the cut and the last row."""
    where = ends[(ends >= first + fewest) & (ends <= last - fewest)]
    if not len(where):
        return 0.0, first, last, last
    total = weight[last] - weight[first]
    left = weight[where] - weight[first]
    purity = sum((side**2).sum(axis=-1) / side.sum(axis=-1) for side in (left, total - left))
    i = int(np.argmax(purity))
    return float(purity[i] - (total**2).sum() / total.sum()), first, int(where[i]), last


def _balanced(codes: NDArray[np.integer], x: Floats | None, classes: Ints) -> float:
    """The mean of the shares of the rows of two classes that two intervals, or the levels of a column, tell."""
    if x is None:
        sizes = np.array([np.bincount(codes[classes == c], minlength=int(codes.max()) + 1) for c in (0, 1)])
        shares = np.where(sizes.sum(axis=0) >= _FEW, sizes, 0) / sizes.sum(axis=1, keepdims=True)
        return float(shares.max(axis=0).sum() / 2)
    weights = 1 / np.bincount(classes)[classes]
    return _cut(x, classes, weights, n_intervals=2, fewest=_FEW)


def _set_for_one_class(missing: NDArray[np.bool_], classes: Ints) -> tuple[str, int] | None:
    """Whether a column has a value, or lacks one, for one class only, and for which."""
    for what, where in (("has a value", ~missing), ("is missing", missing)):
        sizes = np.bincount(classes[where], minlength=int(classes.max()) + 1)
        c, n = int(sizes.argmax()), int(sizes.sum())
        if 0 < n < len(classes) and sizes[c] >= _PURE * n and (classes == c).mean() ** n < _BY_LUCK:
            return what, c
    return None


def _sums(values: dict[int, Floats | None], i: int, j: int) -> Iterator[tuple[str, Floats]]:
    first, second = values[i], values[j]
    if first is not None and second is not None:
        yield "sum", first + second
        yield "difference", first - second


def _of_numbers(y: Floats, values: dict[int, Floats | None], names: Sequence[str]) -> Iterator[Note]:
    numbers = {j: x for j, x in values.items() if x is not None and np.isfinite(x).mean() > _EQUAL}
    leaks = [j for j, x in numbers.items() if _tells_number(x, y)]
    if leaks:
        which = f"column {names[leaks[0]]!r} alone tells" if len(leaks) == 1 else "each of "
        which += "" if len(leaks) == 1 else f"{listed([names[j] for j in leaks])} alone tells"
        yield Note("leak", f"{which} the target: {_ADVICE}", tuple(names[j] for j in leaks))
    for i, j in combinations([j for j in numbers if j not in leaks][:_PAIRED], 2):
        known = np.isfinite(numbers[i] + numbers[j] + y)
        X = np.column_stack([np.ones(known.sum()), numbers[i][known], numbers[j][known]])
        if known.sum() <= _PAIRED:
            continue
        weights = np.linalg.lstsq(X, y[known])[0]
        if _share_told(X @ weights, y[known]) >= _FOLLOWS:
            what = "sum" if weights[1] * weights[2] > 0 else "difference"
            pair = (names[i], names[j])
            text = f"a {what} of {pair[0]!r} and {pair[1]!r}, perhaps with factors, is the target: {_ADVICE_TWO}"
            yield Note("leak", text, pair)


def _tells_number(x: Floats, y: Floats) -> bool:
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    if len(x) < 4 or not np.ptp(x) or not np.ptp(y):
        return False
    if (x == y).mean() >= _EQUAL and len(np.unique(y)) > _PAIRED:
        return True
    together = ((x, y), (rankdata(x), rankdata(y)))
    return any(float(np.corrcoef(a, b)[0, 1]) ** 2 >= _FOLLOWS for a, b in together)


def _share_told(predicted: Floats, y: Floats) -> float:
    return 1 - float(((y - predicted) ** 2).sum() / max(((y - y.mean()) ** 2).sum(), 1e-300))


def _nearly(share: float) -> str:
    return "all" if share == 1 else percent(share, 1)
