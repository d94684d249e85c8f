"""What a linear model predicts of y."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from entropick import _blas
from entropick._words import percent
from entropick.association import associations
from entropick.criteria._criterion import RowCriterion, RowModel
from entropick.criteria._crossed import count_pairs, row_parts, starts_of, sum_by_level
from entropick.criteria._features import Features, Targets, column_maps
from entropick.criteria._interactions import are_many, pair_blocks
from entropick.criteria._ridge import Ridge
from entropick.criteria._rows import loss_rows
from entropick.criteria._tables import Floats, Ints

if TYPE_CHECKING:
    from entropick.encode import CodeTable
    from entropick.engine import Engine

MOST_FEATURES = 4096  # of all columns; their Gram matrix takes 8 bytes × its square
_SHARED = 1024  # features whose Gram matrix is kept for further targets
_TOGETHER = 1 << 22  # masks × features per call
_FINEST = 2.0**-20  # of V(∅): errors below this share are the same, so that rounding errors do not count


@dataclass(frozen=True)
class Linear(RowCriterion):
    """How well ridge regression on the columns of U predicts y, in rows that it has not seen.

    Columns are features as described in `Features`: indicators of their codes and, of numeric columns, the standardised
    value. The target is y if that is numeric, else an indicator of each class. A search compares
    V(U) = n·RSS/(n − 1.4·df)², for which the Gram matrix is all it takes: after binding, the time of a score does not
    depend on the number of rows. RSS is summed over the indicators, df includes the unpenalised intercept, and the
    penalty is that of 1, 10, 100 and 1000 which makes V least; penalties with 1.4·df ≥ n/2 are refused. (Plain GCV has
    1 for 1.4, and finds information in noise.) The reported score has squared leave-one-out residuals in place of V.

    The score of a numeric y is ½ log2(V(∅)/V(U)), in bits; R² = 1 − V(U)/V(∅) is told by `r_squared`. That of classes
    is H(y)·(1 − V(U)/V(∅)): a share of H(y), not a log loss. The empty set scores 0. A set whose penalties are all
    refused scores less than any other, the less the more features it has.

    Parameters
    ----------
    pair_features : int
        The most features of pairs of columns that tell more together than the sum of what each tells: the indicators of
        their joint codes, in U when both columns are. The pairs are found by an F test of all of them, with few false
        ones, when the criterion is bound to a table; so they look at the y of that table.

    Examples
    --------
    >>> from entropick import SubsetScorer
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 3))
    >>> score = SubsetScorer(X, X[:, 0] + 0.5 * rng.normal(size=200), Linear())
    >>> [round(r_squared(value), 2) for value in score([[True, False, False], [False, True, False]])]
    [0.78, -0.0]
    """

    pair_features: int = 256

    name = "linear"

    def keeps_numbers(self, table: CodeTable) -> bool:
        """Whether y is a number."""
        return table.numbers is not None

    def scale(self, table: CodeTable) -> float:
        """H(y) for classes, and one bit for numbers."""
        return table.class_entropy if table.numbers is None else 1.0

    def identity(self, table: CodeTable) -> str:
        """Its settings, and a hash of the numbers that it uses besides codes."""
        return f"{self!r} {table.digest_of_numbers()}"

    def claim(self, value: float, class_entropy: float | None) -> str:
        """How much a linear model predicts; the class entropy is None for numbers."""
        if class_entropy is None:
            return f"a linear model predicts {percent(r_squared(value), 1.0)} of the variance of the target (R²)"
        return f"a linear model predicts {percent(value, class_entropy)} of the variance of the classes"

    def nothing(self) -> str:
        """Why no column was chosen."""
        return "none helps a linear model to predict rows that it has not seen."

    def most_columns(self, table: CodeTable) -> int:
        """How many columns like those of a table, the widest first, have a Gram matrix of at most 4096 features."""
        widths = np.array([block.n_features for block in Features.of(table).blocks])
        if widths.sum() <= MOST_FEATURES:
            return int(table.n_columns * MOST_FEATURES / max(1, widths.sum()))
        return int((np.cumsum(-np.sort(-widths)) <= MOST_FEATURES).sum())

    def bind(self, table: CodeTable, engine: Engine | None = None) -> LinearModel:
        """The model on this table."""
        self.check_columns(table)
        features, targets = Features.of(table), Targets.of(table)
        with _blas.threads(engine.n_threads if engine else 1):
            if self.pair_features:
                maps = column_maps(table)
                promising = associations(engine).pairs if engine and are_many(maps) else None
                features = Features(features.blocks + pair_blocks(table, maps, targets, self.pair_features, promising))
            return LinearModel(table, features, targets, engine)


linear = Linear()


def r_squared(score: float) -> float:
    """The R² of a numeric y that a score in bits stands for.

    Examples
    --------
    >>> r_squared(0.0), r_squared(0.5), r_squared(1.0)
    (0.0, 0.5, 0.75)
    """
    return float(1 - 4.0**-score)


def predicted_by(table: CodeTable) -> Floats:
    """What a linear model predicts of the target of each row from all columns, as one number."""
    return Linear(pair_features=0).bind(table).fitted(np.ones(table.n_columns, dtype=np.bool_))


class LinearModel(RowModel):
    """Ridge regression on one table."""

    def __init__(self, table: CodeTable, features: Features, targets: Targets, engine: Engine | None) -> None:
        self.table, self.features, self.targets, self.engine = table, features, targets, engine
        self.rows: Ints = loss_rows(table)
        self.means, self.y_means, self.ridge = self._sums()

    def _sums(self) -> tuple[Floats, Floats, Ridge]:
        features, n, shared = self.features, self.table.n_rows, self.table.of_columns
        n_single = Features.of(self.table).n_features  # the first features, which are the same whatever y is
        first = n_single if "gram" in shared else 0
        n_threads = self.engine.n_threads if self.engine else 1
        products = partial(_products, features=features, targets=self.targets, first=first, n_threads=n_threads)
        lines, cross, sums, y_sums, y_squares = self.table.total(products)
        gram = lines
        if first:
            gram = np.empty((features.n_features, features.n_features))
            gram[:first, :first], gram[first:], gram[:first, first:] = shared["gram"], lines, lines[:, :first].T
        elif n_single <= _SHARED:
            shared["gram"] = gram[:n_single, :n_single].copy()
        # Exact up to here.
        for row, own in zip(gram, sums, strict=True):
            row -= own * sums / n
        cross -= sums[:, None] * y_sums / n
        total = float(np.sum(y_squares - y_sums * y_sums / n))
        X, Y = np.empty((0, n)), np.empty((0, len(y_sums)))
        if features.n_features > n:
            every = partial(_all_rows, features=features, targets=self.targets)
            parts = list(self.table.each(every))
            X = np.ascontiguousarray(np.concatenate([X for X, _ in parts]).T) - sums[:, None] / n
            Y = np.concatenate([Y for _, Y in parts]) - y_sums / n
        return sums / n, y_sums / n, Ridge(gram, cross, X, Y, total, n)

    def __call__(self, masks: NDArray[np.bool_]) -> Floats:
        """Scores of masks, for comparing subsets."""
        with _blas.threads(1):
            return self._scores(masks, self._solve(masks)[0])

    def near(self, masks: NDArray[np.bool_], center: NDArray[np.bool_]) -> Floats:
        """Scores of masks that differ little from one."""
        with _blas.threads(1):
            return self._scores(masks, self._solve(masks, self.features.members(center[None])[0])[0])

    @cached_property
    def _sample(self) -> tuple[Floats, Floats]:
        """Features and targets of the rows whose losses count."""
        table, rows = self.table.locate(self.rows)
        return self.features.on(table)(rows), self.targets(table, rows)

    def losses(self, masks: NDArray[np.bool_]) -> Floats:
        """The squared leave-one-out residual of each of ``rows``, each mask at its own penalty."""
        X, y = self._sample
        with _blas.threads(1):
            losses = [fit.losses(X, y) for fit in self._fits(masks)]
        return np.reshape(losses, (len(masks), len(self.rows)))

    def fitted(self, mask: NDArray[np.bool_]) -> Floats:
        """What the columns of a mask predict of each row, as one number: where it lies along what differs most."""
        (fit,) = self._fits(mask[None])
        X = self.features.on(self.table)(np.arange(self.table.n_rows))[:, fit.own] - fit.means
        found = X @ fit.slopes
        return np.asarray(found @ np.linalg.svd(found, full_matrices=False)[2][0])

    def final(self, masks: NDArray[np.bool_]) -> Floats:
        """Scores of masks by exact leave-one-out residuals of all rows."""
        with _blas.threads(1):
            refused = self._solve(masks)[1] < 0
            fits = [*self._fits(np.zeros_like(masks[:1])), *self._fits(masks)]
            press = self.table.total(partial(_press, features=self.features, targets=self.targets, fits=fits))[0]
        ratios = press[1:] / press[0] if press[0] else np.ones(len(masks))
        return self._scores(masks, np.where(refused, np.inf, ratios))

    def _solve(self, masks: NDArray[np.bool_], near: NDArray[np.bool_] | None = None) -> tuple[Floats, Ints]:
        """V(U)/V(∅), and the place of the penalty, of every mask; all differ little from the features ``near``."""
        ratios, places = np.ones(len(masks)), np.full(len(masks), -1)
        if self.ridge.total > 0:
            step = max(1, _TOGETHER // max(1, self.features.n_features))
            for some in (slice(start, start + step) for start in range(0, len(masks), step)):
                members = self.features.members(masks[some])
                ratios[some], places[some] = (
                    self.engine.ridge(self.ridge, members, near) if self.engine else self.ridge.solve(members)
                )
        return ratios, places

    def _scores(self, masks: NDArray[np.bool_], ratios: Floats) -> Floats:
        sizes, entropy = self.features.members(masks).sum(axis=1), self.table.class_entropy
        refused = np.isinf(ratios)
        ratios = np.where(refused, 1.0, ratios)
        if self.table.numbers is None:
            scale, scores = entropy, entropy * (1 - ratios)
        else:
            scale, scores = 1.0, np.log2((1 + _FINEST) / (np.maximum(ratios, 0) + _FINEST)) / 2
        # V(U) < 4 V(∅), since 1.4·df < n/2: no other set scores less than −3 times the scale.
        scores = np.where(refused, -scale * (4 + sizes / self.table.n_rows), scores)
        return np.where(sizes > 0, scores, 0.0)

    def _fits(self, masks: NDArray[np.bool_]) -> Iterator[_Fit]:
        places = self._solve(masks)[1]  # −1, where all penalties are refused, is the largest
        for member, place in zip(self.features.members(masks), places, strict=True):
            own = np.flatnonzero(member)
            factor = np.linalg.cholesky(
                self.ridge.gram[np.ix_(own, own)] + self.ridge.penalties[place] * np.eye(len(own))
            )
            half = solve_triangular(factor, self.ridge.cross[own], lower=True)
            slopes = solve_triangular(factor, half, lower=True, trans="T")
            yield _Fit(own, self.means[own], factor, slopes, self.y_means, self.table.n_rows)


@dataclass(frozen=True)
class _Fit:
    """A fitted model: its features with their means, the Cholesky factor of X'X + λI, slopes and mean of y."""

    own: Ints
    means: Floats
    factor: Floats
    slopes: Floats
    y_means: Floats
    n_rows: int

    def losses(self, X: Floats, y: Floats) -> Floats:
        """The squared leave-one-out residual of every row, summed over the targets: Σ (e_i / (1 − h_ii))²."""
        X = X[:, self.own] - self.means
        leverages = 1 / self.n_rows + (solve_triangular(self.factor, X.T, lower=True) ** 2).sum(axis=0)
        residuals = (y - self.y_means) - X @ self.slopes
        rest = np.maximum(1 - leverages, np.finfo(float).eps)  # a single row has nothing left
        return np.asarray(((residuals / rest[:, None]) ** 2).sum(axis=1))


def _products(table: CodeTable, features: Features, targets: Targets, first: int, n_threads: int) -> list[Floats]:
    """Sums over rows of features from the ``first`` on × features, features × targets, features, targets, targets²."""
    rows_of, n_levels = features.on(table), features.n_levels
    are_levels, n_values = features.are_levels, int((~features.are_levels).sum())
    # Products of indicators are counts. All others are with numbers: values, targets, and 1 for the sums.
    counts = count_pairs(rows_of.codes, n_levels, starts_of(n_levels).index(are_levels[:first].sum()), n_threads)
    inner = np.zeros((n_values + targets.n_targets + 1,) * 2)
    by_level = np.zeros((len(are_levels) - n_values, len(inner)))
    for rows in row_parts(table.n_rows, len(by_level), len(inner)):
        y = targets(table, rows)
        numbers = np.hstack([rows_of.values(rows), y, np.ones((len(y), 1))])
        by_level += sum_by_level([codes[rows] for codes in rows_of.codes], n_levels, numbers, n_threads)
        inner += numbers.T @ numbers
    products = np.empty((len(are_levels), len(inner)))
    products[are_levels], products[~are_levels] = by_level, inner[:n_values]
    lines, new = np.empty((len(are_levels) - first, len(are_levels))), are_levels[first:]
    lines[:, ~are_levels] = products[first:, :n_values]
    lines[np.ix_(new, are_levels)] = counts
    lines[np.ix_(~new, are_levels)] = by_level[:, n_values - (~new).sum() : n_values].T
    of_targets = slice(n_values, -1)
    others = (products[:, of_targets], products[:, -1], inner[-1, of_targets], np.diag(inner)[of_targets])
    return [lines, *(np.array(part, order="C") for part in others)]


def _all_rows(table: CodeTable, features: Features, targets: Targets) -> tuple[Floats, Floats]:
    """Features and targets of all rows."""
    return features.on(table)(np.arange(table.n_rows)), targets(table)


def _press(table: CodeTable, features: Features, targets: Targets, fits: list[_Fit]) -> list[Floats]:
    """The sum over rows of the losses of each fitted model."""
    press = np.zeros(len(fits))
    for rows, X in features.on(table).parts():
        y = targets(table, rows)
        press += [fit.losses(X, y).sum() for fit in fits]
    return [press]
