"""Several methods side by side, on the same rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import _safe_indexing

from entropick._checks import check_number
from entropick._defaults import BINNING, N_BINS, N_JOBS, TARGET
from entropick._errors import ParameterError
from entropick._plain import Json, as_plain
from entropick._words import listed
from entropick.criteria import plugin
from entropick.encode import TargetEncoder, as_array, is_frame, read_source
from entropick.evaluation._models import Predictors, find_model
from entropick.information import relative_loss
from entropick.notes import Note, listening
from entropick.ranking import RANKINGS
from entropick.scorer import Scorers
from entropick.selectors import FitRecord, make_selector
from entropick.stability import stability

Rows = NDArray[np.int64]
ALL = "all"  # all columns, shown as the last method


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error, or None if unknown."""

    mean: float | None
    error: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> Estimate:
        """The estimate from equally weighted values; unknown if one of them is NaN or infinite."""
        numbers = np.asarray(values, dtype=np.float64)
        if not len(numbers) or not np.isfinite(numbers).all():
            return cls(None, None)
        error = float(numbers.std(ddof=1) / np.sqrt(len(numbers))) if len(numbers) > 1 else None
        return cls(float(numbers.mean()), error)


@dataclass(frozen=True)
class MethodResult:
    """How one method did: means over the folds, and its stability over the resamples."""

    method: str
    n_features: Estimate
    information_bits: Estimate
    delta_information: Estimate
    mce: dict[str, Estimate]
    seconds: Estimate
    stability: Estimate
    chosen: dict[str, float] = field(default_factory=dict)  # share of the folds in which a column was selected


@dataclass(frozen=True)
class Comparison:
    """The methods in the order given, then all columns."""

    methods: tuple[MethodResult, ...]
    n_rows: int
    n_columns: int
    folds: int
    resamples: int
    classes: tuple[str, ...]
    seed: int
    notes: tuple[Note, ...] = ()

    def to_dict(self) -> dict[str, Json]:
        """The comparison as plain values."""
        return {name: as_plain(value) for name, value in asdict(self).items()}


def compare(
    X: Any,
    y: Any,
    methods: Sequence[str] = ("cross_entropy", "cmim", "mrmr", "disr", "particle_swarm"),
    *,
    classifiers: Sequence[str] = ("naive_bayes", "3nn"),
    n_features: int | None = None,
    folds: int = 10,
    resamples: int = 10,
    target: str = TARGET,
    n_bins: int = N_BINS,
    binning: str = BINNING,
    n_jobs: int = N_JOBS,
    random_state: int = 0,
    callback: Callable[[int, int, str], object] | None = None,
    **searching: Any,
) -> Comparison:
    """Select with several methods inside each fold of a cross-validation, on the same rows, and measure how each did.

    Parameters
    ----------
    X, y : table and target
        As in a selector. A numeric y is cut into classes once, before the folds are made: the models are classifiers,
        and the columns are selected for the classes that they predict.
    methods : sequence of str
        Searches and rankings. A ranking keeps ``n_features`` columns, or as many as the first search of the list found
        on the same rows (at least one); 10 if there is no search.
    classifiers : sequence of str
        'naive_bayes' (Gaussian, with 1e-3 of the largest variance added to all), '3nn', or classes of scikit-learn by
        name. Each is fitted on the training rows of a fold and predicts the others; for it, numbers are standardised,
        missing ones marked by a column of their own, and other columns turned into indicators.
    n_features : int, optional
        How many columns each method keeps.
    folds : int
        Number of cross-validation folds.
    resamples : int
        Number of random halves of the rows on which the selection is repeated, to measure its stability; 0 for none.
    target, n_bins, binning, n_jobs
        As in a selector.
    random_state : int
        Seed of the folds, halves and searches.
    callback : callable, optional
        Called before each selection with the number done, the total and the name of the method.
    **searching
        Settings of the searches, such as ``criterion`` or ``max_seconds``. What is compared is the selection, so that
        no search tests whether there is anything at all, unless ``null=True`` says so.

    Returns
    -------
    Comparison
        For every method, and for all columns: k, I(U;y) and ΔI_r on the training rows, MCE of every classifier on the
        held-out rows, and seconds of a selection from the encoded table, each with its standard error over the folds;
        and `stability`. Folds share training rows, so the true errors of the means are somewhat larger. All searches
        use the same seed, so stability is measured over rows, not over seeds.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> result = compare(X, y, ["cross_entropy", "mrmr"], folds=3, resamples=0, criterion="reliable")
    >>> [method.method for method in result.methods]
    ['cross_entropy', 'mrmr', 'all']
    """
    check_number("folds", folds, 2, integer=True)
    check_number("resamples", resamples, 0, integer=True)
    check_number("random_state", random_state, 0, integer=True)
    if isinstance(methods, str) or not methods:
        raise ParameterError("methods", "must be names of at least one search or ranking", methods)
    if isinstance(classifiers, str):
        raise ParameterError("classifiers", "must be a sequence of names", classifiers, f"use [{classifiers!r}]")
    models = {name: find_model(name) for name in classifiers}
    encoder = TargetEncoder(target, n_bins, binning)
    classes = encoder.fit_transform(y)
    X = X.tocsr() if sparse.issparse(X) else X if is_frame(X) else as_array(X)
    source = read_source(X)
    source.check_rows(len(classes))
    shared: dict[str, object] = {"target": "classes", "n_bins": n_bins, "binning": binning, "n_jobs": n_jobs}
    team = _Team(methods, n_features, shared, {"null": False, **searching, "random_state": random_state})
    predictors = Predictors(X)
    splits = list(_folds(classes, folds, random_state))
    rng = np.random.default_rng(random_state)
    progress = _Progress(callback, (len(splits) + resamples) * len(team.names))
    runs: list[_Run] = []
    for train, test in splits:
        every = np.arange(len(source.names))
        of_all = _errors(predictors, models, classes, every, train, test)  # first, because a model may fail
        for run in team.select(X, classes, train, progress):
            is_all = run.method == ALL
            columns = np.flatnonzero(run.mask)
            errors = of_all if is_all else _errors(predictors, models, classes, columns, train, test)
            runs.append(replace(run, errors=errors))
    halves = [run for _ in range(resamples) for run in team.select(X, classes, _half(classes, rng), progress)]
    return Comparison(
        tuple(
            _result(
                name,
                [run for run in runs if run.method == name],
                [run.mask for run in halves if run.method == name],
                source.names,
            )
            for name in (*team.names, ALL)
        ),
        len(classes),
        len(source.names),
        folds,
        resamples,
        tuple(map(str, encoder.labels)),
        random_state,
        (*encoder.notes, *_about_target(encoder), *(team.notes or ())),
    )


@dataclass(frozen=True)
class _Run:
    """What a method selected from some rows, and the errors of the models on others."""

    method: str
    mask: NDArray[np.bool_]
    information: float
    delta: float
    seconds: float
    errors: dict[str, float] = field(default_factory=dict)


class _Progress:
    def __init__(self, callback: Callable[[int, int, str], object] | None, total: int) -> None:
        self.callback, self.total, self.done = callback, total, 0

    def __call__(self, name: str) -> None:
        if self.callback is not None:
            self.callback(self.done, self.total, name)
        self.done += 1


class _Team:
    """The methods, which select from the same rows, and the notes from their selections."""

    def __init__(
        self, methods: Sequence[str], n_features: int | None, shared: dict[str, object], searching: dict[str, object]
    ) -> None:
        self.names = tuple(dict.fromkeys(methods))
        self.notes: list[Note] | None = None
        self.n_features = n_features
        exactly = {} if n_features is None else {"n_features_to_select": n_features}
        self.selectors = {
            name: make_selector(name, **shared, **exactly, **({} if name in RANKINGS else searching))
            for name in self.names
        }

    def _remember(self, record: FitRecord) -> None:
        first = self.notes is None  # about columns, the notes of the first part stand for all parts
        new = record.notes if first else record.outcome.notes
        self.notes = list(dict.fromkeys([*(self.notes or ()), *new]))

    def select(self, X: Any, classes: Rows, rows: Rows, progress: _Progress) -> Iterator[_Run]:
        """What each method selects, then all columns; searches first, because rankings keep as many columns."""
        part, y = _safe_indexing(X, rows), classes[rows]
        size = self.n_features
        for name in sorted(self.names, key=lambda name: name in RANKINGS):
            progress(name)
            selector = self.selectors[name]
            if name in RANKINGS:
                selector.set_params(n_features_to_select=max(1, size) if size is not None else None)
            with listening(lambda note: None):  # the notes are in its record
                selector.fit(part, y)
            record = selector.record_
            self._remember(record)
            size = selector.n_features_ if size is None and name not in RANKINGS else size
            information, delta = selector.information_, selector.delta_information_
            yield _Run(name, selector.support_, information, delta, record.selection_seconds)
        yield _of_all_columns(record, selector.n_jobs)


def _of_all_columns(record: FitRecord, n_jobs: int) -> _Run:
    """All columns of a table, as if a method had selected them."""
    if record.encoded is None:
        raise ValueError("the table of fit is not stored with the selector.")
    table = record.encoded.table
    every = np.ones(table.n_columns, dtype=np.bool_)
    with Scorers(table, n_jobs=n_jobs) as scorers:
        information = float(scorers[plugin](every[None])[0])
    return _Run(ALL, every, information, relative_loss(information, table.class_entropy), 0.0)


def _about_target(encoder: TargetEncoder) -> Iterator[Note]:
    if encoder.kind == "numeric":
        text = (
            f"the target {encoder.name!r} is numeric and was cut into {len(encoder.labels)} classes "
            f"({listed(encoder.labels, 10)}) for all methods, because the models predict classes."
        )
        yield Note("binned_target", text, (encoder.name,))


def _errors(
    predictors: Predictors, models: dict[str, Any], classes: Rows, columns: Rows, train: Rows, test: Rows
) -> dict[str, float]:
    return {name: predictors.error(model, classes, columns, train, test) for name, model in models.items()}


def _folds(classes: Rows, folds: int, seed: int) -> Iterator[tuple[Rows, Rows]]:
    largest = int(np.bincount(classes).max())
    if folds > largest:
        raise ParameterError("folds", f"must be at most {largest}, the size of the largest class", folds)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a class with fewer rows than folds is missing from some of them
        yield from StratifiedKFold(folds, shuffle=True, random_state=seed).split(np.zeros(len(classes)), classes)


def _half(classes: Rows, rng: np.random.Generator) -> Rows:
    """Half of the rows of every class."""
    of_class = (rng.permutation(np.flatnonzero(classes == c)) for c in range(int(classes.max()) + 1))
    return np.sort(np.concatenate([rows[: (len(rows) + 1) // 2] for rows in of_class]))


def _result(name: str, runs: list[_Run], halves: list[NDArray[np.bool_]], names: Sequence[str]) -> MethodResult:
    shares = np.mean([run.mask for run in runs], axis=0)
    agreement = np.array(stability(halves) if len(halves) > 1 and name != ALL else (np.nan, np.nan))
    value, error = (None if np.isnan(number) else float(number) for number in agreement)
    return MethodResult(
        name,
        Estimate.of([int(run.mask.sum()) for run in runs]),
        Estimate.of([run.information for run in runs]),
        Estimate.of([run.delta for run in runs]),
        {model: Estimate.of([run.errors[model] for run in runs]) for model in runs[0].errors},
        Estimate.of([run.seconds for run in runs]),
        Estimate(value, error),
        {names[j]: float(shares[j]) for j in np.argsort(-shares, kind="stable") if shares[j] > 0 and name != ALL},
    )
