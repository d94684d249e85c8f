"""One fit of a selector that searches: the four questions, one after the other."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from entropick import path as paths
from entropick._checks import check_size
from entropick._errors import Mention, ParameterError
from entropick._plain import as_plain
from entropick._version import __version__
from entropick.association import single_strengths
from entropick.criteria import RowCriterion, TableCriterion, predicted_by
from entropick.encode import CodeTable, Encoded, encode, take_rows
from entropick.engine import count_threads
from entropick.notes import Note, listening, tell
from entropick.path import ChanceTest, Choices, Curve, Decoys, Path
from entropick.scorer import Scorers
from entropick.search import (
    Budget,
    Checkpoint,
    CrossEntropy,
    Run,
    StepLine,
    TraceLine,
    drive,
    search_name,
    stored_seed,
)
from entropick.selectors._problem import QUICK_PAIR_WORK, Problem
from entropick.selectors._record import Outcome
from entropick.selectors._validate import choose_seed, find_columns

if TYPE_CHECKING:
    from entropick.selectors._searching import SearchingSelector

_TESTING, _HALVING, _SEARCHING = 0.6, 0.75, 0.9  # shares of a time limit by which each of these ends
_PAIR_WORK_A_SECOND = 5e7  # of a time limit: a tenth of what can be done in it
_SEARCHED_ROWS, _SEARCHED_COLUMNS = 5_000, 100  # of a table in which a search is made for each shuffle
_FEWEST_ROWS = 2000  # that halves are made of, however many columns there are


class Fit:
    """One fit of a selector: the four questions, one after the other."""

    def __init__(
        self,
        selector: SearchingSelector,
        encoded: Encoded,
        scorers: Scorers,
        order: NDArray[np.int64],
        began: float,
    ) -> None:
        self.selector, self.encoded, self.scorers, self.order, self.began = selector, encoded, scorers, order, began
        self.table = scorers.table
        self.notes: list[Note] = []
        given = find_columns(selector.always, encoded.names, "always")
        places = np.argsort(order)
        self.always = tuple(int(places[j]) for j in given)
        self.search = selector._make_search()
        limit = selector.max_seconds
        if limit is not None and selector.checkpoint is None:  # a run that is resumed maximises the same
            scorers.pair_work = min(scorers.pair_work, _PAIR_WORK_A_SECOND * limit)
        scorers.keep, scorers.keep_name = self.always, "always"
        self.problem = self._problem(selector.n_features_to_select, hints=self.search.wants_hints)
        check_size("min_features", selector.min_features or None, self.table.n_columns)
        if selector.max_features is not None and selector.min_features > selector.max_features:
            expected = "must not exceed ", Mention("max_features"), f", which is {selector.max_features}"
            raise ParameterError("min_features", expected, selector.min_features)
        self.criterion = self.problem.scorer.criterion
        self.predicts = isinstance(self.criterion, RowCriterion) and selector.n_features_to_select is None
        self.n_threads = count_threads(selector.n_jobs)
        self.seed, self.checkpoint = self._seed_and_checkpoint()

    def outcome(self) -> Outcome:
        """What is selected, and all that is known about it."""
        selector, base = self.selector, self.problem.space.base
        self._remark_screened()
        test = self._test()
        found = test is None or test.finds_something
        path = self._path() if found and self._wants_halves() else None
        curve = None if path is None else path.curve
        if curve is not None and test is None and curve.predicted.max() <= 0 and not selector.min_features:
            found = False
            self._remark(Note("nothing_there", "no number of columns predicts rows that they were not chosen from."))
        elif curve is not None:
            k = self._enough(curve)
            self.problem = self._problem(k, hints=self.search.wants_hints)
        run = self._search(found)
        if found and int(run.mask.sum()) < min(selector.min_features, self.problem.space.largest):
            self.checkpoint = None  # it is of the search before
            self.problem = self._problem(min(selector.min_features, self.problem.space.largest), hints=True)
            run = self._search(found)
        mask = run.mask if found else base
        if test is not None and not found:
            run.remark(_nothing_there(test))
        decoys = self._decoys(int(mask.sum()), path) if found and mask.any() else None
        choices = self._choices(path, int(mask.sum()))
        score = self.problem.final(mask)
        return Outcome(
            mask=mask,
            kind="search",
            method=search_name(self.search),
            criterion=self.criterion,
            score=score,
            best_score=float(self.problem.score(mask[None])[0]),
            stop=selector.stop_,
            trace=selector.trace_,
            threshold_label=self.search.threshold_label,
            evaluations=selector.n_evaluations_,
            seed=self.seed,
            notes=(*self.notes, *run.notes),
            chance=test,
            choices=choices,
            curve=curve,
            decoys=decoys,
            places=None if path is None else path.mean,
            always=self.always,
        )

    def _problem(self, size: int | None, hints: bool) -> Problem:
        selector = self.selector
        return Problem.of(
            self.scorers,
            selector.criterion,
            always=self.always,
            size=size,
            most=selector.max_features if size is None or size == selector.n_features_to_select else None,
            parsimony=selector.parsimony,
            binning=selector.binning,
            hints=hints,
        )

    def _deadline(self, share: float) -> float:
        limit = self.selector.max_seconds
        return inf if limit is None else self.began + share * limit

    def _rng(self, of: int) -> np.random.Generator:
        """Each question has draws of its own."""
        return np.random.default_rng([self.seed, of])

    def _sample(self, of: int, times: int = 1) -> tuple[CodeTable, NDArray[np.int64]]:
        """Rows in the order of their content, as many as halves of so many tables are made of, and which they are."""
        table = self.table
        sample, rows = table.sample(max(_FEWEST_ROWS, paths.CELLS // (table.n_columns * times)), self._rng(of))
        return replace(sample, values=tuple(map(sample.numbers_of, range(sample.n_columns)))), rows

    def _test(self) -> ChanceTest | None:
        """Is there anything? None if that was not tested."""
        selector, free = self.selector, self.problem.space.free
        if not selector.null or selector.n_features_to_select is not None or self.criterion.rewards_luck:
            return None
        if not len(free):
            return ChanceTest(1.0, 0)
        looks_at_y = selector.binning == "mdlp"
        table = self.table if looks_at_y else self._sample(0)[0]
        strata, is_approximate = None, False
        if self.always:
            known = table.take(np.array(self.always))
            strata, is_approximate = paths.exchangeable(table, self.always, lambda: predicted_by(known))
        looks = paths.usual_looks(self.criterion, selector.engine, self.always, self._best_subset)
        test = paths.against_chance(
            table,
            looks,
            self._rng(1),
            encoded=self.encoded if looks_at_y else None,
            binning=(selector.n_bins, selector.binning),
            strata=strata,
            is_approximate=is_approximate,
            deadline=self._deadline(_TESTING),
            n_threads=self.n_threads,
        )
        if test is None:
            self._remark(Note("untested", "there was no time to compare the selection with chance."))
        return test

    def _best_subset(self, table: CodeTable) -> float:
        """The score of the best subset that a quick search finds; in a wide table, among the most promising columns."""
        selector, narrow, always = self.selector, table, list(self.always)
        if table.n_columns > _SEARCHED_COLUMNS:  # what pairs of the others show, another look has seen
            with Scorers(table, selector.engine, 1) as scorers:
                strengths = single_strengths(scorers.engine)
            strengths[always] = inf
            columns = np.sort(np.argsort(-strengths, kind="stable")[: max(_SEARCHED_COLUMNS, len(always))])
            narrow, always = table.take(columns), np.searchsorted(columns, always).tolist()
        if narrow.n_rows > _SEARCHED_ROWS:
            narrow, _ = narrow.sample(_SEARCHED_ROWS, np.random.default_rng(self.seed))
        with Scorers(narrow, selector.engine, 1, pair_work=QUICK_PAIR_WORK) as scorers:
            most = None if selector.max_features is None else min(selector.max_features, narrow.n_columns)
            problem = Problem.of(
                scorers, self.criterion.quick, always=always, most=most, parsimony=selector.parsimony, hints=True
            )
            effort = "normal" if isinstance(self.criterion, TableCriterion) else "low"  # counting is quick
            run = Run(CrossEntropy(effort=effort), problem.space, self.seed)
            with listening(lambda note: None):  # that its starts do not agree is nothing for the user
                drive(run, problem.score, near=problem.near)
            return run.best_score

    def _wants_halves(self) -> bool:
        wanted = self.selector.halves
        is_cheap = isinstance(self.criterion, RowCriterion | TableCriterion)
        return bool((self.predicts if wanted is None else wanted) and is_cheap and len(self.problem.space.free))

    def _path(self) -> Path | None:
        """What halves of the rows say: an order and, of a criterion that predicts, how many columns are enough."""
        rng, selector = self._rng(2), self.selector
        sample, rows = self._sample(2)
        is_cut_again = selector.binning == "mdlp" and sample.n_rows == self.table.n_rows
        halved = paths.halve(sample, rng, rows, self._cut_again if is_cut_again else None)
        if halved is None:
            text = f"{sample.n_rows} rows are too few to say how many columns are enough from halves of them."
            self._remark(Note("few_rows_for_halves", text))
            return None
        never = np.setdiff1d(self.problem.useless, self.always).astype(np.int64)
        judge = self._judge(sample, halved, never.tolist()) if self.predicts else None
        path = paths.walk(
            halved,
            self.criterion,
            self.scorers.engine,
            selector.engine,
            judge=judge,
            always=self.always,
            never=never.tolist(),
            largest=self.table.n_columns - len(never),
            stop=None if self.predicts else self._stop(),
            n_threads=self.n_threads,
            deadline=self._deadline(_HALVING),
        )
        if path is None:
            self._remark(
                Note(
                    "no_halves", "there was no time to say from halves how many columns are enough, or which are sure."
                )
            )
        return path

    def _stop(self) -> int:
        """How far halves go if nothing judges them: to what is asked for, and a little further."""
        selector = self.selector
        return (selector.n_features_to_select or selector.max_features or paths.FURTHER) + paths.FURTHER

    def _cut_again(self, rows: NDArray[np.int64]) -> CodeTable:
        """A half whose columns are cut by its own targets; rows are places in the order of their content."""
        table = self.encoded.table
        own = table.content.rows[rows]
        y, kind = (table.classes[own], "classes") if table.numbers is None else (table.numbers[own], "numeric")
        with listening(lambda note: None):
            half = encode(take_rows(self.encoded.source.native, own), y, self.selector.n_bins, "mdlp", kind).table
        return half.reordered(self.order)

    def _judge(self, sample: CodeTable, halved: paths.Halves, never: Sequence[int]) -> paths.Judge:
        """The model of the rows that halves are made of, each of which is left out in turn."""
        scorer, n_jobs, m = self.problem.scorer, self.selector.n_jobs, self.table.n_columns
        if not isinstance(self.criterion, RowCriterion):
            raise TypeError(f"criterion {self.criterion.name!r} has no model of rows.")
        if len(scorer.columns) < m:
            growing = paths.Growing(sample, self.criterion, n_jobs)
            return paths.Judge(growing, halved.blocks[growing.rows], halved.design, m, never)
        places, model = np.arange(sample.n_rows), scorer.model
        if sample.n_rows < self.table.n_rows or model is None:
            model = Scorers(sample, "auto", n_jobs)[self.criterion].model
        else:
            places[halved.rows] = np.arange(sample.n_rows)
        if model is None:
            raise TypeError(f"criterion {self.criterion.name!r} has no model of rows.")
        return paths.Judge(model, halved.blocks[places[model.rows]], halved.design, m, never)

    def _enough(self, curve: Curve) -> int:
        """How many columns are enough, within what is asked for."""
        selector, base = self.selector, int(self.problem.space.base.sum())
        most = min(self.problem.space.largest, selector.max_features or self.table.n_columns)
        fewest = min(max(selector.min_features, base, 1), most)
        return max(fewest, min(most, curve.enough(selector.keep)))

    def _search(self, found: bool) -> Run:
        """The search, and what it leaves in the attributes of the estimator."""
        selector, limit, order = self.selector, self.selector.max_seconds, self.order
        run = Run(self.search, self.problem.space, self.seed)
        selector.n_evaluations_ = drive(
            run,
            self.problem.score,
            Budget(selector.max_evaluations if found else 1, None if limit is None else _SEARCHING * limit),
            None if (callback := selector.callback) is None else lambda line: callback(_reordered(line, order)),
            self.checkpoint if found else None,
            self.problem.bound,
            self.problem.near,
            on_interrupt=selector.on_interrupt,
            began=self.began,
        )
        selector.seed_ = self.seed
        selector.stop_ = run.stop or {}
        if "max_seconds" in selector.stop_:
            selector.stop_["max_seconds"] = limit
        selector.n_steps_ = len(run.trace)
        selector.trace_ = _columns(run.trace, order)
        nan = np.full(self.table.n_columns, np.nan)
        selector.probabilities_ = selector.trace_["probabilities"][-1] if selector.n_steps_ else nan
        return run

    def _decoys(self, k: int, path: Path | None) -> Decoys | None:
        """Which columns are sure; None if that is not asked for, or there is no time or too few rows."""
        selector, wanted = self.selector, self.selector.decoys
        if wanted is None:
            wanted = paths.DECOYS if path is not None and self.table.n_columns <= paths.MOST_WITH_DECOYS else 0
        if not wanted or not isinstance(self.criterion, RowCriterion | TableCriterion) or selector.binning == "mdlp":
            return None
        deadline, decoys = self._deadline(1.0), None
        try:
            if time.monotonic() < deadline:
                decoys = paths.beside_decoys(
                    self._sample(3, 1 + wanted)[0],
                    self.criterion,
                    self._rng(3),
                    n_copies=wanted,
                    stop=min(k + paths.FURTHER, paths.MOST_PLACES),
                    engine=selector.engine,
                    n_threads=self.n_threads,
                    near=() if path is None else path.near,
                    always=self.always,
                    deadline=deadline,
                )
        except KeyboardInterrupt:
            if selector.on_interrupt == "raise":
                raise
            self._remark(Note("interrupted", "interrupted before it was seen which columns are sure."))
            return None
        if decoys is None and time.monotonic() >= deadline:
            self._remark(Note("no_verdicts", "there was no time to see which columns are sure."))
        return decoys

    def _choices(self, path: Path | None, k: int) -> Choices | None:
        """The sets of so many columns of all halves."""
        if path is None:
            return None
        masks = np.array([sets[min(k, max(sets))] for sets in path.sets])
        return Choices(masks, paths.replaceable(masks, self.scorers.engine), path.halved.rows, path.halved.in_half)

    def _remark(self, note: Note) -> None:
        """Keep a note for the result, and tell it now."""
        self.notes.append(note)
        tell(note)

    def _remark_screened(self) -> None:
        searched, m = self.problem.scorer.columns, self.table.n_columns
        if len(searched) < m:
            text = (
                f"{len(searched)} of {m} columns were searched, those that say most about the target alone or in "
                f"pairs: the model of the criterion {self.criterion.name!r} cannot hold more."
            )
            self._remark(Note("screened", text))

    def _seed_and_checkpoint(self) -> tuple[int, Checkpoint | None]:
        selector, search, space, scorer = self.selector, self.search, self.problem.space, self.problem.scorer
        if selector.checkpoint is None:
            return choose_seed(selector.random_state), None
        # Without a seed of its own the run continues with the one in the file.
        seed = stored_seed(selector.checkpoint) if selector.random_state is None else None
        seed = choose_seed(selector.random_state) if seed is None else seed
        identity = {
            "entropick": __version__,
            "numpy": np.__version__,
            "data": self.table.digest(),
            "criterion": scorer.criterion.identity(self.table),
            "criterion tables": scorer.digest(),
            "parsimony": float(selector.parsimony),
            "search": type(search).__name__,
            **{f"{type(search).__name__}.{name}": as_plain(value) for name, value in search.get_params().items()},
            "always": list(space.always),
            "never": list(space.never),
            "n_features_to_select": space.exactly,
            "min_features": selector.min_features,
            "max_features": selector.max_features,
            "keep": selector.keep,
            "halves": selector.halves,
            "seed": seed,
        }
        return seed, Checkpoint(selector.checkpoint, identity)


def _nothing_there(test: ChanceTest) -> Note:
    why = (
        f"as much is found about the target when its values are shuffled (p = {test.p_value:.2g}, {test.n_shuffles} "
        "shuffles). Without this test (null=False, or --no-null in the command) columns are selected all the same."
        if test.n_shuffles
        else "none improves on doing without columns."
    )
    return Note("nothing_there", f"no column is better than chance: {why}")


def _reordered(line: StepLine, order: NDArray[np.int64]) -> StepLine:
    """A line of the trace with the probabilities of the columns as the table lists them."""
    found = line["probabilities"]
    if found is None:
        return line
    probabilities = np.empty_like(found)
    probabilities[order] = found
    probabilities.flags.writeable = False
    return {**line, "probabilities": probabilities}


def _columns(trace: list[TraceLine], order: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """The trace as one array per quantity, with the columns as the table lists them."""
    names = ("threshold", "best", "size", "samples", "elite", "seconds")
    plain: list[dict[str, Any]] = [{**line} for line in trace]
    columns: dict[str, NDArray[Any]] = {name: np.array([line[name] for line in plain]) for name in names}
    unknown = np.full(len(order), np.nan)
    lines = [unknown if line["probabilities"] is None else line["probabilities"] for line in trace]
    columns["probabilities"] = np.array(lines).reshape(len(trace), len(order))[:, np.argsort(order)]
    return columns
