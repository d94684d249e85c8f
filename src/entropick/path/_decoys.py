"""Which columns are sure: those that halves of the rows put before every copy that has lost the target."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from entropick.criteria import Criterion
from entropick.encode import CodeTable
from entropick.engine import make_engine
from entropick.path._order import Groups
from entropick.path._walk import halve, walk

Verdict = Literal["sure", "useful", "no"]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Decoys:
    """How columns stand beside copies of all of them.

    Attributes
    ----------
    n_copies : int
        How many copies of the table there were.
    is_sure : ndarray of bool, shape (n_columns,)
        The columns whose mean place over halves is before that of every copied column.
    expected_false : ndarray of float, shape (n_columns,)
        How many useless columns are to be expected down to the place of each: (1 + copied columns down to it) / copies.
    """

    n_copies: int
    is_sure: NDArray[np.bool_]
    expected_false: Floats

    def verdicts(self, mask: NDArray[np.bool_]) -> tuple[Verdict, ...]:
        """Of each column: 'sure', 'useful' if it is selected all the same, or 'no'."""
        words = np.where(self.is_sure, "sure", np.where(mask, "useful", "no"))
        return tuple(words.tolist())


def beside_decoys(
    table: CodeTable,
    criterion: Criterion,
    rng: np.random.Generator,
    *,
    n_copies: int,
    stop: int,
    engine: str,
    n_threads: int,
    near: Groups = (),
    always: NDArray[np.int64] | tuple[int, ...] = (),
    deadline: float = inf,
) -> Decoys | None:
    """Look at a table beside copies of it whose rows were rotated away from their target.

    None if rows are too few, or there is no time.

    If the useless columns are independent of the target and of all that is not useless, they and their copies can be
    exchanged without a difference to anyone who does not know which is which. So the chance that one of them comes
    before all copied columns is at most 1/(1 + copies). That takes a procedure that treats all columns alike: it sees
    one table of all of them, in the order of their content.

    Parameters
    ----------
    table : CodeTable
        Its rows are in the order of their content.
    criterion : Criterion
        The one criterion of the fit.
    rng : Generator
        What draws the groups of rows and the halves.
    n_copies : int
        How many copies.
    stop : int
        How many places are filled.
    engine, n_threads
        As of a selector.
    near : tuple of arrays
        Groups of near copies: they share the verdict of the first.
    always : sequence of int
        Columns that are in every set; they have no copies.
    deadline : float
        When to stop, by ``time.monotonic``.
    """
    m, fixed = table.n_columns, tuple(int(j) for j in always)
    wide, is_copy = with_copies(table, n_copies, rng)
    order = wide.content.columns
    wide = wide.reordered(order)
    halved = halve(wide, rng)
    if halved is None:
        return None
    is_fixed = np.isin(order, fixed)
    # Copies of what is always there, columns that are constant in these rows, and all but one of those that are
    # identical there (rare indicators are, to copies of others) are in no set.
    twins = {j: first for j, first in wide.copies.items() if not is_fixed[[j, first]].any()}
    never = np.flatnonzero((np.isin(order % m, fixed) & is_copy[order]) | (wide.found_levels <= 1))
    same_as_fixed = [i for pair in wide.copies.items() if is_fixed[[*pair]].any() for i in pair if not is_fixed[i]]
    never = np.union1d(never, np.array([*twins, *same_as_fixed], dtype=np.int64))
    local = make_engine("auto", wide, n_threads)
    path = walk(
        halved,
        criterion,
        local,
        engine,
        judge=None,
        always=np.flatnonzero(is_fixed).tolist(),
        never=never.tolist(),
        largest=wide.n_columns - len(never),
        stop=stop,
        n_threads=n_threads,
        deadline=deadline,
        exchanges=0,
        what="looking at copies",
    )
    if path is None:
        return None
    mean = np.empty(len(order))
    known = np.where(np.isinf(path.places), path.last + 1, path.places).mean(axis=0)
    known[list(twins)] = known[list(twins.values())]
    mean[order] = known
    places, copied = mean[:m].copy(), np.sort(mean[m:][~np.isin(np.arange(m, len(order)) % m, fixed)])
    for group in near:
        own = np.setdiff1d(group, fixed)
        places[own] = places[own].min(initial=np.inf)
    at_or_above = np.searchsorted(copied, places, side="right")
    is_sure = (at_or_above == 0) & (places < path.last + 1)
    is_sure[list(fixed)] = False  # they have no rival
    return Decoys(n_copies, is_sure, (1 + at_or_above) / n_copies)


def with_copies(table: CodeTable, n_copies: int, rng: np.random.Generator) -> tuple[CodeTable, NDArray[np.bool_]]:
    """The table with copies of its columns behind them, and which columns are copies.

    Rows form random groups of one more than there are copies; in copy i, each row has the values of the i-th row after
    it in its group. So a copy keeps its values and its ties to the other columns of that copy, and loses the target. A
    few rows that are left over are left out.
    """
    size = n_copies + 1
    rows = rng.permutation(table.n_rows)[: table.n_rows // size * size]
    groups = rows.reshape(-1, size)
    kept = np.sort(rows)
    place = np.empty(table.n_rows, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    base = table.take_rows(kept, whole=False)
    numbers = [base.numbers_of(j) for j in range(base.n_columns)]
    columns, values = list(base.columns), list(numbers)
    for shift in range(1, size):
        source = np.empty(len(kept), dtype=np.int64)
        source[place[groups.reshape(-1)]] = place[np.roll(groups, -shift, axis=1).reshape(-1)]
        columns += [column[source] for column in base.columns]
        values += [None if x is None else x[source] for x in numbers]
    wide = replace(
        base,
        columns=tuple(columns),
        levels=np.tile(base.levels, size),
        ordered=None if base.ordered is None else np.tile(base.ordered, size),
        values=tuple(values),
        known_content=None,
        of_columns={},
    )
    return wide.sample(wide.n_rows, rng)[0], np.arange(len(columns)) >= base.n_columns
