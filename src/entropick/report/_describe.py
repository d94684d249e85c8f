"""A fitted selector as a dict of plain values: all that is ever shown of a run, on screen, as JSON or as a page."""

from __future__ import annotations

import platform
import warnings
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._plain import as_plain
from entropick._version import __version__
from entropick.criteria import find_criterion, plugin, reliable
from entropick.encode import CodeTable, ColumnWarning, TableEncoder, read_source
from entropick.engine import make_engine
from entropick.evaluation import size_curve
from entropick.report._remarks import remarks
from entropick.report._schema import FORMAT, VERSION
from entropick.scorer import SubsetScorer
from entropick.search import SEARCHES
from entropick.selectors import RankSelector

_MOST_PROBABILITIES = 100  # columns whose probabilities are kept
_MOST_REDUNDANCIES = 50  # chosen columns in the matrix of redundancies
_MOST_DISTRIBUTIONS = 8  # leading columns whose relation to the target is shown
_MOST_LEVELS = 12  # of a column, and classes of the target; the rest are taken together
_REDUNDANT = 0.005  # shares below this, which would read 0%, are none
_FURTHER = 10  # columns beyond the chosen ones in the curve


def describe(
    selector: Any,
    encoded: tuple[CodeTable, TableEncoder] | None = None,
    *,
    table_name: str = "table",
    target_name: str | None = None,
    notes: Sequence[str] = (),
) -> dict[str, Any]:
    """What a fitted selector found, as plain values that fit the JSON schema of a result.

    Parameters
    ----------
    selector : fitted selector
        It has its table unless it was pickled or copied since `fit`.
    encoded : tuple of CodeTable and TableEncoder, optional
        The table of `fit`, encoded anew.
    table_name, target_name : str
        What to call the table and the target; the target has a name of its own if it is a series.
    notes : sequence of str
        Further warnings to pass on.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from entropick import CrossEntropySelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> result = describe(CrossEntropySelector(random_state=0).fit(X, y))
    >>> [feature["name"] for feature in result["features"]]
    ['worst area', 'worst concave points']
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColumnWarning)  # which fit has given
        return _describe(selector, *_table(selector, encoded), table_name, target_name, notes)


def _describe(
    selector: Any,
    table: CodeTable,
    encoder: TableEncoder,
    table_name: str,
    target_name: str | None,
    notes: Sequence[str],
) -> dict[str, Any]:
    names = [column.name for column in encoder.columns]
    criterion = getattr(selector, "criterion", "plugin")
    scorer = SubsetScorer(table, None, criterion, selector.engine, selector.n_jobs)
    corrected = SubsetScorer(table, None, "reliable", selector.engine, selector.n_jobs)
    chosen = np.flatnonzero(selector.support_)
    is_ranking = isinstance(selector, RankSelector)
    curve = size_curve(
        table,
        None,
        selector.order_ if is_ranking else chosen,
        criterion,
        keep_order=is_ranking,
        further=_FURTHER,
        # What comes after the search takes about as long as the search, at most.
        max_evaluations=max(getattr(selector, "n_evaluations_", 0), 10_000 if isinstance(criterion, str) else 0),
        engine=selector.engine,
        n_jobs=selector.n_jobs,
    )
    order = curve["column"][1 : len(chosen) + 1]
    shares = _redundancies(selector, table, order)
    result = {
        "format": FORMAT,
        "version": VERSION,
        "table": table_name,
        "target": _target(selector, table, target_name or str(getattr(table.y, "name", None) or "y")),
        "n_rows": table.n_rows,
        "n_columns": table.n_columns,
        "method": selector.method if is_ranking else _search_name(selector),
        "features": _features(scorer, table, names, curve, order, shares),
        "n_features": selector.n_features_,
        "information_bits": selector.information_,
        "corrected_information_bits": float(corrected(selector.support_[None])[0]),
        "class_entropy_bits": selector.class_entropy_,
        "delta_information": selector.delta_information_ if np.isfinite(selector.delta_information_) else None,
        "criterion": _criterion_name(criterion),
        "unit": "score" if hasattr(find_criterion(criterion), "scale") else "bits",
        "criterion_value": float(curve["score"][len(chosen)]),
        "score": selector.information_ if is_ranking else selector.score_,
        "stop": {"n_features": selector.n_features_} if is_ranking else as_plain(selector.stop_),
        "steps": getattr(selector, "n_steps_", 0),
        "evaluations": getattr(selector, "n_evaluations_", None),
        "seconds": selector._seconds,
        "trace": _trace(selector, names),
        "size_curve": [
            {
                "size": int(size),
                "column": names[column] if column >= 0 else None,
                "score": float(score),
                "information_bits": float(information),
                "corrected_bits": float(less_chance),
            }
            for size, column, score, information, less_chance in zip(*curve.values(), strict=True)
        ],
        "redundancy": {
            "names": [names[j] for j in order[:_MOST_REDUNDANCIES]],
            "shares": _round(shares[:_MOST_REDUNDANCIES, order[:_MOST_REDUNDANCIES]]),
        },
        "target_by_column": [_distribution(table, encoder, j) for j in order[:_MOST_DISTRIBUTIONS]],
        "warnings": [],
        "settings": {
            name: as_plain(value)
            for name, value in selector.get_params(deep=False).items()
            if name not in ("callback", "checkpoint", "on_interrupt")
        },
        "seed": getattr(selector, "seed_", None),
        "versions": {
            "entropick": __version__,
            "python": platform.python_version(),
            **{package: version(package) for package in ("numpy", "scikit-learn")},
        },
    }
    told = {column.note for column in encoder.columns}  # in fewer words among the remarks
    result["warnings"] = [*remarks(result, table, encoder), *(note for note in notes if note not in told)]
    return result


def _table(selector: Any, encoded: tuple[CodeTable, TableEncoder] | None) -> tuple[CodeTable, TableEncoder]:
    """The table of `fit`, as it was kept or as it was given again."""
    if encoded is None and not hasattr(selector, "_encoded"):
        raise ValueError("the table of fit was not stored with the selector: call report(X, y) with the same table.")
    table, encoder = encoded or selector._encoded
    table = replace(table)  # what is counted here is forgotten afterwards
    information = SubsetScorer(table, engine=selector.engine, n_jobs=selector.n_jobs)(selector.support_[None])[0]
    if (information, table.class_entropy) != (selector.information_, selector.class_entropy_):
        raise ValueError("report needs the table of fit; got another one, or one that was changed since.")
    return table, encoder


def _search_name(selector: Any) -> str:
    search = getattr(selector, "search", "cross_entropy")
    if isinstance(search, str):
        return search
    return next((name for name, kind in SEARCHES.items() if kind is type(search)), type(search).__name__)


def _criterion_name(criterion: Any) -> str:
    return criterion if isinstance(criterion, str) else getattr(criterion, "__name__", type(criterion).__name__)


def _target(selector: Any, table: CodeTable, name: str) -> dict[str, Any]:
    labels = [str(label) for label in selector.target_["labels"]]
    group_of, groups = _class_groups(table)
    return {
        "name": name,
        "kind": selector.target_["kind"],
        "n_classes": len(labels),
        "labels": [f"{len(labels) - len(groups) + 1} others" if c is None else labels[c] for c in groups],
        "counts": np.bincount(group_of[table.classes], minlength=len(groups)).tolist(),
    }


def _class_groups(table: CodeTable) -> tuple[NDArray[np.int64], list[int | None]]:
    """The group of every class, and the class of every group; if they are many, the smaller ones are group None."""
    sizes = table.class_sizes
    if len(sizes) <= _MOST_LEVELS:
        return np.arange(len(sizes)), list(range(len(sizes)))
    large = np.sort(np.argsort(-sizes, kind="stable")[: _MOST_LEVELS - 1])
    group_of = np.full(len(sizes), len(large))
    group_of[large] = np.arange(len(large))
    return group_of, [*large.tolist(), None]


def _features(
    scorer: SubsetScorer,
    table: CodeTable,
    names: list[str],
    curve: dict[str, NDArray[Any]],
    order: NDArray[np.int64],
    shares: NDArray[np.float64],
) -> list[dict[str, Any]]:
    """The chosen columns, by what each adds to those before it."""
    if not len(order):
        return []
    alone = np.zeros((len(order), table.n_columns), dtype=np.bool_)
    alone[np.arange(len(order)), order] = True
    without = np.any(alone, axis=0) & ~alone
    others = np.where(alone, -1.0, shares)
    nearest = others.argmax(axis=1)
    own, rest = scorer(alone), scorer(without)
    counted = SubsetScorer(table, engine=scorer.engine, n_jobs=scorer.n_jobs)(alone)
    score = curve["score"]
    return [
        {
            "name": names[j],
            "index": int(j),
            "adds": round(float(score[i + 1] - score[i]), 10),
            "alone": float(own[i]),
            "lost_without": round(float(score[len(order)] - rest[i]), 10),
            "information_bits": float(counted[i]),
            "redundant_with": {
                "name": names[nearest[i]],
                "index": int(nearest[i]),
                "share": round(float(others[i, nearest[i]]), 4),
            }
            if others[i, nearest[i]] >= _REDUNDANT
            else None,
        }
        for i, j in enumerate(order)
    ]


def _redundancies(selector: Any, table: CodeTable, order: NDArray[np.int64]) -> NDArray[np.float64]:
    """What the chosen columns f have in common with all columns g, shape (n_chosen, n_columns).

    The adjusted mutual information (I(f;g) − E) / ((H(f) + H(g)) / 2 − E), E what chance alone would show: 0 nothing in
    common, 1 each can be worked out from the other.
    """
    every = range(table.n_columns)
    shares = np.zeros((len(order), table.n_columns))
    h = make_engine(selector.engine, table, selector.n_jobs).entropy.each(every)
    for i, f in enumerate(order):
        about_f = replace(table, classes=np.unique(table.columns[f], return_inverse=True)[1].astype(np.int64))
        engine = make_engine(selector.engine, about_f, selector.n_jobs)
        information = engine.bind(plugin(about_f.class_sizes)).each(every)
        corrected = engine.bind(reliable(about_f.class_sizes)).each(every)
        most = (h[f] + h) / 2 - (information - corrected)
        shares[i] = corrected / np.where(most > 1e-9, most, 1.0)
    return np.clip(np.round(shares, 10), 0.0, 1.0)


def _trace(selector: Any, names: list[str]) -> dict[str, Any]:
    """The steps, and the probabilities of the columns that were once likely."""
    trace = getattr(selector, "trace_", {})
    lines = {name: as_plain(values) for name, values in trace.items() if name != "probabilities"}
    probabilities = trace.get("probabilities", np.empty((0, len(names))))
    known = probabilities[:, ~np.isnan(probabilities).any(axis=0)].size > 0
    # The chosen ones first, then those that were likeliest in the end.
    rank = np.lexsort((-probabilities.max(axis=0), -probabilities[-1], ~selector.support_)) if known else np.arange(0)
    shown = rank[:_MOST_PROBABILITIES]
    return {
        **lines,
        "probabilities": {
            "names": [names[j] for j in shown],
            "values": _round(probabilities[:, shown].T) if known else [],  # one line a column
        },
    }


def _distribution(table: CodeTable, encoder: TableEncoder, j: int) -> dict[str, Any]:
    """Rows of each class for every value of a column; rare values are taken together."""
    group_of, groups = _class_groups(table)
    codes, width, n = table.columns[j].astype(np.int64), int(table.levels[j]), len(groups)
    counts = np.bincount(codes * n + group_of[table.classes], minlength=width * n).reshape(width, n)
    labels = encoder.columns[j].labels(read_source(table.X)[j], table.columns[j])
    rows = counts.sum(axis=1)
    common = np.sort(np.argsort(-rows, kind="stable")[:_MOST_LEVELS])
    common = common[rows[common] > 0]
    rare = counts.sum(axis=0) - counts[common].sum(axis=0)
    values, lines = [labels[code] for code in common], counts[common].tolist()
    if rare.any():
        n_rare = int((rows > 0).sum()) - len(common)
        values.append(f"{n_rare} other values")
        lines.append(rare.tolist())
    return {"name": encoder.columns[j].name, "values": values, "counts": lines}


def _round(array: NDArray[np.float64]) -> list[Any]:
    return np.round(array, 4).tolist()  # type: ignore[no-any-return]
