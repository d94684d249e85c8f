"""Error against the number of columns: every method is told how many columns to keep, and models judge them.

Run `make frontier`. It writes frontier.md, a picture for each kind of target, and goes on where it stopped.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from lightgbm import LGBMClassifier, LGBMRegressor
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.feature_selection import RFE

from entropick import CrossEntropySelector, RankSelector
from fastcan import FastCan
from quality.means import grid, signed
from quality.models import Fold, Mask, folds, losses
from quality.rivals import best, by_f, forest
from quality.run import code_version
from quality.tables import REAL, Table

HERE = Path(__file__).parent
RESULTS = HERE / "quality" / "results" / "frontier"
SHARES = (0.02, 0.05, 0.1, 0.2, 0.4)  # of the columns
MODELS = ("forest", "boosting", "linear")
TREES = 100
MOST_ROWS = 2000
REPEATS = 1  # of two halves
OURS = "entropick"
PACKAGES = ("entropick", "fastcan", "lightgbm", "scikit-learn")

Json = dict[str, Any]
Chosen = Callable[[int], Mask]  # by number of columns


def ours(fold: Fold) -> Chosen:
    """The search for exactly k columns."""

    def chosen(k: int) -> Mask:
        selector = CrossEntropySelector(n_features_to_select=k, random_state=fold.seed, n_jobs=1)
        return np.asarray(selector.fit(fold.X, fold.y).support_)

    return chosen


def ranking(method: str) -> Callable[[Fold], Chosen]:
    def ranked(fold: Fold) -> Chosen:
        fitted = RankSelector(method, 1, n_jobs=1).fit(fold.X, fold.y)
        return lambda k: np.asarray(fitted.ranking_ <= k)

    return ranked


def importance(fold: Fold) -> Chosen:
    importances = forest(fold, TREES).fit(fold.codes, fold.y).feature_importances_
    return lambda k: best(importances, k)


def gain(fold: Fold) -> Chosen:
    kind = LGBMClassifier if fold.kind == "classes" else LGBMRegressor
    model = kind(n_estimators=TREES, importance_type="gain", random_state=fold.seed, n_jobs=1, verbose=-1)
    gains = model.fit(fold.codes, fold.y).feature_importances_
    return lambda k: best(gains, k)


def elimination(fold: Fold) -> Chosen:
    """A forest of 50 trees, a tenth of the columns less at every step."""
    return lambda k: np.asarray(RFE(forest(fold, 50), n_features_to_select=k, step=0.1).fit(fold.codes, fold.y).support_)


def canonical(fold: Fold) -> Chosen:
    """A greedy of canonical correlations, of the models' inputs with the target or an indicator of each class."""
    targets = fold.y[:, None] == np.unique(fold.y) if fold.kind == "classes" else fold.y[:, None]
    varied = np.flatnonzero(np.ptp(fold.inputs, axis=0) > 0)
    most = max(numbers(fold.X.shape[1]).values())

    def first(n_inputs: int) -> NDArray[np.int64]:
        fitted = FastCan(n_inputs, tol=1e-9, verbose=0).fit(fold.inputs[:, varied], targets[:, 1:] if targets.shape[1] > 1 else targets)
        return fold.owner[varied[fitted.indices_]]

    n_inputs, owners = min(most, len(varied)), np.empty(0, dtype=np.int64)
    while len(set(owners)) < most and n_inputs <= len(varied):
        owners = first(n_inputs)
        if n_inputs == len(varied):
            break
        n_inputs = min(2 * n_inputs, len(varied))
    order = list(dict.fromkeys(owners.tolist()))
    return lambda k: np.isin(np.arange(fold.X.shape[1]), order[:k])


METHODS: dict[str, Callable[[Fold], Chosen]] = {
    OURS: ours,
    "CMIM": ranking("cmim"),
    "JMI": ranking("jmi"),
    "mRMR": ranking("mrmr"),
    "fastcan": canonical,
    "LightGBM gain": gain,
    "forest importance": importance,
    "recursive elimination": elimination,
    "F": lambda fold: lambda k: by_f(fold, k),
}


def numbers(m: int) -> dict[float, int]:
    """How many columns each share is: at least one."""
    return {share: max(1, round(share * m)) for share in SHARES}


def run_table(table: Table) -> None:
    """Run what is missing."""
    data: list[Fold] = []
    known: dict[tuple[int, bytes], dict[str, float]] = {}
    for name, method in METHODS.items():
        stamp = {"shares": SHARES, "rows": MOST_ROWS, "trees": TREES, "repeats": REPEATS}
        if name == OURS:
            stamp["code"] = code_version()
        key = hashlib.sha256(json.dumps(stamp, sort_keys=True).encode()).hexdigest()[:12]
        path = RESULTS / table.name / f"{name.replace(' ', '_')}-{key}.json"
        if path.exists():
            continue
        data = data or list(folds(table, REPEATS, MOST_ROWS))
        runs = [of_fold(fold, method, known) for fold in data]
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(json.dumps({"kind": table.kind, "held_out": table.held_out, "folds": runs}), encoding="utf-8")
        part.replace(path)
        print(f"{table.name:18} {name}", flush=True)


def of_fold(fold: Fold, method: Callable[[Fold], Chosen], known: dict[tuple[int, bytes], dict[str, float]]) -> Json:
    """The losses of the models with all columns, and with those that are kept at each share."""

    def judged(mask: Mask) -> dict[str, float]:
        key = (fold.seed, mask.tobytes())
        if key not in known:
            known[key] = losses(fold, mask, TREES, MODELS)
        return known[key]

    m = fold.X.shape[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chosen = method(fold)
        masks = {k: chosen(k) for k in sorted(set(numbers(m).values()))}
    everything = judged(np.ones(m, dtype=bool))
    return {"all": everything, "at": {share: judged(masks[k]) for share, k in numbers(m).items()}}


def results() -> Json:
    """What was measured: by table, then by method, the loss at each share beyond that of all columns, by model."""
    found: Json = {}
    for table in REAL:
        for path in sorted((RESULTS / table.name).glob("*.json"), key=lambda path: path.stat().st_mtime):
            run = json.loads(path.read_text(encoding="utf-8"))
            own = found.setdefault(table.name, {"kind": run["kind"], "held_out": run["held_out"], "methods": {}})
            name = path.name.rsplit("-", 1)[0].replace("_", " ")
            own["methods"][name] = [
                [float(np.mean([fold["at"][str(share)][model] - fold["all"][model] for fold in run["folds"]])) for model in MODELS]
                for share in SHARES
            ]
    return found


def lost(tables: Json, name: str) -> NDArray[np.float64]:
    """What a method loses, shape (n_tables, n_shares, n_models)."""
    return np.array([table["methods"][name] for table in tables.values()])


def page(found: Json) -> Iterator[str]:
    yield "# Error against the number of columns\n"
    yield f"""\
Every method is told how many columns to keep: {", ".join(f"{share:.0%}" for share in SHARES)} of them, at least one. A random forest, boosting
and a linear model are fitted to one half of the rows with these columns and judged on the other, both ways, on
{len(found)} real tables of at most {MOST_ROWS} rows (those of [QUALITY.md](QUALITY.md), with its measures).
{", ".join(f"{name} {version(name)}" for name in PACKAGES)}. Written by `make frontier`.
"""
    for kind, title in (("classes", "Classes"), ("numbers", "Numbers")):
        tables = {name: table for name, table in found.items() if table["kind"] == kind}
        tables = {name: table for name, table in tables.items() if set(METHODS) <= set(table["methods"])}
        if not tables:
            continue
        yield f"## {title}, {len(tables)} tables\n"
        yield f"![Error against the number of columns, {kind}](frontier_{kind}.svg)\n"
        means = np.stack([lost(tables, name).mean(axis=2) for name in METHODS])  # methods × tables × shares
        ranks = rankdata(np.round(means, 5), axis=0)
        yield "Mean rank among these methods, ± its standard error over tables; 1 is best.\n"
        yield from grid(*table_of(ranks, lambda mean, error: f"{mean:.2f} ± {error:.2f}"))
        yield f"{'Error' if kind == 'classes' else 'R²'} lost against all columns, mean of the three models.\n"
        yield from grid(*table_of(means, lambda mean, error: f"{signed(mean)} ± {error:.3f}"))
        yield "Against entropick at the same number of columns: what the others lose more, table by table.\n"
        yield from grid(*table_of(means - means[:1], lambda mean, error: f"{signed(mean)} ± {error:.3f}", skip=1))
        for j, model in enumerate(MODELS):
            of_model = np.stack([lost(tables, name)[:, :, j] for name in METHODS])
            yield f"With a {model} model alone.\n" if model == "linear" else f"With {'boosting' if model == 'boosting' else 'a forest'} alone.\n"
            yield from grid(*table_of(of_model, lambda mean, error: signed(mean)))


def table_of(
    values: NDArray[np.float64], cell: Callable[[float, float], str], skip: int = 0
) -> tuple[list[str], list[list[str]]]:
    """Head and lines: a line for each method, a column for each share; the best mean of a column is bold."""
    means, errors = values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(values.shape[1])
    lines = []
    for i, name in enumerate(METHODS):
        if i < skip:
            continue
        cells = [cell(mean, error) for mean, error in zip(means[i], errors[i], strict=True)]
        least = means[skip:].min(axis=0)
        lines.append([name, *(f"**{text}**" if means[i, j] == least[j] else text for j, text in enumerate(cells))])
    return ["", *(f"{share:.0%}" for share in SHARES)], lines


def draw(found: Json, kind: str, path: Path) -> None:
    """What is lost against all columns by the number of columns: ours in colour, the others grey, each with its name."""
    from matplotlib import pyplot, rc_context

    tables = {n: t for n, t in found.items() if t["kind"] == kind and set(METHODS) <= set(t["methods"])}
    with rc_context({"svg.hashsalt": "entropick", "svg.fonttype": "none", "font.size": 10}):
        figure, axes = pyplot.subplots(figsize=(8, 4.5))
        places = np.arange(len(SHARES))
        ends = []
        for name in METHODS:
            line = lost(tables, name).mean(axis=(0, 2))
            is_ours = name == OURS
            axes.plot(
                places, line, color="tab:red" if is_ours else "0.6", linewidth=2.5 if is_ours else 1.2, zorder=2 + is_ours
            )
            ends.append((line[0], name))
        low, high = axes.get_ylim()
        least = (high - low) / 24
        at = -np.inf
        for value, name in sorted(ends):
            at = max(value, at + least)
            axes.text(
                -0.08, at, name, ha="right", va="center", color="tab:red" if name == OURS else "0.35",
                fontweight="bold" if name == OURS else "normal",
            )
        axes.set_xticks(places, [f"{share:.0%}" for share in SHARES])
        axes.set(xlabel="columns kept", xlim=(-1.3, len(SHARES) - 0.9))
        axes.yaxis.tick_right()
        what = "error" if kind == "classes" else "R²"
        axes.set_title(f"{what} lost against all columns, {len(tables)} tables, mean of forest, boosting, linear model", loc="left", fontsize=10)
        axes.axhline(0, color="0.8", linewidth=0.8, zorder=1)
        for side in ("top", "left"):
            axes.spines[side].set_visible(False)
        figure.tight_layout()
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", default="", help="names, with commas; all of them otherwise")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    names = list(filter(None, given.tables.split(",")))
    tables = [table for table in REAL if not names or table.name in names]
    tables.sort(key=lambda table: table.name not in ("pd_speech", "nci60", "permeability", "grants"))  # the dearest first
    Parallel(given.jobs)(delayed(run_table)(table) for table in tables)
    found = results()
    (HERE / "frontier.md").write_text("\n".join(page(found)).rstrip() + "\n", encoding="utf-8")
    for kind in ("classes", "numbers"):
        draw(found, kind, HERE / f"frontier_{kind}.svg")


if __name__ == "__main__":
    main()
