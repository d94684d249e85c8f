"""From a fitted selector to a `Result`: one small builder for each part of it."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from entropick._decimals import ten_decimals
from entropick._names import method_label
from entropick._plain import Json, as_plain
from entropick._version import __version__
from entropick.criteria import RowCriterion, TableCriterion, plugin
from entropick.curve import SizeCurve, curve_of
from entropick.encode import CodeTable, Encoded
from entropick.evaluation import HeldOut, held_out
from entropick.notes import Note
from entropick.report._columns import InUnit, every_column, features
from entropick.report._copied_rows import about_copied_rows
from entropick.report._leaks import about_leaks
from entropick.report._redundancy import redundancies
from entropick.report._remarks import about_columns, about_rows, about_selection
from entropick.report._result import (
    Chance,
    Curve,
    CurvePoint,
    Distribution,
    Halves,
    Probabilities,
    Redundancy,
    Result,
    Target,
    Trace,
)
from entropick.scorer import Scorers
from entropick.selectors import FitRecord, InformationSelector, Outcome
from entropick.stability import stability_interval

_MOST_PROBABILITIES = 100  # columns whose probabilities are in the result
_MOST_REDUNDANCIES = 50  # chosen columns in the matrix of redundancies
_MOST_DISTRIBUTIONS = 8  # leading columns whose relation to the target is shown
_MOST_LEVELS = 12  # of a column; the rest form one group
_MOST_CLASSES = 40  # of the target; the rest form one group
_MOST_SHOWN = 100_000  # rows of a table in shards by which the values of columns are shown
_SPREAD = (0.05, 0.25, 0.5, 0.75, 0.95)  # the quantiles of a numeric target that are shown
_FEW_SECONDS = 3.0  # that a look at them, and a test of a model, may take even if selecting was faster
_TOO_SHORT = 0.2  # seconds in which neither can be done
_FURTHER = 10  # columns in the curve beyond the chosen ones
_CHEAP = 10_000  # subsets that the curve may score if they are scored by joint counts
_FEW = 200  # subsets that a model may score in any case
_SAME = 1e-9  # bits; models agree to this across engines
_URGENT = ("leak", "nothing_there", "few_rows", "copied_rows", "overfit")  # notes that come first
_UNDONE = "there was no time to test a model, or to see what the columns that are not kept would add."
_NOT_SHOWN = ("callback", "checkpoint", "on_interrupt")  # settings that do not affect the answer


def describe(
    selector: InformationSelector,
    encoded: Encoded | None = None,
    *,
    table_name: str = "table",
    target_name: str | None = None,
    notes: Sequence[Note] = (),
    quick: bool = False,
    seconds: float | None = None,
) -> Result:
    """What a fitted selector found, as a `Result`.

    Parameters
    ----------
    selector : fitted selector
        It still has its table unless it was pickled or copied after `fit`.
    encoded : Encoded, optional
        The table of `fit`, encoded again, if the selector no longer has it.
    table_name, target_name : str
        Names for the table and the target; without one, a target that is a series keeps its name.
    notes : sequence of Note
        Further notes to include.
    quick : bool
        Leave out what takes as long as a selection: the test of a model, and what columns that were not chosen would
        add.
    seconds : float, optional
        Time for that; what there is no time for is left out, with a note. By default as long as the fit may take, or
        took, or a few seconds.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from entropick import CrossEntropySelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> result = describe(CrossEntropySelector("reliable", null=False, random_state=0).fit(X, y))
    >>> [feature.name for feature in result.features]
    ['worst area', 'worst concave points']
    """
    if not hasattr(selector, "record_"):
        raise ValueError("this selector was fitted by an older version of entropick, without a record: fit it again.")
    record = selector.record_
    encoded = _table_of_fit(selector, record, encoded)
    table, names, outcome, criterion = encoded.table, encoded.names, record.outcome, record.outcome.criterion
    shown = encoded.shown(_MOST_SHOWN)
    target, entropy = _target(encoded, shown, target_name), selector.class_entropy_
    in_unit = _as_they_are if entropy is not None else _r_squared
    with Scorers(table, selector.engine, selector.n_jobs, keep=np.flatnonzero(outcome.mask)) as scorers:
        curve = _curve(scorers, outcome)
        order = curve.column[1 : selector.n_features_ + 1]
        shares = redundancies(scorers.engine, order)
        chosen = features(scorers, outcome, names, curve, order, shares, in_unit)
        budget = 0.0 if quick else _budget(record, seconds)
        every = every_column(scorers, encoded, outcome, order, chosen, shares, in_unit, budget)
        value = float(scorers[criterion].final(outcome.mask[None])[0])
        corrected = None if entropy is None else float(curve.corrected[len(order)])
        settings = _settings(selector, [names[j] for j in outcome.always])
        priced = bool(settings.get("parsimony"))
        odd = about_selection(outcome, chosen, selector.information_, corrected, entropy, priced)
        undone = [] if budget or quick else [Note("undone", _UNDONE)]
        leaks, rows = about_leaks(scorers, shown, order), about_rows(shown, order)
        copies = about_copied_rows(shown) if shown.table.n_rows == table.n_rows else ()  # a sample lacks most twins
        found = [*undone, *leaks, *copies, *rows, *about_columns(shown), *odd]
    return Result(
        table=table_name,
        target=target,
        n_rows=table.n_rows,
        n_columns=table.n_columns,
        kind=outcome.kind,
        method=outcome.method,
        method_label=method_label(outcome.method),
        features=chosen,
        n_features=len(chosen),
        information_bits=selector.information_,
        corrected_information_bits=corrected,
        class_entropy_bits=entropy,
        delta_information=selector.delta_information_ if np.isfinite(selector.delta_information_) else None,
        r_squared=float(_r_squared(value)) if entropy is None else None,
        criterion=criterion.name,
        criterion_label=criterion.label,
        criterion_claim=criterion.claim(value, entropy),
        criterion_value=float(in_unit(value)),
        unit="r_squared" if entropy is None else criterion.unit,
        score=float(in_unit(outcome.score)),
        best_score=float(in_unit(outcome.best_score)),
        chance=None if outcome.chance is None else Chance(**asdict(outcome.chance)),
        halves=_halves(outcome, names),
        stop=as_plain(outcome.stop),
        steps=len(outcome.trace.get("best", ())),
        evaluations=outcome.evaluations,
        seconds=record.seconds,
        trace=_trace(outcome, names, in_unit),
        size_curve=_points(curve, names, in_unit, entropy is None),
        redundancy=_redundancy(shares, order, names),
        target_by_column=tuple(_distribution(shown, j, table) for j in order[:_MOST_DISTRIBUTIONS]),
        notes=_urgent_first([*notes, *shown.notes, *outcome.notes, *found]),
        settings=settings,
        seed=outcome.seed,
        versions={
            "entropick": __version__,
            "python": platform.python_version(),
            **{package: version(package) for package in ("numpy", "scikit-learn")},
        },
        held_out=_held_out(table, outcome, selector.n_jobs, budget),
        columns=every,
        curve=_judged(outcome, settings.get("keep")),
        decoys=None if outcome.decoys is None else outcome.decoys.n_copies,
    )


def _with_own_cache(encoded: Encoded) -> Encoded:
    """The table, with what is computed from it kept apart: that ends with the report, and others may use the table."""
    return replace(encoded, table=replace(encoded.table, of_columns={}))


def _table_of_fit(selector: InformationSelector, record: FitRecord, encoded: Encoded | None) -> Encoded:
    """The table of `fit`, as kept or as passed again."""
    if encoded is None:
        if record.encoded is None:
            raise ValueError("the table of fit is not stored with the selector: call report(X, y) with the same table.")
        return _with_own_cache(record.encoded)
    encoded = _with_own_cache(encoded)
    table, mask, criterion = encoded.table, selector.support_, record.outcome.criterion
    is_number = criterion.keeps_numbers(table)
    with Scorers(table, selector.engine, selector.n_jobs, keep=np.flatnonzero(mask)) as scorers:
        information = scorers[criterion].final(mask[None])[0] if is_number else scorers[plugin](mask[None])[0]
    entropy = None if is_number else table.class_entropy
    if entropy != selector.class_entropy_ or abs(information - selector.information_) > _SAME:
        raise ValueError("report needs the table of fit; got a different one, or one changed since.")
    return encoded


def _urgent_first(notes: Sequence[Note]) -> tuple[Note, ...]:
    """The notes without repetitions, those first that cast doubt on the answer."""
    return tuple(sorted(dict.fromkeys(notes), key=lambda note: note.code not in _URGENT))


def _curve(scorers: Scorers, outcome: Outcome) -> SizeCurve:
    """The scores of the first chosen columns and, if nothing has judged how many are enough, of further ones.

    Unless scoring is cheap, at most about as many subsets are scored as the search did. A model takes longer for the
    large subsets beyond the selection, so that it scores half as many.
    """
    chosen = np.flatnonzero(outcome.mask) if outcome.order is None else outcome.order
    most = outcome.evaluations or 0
    if isinstance(outcome.criterion, TableCriterion):
        most = max(most, _CHEAP)
    elif isinstance(outcome.criterion, RowCriterion):
        most = max(most // 2, _FEW)
    never = scorers.table.constant_columns
    further = _FURTHER if outcome.curve is None else 0
    return curve_of(scorers, chosen, outcome.criterion, outcome.order is not None, further, most, never)


def _points(curve: SizeCurve, names: Sequence[str], in_unit: InUnit, is_number: bool) -> tuple[CurvePoint, ...]:
    return tuple(
        CurvePoint(
            int(size),
            names[column] if column >= 0 else None,
            float(in_unit(score)),
            None if is_number else float(information),
            None if is_number else float(corrected),
        )
        for size, column, score, information, corrected in zip(*curve, strict=True)
    )


def _as_they_are(scores: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(scores, dtype=np.float64)


def _r_squared(scores: ArrayLike) -> NDArray[np.float64]:
    """The R² that scores of a numeric target stand for; differences of R² are exact to ten decimals."""
    return ten_decimals(1 - 4.0 ** -np.asarray(scores, dtype=np.float64))


def _halves(outcome: Outcome, names: Sequence[str]) -> Halves | None:
    if (choices := outcome.choices) is None:
        return None
    often = choices.frequency
    order = [j for j in np.argsort(-often, kind="stable") if often[j] > 0]
    value, *interval = stability_interval(choices.masks)
    return Halves(
        len(choices.masks),
        tuple(names[j] for j in order),
        tuple(round(float(often[j]), 4) for j in order),
        None if np.isnan(value) else value,
        () if np.isnan(interval).any() else tuple(interval),
        tuple(tuple(names[j] for j in group) for group in choices.groups),
    )


def _judged(outcome: Outcome, keep: Json) -> Curve | None:
    if (curve := outcome.curve) is None or not isinstance(keep, float | int | str):
        return None
    lines = (tuple(as_plain(curve.sizes)), tuple(as_plain(curve.predicted)), tuple(as_plain(curve.error)))
    return Curve(*lines, curve.enough(keep), curve.fewest_alike)


def _settings(selector: InformationSelector, always: Sequence[str]) -> dict[str, Json]:
    """The settings of a selector, with the columns to keep by their names, however they were given."""
    settings = selector.get_params(deep=False)
    shown = {name: as_plain(value) for name, value in settings.items() if name not in _NOT_SHOWN}
    return {**shown, "always": list(always)} if "always" in shown else shown


def _target(encoded: Encoded, shown: Encoded, name: str | None) -> Target:
    table, labels = encoded.table, [str(label) for label in encoded.target.labels]
    group_of, groups = _class_groups(table)
    counts = np.bincount(group_of, weights=table.class_sizes, minlength=len(groups)).astype(np.int64)
    return Target(
        name or encoded.target.name,
        encoded.target.kind,
        len(labels),
        tuple(f"{len(labels) - len(groups) + 1} others" if c is None else labels[c] for c in groups),
        tuple(counts.tolist()),
        () if shown.table.numbers is None else _spread(shown.table.numbers),
    )


def _class_groups(table: CodeTable) -> tuple[NDArray[np.int64], list[int | None]]:
    """The group of every class, and the class of every group; of many classes, the smaller ones are group None."""
    sizes = table.class_sizes
    if len(sizes) <= _MOST_CLASSES:
        return np.arange(len(sizes)), list(range(len(sizes)))
    large = np.sort(np.argsort(-sizes, kind="stable")[: _MOST_CLASSES - 1])
    group_of = np.full(len(sizes), len(large))
    group_of[large] = np.arange(len(large))
    return group_of, [*large.tolist(), None]


def _held_out(table: CodeTable, outcome: Outcome, n_jobs: int, budget: float) -> HeldOut | None:
    """What a model loses, if columns were chosen from halves of the rows."""
    if not budget or outcome.choices is None or not outcome.mask.any():
        return None
    return held_out(table, outcome.choices, n_jobs, budget)


def _budget(record: FitRecord, seconds: float | None) -> float:
    """The time for a look at the other columns, and for a test of a model, each; 0 if it is too short."""
    if seconds is None and record.limit is None:
        return max(_FEW_SECONDS, record.seconds)
    left = (record.limit or 0.0) - record.seconds if seconds is None else seconds
    return left / 2 if left / 2 >= _TOO_SHORT else 0.0


def _redundancy(shares: NDArray[np.float64], order: NDArray[np.int64], names: Sequence[str]) -> Redundancy:
    first = order[:_MOST_REDUNDANCIES]
    return Redundancy(tuple(names[j] for j in first), _lines(shares[: len(first), first]))


def _trace(outcome: Outcome, names: Sequence[str], in_unit: InUnit) -> Trace:
    """The steps, and the probabilities of the likeliest columns."""
    trace = outcome.trace or {
        name: np.empty(0) for name in ("threshold", "best", "size", "samples", "elite", "seconds")
    }
    scores = {name: in_unit(trace[name]) for name in ("threshold", "best")}
    lines = {name: tuple(as_plain(v)) for name, v in {**trace, **scores}.items() if name != "probabilities"}
    probabilities = trace.get("probabilities", np.empty((0, len(names))))
    known = probabilities[:, ~np.isnan(probabilities).any(axis=0)].size > 0
    # The chosen columns first, then those that were likeliest in the end.
    rank = np.lexsort((-probabilities.max(axis=0), -probabilities[-1], ~outcome.mask)) if known else np.arange(0)
    shown = rank[:_MOST_PROBABILITIES]
    likely = Probabilities(tuple(names[j] for j in shown), _lines(probabilities[:, shown].T) if known else ())
    return Trace(**lines, probabilities=likely, threshold_label=outcome.threshold_label)


def _distribution(encoded: Encoded, j: int, whole: CodeTable) -> Distribution:
    """Rows of each class for every value of a column; rare values form one group, as rare classes of the table do."""
    table, column = encoded.table, encoded.columns[j]
    group_of, groups = _class_groups(whole)
    codes, width, n = table.columns[j].astype(np.int64), int(table.levels[j]), len(groups)
    counts = np.bincount(codes * n + group_of[table.classes], minlength=width * n).reshape(width, n)
    labels = column.labels(encoded.source[j], table.columns[j])
    rows = counts.sum(axis=1)
    common = np.sort(np.argsort(-rows, kind="stable")[:_MOST_LEVELS])
    common = common[rows[common] > 0]
    rare = counts.sum(axis=0) - counts[common].sum(axis=0)
    values, lines = [labels[code] for code in common], counts[common].tolist()
    spread = [] if table.numbers is None else [_spread(table.numbers[codes == code]) for code in common]
    if rare.any():
        values.append(f"{int((rows > 0).sum()) - len(common)} other values")
        lines.append(rare.tolist())
        spread += [] if table.numbers is None else [_spread(table.numbers[~np.isin(codes, common)])]
    return Distribution(column.name, tuple(values), tuple(map(tuple, lines)), tuple(spread))


def _spread(numbers: NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(np.quantile(numbers, _SPREAD).tolist())


def _lines(array: NDArray[Any]) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, np.round(array, 4).tolist()))
