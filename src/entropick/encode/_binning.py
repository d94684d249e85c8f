"""Cutting a real column into bins. Each way is a function of the values present, fitted once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropick import _kernels

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

_FEW_EDGES = 16  # so few are faster compared one after the other than searched
_MANY = 50_000  # values, from which on they are not sorted
_FIRST = 1000  # rows that mostly show whether values are few


class Binner(Protocol):
    """Fitted bins: values in, bin numbers out."""

    def __call__(self, x: Floats) -> NDArray[np.integer]:
        """Bin number of each value."""


@dataclass(frozen=True)
class Edges:
    """Bin i holds ``edges[i-1] <= x < edges[i]``."""

    edges: Floats

    def __call__(self, x: Floats) -> NDArray[np.integer]:
        """Bin number of each value."""
        if len(self.edges) > _FEW_EDGES:
            return np.searchsorted(self.edges, x, side="right")
        bins = np.zeros(len(x), dtype=np.uint8)
        for edge in self.edges:
            bins += x >= edge
        return bins


@dataclass(frozen=True)
class EqualWidth:
    """``n_bins`` bins of the same width from ``low`` to ``high``; what lies outside goes to the outer bins."""

    low: float
    high: float
    n_bins: int

    def __call__(self, x: Floats) -> Ints:
        """Bin number of each value."""
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
    """The integer part of each value, numbered in order of the integers that were there in ``fit``."""

    integers: Floats

    def __call__(self, x: Floats) -> Ints:
        """Bin number of each value; one that was never seen goes to its neighbour below."""
        return np.maximum(np.searchsorted(self.integers, np.floor(x), side="right") - 1, 0)


def quantile(x: Floats, n_bins: int, classes: Ints) -> Binner:
    """Bins of about equal numbers of rows; equal edges fall together.

    Few distinct values have a bin each, and a value that most rows have is told from the larger ones.
    """
    if len(np.unique(x[:_FIRST])) <= n_bins:  # else there is no need to sort them all
        distinct = np.unique(x)
        if len(distinct) <= n_bins:
            return Edges(distinct[1:])
    edges = np.unique(_quantiles(x, np.arange(1, n_bins) / n_bins))
    lowest = x.min()
    if len(edges) == 1 and edges[0] == lowest:
        edges = x[x > lowest].min(keepdims=True)
    return Edges(edges)


def _quantiles(x: Floats, shares: Floats) -> Floats:
    """``np.quantile`` to the last bit, in a quarter of its time for many values."""
    if len(x) < _MANY:
        return np.asarray(np.quantile(x, shares))
    places = shares * (len(x) - 1)
    below = np.floor(places).astype(np.int64)
    values = np.empty(2 * len(shares))
    _kernels.order_statistics(np.ascontiguousarray(x), [*below.tolist(), *np.minimum(below + 1, len(x) - 1)], values)
    low, high = values[: len(shares)], values[len(shares) :]
    share = places - below
    return np.where(share < 0.5, low + (high - low) * share, high - (high - low) * (1 - share))


def uniform(x: Floats, n_bins: int, classes: Ints) -> Binner:
    """Bins of equal width."""
    return EqualWidth(float(x.min()), float(x.max()), n_bins)


def floor(x: Floats, n_bins: int, classes: Ints) -> Binner:
    """The integer part, as the toolbox behind the paper does; ``n_bins`` plays no role."""
    return Floor(np.unique(np.floor(x)))


def mdlp(x: Floats, n_bins: int, classes: Ints) -> Binner:
    """Cuts that pay for themselves in description length of the classes; ``n_bins`` plays no role.

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
            cuts.append((x[at - 1] + x[at]) / 2 if np.isfinite(x[at - 1] + x[at]) else x[at])
            todo += [(start, at), (at, end)]
    return Edges(np.unique(np.array(cuts, dtype=np.float64)))


def _best_cut(x: Floats, classes: Ints) -> int | None:
    """Number of rows left of the best cut, or None if no cut pays for itself."""
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


def interval(values: Floats) -> str:
    """The smallest and the largest value as text, for people.

    Examples
    --------
    >>> interval(np.array([2.5, 1.0, 4.0]))
    '1 to 4'
    """
    low, high = float(values.min()), float(values.max())
    return f"{low:.12g}" if low == high else f"{low:.12g} to {high:.12g}"


BINNINGS: dict[str, Callable[[Floats, int, Ints], Binner]] = {
    "quantile": quantile,
    "uniform": uniform,
    "mdlp": mdlp,
    "floor": floor,
}
