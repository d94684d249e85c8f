"""How steady are answers? Other orders, seeds and rows, and useless columns beside the real ones. Writes steady.md.

The tables are those of QUALITY.md; what is done is kept and not done again.
"""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from frontier import METHODS, OURS
from joblib import Parallel, delayed
from numpy.typing import NDArray
from quality.means import grid
from quality.models import Mask, folds
from quality.run import code_version
from quality.tables import REAL, Table

from entropick import CrossEntropySelector, __version__
from entropick.evaluation import stability

HERE = Path(__file__).parent
RESULTS = HERE / "quality" / "results" / "steady"
MOST_ROWS, MOST_COLUMNS = 1000, 400
SEEDS = 10
SHARE = 0.2  # of the columns, in which disjoint halves are to agree
MOST_OF_ALL = 0.8  # an answer of more of the columns says nothing about agreement
RIVALS = ("F", "JMI", "CMIM", "fastcan", "forest importance", "LightGBM gain")

Json = dict[str, Any]


def fitted(X: pd.DataFrame, y: NDArray[Any], seed: int, **settings: Any) -> CrossEntropySelector:
    return CrossEntropySelector(random_state=seed, n_jobs=1, **settings).fit(X, y)


def in_another_order(X: pd.DataFrame, y: NDArray[Any], kind: str) -> bool:
    """Whether rows and columns in another order, and classes of other names, change nothing."""
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    other_y = y[rows]
    if kind == "classes":
        names = np.unique(y)
        new = dict(
            zip(names.tolist(), rng.permutation([f"class {i}" for i in range(len(names))]).tolist(), strict=True)
        )
        other_y = np.array([new[name] for name in other_y.tolist()])
    one, other = fitted(X, y, 0), fitted(X.iloc[rows, columns].reset_index(drop=True), other_y, 0)
    places = np.argsort(columns)
    same = bool((one.support_ == other.support_[places]).all()) and one.p_value_ == other.p_value_
    if one.verdict_ is None or other.verdict_ is None:
        return same and one.verdict_ is other.verdict_
    return same and bool((one.verdict_ == other.verdict_[places]).all()) and one.score_ == other.score_


def by_seed(X: pd.DataFrame, y: NDArray[Any]) -> Json:
    """Agreement over seeds, at the number that each chooses and at the median of these."""
    fits = [fitted(X, y, seed, decoys=0) for seed in range(SEEDS)]
    own = np.array([fit.support_ for fit in fits])
    k = int(np.median(own.sum(axis=1)))
    at_k = np.array([fit.at(k).support_ for fit in fits]) if 0 < k < X.shape[1] else own
    return {"columns": own.sum(axis=1).tolist(), "own": agreement(own), "equal": agreement(at_k)}


def agreement(masks: NDArray[np.bool_]) -> float:
    return 1.0 if (masks == masks[0]).all() else stability(masks)[0]


def useless(X: pd.DataFrame, y: NDArray[Any]) -> Json:
    """What is kept of as many shuffled columns."""
    rng = np.random.default_rng(2)
    shuffled = pd.DataFrame({f"shuffled {name}": X[name].to_numpy()[rng.permutation(len(X))] for name in X})
    fit = fitted(pd.concat([X, shuffled], axis=1), y, 0)
    is_shuffled = np.arange(len(fit.support_)) >= X.shape[1]
    sure = np.zeros(len(is_shuffled), dtype=bool) if fit.verdict_ is None else fit.verdict_ == "sure"
    return {
        "kept": int(fit.support_.sum()),
        "useless": int(fit.support_[is_shuffled].sum()),
        "sure": int(sure.sum()),
        "useless_sure": int(sure[is_shuffled].sum()),
    }


def disjoint(table: Table) -> dict[str, float]:
    """How well two halves of the rows agree at the same number of columns, by method."""
    masks: dict[str, list[Mask]] = {name: [] for name in (OURS, *RIVALS)}
    for fold in folds(table, 2, MOST_ROWS):
        for name, found in masks.items():
            found.append(METHODS[name](fold)(max(1, round(SHARE * fold.X.shape[1]))))
    return {name: float(np.mean([agreement(np.array(m[i : i + 2])) for i in (0, 2)])) for name, m in masks.items()}


def run_table(table: Table) -> None:
    path = RESULTS / f"{table.name}-{code_version()}.json"
    X, y, _ = table.load(MOST_ROWS)
    if path.exists() or X.shape[1] > MOST_COLUMNS:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: Json = {"kind": table.kind, "all": X.shape[1], "same": in_another_order(X, y, table.kind)}
        found |= {"seeds": by_seed(X, y), "beside": useless(X, y), "halves": disjoint(table)}
    RESULTS.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found), encoding="utf-8")
    print(table.name, flush=True)


def page(found: dict[str, Json]) -> list[str]:
    tables = list(found.values())
    telling = [t for t in tables if 0 < np.median(t["seeds"]["columns"]) <= MOST_OF_ALL * t["all"]]
    beside = {name: sum(t["beside"][name] for t in tables) for name in tables[0]["beside"]}
    own, equal = (mean(t["seeds"][name] for t in telling) for name in ("own", "equal"))
    lines = [
        "# How steady are answers?\n",
        f"""\
{len(tables)} real tables of at most {MOST_ROWS} rows and {MOST_COLUMNS} columns. entropick {__version__}.
Written by `make steady`.

- **Order.** Rows and columns in another order and classes of other names: the same columns, score, verdicts and p-value
  in {sum(t["same"] for t in tables)} of {len(tables)} tables.
- **Seeds.** Agreement of {SEEDS} seeds (Nogueira's; 1: the same columns): {own} at the number of columns that each
  chooses, {equal} at equal numbers, in the mean over {len(telling)} tables (not those where nothing, or more than
  {MOST_OF_ALL:.0%} of the columns, is kept).
- **Useless columns.** With as many shuffled columns beside the real ones, {beside["useless"]} of {beside["kept"]}
  columns that are kept are useless, and {beside["useless_sure"]} of {beside["sure"]} that are sure.
- **Other rows.** Agreement of two halves of the rows, each method told to keep {SHARE:.0%} of the columns:
""",
    ]
    names = (OURS, *RIVALS)
    cells = [[name, mean(t["halves"][name] for t in tables)] for name in names]
    lines += grid(("", "agreement"), cells)
    lines += grid(
        ("table", "columns", "same in another order", "kept by ten seeds", "agree", "at equal k", "useless of kept"),
        [
            [
                name,
                str(t["all"]),
                "yes" if t["same"] else "**no**",
                f"{min(t['seeds']['columns'])}–{max(t['seeds']['columns'])}",
                f"{t['seeds']['own']:.2f}",
                f"{t['seeds']['equal']:.2f}",
                f"{t['beside']['useless']} of {t['beside']['kept']}",
            ]
            for name, t in found.items()
        ],
    )
    return lines


def mean(values: Any) -> str:
    found = np.array(list(values))
    return f"{found.mean():.2f} ± {found.std(ddof=1) / np.sqrt(len(found)):.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", default="", help="names, with commas; all of them otherwise")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    names = list(filter(None, given.tables.split(",")))
    Parallel(given.jobs)(delayed(run_table)(table) for table in REAL if not names or table.name in names)
    found = {}
    for table in REAL:
        path = RESULTS / f"{table.name}-{code_version()}.json"
        if path.exists():
            found[table.name] = json.loads(path.read_text(encoding="utf-8"))
    (HERE / "steady.md").write_text("\n".join(page(found)).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
