"""Cutting a real column into bins. Each way is a function of the values present, called once to fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropick import _kernels, _names
from entropick._names import Registry
from entropick.encode._raw import nearest_float

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

_FEW_EDGES = 16  # up to this many, comparing with each is faster than searching,
_FEW_ROWS = 256  # but not below this many rows
_MANY = 50_000  # values; this many are no longer sorted
_FIRST = 1000  # rows that usually show whether there are few values


def as_floats(x: NDArray[Any]) -> Floats:
    """Numbers of any size as floats; an integer too large becomes the largest float."""
    return x if x.dtype == np.float64 else np.array([nearest_float(value) for value in x.tolist()])


class Binner(Protocol):
    """Fitted bins: values in, bin numbers out."""

    def __call__(self, x: NDArray[Any]) -> NDArray[np.integer]:
        """Bin number of each value."""


@dataclass(frozen=True)
class Edges:
    """Bin i holds ``edges[i-1] <= x < edges[i]``; floats or integers, compared exactly."""

    edges: NDArray[Any]

    def __call__(self, x: NDArray[Any]) -> NDArray[np.integer]:
        """Bin number of each value."""
        edges = self.edges
        if edges.dtype != x.dtype:  # NumPy would round large integers, Python does not
            edges, x = edges.astype(object), x.astype(object)
        if len(edges) > _FEW_EDGES or len(x) < _FEW_ROWS:
            return edges.searchsorted(x, side="right")
        bins = np.zeros(len(x), dtype=np.uint8)
        for edge in edges:
            bins += x >= edge
        return bins


@dataclass(frozen=True)
class EqualWidth:
    """``n_bins`` bins of the same width from ``low`` to ``high``; values outside go to the outer bins."""

    low: float
    high: float
    n_bins: int

    def __call__(self, x: NDArray[Any]) -> Ints:
        """Bin number of each value."""
        x = as_floats(x)
        # The order of the operations matters for values on an edge: halving first keeps high − low finite.
        width = self.high - self.low
        if np.isinf(width):
            x, low, width = x / 2, self.low / 2, self.high / 2 - self.low / 2
        else:
            low = self.low
        place = np.floor((x - low) / width * self.n_bins) if width > 0 else np.zeros_like(x)
        return np.clip(place, 0, self.n_bins - 1).astype(np.int64)


@dataclass(frozen=True)
class Floor:
    """The integer part of each value, numbered in the order of the integers seen in ``fit``."""

    integers: Floats

    def __call__(self, x: NDArray[Any]) -> Ints:
        """Bin number of each value; an unseen one goes to the next lower bin."""
        return np.maximum(np.searchsorted(self.integers, np.floor(as_floats(x)), side="right") - 1, 0)


def quantile(x: Floats, n_bins: int, classes: Ints) -> Binner:
    """Bins of about equally many rows; a value that fills a bin gets its own.

    The edges are ``unique(np.quantile(x, [1/b, …, (b−1)/b]))``. A value found in at least one row in b gets an edge on
    both sides, itself and the next larger value, so that it is alone in its bin; each such value may add a bin to the
    b. If there are at most b distinct values, each has a bin.
    """
    if len(set(x[:_FIRST].tolist())) <= n_bins:  # otherwise there is no need to sort them all
        distinct = np.unique(x)
        if len(distinct) <= n_bins:
            return Edges(distinct[1:])
    places = quantile_places(len(x), n_bins)
    low, high = _neighbours(x, places)
    return quantile_edges(low, high, places, lambda value: _around(x, value, len(x) / n_bins))


def quantile_places(n_rows: int, n_bins: int) -> Floats:
    """Where the quantiles between bins are among the sorted values: some between two of them."""
    return np.asarray(np.arange(1, n_bins) / n_bins * (n_rows - 1))


def quantile_edges(
    low: Floats, high: Floats, places: Floats, around: Callable[[float], tuple[float, float] | None]
) -> Edges:
    """The bins of `quantile`.

    Parameters
    ----------
    low, high : ndarray of float
        The sorted values just below and just above the places.
    places : ndarray of float
        Where the quantiles are.
    around : callable
        From a value to the next smaller and the next larger one, infinite if there is none; or to None if it does not
        fill a bin.
    """
    edges = np.unique(_between(low, high, places - np.floor(places)))
    for value in sorted({*low.tolist(), *high.tolist()}):  # a value this frequent is next to a quantile
        if (found := around(value)) is not None:
            edges = _with_own_bin(edges, value, *found)
    return Edges(edges)


def _around(x: Floats, value: float, least: float) -> tuple[float, float] | None:
    """The values next to one that is found in at least so many rows."""
    if np.count_nonzero(x == value) < least:
        return None
    return x[x < value].max(initial=-np.inf), x[x > value].min(initial=np.inf)


def _with_own_bin(edges: Floats, value: float, below: float, above: float) -> Floats:
    """The edges, with those between the value's neighbours replaced by the value and the next larger one."""
    kept = edges[(edges <= below) | (edges >= above)]
    own = [edge for edge, is_wanted in ((value, below > -np.inf), (above, above < np.inf)) if is_wanted]
    return np.union1d(kept, own)


def _quantiles(x: Floats, shares: Floats) -> Floats:
    """``np.quantile`` to the last bit, in a quarter of the time, and finite even for the largest numbers."""
    places = shares * (len(x) - 1)
    return _between(*_neighbours(x, places), places - np.floor(places))


def _neighbours(x: Floats, places: Floats) -> tuple[Floats, Floats]:
    """The sorted values at the whole positions just below and just above those given."""
    below = np.floor(places).astype(np.int64)
    ranks = np.concatenate([below, np.minimum(below + 1, len(x) - 1)])
    if len(x) < _MANY:
        values = np.sort(x)[ranks]
    else:  # encoding 10⁶ × 20 floats takes half the time that it takes with np.partition (benchmarks/tuning.md)
        values = np.empty(len(ranks))
        _kernels.order_statistics(np.ascontiguousarray(x), ranks.tolist(), values)
    return values[: len(places)], values[len(places) :]


def _between(low: Floats, high: Floats, share: Floats) -> Floats:
    """Interpolate from low to high by the given shares, with NumPy's order of operations."""
    with np.errstate(over="ignore", invalid="ignore"):
        way = high - low
        found = np.where(share < 0.5, low + way * share, high - way * (1 - share))
    return np.where(np.isinf(way), low * (1 - share) + high * share, found)


def uniform(x: Floats, n_bins: int, classes: Ints) -> Binner:
    """Bins of equal width."""
    return EqualWidth(float(x.min()), float(x.max()), n_bins)


def floor(x: Floats, n_bins: int, classes: Ints) -> Binner:
    """The integer part, as in the toolbox behind the paper; ``n_bins`` is not used."""
    return Floor(np.unique(np.floor(x)))


def mdlp(x: Floats, n_bins: int, classes: Ints) -> Binner:
    """Cuts that pay for themselves in the description length of the classes; ``n_bins`` is not used.

    U. Fayyad, K. Irani, Multi-interval discretization of continuous-valued attributes for classification
    learning, 1993. A cut of N rows is kept if its gain exceeds (log2(N−1) + Δ) / N with
    Δ = log2(3^k − 2) − (k·H − k₁·H₁ − k₂·H₂), k the number of classes on each side.
    """
    order = np.argsort(x, kind="stable")
    x, classes = x[order], classes[order]
    cuts: list[float] = []
    todo = [(0, len(x))]
    while todo:
        start, end = todo.pop()
        cut = _best_cut(x[start:end], classes[start:end])
        if cut is not None:
            at = start + cut
            middle = (float(x[at - 1]) + float(x[at])) / 2
            cuts.append(middle if isfinite(middle) else float(x[at]))
            todo += [(start, at), (at, end)]
    return Edges(np.unique(np.array(cuts, dtype=np.float64)))


def _best_cut(x: Floats, classes: Ints) -> int | None:
    """Number of rows to the left of the best cut, or None if no cut pays for itself."""
    n = len(x)
    present, classes = np.unique(classes, return_inverse=True)
    if len(present) < 2:
        return None
    places = np.flatnonzero(x[1:] > x[:-1]) + 1
    if not len(places):
        return None
    total = np.bincount(classes, minlength=len(present)).astype(np.float64)
    left = np.empty((len(places), len(present)))
    for c in range(len(present)):
        left[:, c] = np.cumsum(classes == c)[places - 1]
    right = total - left
    h_left, h_right, h = _row_entropy(left), _row_entropy(right), float(_row_entropy(total[None])[0])
    after = (places * h_left + (n - places) * h_right) / n
    best = int(np.argmin(after))
    k, k_left, k_right = len(present), int((left[best] > 0).sum()), int((right[best] > 0).sum())
    # log2(3^k − 2) without the power, which overflows for many classes
    delta = k * np.log2(3) + np.log2(1 - 2 * 3.0**-k) - (k * h - k_left * h_left[best] - k_right * h_right[best])
    return int(places[best]) if h - after[best] > (np.log2(n - 1) + delta) / n else None


def _row_entropy(counts: Floats) -> Floats:
    shares = counts / counts.sum(axis=1, keepdims=True)
    return np.asarray(-(shares * np.log2(np.where(shares > 0, shares, 1.0))).sum(axis=1))


def interval(values: NDArray[Any]) -> str:
    """The smallest and the largest value as text, with as few digits as tell them apart, but at least four.

    Examples
    --------
    >>> interval(np.array([2.5, 1.0, 4.0]))
    '1 to 4'
    >>> interval(np.array([0.123456, 0.234567]))
    '0.1235 to 0.2346'
    >>> interval(np.array([0.1234567, 0.1234568]))
    '0.1234567 to 0.1234568'
    """
    least, most = values.min(), values.max()
    for digits in range(4, 13):
        low, high = number_text(least, digits), number_text(most, digits)
        if low != high:
            return f"{low} to {high}"
    return low


def number_text(value: Any, digits: int = 12) -> str:
    """A number as text, with so many digits; integers keep all of theirs.

    Examples
    --------
    >>> number_text(0.1 + 0.2), number_text(2**60 + 1)
    ('0.3', '1152921504606846977')
    """
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


BINNINGS: Registry[Callable[[Floats, int, Ints], Binner]] = _names.BINNINGS


def fit_bins(x: NDArray[Any], binning: str, n_bins: int, classes: Ints) -> Binner:
    """Fit bins to the numbers present, floats or exact integers."""
    if x.dtype == np.float64:
        return BINNINGS[binning](x, n_bins, classes)
    distinct, ranks = np.unique(x, return_inverse=True)
    if binning == "uniform":
        low, high = int(distinct[0]), int(distinct[-1])
        bins = (distinct.astype(object) - low) * n_bins // max(high - low, 1)
        bins = np.minimum(bins, n_bins - 1)
    else:  # these only look at the order
        by_rank = BINNINGS[binning](ranks.reshape(-1).astype(np.float64), n_bins, classes)
        bins = by_rank(np.arange(len(distinct), dtype=np.float64))
    return Edges(distinct[1:][bins[1:] > bins[:-1]])
