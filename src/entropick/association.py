"""How strongly single columns and pairs of columns go with the classes, on a scale that their levels do not distort."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, xlogy

from entropick import _kernels

if TYPE_CHECKING:
    from entropick.encode import CodeTable
    from entropick.engine import Engine

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PAIR_WORK = 4e9  # about so many operations may go into pairs; that is a second or two
_BLOCK = 1 << 22  # pairs whose values are held at once
_FEW_LEVELS = 256  # of a column, or classes: the rows of each are kept as bits
_KEPT = 20  # of the strongest pairs, and of those that only work together


@dataclass(frozen=True)
class Associations:
    """What single columns and pairs of columns say about the classes.

    Strengths are on the scale of a standard normal variable: a column that has nothing to do with the classes is rarely
    beyond 3, whatever its number of levels.

    Attributes
    ----------
    single : ndarray of shape (n_columns,)
        Of each column alone.
    paired : ndarray of shape (n_columns,)
        Of what each column adds to the column with which it adds most; −inf if no pair with it was looked at.
    pairs : ndarray of shape (n_pairs, 2)
        The strongest pairs, then those that say most beyond what their columns say one by one.
    strongest : float
        The strength of the strongest pair; −inf without pairs.
    """

    single: Floats
    paired: Floats
    pairs: Ints
    strongest: float

    def visible(self, level: float) -> NDArray[np.bool_]:
        """The columns that show something alone or beside another, as so few useless ones do by chance."""
        partners = max(1, len(self.single) - 1)
        return np.asarray((self.single > -ndtri(level)) | (self.paired > -ndtri(level / partners)))


def associations(engine: Engine, work: float = PAIR_WORK) -> Associations:
    """Look at all single columns, and at all pairs or, on a large table, at pairs with the strongest single columns.

    Parameters
    ----------
    engine : Engine
        The engine on the table.
    work : float
        About how many operations may go into pairs.

    Examples
    --------
    >>> from entropick.encode import encode
    >>> from entropick.engine import make_engine
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, (200, 5))
    >>> found = associations(make_engine("numpy", encode(X, X[:, 1] ^ X[:, 3]).table))
    >>> found.pairs[0], bool(found.single.max() < 3)
    (array([1, 3]), True)
    """
    table = engine.table
    m, h_y, n_classes = table.n_columns, table.class_entropy, len(table.class_sizes)
    levels, rows = table.found_levels, _per_bit(engine)
    alone = _alone(engine)
    single = _normal(rows * alone, (levels - 1) * (n_classes - 1))
    paired = np.full(m, -np.inf)
    order = np.argsort(-single, kind="stable")
    partners = np.sort(order[: int(work / (m * _pair_work(engine, levels)))]) if m > 1 else order[:0]
    strong, joint = _Top(), _Top()
    step = max(1, _BLOCK // m)
    for some in (partners[start : start + step] for start in range(0, len(partners), step)):
        h_fs, h_fsy = engine.pair_entropies(some)
        both = h_fs + h_y - h_fsy
        added = _normal(
            rows * (both - alone[some, None]), (levels - 1) * levels[some, None] * (n_classes - 1)
        )  # by column f to s
        added[np.arange(len(some)), some] = -np.inf
        paired = np.maximum(paired, added.max(axis=0))
        paired[some] = np.maximum(paired[some], _added_by(some, both, alone, rows, levels, n_classes))
        total = _normal(rows * both, (levels * levels[some, None] - 1) * (n_classes - 1))
        beyond = rows * (both - alone - alone[some, None])
        beyond = _normal(beyond, (levels - 1) * (levels[some, None] - 1) * (n_classes - 1))
        for top, strength in ((strong, total), (joint, beyond)):
            strength[np.arange(len(some)), some] = -np.inf
            top.add(some, strength)
    pairs = [*strong.pairs(), *joint.pairs()]
    unique = np.array(list(dict.fromkeys(pairs)), dtype=np.int64).reshape(-1, 2)
    return Associations(single, paired, unique, strong.best)


def single_strengths(engine: Engine) -> Floats:
    """How strongly each single column goes with the classes, as `Associations.single`."""
    freedom = (engine.table.found_levels - 1) * (len(engine.table.class_sizes) - 1)
    return _normal(_per_bit(engine) * _alone(engine), freedom)


def strengths_alone(table: CodeTable) -> Floats | None:
    """The same to rounding, without an engine, and at little cost for further targets; None for very many levels."""
    sizes, levels, shared = table.class_sizes, table.levels, table.of_columns
    if len(sizes) > _FEW_LEVELS or (levels > _FEW_LEVELS).any():
        return None
    if "level rows" not in shared:
        codes = np.stack([np.asarray(column, dtype=np.uint8) for column in table.columns])
        shared["level rows"] = _kernels.LevelRows(codes, [0, *np.cumsum(levels).tolist()])
    counts = np.empty((len(sizes), int(levels.sum())))
    shared["level rows"].count_with(table.classes.astype(np.uint8)[None], len(sizes), counts)
    starts = np.cumsum(levels) - levels
    alone, joint = (np.add.reduceat(xlogy(some, some), starts, axis=-1) for some in (counts.sum(axis=0), counts))
    n = table.n_rows
    nats = np.log(n) - (alone + xlogy(sizes, sizes).sum() - joint.sum(axis=0)) / n
    return _normal(2 * n * nats, (table.found_levels - 1) * (len(sizes) - 1))


def _alone(engine: Engine) -> Floats:
    """The bits of information about the classes in each column."""
    every, shared = np.arange(engine.table.n_columns), engine.table.of_columns
    if "entropies" not in shared:  # the same for every target
        shared["entropies"] = engine.entropy.each(every)
    found: Floats = shared["entropies"] + engine.table.class_entropy - engine.entropy_with_classes.each(every)
    return found


def _per_bit(engine: Engine) -> float:
    """What a bit counts as chi-squared."""
    return float(2 * np.log(2) * engine.table.n_rows)


def _added_by(some: Ints, both: Floats, alone: Floats, rows: float, levels: Ints, n_classes: int) -> Floats:
    """The strength of what each of some columns adds to the column to which it adds most."""
    added = _normal(rows * (both - alone), (levels[some, None] - 1) * levels * (n_classes - 1))
    added[np.arange(len(some)), some] = -np.inf
    return np.asarray(added.max(axis=1))


def _pair_work(engine: Engine, levels: Ints) -> float:
    """About how many operations a pair takes, on average: bits of pairs of levels are counted, or rows are grouped."""
    table = engine.table
    n_classes = len(table.class_sizes)
    counted = (levels - 1.0) ** 2 * (table.n_rows / 64 + n_classes) + 2 * n_classes * levels**2 + 50
    return float(np.minimum(counted, 6000 + 5.0 * table.n_rows).mean())


class _Top:
    """The strongest pairs so far."""

    def __init__(self) -> None:
        self.best = -np.inf
        self.found: list[tuple[float, int, int]] = []

    def add(self, some: Ints, strength: Floats) -> None:
        flat = strength.reshape(-1)
        most = min(2 * _KEPT, len(flat))
        for place in np.argpartition(-flat, most - 1)[:most]:
            s, f = int(some[place // strength.shape[1]]), int(place % strength.shape[1])
            if np.isfinite(flat[place]):
                self.found.append((-float(flat[place]), min(s, f), max(s, f)))
        self.found = sorted(set(self.found))[: 2 * _KEPT]
        if self.found:
            self.best = -self.found[0][0]

    def pairs(self) -> list[tuple[int, int]]:
        return list(dict.fromkeys((i, j) for _, i, j in self.found))[:_KEPT]


def _normal(chi_squared: Floats, freedom: Ints) -> Floats:
    """Chi-squared values of given degrees of freedom as standard normal ones (E. B. Wilson, M. M. Hilferty, 1931)."""
    possible = np.broadcast_to(freedom > 0, chi_squared.shape)
    share = 2 / (9 * np.where(freedom > 0, freedom, 1.0))
    cube = np.cbrt(np.maximum(chi_squared, 0) / np.where(freedom > 0, freedom, 1.0))
    return np.where(possible, (cube - (1 - share)) / np.sqrt(share), -np.inf)
