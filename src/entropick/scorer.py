"""A table, a target and a criterion: all that a search needs, your own included."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from entropick._decimals import ERROR, ten_decimals
from entropick._defaults import BINNING, ENGINE, ESTIMATOR, N_BINS, N_JOBS, TARGET
from entropick._errors import Mention, ParameterError
from entropick._fork import renew_locks_in_children
from entropick._masks import in_parts, with_each
from entropick.association import PAIR_WORK, Associations, associations
from entropick.criteria import (
    CRITERIA,
    Criterion,
    CriterionLike,
    ModelCriterion,
    RowCriterion,
    RowModel,
    Score,
    TableCriterion,
    find_criterion,
)
from entropick.encode import CodeTable, encode
from entropick.engine import Engine, EngineScore, check_engine, make_engine

renew_locks_in_children()


def as_table(X: Any, y: Any, n_bins: int = N_BINS, binning: str = BINNING, target: str = TARGET) -> CodeTable:
    """The table of codes of X and y, or X itself if it is one."""
    if not isinstance(X, CodeTable):
        return encode(X, y, n_bins, binning, target).table
    if y is not None:
        raise ValueError("a CodeTable already has its classes, so y must be None; got both.")
    return X


class Scorers:
    """Criteria on one table: they share an engine, and each is set up once.

    Engines are large. The engine is made when it is first needed and freed by `close`, or at the end of a ``with``
    block; it is made again if needed.

    Parameters
    ----------
    table : CodeTable
        The table.
    engine, n_jobs
        As in a selector.
    keep : sequence of int
        Columns that a model that cannot hold all columns has in any case.
    pair_work : float
        About how many operations may go into `associations`.

    Attributes
    ----------
    keep_name : str
        The parameter that names the columns of ``keep``, for errors.

    Examples
    --------
    >>> table = encode([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]).table  # y is x0 xor x1
    >>> with Scorers(table) as scorers:
    ...     scorers["plugin"]([[True, False], [True, True]])
    array([0., 1.])
    """

    def __init__(
        self,
        table: CodeTable,
        engine: str = ENGINE,
        n_jobs: int | None = N_JOBS,
        keep: Sequence[int] | NDArray[np.int64] = (),
        pair_work: float = PAIR_WORK,
    ) -> None:
        check_engine(engine, n_jobs)
        self.table, self.engine_name, self.n_jobs = table, engine, n_jobs
        self.keep, self.keep_name, self.pair_work = keep, "columns", pair_work
        self._engine: Engine | None = None
        self._scorers: dict[str | int, SubsetScorer] = {}

    @property
    def engine(self) -> Engine:
        """The engine that does the counting."""
        if self._engine is None:
            self._engine = make_engine(self.engine_name, self.table, self.n_jobs)
        return self._engine

    @cached_property
    def associations(self) -> Associations:
        """How strongly columns and pairs of columns go with the classes."""
        return associations(self.engine, self.pair_work)

    def screened(self, most: int) -> NDArray[np.int64]:
        """At most so many columns: half say most about y alone, half add most to another column."""
        found = self.associations
        kept = np.zeros(len(found.single), dtype=np.bool_)
        kept[list(self.keep)] = True
        for strength, places in ((found.single, most // 2), (found.paired, most)):
            order = np.argsort(-strength, kind="stable")
            kept[order[~kept[order]][: max(0, places - int(kept.sum()))]] = True
        return np.flatnonzero(kept)

    def __getitem__(self, criterion: CriterionLike) -> SubsetScorer:
        """The scorer of a criterion."""
        key = criterion if isinstance(criterion, str) else id(criterion)  # kept alive by its scorer
        if key not in self._scorers:
            scorer = SubsetScorer.of(self, criterion)
            self._scorers[key] = self._scorers[id(scorer.criterion)] = scorer  # a name, and what it stands for
        return self._scorers[key]

    def close(self) -> None:
        """Free the engine and the scorers that use it."""
        self._engine = None
        self._scorers.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class SubsetScorer:
    """Score subsets of the columns of X by the information they carry about y, in bits.

    Parameters
    ----------
    X : data frame, array, sparse matrix or CodeTable
        The table. A CodeTable already has its classes, so y must be None with it.
    y : array-like of shape (n_rows,)
        The target.
    criterion : str or criterion, default='plugin'
        A name from `entropick.criteria.CRITERIA`, or a criterion of your own.
    engine : {'auto', 'native', 'numpy'}, default='auto'
        What does the counting; the result is the same.
    n_jobs : int, default=-1
        Threads; −1 is one per processor.
    n_bins, binning, target : int, str, str
        How real columns are cut and what y is; see `CrossEntropySelector`.

    Attributes
    ----------
    table : CodeTable
        The encoded table.
    class_entropy : float
        H(y) in bits.
    scale : float
        Roughly the largest score: H(y), unless the criterion has another scale.
    columns : ndarray of int
        The columns that subsets may have: all, unless a model cannot hold so many. Of a table that is too wide for it,
        half are the columns that say most about y alone, half those that add most to another column. Subsets with other
        columns score −inf.

    Examples
    --------
    >>> scorer = SubsetScorer([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])  # y is x0 xor x1
    >>> scorer([[True, False], [False, True], [True, True]])
    array([0., 0., 1.])
    """

    def __init__(
        self,
        X: Any,
        y: Any = None,
        criterion: CriterionLike = ESTIMATOR,
        engine: str = ENGINE,
        n_jobs: int = N_JOBS,
        *,
        n_bins: int = N_BINS,
        binning: str = BINNING,
        target: str = TARGET,
    ) -> None:
        check_engine(engine, n_jobs)
        self._set_up(Scorers(as_table(X, y, n_bins, binning, target), engine, n_jobs), criterion)

    @classmethod
    def of(cls, scorers: Scorers, criterion: CriterionLike) -> Self:
        """The scorer of a criterion, with the engine of ``scorers``."""
        scorer = cls.__new__(cls)
        scorer._set_up(scorers, criterion)
        return scorer

    def _set_up(self, scorers: Scorers, criterion: CriterionLike) -> None:
        self.table = scorers.table
        self.criterion: Criterion = find_criterion(criterion).on(self.table)
        self.class_entropy = self.table.class_entropy
        self.scale = float(self.criterion.scale(self.table))
        self._made_from = self.table, None, criterion, scorers.engine_name, scorers.n_jobs
        self.columns = np.arange(self.table.n_columns)
        self._score = self._bind(scorers)

    def _bind(self, scorers: Scorers) -> Score:
        match self.criterion:
            case TableCriterion() as criterion:
                return scorers.engine.bind(criterion(self.table.class_sizes))
            case RowCriterion() as criterion:
                narrow = self.table
                while (most := criterion.most_columns(narrow)) < narrow.n_columns:
                    _check_kept(scorers, narrow.n_columns, most, criterion.name)
                    self.columns = scorers.screened(most)  # they may be wider than most, and then again be too many
                    narrow = self.table.take(self.columns)
                if narrow is self.table:
                    return criterion.bind(scorers.engine.table, scorers.engine)
                engine = make_engine(scorers.engine_name, narrow, scorers.n_jobs)
                return _Narrowed(criterion.bind(engine.table, engine), self.columns)
            case ModelCriterion() as criterion:
                return criterion.bind(self.table)
        raise ValueError(f"criterion must be a TableCriterion or a ModelCriterion; got {self.criterion!r}.")

    def __call__(self, masks: ArrayLike) -> NDArray[np.float64]:
        """Scores of subsets.

        Parameters
        ----------
        masks : array-like of bool, shape (n_subsets, n_columns)
            True where a column is in the subset.

        Returns
        -------
        ndarray of shape (n_subsets,)
        """
        return ten_decimals(self._score(self._check(masks)))

    def near(self, masks: NDArray[np.bool_], center: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Scores of subsets that differ little from one, which some models compute in less time."""
        return self(masks) if self.model is None else ten_decimals(self.model.near(masks, center))

    @property
    def model(self) -> RowModel | None:
        """The model behind the scores, if it knows what it loses on each row."""
        return self._score if isinstance(self._score, RowModel) else None

    def final(self, masks: ArrayLike) -> NDArray[np.float64]:
        """Scores of subsets as they are reported: those of a model are exact, and on all rows."""
        return self(masks) if self.model is None else ten_decimals(self.model.final(self._check(masks)))

    def each(self, columns: NDArray[np.int64]) -> NDArray[np.float64]:
        """Scores of single columns."""
        nothing = np.zeros(self.table.n_columns, dtype=np.bool_)
        parts = (self(with_each(nothing, part)) for part in in_parts(columns, len(nothing)))
        return np.concatenate([np.empty(0), *parts])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only what it was made from; the engine is made again on loading."""
        return SubsetScorer, self._made_from

    def digest(self) -> str | None:
        """A hash of the criterion's tables, equal for criteria that score equally; None for a model."""
        return self._score.tables.digest() if isinstance(self._score, EngineScore) else None

    def bounds(self, lower: ArrayLike, upper: ArrayLike) -> NDArray[np.float64]:
        """Upper bounds on the scores of all subsets between two subsets, for exact search.

        Parameters
        ----------
        lower, upper : array-like of bool, shape (n_subsets, n_columns)
            ``bounds(U, W) >= score(V)`` for every V that contains U and is contained in W.
        """
        above, below = self._bounds
        # Rounded like the scores, after adding more than the error of fixed-point sums: never too low.
        return ten_decimals(above(self._check(upper)) + below(self._check(lower)) + ERROR)

    @cached_property
    def _bounds(self) -> tuple[EngineScore, EngineScore]:
        if isinstance(self._score, EngineScore) and self._score.tables.tables.bound:
            upper, lower = self._score.tables.tables.bound()
            return self._score.engine.bind(upper), self._score.engine.bind(lower)
        sizes, tables = self.table.class_sizes, (CRITERIA[name] for name in CRITERIA)
        bounded = [repr(c.name) for c in tables if isinstance(c, TableCriterion) and c(sizes).bound]
        raise ParameterError(
            "criterion",
            f"must have a bound for an exact search by bounds, and {self.criterion.name!r} has none",
            hint=(f"use {' or '.join(bounded)}, or ", Mention("search", "exhaustive")),
        )

    def _check(self, masks: ArrayLike) -> NDArray[np.bool_]:
        array = np.asarray(masks)
        if array.ndim != 2 or array.shape[1] != self.table.n_columns:
            raise ValueError(
                f"masks must have shape (n_subsets, {self.table.n_columns}), one row per subset; got {array.shape}."
            )
        if array.dtype != np.bool_ and not np.isin(array, (0, 1)).all():
            raise ValueError("masks must hold True and False, or 1 and 0; got other values: use a mask, not indices.")
        checked = np.ascontiguousarray(array, dtype=np.bool_)
        if checked.view(np.uint8).max(initial=0) > 1:  # bytes viewed as booleans
            raise ValueError("masks must hold True and False; got booleans made of other bytes: use mask != 0.")
        return checked


def _check_kept(scorers: Scorers, n_columns: int, most: int, criterion: str) -> None:
    """Raise a ParameterError if only columns that must be kept are left, and they are more than the model can hold."""
    if len(scorers.keep) >= n_columns:
        raise ParameterError(
            scorers.keep_name,
            f"must name at most {most} columns, as many as the model of the criterion {criterion!r} can hold",
            len(scorers.keep),
            "criteria that count, such as 'reliable', take any number",
        )


class _Narrowed(RowModel):
    """A model on some of the columns of a table."""

    def __init__(self, model: RowModel, columns: NDArray[np.int64]) -> None:
        self.model, self.columns, self.rows = model, columns, model.rows

    def __call__(self, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        return self._unless_outside(masks, self.model(masks[:, self.columns]))

    def near(self, masks: NDArray[np.bool_], center: NDArray[np.bool_]) -> NDArray[np.float64]:
        return self._unless_outside(masks, self.model.near(masks[:, self.columns], center[self.columns]))

    def losses(self, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        return self.model.losses(masks[:, self.columns])

    def final(self, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        return self._unless_outside(masks, self.model.final(masks[:, self.columns]))

    def _unless_outside(self, masks: NDArray[np.bool_], scores: NDArray[np.float64]) -> NDArray[np.float64]:
        outside = masks.sum(axis=1) > masks[:, self.columns].sum(axis=1)
        return np.where(outside, -np.inf, scores)
