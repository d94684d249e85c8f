"""Pairs of columns that tell more about y together than the sum of what each tells."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from entropick.criteria._crossed import count_pairs
from entropick.criteria._features import Block, Features, Map, Targets, common_levels
from entropick.criteria._levels import mapped
from entropick.criteria._tables import Floats, Ints

if TYPE_CHECKING:
    from entropick.encode import CodeTable

_LEAST = 4.5  # z of a pair that works together, in every table: 5,000 useless pairs have one in a table of sixty
_MOST_LEVELS = 64  # of a pair; more are the commonest and the rest
_ROWS = 10  # to a feature of a pair, at least
_MOST_SCREENED = 1024  # levels of all columns whose pairs are looked at
_FARTHEST = 3.0  # standard deviations of a numeric y, so that no single row makes a pair
_LITTLE = 1e-3  # of a row, added where a sum of squares has no inverse
_HELD = 1 << 22  # sums of pairs of levels held at once


def are_many(maps: list[Map]) -> bool:
    """Whether there are too many columns to look at all of their pairs."""
    return sum(int(new.max()) + 1 for new in maps) > _MOST_SCREENED


def pair_blocks(
    table: CodeTable, maps: list[Map], targets: Targets, most: int, promising: Ints | None = None
) -> list[Block]:
    """The features of the pairs that pass, the most telling first.

    The statistic is that of the analysis of variance with two factors: how much the cells of a pair explain of y beyond
    the sum of an effect of each column, F = (SS_cells − SS_sum)/df₁ / (SS_rest/df₂), for classes summed over their
    indicators. It must exceed a threshold that is the same in every table, and there must be ten rows to a level of
    the pair: so whether a pair is a feature depends on its two columns and the rows, not on the other columns. (If
    there are more pairs than fit, the strongest are.) It looks at y, so it must be found anew in every fold and for
    every shuffle.

    Parameters
    ----------
    table : CodeTable
        The table.
    maps : list of arrays
        The level of each code of its columns, few levels each.
    targets : Targets
        What is predicted.
    most : int
        The most features in all.
    promising : ndarray of int, optional
        Columns whose pairs are looked at in any case, if there are too many for all pairs.
    """
    targets = replace(targets, farthest=np.inf if targets.are_classes else _FARTHEST)
    spread = _spread(table, targets)
    if not np.diag(spread).any():
        return []
    chosen = _screened(table, maps, targets, float(np.trace(spread)), promising)
    tests, sizes, starts = _z_values(table, [(int(j), maps[j]) for j in chosen], targets, spread)
    i, j = np.triu_indices(len(chosen), 1)
    z = tests[i, j]
    blocks: list[Block] = []
    for pair in np.argsort(-z, kind="stable"):
        if not z[pair] > _LEAST:
            break
        first, second = i[pair], j[pair]
        cells = sizes[starts[first] : starts[first + 1], starts[second] : starts[second + 1]]
        joint = common_levels(cells.ravel().astype(np.int64), _MOST_LEVELS)
        n_levels = int(joint.max()) + 1
        if n_levels > table.n_rows // _ROWS:
            continue
        if sum(block.n_levels for block in blocks) + n_levels > most:
            break
        columns = int(chosen[first]), int(chosen[second])
        blocks.append(Block(columns, (maps[columns[0]], maps[columns[1]]), joint, n_levels))
    return blocks


def _spread(table: CodeTable, targets: Targets) -> Floats:
    """The covariance matrix of the targets."""
    n, (sums, squares) = table.n_rows, table.total(partial(_target_sums, targets=targets))
    return np.asarray(squares / n - np.outer(sums, sums) / n**2)


def _target_sums(table: CodeTable, targets: Targets) -> list[Floats]:
    if targets.are_classes:
        sizes = np.bincount(table.classes, minlength=targets.n_targets).astype(np.float64)
        return [sizes, np.diag(sizes).astype(np.float64)]
    y = targets(table)
    return [y.sum(axis=0), y.T @ y]


def _screened(table: CodeTable, maps: list[Map], targets: Targets, variance: float, promising: Ints | None) -> Ints:
    """The columns whose pairs are looked at: all, or those that explain most of y alone, as far as their levels fit."""
    if not are_many(maps):
        return np.arange(len(maps))
    explained = np.array(
        [
            (sums**2 / np.bincount(new, weights=counts)[:, None]).sum() - (len(sums) - 1) * variance
            for new, counts, sums in zip(
                maps, table.counts, table.total(partial(_level_sums, maps=maps, targets=targets)), strict=True
            )
        ]
    )
    if promising is not None:
        explained[promising] = np.inf
    order = np.argsort(-explained, kind="stable")
    levels = np.array([int(new.max()) + 1 for new in maps])
    return np.sort(order[np.cumsum(levels[order]) <= _MOST_SCREENED])


def _level_sums(table: CodeTable, maps: list[Map], targets: Targets) -> list[Floats]:
    """The sum of each target over the rows of each level, of every column."""
    y, found = targets(table), []
    for column, new in zip(table.columns, maps, strict=True):
        codes, n_levels = mapped(column, new), int(new.max()) + 1
        sums = np.array([np.bincount(codes, weights=one, minlength=n_levels) for one in y.T], dtype=np.float64)
        found.append(sums.T)
    return found


def _z_values(
    table: CodeTable, columns: list[tuple[int, Map]], targets: Targets, spread: Floats
) -> tuple[Floats, Floats, Ints]:
    """The F statistic of every pair, as that of a standard normal variable; −inf where there is nothing to test.

    And the rows of every two levels, and where the levels of each column begin.
    """
    n_rows = table.n_rows
    features = Features([Block((j, j), (new,), None, int(new.max()) + 1) for j, new in columns])
    starts = features.starts[:-1]
    sizes, squares, sums = _cells(table, features, targets)

    def by_pair(cells: Floats) -> Floats:
        return np.add.reduceat(np.add.reduceat(cells, starts, axis=0), starts, axis=1)

    cells, saturated = by_pair((sizes > 0).astype(np.float64)), by_pair(squares)
    additive = _additive(sizes, sums, starts)
    levels = np.diff(features.starts)
    total = np.trace(spread) * n_rows + (sums[: levels[0]].sum(axis=0) ** 2).sum() / n_rows  # Σ y²
    df_1, df_2 = cells - (levels[:, None] + levels - 1), n_rows - cells
    # Indicators of classes hang together: so many independent targets have as scattered a sum of squares.
    n_targets = np.trace(spread) ** 2 / (spread**2).sum()
    is_testable = (df_1 > 0) & (df_2 > 0)
    df_1, df_2 = (np.where(is_testable, df, 1.0) for df in (df_1, df_2))
    rest = np.maximum(total - saturated, 1e-9 * total + np.finfo(float).tiny)
    F = np.maximum(saturated - additive, 0) / df_1 / (rest / df_2)
    # Paulson's approximation: the cube root of F is nearly normal.
    a, b, root = 2 / (9 * df_1 * n_targets), 2 / (9 * df_2 * n_targets), np.cbrt(F)
    z = ((1 - b) * root - (1 - a)) / np.sqrt(a + b * root**2)
    return np.where(is_testable, z, -np.inf), sizes, features.starts


def _cells(table: CodeTable, features: Features, targets: Targets) -> tuple[Floats, Floats, Floats]:
    """Of any two levels: how many rows have both, and (Σ y)² over their number; of any level, Σ y."""
    n_features = features.n_features
    squares, sums = np.zeros((n_features, n_features)), np.zeros((n_features, targets.n_targets))
    sizes = table.total(partial(_pair_sizes, features=features))[0]
    rest = sizes.copy()
    n_summed = targets.n_targets - targets.are_classes  # of the last class there are the rows that the others leave
    step = max(1, _HELD // n_features**2)
    for first in range(0, n_summed, step):
        some = range(first, min(n_summed, first + step))
        of_cells, of_levels = table.total(partial(_pair_sums, features=features, targets=targets, some=some))
        squares += (of_cells**2).sum(axis=0)
        rest -= of_cells.sum(axis=0)
        sums[:, some.start : some.stop] = of_levels.T
    if targets.are_classes:
        squares += rest**2
        sums[:, -1] = np.diag(sizes) - sums[:, :-1].sum(axis=1)
    return sizes, squares / np.maximum(sizes, 1), sums


def _pair_sizes(table: CodeTable, features: Features) -> list[Floats]:
    return [count_pairs(features.on(table).codes, features.n_levels)]


def _pair_sums(table: CodeTable, features: Features, targets: Targets, some: range) -> list[Floats]:
    """The sums of some targets over the rows of any two levels, and of any level."""
    rows_of = features.on(table)
    of_cells = np.zeros((len(some), features.n_features, features.n_features))
    if targets.are_classes:
        for k, target in enumerate(some):
            rows = table.classes == target
            of_cells[k] = count_pairs([codes[rows] for codes in rows_of.codes], features.n_levels)
        return [of_cells, np.diagonal(of_cells, axis1=1, axis2=2).copy()]
    of_levels = np.zeros((len(some), features.n_features))
    for part, X in rows_of.parts():
        weighted = X * targets(table, part)
        of_cells[0] += X.T @ weighted
        of_levels[0] += weighted.sum(axis=0)
    return [of_cells, of_levels]


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
