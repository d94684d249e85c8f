"""entropick against other packages: first whether the answers are the same, then the time.

The packages come with the extra `bench`; the page says which ones are missing.
"""

from __future__ import annotations

import importlib.metadata
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from shapes import SETS, half, load
from sklearn.metrics import mutual_info_score

from entropick import RankSelector, SubsetScorer
from entropick.encode import CodeTable, joint_codes

PACKAGES = {"mrmr": "mrmr-selection", "fast_select": "fast-select", "skfeature": "skfeature-chappers"}
PICKS = 10
PATIENCE = 5.0  # seconds for one ranking after which a package is not run again


def scikit_learn_scores(table: CodeTable, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """I(U;y) in bits of columns merged into one label."""
    merged = (joint_codes((table.columns[j] for j in np.flatnonzero(mask)), table.n_rows) for mask in masks)
    return np.asarray([mutual_info_score(labels, table.classes) / np.log(2) for labels in merged])


def skfeature(method: str) -> Callable[[NDArray[np.int64], NDArray[np.int64], int], Any]:
    module = {
        "mrmr": "MRMR",
        "cmim": "CMIM",
        "jmi": "JMI",
        "disr": "DISR",
        "mifs": "MIFS",
        "icap": "ICAP",
        "cife": "CIFE",
    }[method]

    def rank(X: NDArray[np.int64], y: NDArray[np.int64], k: int) -> Any:
        name = f"skfeature.function.information_theoretical_based.{module}"
        function = getattr(importlib.import_module(name), method)
        return function(X, y, mode="index", n_selected_features=k)

    return rank


def fast_mrmr(X: NDArray[np.int64], y: NDArray[np.int64], k: int) -> Any:
    from fast_select import mRMR

    return mRMR(n_features_to_select=k, backend="cpu").fit(X, y).top_features_


def f_test_mrmr(X: NDArray[np.int64], y: NDArray[np.int64], k: int) -> Any:
    """Another criterion, F statistics and correlations, so its order will differ."""
    import pandas as pd
    from mrmr import mrmr_classif

    return mrmr_classif(pd.DataFrame(X), pd.Series(y), K=k, show_progress=False)


PEERS: dict[str, tuple[str, Callable[..., Any]]] = {
    "fast_select, mRMR": ("mrmr", fast_mrmr),
    "mrmr, F test and correlation": ("mrmr", f_test_mrmr),
    **{
        f"skfeature, {method}": (method, skfeature(method))
        for method in ("mrmr", "cmim", "jmi", "disr", "mifs", "icap", "cife")
    },
}


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    began = time.perf_counter()
    result = call()
    return result, time.perf_counter() - began


def compare() -> Iterator[str]:
    warnings.simplefilter("ignore")
    present = {}
    for module, package in PACKAGES.items():
        try:
            present[module] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            yield f"\n`{package}` is not installed and was skipped: `pip install '.[bench]'`."
    yield "\n## Other packages\n"
    versions = [
        f"scikit-learn {importlib.metadata.version('scikit-learn')}",
        *(f"{PACKAGES[m]} {v}" for m, v in present.items()),
    ]
    yield f"With {', '.join(versions)}.\n"
    yield "Joint scores, p = .5, per subset:\n"
    yield "| table | `mutual_info_score` on merged labels | entropick | ratio |\n|---|---|---|---|"
    for name in SETS:
        table = load(name)
        masks, scorer = half(table, 500, np.random.default_rng(0)), SubsetScorer(table)
        scores, theirs = timed(lambda: scikit_learn_scores(table, masks[:3]))  # noqa: B023
        same = np.allclose(scores, scorer(masks[:3]), atol=1e-8)
        ours = min(timed(lambda: scorer(masks))[1] for _ in range(3)) / len(masks)  # noqa: B023
        ratio = f"{theirs / 3 / ours:.0f} ×" if same else "other values"
        yield f"| {name} | {1e3 * theirs / 3:.2f} ms | {1e3 * ours:.4f} ms | {ratio} |"
    yield f"\nThe first {PICKS} columns of a ranking, whole fits; compiled code was warmed up on part of the table."
    yield f"A package that takes more than {PATIENCE:.0f} seconds for one ranking is not run again.\n"
    yield "| table | package and method | same order as entropick | theirs | entropick | ratio |\n" + "|---" * 6 + "|"
    too_slow: set[str] = set()
    for name in ("breast cancer", "Gesture Phase", "Connect-4", "Advertisements"):
        table = load(name)
        X, y = np.stack(table.columns, axis=1).astype(np.int64), table.classes
        for peer, (method, rank) in PEERS.items():
            package = peer.split(",")[0]
            if package not in present or package in too_slow:
                continue
            selector, ours = timed(lambda: RankSelector(method, n_features_to_select=PICKS).fit(X, y))  # noqa: B023
            try:
                rank(X[:200], y[:200], 2)
                order, theirs = timed(lambda: rank(X, y, PICKS))  # noqa: B023
            except Exception as error:  # a package that fails is a result too
                yield f"| {name} | {peer} | fails: {type(error).__name__} | | {1e3 * ours:.1f} ms | |"
                continue
            if theirs > PATIENCE:
                too_slow.add(package)
            same_order = "another criterion" if "F test" in peer else _agreement(order, selector.order_)
            ratio = f"{theirs / ours:.0f} ×" if theirs > 10 * ours else f"{theirs / ours:.1f} ×"
            yield f"| {name} | {peer} | {same_order} | {1e3 * theirs:.1f} ms | {1e3 * ours:.1f} ms | {ratio} |"


def _agreement(theirs: Any, ours: NDArray[np.int64]) -> str:
    order = [int(column) for column in theirs][: len(ours)]
    equal = next((i for i, (a, b) in enumerate(zip(order, ours, strict=False)) if a != b), len(order))
    return "yes" if equal == len(ours) else f"no, from pick {equal + 1} on"


if __name__ == "__main__":
    for line in compare():
        print(line, flush=True)
