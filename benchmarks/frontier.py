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
from fastcan import FastCan
from joblib import Parallel, delayed
from lightgbm import LGBMClassifier, LGBMRegressor
from numpy.typing import NDArray
from quality.means import grid, signed
from quality.models import Fold, Mask, folds, losses
from quality.rivals import best, by_f, forest
from quality.run import code_version
from quality.tables import REAL, Table
from scipy.stats import rankdata
from sklearn.feature_selection import RFE

from entropick import CrossEntropySelector, RankSelector

HERE = Path(__file__).parent
RESULTS = HERE / "quality" / "results" / "frontier"
SHARES = (0.02, 0.05, 0.1, 0.2, 0.4)  # of the columns
MODELS = {"forest": "a forest", "boosting": "boosting", "linear": "a linear model"}
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
    return lambda fold: lambda k: np.asarray(RankSelector(method, k, n_jobs=1).fit(fold.X, fold.y).support_)


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
    return lambda k: np.asarray(
        RFE(forest(fold, 50), n_features_to_select=k, step=0.1).fit(fold.codes, fold.y).support_
    )


def canonical(fold: Fold) -> Chosen:
    """A greedy of canonical correlations, of the models' inputs with the target or an indicator of each class."""
    y = fold.y[:, None] == np.unique(fold.y)[1:] if fold.kind == "classes" else fold.y[:, None]
    varied = np.flatnonzero(np.ptp(fold.inputs, axis=0) > 0)
    most, n_inputs, order = max(numbers(fold.X.shape[1]).values()), 0, list[int]()
    while len(order) < most and n_inputs < len(varied):  # of a column of strings, several inputs may be chosen
        n_inputs = min(max(most, 2 * n_inputs), len(varied))
        found = FastCan(n_inputs, tol=1e-9, verbose=0).fit(fold.inputs[:, varied], y).indices_
        order = list(dict.fromkeys(fold.owner[varied[found]].tolist()))
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
            known[key] = losses(fold, mask, TREES, tuple(MODELS))
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
                [
                    float(np.mean([fold["at"][str(share)][model] - fold["all"][model] for fold in run["folds"]]))
                    for model in MODELS
                ]
                for share in SHARES
            ]
    return found


def of_kind(found: Json, kind: str) -> Json:
    """The tables on which all methods ran."""
    return {name: t for name, t in found.items() if t["kind"] == kind and set(METHODS) <= set(t["methods"])}


def lost(tables: Json, name: str) -> NDArray[np.float64]:
    """What a method loses, shape (n_tables, n_shares, n_models)."""
    return np.array([table["methods"][name] for table in tables.values()])


def page(found: Json) -> Iterator[str]:
    yield "# Error against the number of columns\n"
    shares = ", ".join(f"{share:.0%}" for share in SHARES)
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    yield f"""\
Every method is told how many columns to keep: {shares} of them, at least one. A random forest,
boosting and a linear model are fitted to one half of the rows with these columns and judged on the other, both ways, on
{len(found)} real tables of at most {MOST_ROWS} rows (those of [QUALITY.md](QUALITY.md), with its measures).
Written by `make frontier` with {versions}.
"""
    for kind, title in (("classes", "Classes"), ("numbers", "Numbers")):
        tables = of_kind(found, kind)
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
        for j, words in enumerate(MODELS.values()):
            of_model = np.stack([lost(tables, name)[:, :, j] for name in METHODS])
            yield f"With {words} alone.\n"
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
    """What is lost by the number of columns: ours in colour, the others grey, each with its name."""
    from matplotlib import pyplot, rc_context

    tables, places = of_kind(found, kind), np.arange(len(SHARES))
    lines = {name: lost(tables, name).mean(axis=(0, 2)) for name in METHODS}
    with rc_context({"svg.hashsalt": "entropick", "svg.fonttype": "none", "font.size": 10}):
        figure, axes = pyplot.subplots(figsize=(8, 4.5))
        for name, line in lines.items():
            color, width = ("tab:red", 2.5) if name == OURS else ("0.6", 1.2)
            axes.plot(places, line, color=color, linewidth=width, zorder=3 if name == OURS else 2)
        low, high = axes.get_ylim()
        at = -np.inf
        for name in sorted(lines, key=lambda name: lines[name][0]):
            at = max(lines[name][0], at + (high - low) / 24)
            color, weight = ("tab:red", "bold") if name == OURS else ("0.35", "normal")
            axes.text(-0.08, at, name, ha="right", va="center", color=color, fontweight=weight)
        axes.set_xticks(places, [f"{share:.0%}" for share in SHARES])
        axes.set(xlabel="columns kept", xlim=(-1.3, len(SHARES) - 0.9))
        axes.yaxis.tick_right()
        axes.axhline(0, color="0.8", linewidth=0.8, zorder=1)
        axes.spines[["top", "left"]].set_visible(False)
        what = "Error" if kind == "classes" else "R²"
        title = f"{what} lost against all columns: mean of {len(tables)} tables and of three models"
        axes.set_title(title, loc="left", fontsize=10)
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
    tables.sort(
        key=lambda table: table.name not in ("pd_speech", "nci60", "permeability", "grants")
    )  # the dearest first
    Parallel(given.jobs)(delayed(run_table)(table) for table in tables)
    found = results()
    (HERE / "frontier.md").write_text("\n".join(page(found)).rstrip() + "\n", encoding="utf-8")
    for kind in ("classes", "numbers"):
        draw(found, kind, HERE / f"frontier_{kind}.svg")


if __name__ == "__main__":
    main()
