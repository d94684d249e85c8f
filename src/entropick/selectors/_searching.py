"""What the selectors that search share: the search, and what follows it."""

from __future__ import annotations

import os
import time
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf, isfinite
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from entropick._checks import check_flag, check_number
from entropick._defaults import HALVES
from entropick._errors import Mention, ParameterError
from entropick._masks import Mask
from entropick._names import look_up
from entropick._plain import as_plain
from entropick._version import __version__
from entropick.criteria import Criterion, CriterionLike, RowCriterion, TableCriterion, find_criterion
from entropick.encode import CodeTable, Encoded
from entropick.engine import Engine, count_threads, local_engine
from entropick.notes import Note, listening
from entropick.scorer import Scorers, SubsetScorer
from entropick.search import (
    ON_INTERRUPT,
    Budget,
    Checkpoint,
    Run,
    Search,
    Space,
    StepLine,
    TraceLine,
    drive,
    search_name,
    stored_seed,
)
from entropick.selectors._base import InformationSelector
from entropick.selectors._carried import carried
from entropick.selectors._chance import (
    CERTAIN,
    ChanceTest,
    against_chance,
    luck_of_any_subset,
    usual_looks,
)
from entropick.selectors._halves import (
    Halves,
    check_halves,
    choose_from_halves,
    half_tables,
    plausible,
    replaceable,
    telling,
    with_agreed,
)
from entropick.selectors._luck import price_of_luck, quick_answer
from entropick.selectors._problem import QUICK_PAIR_WORK, Floats, Problem
from entropick.selectors._record import Outcome
from entropick.selectors._validate import choose_seed, find_columns
from entropick.selectors._within import fewest_within

_DEAREST = 10**9  # times H(y): even the penalty of the widest table stays finite

T = TypeVar("T")

_HALF_COLUMNS = 200  # that are searched in a half of the rows; of more, the most promising
_HALF_SEED = 0  # of the searches in halves
_QUICKLY = 0.1  # share of a time limit for the answer on top of which luck is measured
_SETTING_UP = 0.5  # share of a time limit after which luck is not measured any more
_PAIR_WORK_A_SECOND = 5e7  # of a time limit: a tenth of what can be done in it
_SEARCHING = 0.6  # share of a time limit by which the search ends, if anything follows it
_COMPARING = 0.8  # share by which the comparison with chance ends, if halves of the rows follow it
_READING = 0.5  # share of a time limit that reading and encoding the columns may take


class SearchingSelector(InformationSelector):
    """Base of the estimators that search: the subclass makes the search in `_make_search`."""

    criterion: CriterionLike
    n_features_to_select: int | None
    max_features: int | None
    always: Any
    parsimony: float
    luck: float
    within: float
    null: bool
    half_samples: int | None
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
        check_number("luck", self.luck, 0)
        check_number("within", self.within, 0)
        check_flag("null", self.null)
        check_halves(self.half_samples, optional=True)
        Budget(self.max_evaluations, self.max_seconds)
        look_up(Mention("on_interrupt"), self.on_interrupt, ON_INTERRUPT)
        self._make_search().check()
        if self.callback is not None and not callable(self.callback):
            raise ParameterError("callback", "must be a function of a dict", self.callback, optional=True)

    def _time_limit(self) -> float | None:
        return self.max_seconds

    def _time_for_reading(self) -> float | None:
        # A run that may be resumed needs the whole table.
        return None if self.max_seconds is None or self.checkpoint is not None else _READING * self.max_seconds

    def _select(self, encoded: Encoded, scorers: Scorers, began: float) -> Outcome:
        table, search = encoded.table, self._make_search()
        always = find_columns(self.always, encoded.names, "always")
        until = inf
        if self.max_seconds is not None and self.checkpoint is None:  # a run that is resumed maximises the same
            until = began + _SETTING_UP * self.max_seconds
            scorers.pair_work = min(scorers.pair_work, _PAIR_WORK_A_SECOND * self.max_seconds)
        problem = self._problem(scorers, always, search, until=until)
        criterion, base = problem.scorer.criterion, problem.space.base
        n_halves = self._n_halves(criterion)
        is_tested = self.null and self.n_features_to_select is None and not criterion.rewards_luck
        run = self._search(problem, search, began, _SEARCHING if is_tested or n_halves else 1.0)
        if problem.luck is None and self._minds_luck(problem):
            run.remark(Note("luck", "there was no time to measure what useless columns add by luck; some may be kept."))
        mask = self._thinned(problem, run.mask)
        test = None
        if is_tested and (mask & ~base).any():
            share = _COMPARING if n_halves else 1.0
            compare = partial(self._against_chance, encoded, criterion, run, began, share)
            test = self._unless_interrupted(run, "the selection was compared with chance", compare)
        elif is_tested:  # what is not even kept needs no comparison
            test = ChanceTest(1.0, 0)
        self.p_value_ = None if test is None else test.p_value
        if test is not None and not test.finds_something:
            mask = base
            run.remark(_nothing_there(test))
        left_out = np.setdiff1d(np.arange(table.n_columns), problem.scorer.columns)
        if len(left_out):
            text = (
                f"{len(problem.scorer.columns)} of {table.n_columns} columns were searched, those that say most about "
                f"the target alone or in pairs: the model of the criterion {criterion.name!r} cannot hold more."
            )
            run.remark(Note("screened", text))
        halves = None
        if n_halves and (test is None or test.finds_something):
            choose = partial(self._halves, encoded, n_halves, always, problem, run, scorers.engine, began)
            halves = self._unless_interrupted(run, "columns were chosen from halves of the rows", choose)
        if halves is not None and self._is_free(criterion):
            mask, halves = self._by_halves(mask, halves, encoded, scorers, problem, run, began)
        self.score_ = problem.final(mask)
        return Outcome(
            mask=mask,
            kind="search",
            method=search_name(search),
            criterion=criterion,
            score=self.score_,
            best_score=self.best_score_,
            stop=self.stop_,
            trace=self.trace_,
            threshold_label=search.threshold_label,
            evaluations=self.n_evaluations_,
            seed=self.seed_,
            notes=tuple(run.notes),
            chance=test,
            halves=halves,
            always=always,
        )

    def _search(self, problem: Problem, search: Search, began: float, share: float) -> Run:
        """The search, which has a share of the time, and what it leaves in the attributes of the estimator."""
        table, limit = problem.scorer.table, self.max_seconds
        seed, checkpoint = self._seed_and_checkpoint(search, problem.space, table, problem.scorer)
        run = Run(search, problem.space, seed)
        self.n_evaluations_ = drive(
            run,
            problem.score,
            Budget(self.max_evaluations, None if limit is None else share * limit),
            self.callback,
            checkpoint,
            problem.bound,
            problem.near,
            on_interrupt=self.on_interrupt,
            began=began,
        )
        self.seed_ = seed
        self.best_score_ = run.score if problem.luck is None else problem.found(run.mask)
        self.stop_ = run.stop or {}
        if "max_seconds" in self.stop_:
            self.stop_["max_seconds"] = limit
        self.n_steps_ = len(run.trace)
        self.trace_ = _columns(run.trace, table.n_columns)
        self.probabilities_ = self.trace_["probabilities"][-1] if self.n_steps_ else np.full(table.n_columns, np.nan)
        return run

    def _by_halves(
        self,
        mask: Mask,
        halves: Halves,
        encoded: Encoded,
        scorers: Scorers,
        problem: Problem,
        run: Run,
        began: float,
    ) -> tuple[Mask, Halves]:
        """The selection without what halves of the rows speak against, if there is time, and with what they add."""
        table, base = encoded.table, problem.space.base
        if self.max_seconds is None or time.monotonic() < began + self.max_seconds:
            binning = (self.n_bins, self.binning)
            score = partial(carried, encoded, binning, problem.scorer, mask, base, halves, self.engine, self.n_jobs)
            found = self._unless_interrupted(run, "columns chosen from one half were scored on the other", score)
            if found is not None:
                mask, halves = found.mask, found.halves
                run.notes.append(found.note)  # no warning: there is nothing to do about it
        agreed = halves.masks & (mask | plausible(table, scorers.associations))
        tells = telling(table, scorers.associations)

        def is_possible(some: Mask) -> bool:
            return isfinite(problem.found(some))

        return with_agreed(mask, agreed, tells, base, self.max_features, is_possible), halves

    def _problem(
        self,
        scorers: Scorers,
        always: tuple[int, ...],
        search: Search,
        luck: Floats | None = None,
        until: float = inf,
    ) -> Problem:
        """What the search maximises; the price of luck is measured unless it is given, or it is too late for that."""
        scorers.keep, scorers.keep_name = always, "always"
        problem = Problem.of(
            scorers,
            self.criterion,
            always=always,
            size=self.n_features_to_select,
            most=self.max_features,
            parsimony=self.parsimony,
            binning=self.binning,
            hints=search.wants_hints,
        )
        criterion = problem.scorer.criterion
        is_in_time = self._minds_luck(problem) and time.monotonic() < until
        if luck is None and isinstance(criterion, RowCriterion) and is_in_time:
            quick = quick_answer(problem, self.max_seconds and _QUICKLY * self.max_seconds)
            luck = self.luck * price_of_luck(scorers.table, criterion, quick, self.engine, self.n_jobs, 0)
        return replace(problem, luck=luck)

    def _minds_luck(self, problem: Problem) -> bool:
        """Whether a column has to pay for what luck would add."""
        return bool(self.luck and len(problem.space.free) and self._is_free(problem.scorer.criterion))

    def _is_free(self, criterion: Criterion) -> bool:
        """Whether the search has decided how many columns a model needs."""
        return isinstance(criterion, RowCriterion) and self.n_features_to_select is None

    def _n_halves(self, criterion: Criterion) -> int:
        if self.half_samples is not None:
            return self.half_samples
        return HALVES if self._is_free(criterion) else 0

    def _halves(
        self,
        encoded: Encoded,
        n: int,
        always: tuple[int, ...],
        problem: Problem,
        run: Run,
        engine: Engine,
        began: float,
    ) -> Halves | None:
        """What is chosen from halves of the rows, in the same way but quickly, and without a test against chance.

        None if there is no time for at least two halves.
        """
        # Half of the rows make luck twice as large.
        luck = np.zeros(encoded.table.n_columns) if problem.luck is None else 2 * problem.luck
        needs_all = not isinstance(problem.scorer.criterion, TableCriterion | RowCriterion)
        masks = choose_from_halves(
            half_tables(encoded, n, (self.n_bins, self.binning), needs_all),
            n,
            lambda table, seconds: self._quickly(table, always, luck, seconds),
            count_threads(self.n_jobs),
            inf if self.max_seconds is None else began + self.max_seconds,
        )
        if len(masks) < n:
            run.remark(Note("halves", f"there was time to choose from {len(masks)} of {n} halves of the rows only."))
        return Halves(masks, replaceable(masks, engine)) if len(masks) > 1 else None

    def _quickly(self, table: CodeTable, always: tuple[int, ...], luck: Floats, seconds: float) -> Mask:
        """What a quick search chooses; of a wide table, from its most promising columns."""
        columns = np.arange(table.n_columns)
        few = max(_HALF_COLUMNS, self.n_features_to_select or 0)
        if table.n_columns > few:
            with Scorers(table, local_engine(self.engine), 1, always, QUICK_PAIR_WORK) as scorers:
                columns = scorers.screened(few)
        chosen = np.zeros(table.n_columns, dtype=np.bool_)
        narrow = table if len(columns) == table.n_columns else table.take(columns)
        with Scorers(narrow, local_engine(self.engine), 1) as scorers, listening(lambda note: None):
            search = self._make_search().quick
            problem = self._problem(scorers, tuple(np.searchsorted(columns, always).tolist()), search, luck[columns])
            run = Run(search, problem.space, _HALF_SEED)
            budget = Budget(self.max_evaluations, None if seconds == inf else seconds)
            drive(run, problem.score, budget, None, None, problem.bound, problem.near)
            chosen[columns] = self._thinned(problem, run.mask)
        return chosen

    def _thinned(self, problem: Problem, mask: Mask) -> Mask:
        """The fewest columns of a subset that a model does not clearly miss any others with."""
        model = problem.scorer.model
        if model is None or not self.within or not self._is_free(problem.scorer.criterion):
            return mask
        return fewest_within(model, mask, problem.space.base, self.within)

    def _against_chance(
        self, encoded: Encoded, criterion: Criterion, run: Run, began: float, share: float
    ) -> ChanceTest | None:
        """What is found, compared with what is found about a shuffled target; None if there is no time for that."""
        looks = usual_looks(criterion, self.engine, most=self.max_features, parsimony=self.parsimony, seed=run.seed)
        deadline = inf if self.max_seconds is None else began + share * self.max_seconds
        test = against_chance(
            encoded, looks, run.seed, (self.n_bins, self.binning), deadline, count_threads(self.n_jobs)
        )
        if test is None:
            run.remark(Note("untested", "there was no time to compare the selection with chance."))
        elif not test.finds_something and isinstance(criterion, TableCriterion) and self._is_bounded(encoded.table):
            luck = luck_of_any_subset(encoded.table, run.mask)
            if luck <= CERTAIN:
                return ChanceTest(CERTAIN, test.n_shuffles, is_bound=True)
        return test

    def _is_bounded(self, table: CodeTable) -> bool:
        """Whether what a subset tells about a shuffled target has a known distribution: nothing else looks at y."""
        return self.binning != "mdlp" and not self.always and table.in_memory() is table

    def _unless_interrupted(self, run: Run, what: str, compute: Callable[[], T | None]) -> T | None:
        """Do what follows a search; None if that or the search is interrupted, unless Ctrl-C is to be raised."""
        if any(note.code == "interrupted" for note in run.notes):
            return None
        try:
            return compute()
        except KeyboardInterrupt:
            if self.on_interrupt == "raise":
                raise
            run.remark(Note("interrupted", f"interrupted before {what}."))
            return None

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


def _nothing_there(test: ChanceTest) -> Note:
    why = (
        f"as much is found about the target when its values are shuffled (p = {test.p_value:.2g}, {test.n_shuffles} "
        "shuffles). Without this test (null=False, or --no-null in the command) columns are selected all the same."
        if test.n_shuffles
        else "none improves on doing without columns."
    )
    return Note("nothing_there", f"no column is better than chance: {why}")


def _columns(trace: list[TraceLine], n_columns: int) -> dict[str, NDArray[Any]]:
    """The trace as one array per quantity."""
    names = ("threshold", "best", "size", "samples", "elite", "seconds")
    plain: list[dict[str, Any]] = [{**line} for line in trace]
    columns: dict[str, NDArray[Any]] = {name: np.array([line[name] for line in plain]) for name in names}
    unknown = np.full(n_columns, np.nan)
    lines = [unknown if line["probabilities"] is None else line["probabilities"] for line in trace]
    columns["probabilities"] = np.array(lines).reshape(len(trace), n_columns)
    return columns
