"""From a fitted selector to a `Result`: one small builder for each part of it."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._decimals import ten_decimals
from entropick._masks import flip_each, in_parts
from entropick._names import method_label
from entropick._plain import Json, as_plain
from entropick._version import __version__
from entropick.criteria import CRITERIA, Criterion, TableCriterion, plugin
from entropick.curve import SizeCurve, curve_of
from entropick.encode import CodeTable, Encoded
from entropick.notes import Note
from entropick.report._redundancy import redundancies
from entropick.report._remarks import about_columns, about_leaks, about_selection, about_target
from entropick.report._result import (
    CurvePoint,
    Distribution,
    Feature,
    Neighbour,
    Probabilities,
    Redundancy,
    Result,
    Target,
    Trace,
)
from entropick.scorer import Scorers
from entropick.selectors import FitRecord, InformationSelector, Outcome

_MOST_PROBABILITIES = 100  # columns whose probabilities are in the result
_MOST_REDUNDANCIES = 50  # chosen columns in the matrix of redundancies
_MOST_DISTRIBUTIONS = 8  # leading columns whose relation to the target is shown
_MOST_LEVELS = 12  # of a column, and classes of the target; the rest form one group
_REDUNDANT = 0.005  # smaller shares would be shown as 0%
_FURTHER = 10  # columns in the curve beyond the chosen ones
_CHEAP = 10_000  # subsets that the curve may score if scoring is cheap
_NOT_SHOWN = ("callback", "checkpoint", "on_interrupt")  # settings that do not affect the answer


def describe(
    selector: InformationSelector,
    encoded: Encoded | None = None,
    *,
    table_name: str = "table",
    target_name: str | None = None,
    notes: Sequence[Note] = (),
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

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from entropick import CrossEntropySelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> result = describe(CrossEntropySelector(random_state=0).fit(X, y))
    >>> [feature.name for feature in result.features]
    ['worst area', 'worst concave points']
    """
    if not hasattr(selector, "record_"):
        raise ValueError("this selector was fitted by an older version of entropick, without a record: fit it again.")
    record = selector.record_
    encoded = _checked(selector, record, encoded)
    table, names, outcome, criterion = encoded.table, encoded.names, record.outcome, record.outcome.criterion
    target = _target(encoded, target_name)
    with Scorers(table, selector.engine, selector.n_jobs) as scorers:
        curve = _curve(scorers, outcome)
        order = curve.column[1 : selector.n_features_ + 1]
        shares = redundancies(scorers.engine, order)
        features = _features(scorers, criterion, names, curve, order, shares)
        corrected = float(curve.corrected[len(order)])
        settings = _settings(selector)
        odd = about_selection(
            outcome,
            features,
            selector.information_,
            corrected,
            table.class_entropy,
            bool(settings.get("parsimony")),
        )
        found = [*about_target(target), *about_columns(encoded), *about_leaks(scorers, names, target), *odd]
    value = float(curve.score[len(order)])
    return Result(
        table=table_name,
        target=target,
        n_rows=table.n_rows,
        n_columns=table.n_columns,
        kind=outcome.kind,
        method=outcome.method,
        method_label=method_label(outcome.method),
        features=features,
        n_features=len(features),
        information_bits=selector.information_,
        corrected_information_bits=corrected,
        class_entropy_bits=table.class_entropy,
        delta_information=selector.delta_information_ if np.isfinite(selector.delta_information_) else None,
        criterion=criterion.name,
        criterion_label=criterion.label,
        criterion_claim=criterion.claim(value, table.class_entropy),
        criterion_value=value,
        unit=criterion.unit,
        score=outcome.score,
        stop=as_plain(outcome.stop),
        steps=len(outcome.trace.get("best", ())),
        evaluations=outcome.evaluations,
        seconds=record.seconds,
        trace=_trace(outcome, names),
        size_curve=_points(curve, names),
        redundancy=_redundancy(shares, order, names),
        target_by_column=tuple(_distribution(encoded, j) for j in order[:_MOST_DISTRIBUTIONS]),
        notes=tuple(dict.fromkeys([*notes, *encoded.notes, *outcome.notes, *found])),
        settings=settings,
        seed=outcome.seed,
        versions={
            "entropick": __version__,
            "python": platform.python_version(),
            **{package: version(package) for package in ("numpy", "scikit-learn")},
        },
    )


def _checked(selector: InformationSelector, record: FitRecord, encoded: Encoded | None) -> Encoded:
    """The table of `fit`, as kept or as passed again."""
    if encoded is None:
        if record.encoded is None:
            raise ValueError("the table of fit is not stored with the selector: call report(X, y) with the same table.")
        return record.encoded
    with Scorers(encoded.table, selector.engine, selector.n_jobs) as scorers:
        information = scorers[plugin](selector.support_[None])[0]
    if (information, encoded.table.class_entropy) != (selector.information_, selector.class_entropy_):
        raise ValueError("report needs the table of fit; got a different one, or one changed since.")
    return encoded


def _curve(scorers: Scorers, outcome: Outcome) -> SizeCurve:
    """The curve; unless scoring is cheap, it scores at most about as many subsets as the search did."""
    chosen = np.flatnonzero(outcome.mask) if outcome.order is None else outcome.order
    is_cheap = isinstance(outcome.criterion, TableCriterion) or outcome.criterion.name in CRITERIA
    most = max(outcome.evaluations or 0, _CHEAP if is_cheap else 0)
    never = scorers.table.constant_columns
    return curve_of(scorers, chosen, outcome.criterion, outcome.order is not None, _FURTHER, most, never)


def _points(curve: SizeCurve, names: Sequence[str]) -> tuple[CurvePoint, ...]:
    return tuple(
        CurvePoint(
            int(size), names[column] if column >= 0 else None, float(score), float(information), float(corrected)
        )
        for size, column, score, information, corrected in zip(*curve, strict=True)
    )


def _settings(selector: InformationSelector) -> dict[str, Json]:
    settings = selector.get_params(deep=False)
    return {name: as_plain(value) for name, value in settings.items() if name not in _NOT_SHOWN}


def _target(encoded: Encoded, name: str | None) -> Target:
    table, labels = encoded.table, [str(label) for label in encoded.target.labels]
    group_of, groups = _class_groups(table)
    counts = np.bincount(group_of[table.classes], minlength=len(groups))
    return Target(
        name or encoded.target.name,
        encoded.target.kind,
        len(labels),
        tuple(f"{len(labels) - len(groups) + 1} others" if c is None else labels[c] for c in groups),
        tuple(counts.tolist()),
    )


def _class_groups(table: CodeTable) -> tuple[NDArray[np.int64], list[int | None]]:
    """The group of every class, and the class of every group; of many classes, the smaller ones are group None."""
    sizes = table.class_sizes
    if len(sizes) <= _MOST_LEVELS:
        return np.arange(len(sizes)), list(range(len(sizes)))
    large = np.sort(np.argsort(-sizes, kind="stable")[: _MOST_LEVELS - 1])
    group_of = np.full(len(sizes), len(large))
    group_of[large] = np.arange(len(large))
    return group_of, [*large.tolist(), None]


def _features(
    scorers: Scorers,
    criterion: Criterion,
    names: Sequence[str],
    curve: SizeCurve,
    order: NDArray[np.int64],
    shares: NDArray[np.float64],
) -> tuple[Feature, ...]:
    """The chosen columns, with what each adds to those before it."""
    if not len(order):
        return ()
    scorer, m = scorers[criterion], scorers.table.n_columns
    chosen = np.isin(np.arange(m), order)
    adds = ten_decimals(np.diff(curve.score[: len(order) + 1]))
    alone, counted = scorer.each(order), scorers[plugin].each(order)
    without = np.concatenate([scorer(flip_each(chosen, part)) for part in in_parts(order, m)])
    lost = ten_decimals(curve.score[len(order)] - without)
    others = shares.copy()
    others[np.arange(len(order)), order] = -1.0
    nearest = others.argmax(axis=1)
    return tuple(
        Feature(
            name=names[j],
            index=int(j),
            adds=float(adds[i]),
            alone=float(alone[i]),
            lost_without=float(lost[i]),
            information_bits=float(counted[i]),
            redundant_with=_neighbour(names, nearest[i], others[i, nearest[i]]),
        )
        for i, j in enumerate(order)
    )


def _neighbour(names: Sequence[str], j: int, share: float) -> Neighbour | None:
    return Neighbour(names[j], int(j), round(float(share), 4)) if share >= _REDUNDANT else None


def _redundancy(shares: NDArray[np.float64], order: NDArray[np.int64], names: Sequence[str]) -> Redundancy:
    first = order[:_MOST_REDUNDANCIES]
    return Redundancy(tuple(names[j] for j in first), _lines(shares[: len(first), first]))


def _trace(outcome: Outcome, names: Sequence[str]) -> Trace:
    """The steps, and the probabilities of the likeliest columns."""
    trace = outcome.trace or {
        name: np.empty(0) for name in ("threshold", "best", "size", "samples", "elite", "seconds")
    }
    lines = {name: tuple(as_plain(values)) for name, values in trace.items() if name != "probabilities"}
    probabilities = trace.get("probabilities", np.empty((0, len(names))))
    known = probabilities[:, ~np.isnan(probabilities).any(axis=0)].size > 0
    # The chosen columns first, then those that were likeliest in the end.
    rank = np.lexsort((-probabilities.max(axis=0), -probabilities[-1], ~outcome.mask)) if known else np.arange(0)
    shown = rank[:_MOST_PROBABILITIES]
    likely = Probabilities(tuple(names[j] for j in shown), _lines(probabilities[:, shown].T) if known else ())
    return Trace(**lines, probabilities=likely, threshold_label=outcome.threshold_label)


def _distribution(encoded: Encoded, j: int) -> Distribution:
    """Rows of each class for every value of a column; rare values form one group."""
    table, column = encoded.table, encoded.columns[j]
    group_of, groups = _class_groups(table)
    codes, width, n = table.columns[j].astype(np.int64), int(table.levels[j]), len(groups)
    counts = np.bincount(codes * n + group_of[table.classes], minlength=width * n).reshape(width, n)
    labels = column.labels(encoded.source[j], table.columns[j])
    rows = counts.sum(axis=1)
    common = np.sort(np.argsort(-rows, kind="stable")[:_MOST_LEVELS])
    common = common[rows[common] > 0]
    rare = counts.sum(axis=0) - counts[common].sum(axis=0)
    values, lines = [labels[code] for code in common], counts[common].tolist()
    if rare.any():
        values.append(f"{int((rows > 0).sum()) - len(common)} other values")
        lines.append(rare.tolist())
    return Distribution(column.name, tuple(values), tuple(map(tuple, lines)))


def _lines(array: NDArray[Any]) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, np.round(array, 4).tolist()))
