"""Any search with any criterion."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._checks import check_number
from entropick._decimals import ten_decimals
from entropick._defaults import BINNING, CRITERION, ENGINE, N_BINS, N_JOBS, TARGET
from entropick._errors import Mention, ParameterError
from entropick._names import look_up
from entropick._plain import as_plain
from entropick._version import __version__
from entropick.criteria import CriterionLike, ModelCriterion, find_criterion
from entropick.encode import CodeTable, Encoded
from entropick.scorer import Scorers, SubsetScorer
from entropick.search import (
    ON_INTERRUPT,
    SEARCHES,
    Budget,
    Checkpoint,
    Run,
    Search,
    Space,
    StepLine,
    TraceLine,
    drive,
    find_search,
    search_name,
    stored_seed,
)
from entropick.selectors._base import InformationSelector
from entropick.selectors._record import Outcome
from entropick.selectors._validate import choose_seed, find_columns

_DEAREST = 10**9  # times H(y): even the penalty of the widest table stays finite

_READING = 0.5  # share of a time limit that reading and encoding the columns may take


class SearchingSelector(InformationSelector):
    """Base of the estimators that search: the subclass makes the search in `_make_search`."""

    criterion: CriterionLike
    n_features_to_select: int | None
    max_features: int | None
    always: Any
    parsimony: float
    max_evaluations: int | None
    max_seconds: float | None
    checkpoint: str | os.PathLike[str] | None
    on_interrupt: str
    random_state: Any
    callback: Callable[[StepLine], object] | None

    @abstractmethod
    def _make_search(self) -> Search:
        """The search with its settings."""

    def _check_parameters(self) -> None:
        super()._check_parameters()
        find_criterion(self.criterion)
        check_number("parsimony", self.parsimony, 0, _DEAREST)
        Budget(self.max_evaluations, self.max_seconds)
        look_up(Mention("on_interrupt"), self.on_interrupt, ON_INTERRUPT)
        self._make_search().check()
        if self.callback is not None and not callable(self.callback):
            raise ParameterError("callback", "must be a function of a dict", self.callback, optional=True)

    def _time_for_reading(self) -> float | None:
        # A run that may be resumed needs the whole table.
        return None if self.max_seconds is None or self.checkpoint is not None else _READING * self.max_seconds

    def _select(self, encoded: Encoded, scorers: Scorers, began: float) -> Outcome:
        table, scorer = encoded.table, scorers[self.criterion]
        price = self.parsimony * scorer.scale

        def objective(masks: NDArray[np.bool_]) -> NDArray[np.float64]:
            return ten_decimals(scorer(masks) - price * masks.sum(axis=1)) if price else scorer(masks)

        def bound(lower: NDArray[np.bool_], upper: NDArray[np.bool_]) -> NDArray[np.float64]:
            return ten_decimals(scorer.bounds(lower, upper) - price * lower.sum(axis=1))

        search = self._make_search()
        always = find_columns(self.always, encoded.names, "always")
        size, most = self.n_features_to_select, self.max_features
        # A model may see differences between values that MDLP put into one bin.
        may_differ = self.binning == "mdlp" and isinstance(scorer.criterion, ModelCriterion)
        always, never = (always, ()) if may_differ else _without_constants(table, always, size)
        space = Space(table.n_columns, always, size, most, scorer.scale, never)
        seed, checkpoint = self._seed_and_checkpoint(search, space, table, scorer)
        run = Run(search, space, seed)
        self.n_evaluations_ = drive(
            run,
            objective,
            Budget(self.max_evaluations, self.max_seconds),
            self.callback,
            checkpoint,
            bound,
            on_interrupt=self.on_interrupt,
            began=began,
        )
        self.seed_ = seed
        self.score_ = run.score
        self.stop_ = run.stop or {}
        self.n_steps_ = len(run.trace)
        self.trace_ = _columns(run.trace, table.n_columns)
        self.probabilities_ = self.trace_["probabilities"][-1] if self.n_steps_ else np.full(table.n_columns, np.nan)
        return Outcome(
            mask=run.mask,
            kind="search",
            method=search_name(search),
            criterion=scorer.criterion,
            score=run.score,
            stop=self.stop_,
            trace=self.trace_,
            threshold_label=search.threshold_label,
            evaluations=self.n_evaluations_,
            seed=seed,
            notes=tuple(run.notes),
        )

    def _seed_and_checkpoint(
        self, search: Search, space: Space, table: CodeTable, scorer: SubsetScorer
    ) -> tuple[int, Checkpoint | None]:
        if self.checkpoint is None:
            return choose_seed(self.random_state), None
        # Without a seed of its own the run continues with the one in the file.
        seed = stored_seed(self.checkpoint) if self.random_state is None else None
        seed = choose_seed(self.random_state) if seed is None else seed
        identity = {
            "entropick": __version__,
            "numpy": np.__version__,
            "data": table.digest(),
            "criterion": scorer.criterion.identity(table),
            "criterion tables": scorer.digest(),
            "parsimony": float(self.parsimony),
            "search": type(search).__name__,
            **{f"{type(search).__name__}.{name}": as_plain(value) for name, value in search.get_params().items()},
            "always": list(space.always),
            "never": list(space.never),
            "n_features_to_select": space.exactly,
            "max_features": space.max_features,
            "seed": seed,
        }
        return seed, Checkpoint(self.checkpoint, identity)


def _without_constants(
    table: CodeTable, always: tuple[int, ...], size: int | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The columns that are always selected, and those that never are: columns with the same code in every row.

    If more columns are asked for than there are others, all others are always selected, and constant ones fill up the
    rest.
    """
    constant = np.setdiff1d(table.constant_columns, always)
    others = np.setdiff1d(np.arange(table.n_columns), constant)
    if size is not None and size > len(others):
        return tuple(others.tolist()), ()
    return always, tuple(constant.tolist())


def _columns(trace: list[TraceLine], n_columns: int) -> dict[str, NDArray[Any]]:
    """The trace as one array per quantity."""
    names = ("threshold", "best", "size", "samples", "elite", "seconds")
    plain: list[dict[str, Any]] = [{**line} for line in trace]
    columns: dict[str, NDArray[Any]] = {name: np.array([line[name] for line in plain]) for name in names}
    unknown = np.full(n_columns, np.nan)
    lines = [unknown if line["probabilities"] is None else line["probabilities"] for line in trace]
    columns["probabilities"] = np.array(lines).reshape(len(trace), n_columns)
    return columns


@SEARCHES.listed_in
class SubsetSelector(SearchingSelector):
    """Select the subset of columns that a search finds best by a criterion.

    Parameters
    ----------
    search : str or Search, default='cross_entropy'
        How subsets are tried:

        {names}
        - a search with its own settings, such as ``CrossEntropy(smoothing=.5)``; in a grid they are
          ``search__smoothing`` and so on
    criterion : str or criterion, default='reliable'
        How a subset is scored; see `CrossEntropySelector`.
    n_features_to_select, max_features, always, parsimony
        Which subsets are allowed, and the penalty per column; see `CrossEntropySelector`.
    n_bins, binning, target
        How the table is encoded; see `CrossEntropySelector`.
    max_evaluations, max_seconds, checkpoint, on_interrupt, engine, n_jobs, random_state, callback
        How the search runs; see `CrossEntropySelector`.

    Attributes
    ----------
    support_, n_features_, information_, class_entropy_, delta_information_, score_, probabilities_, trace_, stop_,
    n_steps_, n_evaluations_, seed_, target_
        As in `CrossEntropySelector`; ``probabilities_`` is NaN if the search has none.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from entropick import SubsetSelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> selector = SubsetSelector("cross_entropy", n_features_to_select=2, random_state=0).fit(X, y)
    >>> selector.transform(X).shape
    (569, 2)
    """

    def __init__(
        self,
        search: str | Search = "cross_entropy",
        criterion: CriterionLike = CRITERION,
        *,
        n_features_to_select: int | None = None,
        max_features: int | None = None,
        always: Any = (),
        parsimony: float = 0.0,
        n_bins: int = N_BINS,
        binning: str = BINNING,
        target: str = TARGET,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        on_interrupt: str = "raise",
        engine: str = ENGINE,
        n_jobs: int = N_JOBS,
        random_state: Any = None,
        callback: Callable[[StepLine], object] | None = None,
    ) -> None:
        self.search = search
        self.criterion = criterion
        self.n_features_to_select = n_features_to_select
        self.max_features = max_features
        self.always = always
        self.parsimony = parsimony
        self.n_bins = n_bins
        self.binning = binning
        self.target = target
        self.max_evaluations = max_evaluations
        self.max_seconds = max_seconds
        self.checkpoint = checkpoint
        self.on_interrupt = on_interrupt
        self.engine = engine
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.callback = callback

    def _make_search(self) -> Search:
        return find_search(self.search)
