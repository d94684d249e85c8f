"""Pairs of columns that tell more about y together than the sum of what each tells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from entropick.criteria._features import Block, Features, common_levels
from entropick.criteria._tables import Floats, Ints

Column = tuple[NDArray[np.uint8], int]  # codes, and the number of levels

_LEVEL = 0.01  # chance that a table without interactions shows one
_MOST_LEVELS = 64  # of a pair; more are the commonest and the rest
_ROWS = 10  # to a feature of a pair, at least
_MOST_SCREENED = 1024  # levels of all columns whose pairs are looked at
_FARTHEST = 3.0  # standard deviations of a numeric y, so that no single row makes a pair
_LITTLE = 1e-3  # of a row, added where a sum of squares has no inverse


def are_many(columns: list[Column]) -> bool:
    """Whether there are too many columns to look at all of their pairs."""
    return sum(n_levels for _, n_levels in columns) > _MOST_SCREENED


def pair_blocks(columns: list[Column], y: Floats, most: int, promising: Ints | None = None) -> list[Block]:
    """The features of the pairs that pass, the most telling first.

    The statistic is that of the analysis of variance with two factors: how much the cells of a pair explain of y beyond
    the sum of an effect of each column, F = (SS_cells − SS_sum)/df₁ / (SS_rest/df₂), for classes summed over their
    indicators. It must exceed what one of all pairs exceeds by chance once in a hundred tables. It looks at y, so it
    must be found anew in every fold and for every shuffle.

    Parameters
    ----------
    columns : list of (codes, number of levels)
        The columns, of few levels each.
    y : ndarray of shape (n_rows, n_targets)
        The targets.
    most : int
        The most features in all; there are also at least ten rows to a feature.
    promising : ndarray of int, optional
        Columns whose pairs are looked at in any case, if there are too many for all pairs.
    """
    n_rows = len(y)
    if not y.var(axis=0).any():
        return []
    y = np.clip(y, -_FARTHEST, _FARTHEST) if y.shape[1] == 1 else y
    chosen = _screened(columns, y, promising)
    tests = _z_values([columns[j] for j in chosen], y)
    i, j = np.triu_indices(len(chosen), 1)
    z = tests[i, j]
    least = -ndtri(_LEVEL / max(1, len(z)))
    blocks: list[Block] = []
    for pair in np.argsort(-z, kind="stable"):
        if not z[pair] > least:
            break
        first, second = int(chosen[i[pair]]), int(chosen[j[pair]])
        joint = columns[first][0].astype(np.int64) * columns[second][1] + columns[second][0]
        codes, n_levels = common_levels(joint, _MOST_LEVELS)
        if sum(block.n_levels for block in blocks) + n_levels > min(most, n_rows // _ROWS):
            break
        blocks.append(Block((first, second), codes, n_levels, None))
    return blocks


def _screened(columns: list[Column], y: Floats, promising: Ints | None) -> Ints:
    """The columns whose pairs are looked at: all, or those that explain most of y alone, as far as their levels fit."""
    if not are_many(columns):
        return np.arange(len(columns))
    explained = np.array([_one_way(codes, n_levels, y) for codes, n_levels in columns])
    if promising is not None:
        explained[promising] = np.inf
    order = np.argsort(-explained, kind="stable")
    levels = np.array([n_levels for _, n_levels in columns])
    return np.sort(order[np.cumsum(levels[order]) <= _MOST_SCREENED])


def _one_way(codes: NDArray[np.uint8], n_levels: int, y: Floats) -> float:
    """The sum of squares that the levels of a column explain, less what chance would."""
    sizes = np.bincount(codes, minlength=n_levels)
    sums = np.stack([np.bincount(codes, weights=target, minlength=n_levels) for target in y.T], axis=1)
    by_chance = (n_levels - 1) * (y.var(axis=0)).sum()
    return float((sums**2 / sizes[:, None]).sum() - (y.sum(axis=0) ** 2).sum() / len(y) - by_chance)


def _z_values(columns: list[Column], y: Floats) -> Floats:
    """The F statistic of every pair, as that of a standard normal variable; −inf where there is nothing to test."""
    n_rows = len(y)
    features = Features(n_rows, [Block((0, 0), codes, n_levels, None) for codes, n_levels in columns])
    starts = features.starts[:-1]
    sizes, squares, sums = _cells(features, y)

    def by_pair(cells: Floats) -> Floats:
        return np.add.reduceat(np.add.reduceat(cells, starts, axis=0), starts, axis=1)

    cells, saturated = by_pair((sizes > 0).astype(np.float64)), by_pair(squares)
    additive = _additive(sizes, sums, starts)
    levels = np.diff(features.starts)
    total = (y**2).sum()
    df_1, df_2 = cells - (levels[:, None] + levels - 1), n_rows - cells
    # Indicators of classes hang together: so many independent targets have as scattered a sum of squares.
    spread = np.atleast_2d(np.cov(y, rowvar=False, bias=True))
    n_targets = np.trace(spread) ** 2 / (spread**2).sum()
    is_testable = (df_1 > 0) & (df_2 > 0)
    df_1, df_2 = (np.where(is_testable, df, 1.0) for df in (df_1, df_2))
    rest = np.maximum(total - saturated, 1e-9 * total + np.finfo(float).tiny)
    F = np.maximum(saturated - additive, 0) / df_1 / (rest / df_2)
    # Paulson's approximation: the cube root of F is nearly normal.
    a, b, root = 2 / (9 * df_1 * n_targets), 2 / (9 * df_2 * n_targets), np.cbrt(F)
    z = ((1 - b) * root - (1 - a)) / np.sqrt(a + b * root**2)
    return np.where(is_testable, z, -np.inf)


def _cells(features: Features, y: Floats) -> tuple[Floats, Floats, Floats]:
    """Of any two levels: how many rows have both, and (Σ y)² over their number; of any level, Σ y."""
    shape = (features.n_features, features.n_features)
    sizes, squares, sums = np.zeros(shape), np.zeros(shape), np.zeros((features.n_features, y.shape[1]))
    for part in features.parts():
        X = features.rows(part)
        sizes += X.T @ X
    rest = sizes.copy()
    are_classes = y.shape[1] > 1  # of the last class there are the rows that the others leave
    for target in range(y.shape[1] - are_classes):
        of_cells = np.zeros(shape)
        rows = np.flatnonzero(y[:, target])  # of an indicator, the rows of its class alone
        for part in features.parts(rows):
            X = features.rows(part)
            of_cells += X.T @ (X * y[part, target, None])
            sums[:, target] += X.T @ y[part, target]
        squares += of_cells**2
        rest -= of_cells
    if are_classes:
        squares += rest**2
        sums[:, -1] = np.diag(sizes) - sums[:, :-1].sum(axis=1)
    return sizes, squares / np.maximum(sizes, 1), sums


def _additive(sizes: Floats, sums: Floats, starts: Ints) -> Floats:
    """The sum of squares that two columns explain by an effect of each, for i < j."""
    levels = np.diff([*starts, len(sizes)])
    counts = np.diag(sizes)
    singles = np.add.reduceat((sums**2).sum(axis=1) / counts, starts)
    explained = np.zeros((len(starts), len(starts)))
    for i, (start, width) in enumerate(zip(starts, levels, strict=True)):
        own = slice(start, start + width)
        shares = sizes[:, own] / counts[own]
        left = sums - shares @ sums[own]  # what the effect of column i leaves of Σ y of all levels
        for n_levels in np.unique(levels[i + 1 :]):
            others = i + 1 + np.flatnonzero(levels[i + 1 :] == n_levels)
            places = starts[others][:, None] + np.arange(n_levels)
            spread = -shares[places] @ sizes[places][:, :, own].transpose(0, 2, 1)
            spread[:, np.arange(n_levels), np.arange(n_levels)] += counts[places] + _LITTLE
            r = left[places]
            both = singles[i] + (r * np.linalg.solve(spread, r)).sum(axis=(1, 2))
            # No less than one column: where that is all of y, what _LITTLE takes away would pass for an interaction.
            explained[i, others] = np.maximum(both, singles[others])
    return explained
