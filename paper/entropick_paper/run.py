"""All runs, stored one by one so that an interrupted reproduction resumes where it stopped."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib.metadata import version
from math import isfinite
from pathlib import Path
from typing import Any

from entropick._checks import check_number
from entropick._files import as_path, replacing
from entropick._names import look_up
from entropick._plain import as_plain
from entropick._version import __version__
from entropick.datasets import DATASETS
from entropick.engine import count_threads
from entropick_paper.claims import judge_claims
from entropick_paper.markdown import markdown
from entropick_paper.page import page
from entropick_paper.pictures import pictures
from entropick_paper.protocol import Plan, Trial, run
from entropick_paper.published import TITLES, published
from entropick_paper.summary import summarise

_FORMAT = "entropick-reproduction"
QUICK = Plan(curve_points=4, curve_seeds=1, most_rows=2000)


def reproduce(
    out: str | os.PathLike[str],
    datasets: Sequence[str] = tuple(DATASETS),
    *,
    seeds: int = 10,
    plan: Plan | None = None,
    callback: Callable[[int, int, str], object] | None = None,
) -> dict[str, Any]:
    """Repeat the paper's evaluation on its data sets, and write tables and figures with its numbers beside ours.

    Parameters
    ----------
    out : path
        A folder: ``results.json``, ``README.md``, ``report.html`` and ``figures`` are written there, and each run when
        it is done, so that another call with the same settings resumes.
    datasets : sequence of str
        Names from `entropick.datasets.DATASETS`.
    seeds : int
        Number of runs for each data set.
    plan : Plan, optional
        Settings other than those of the full reproduction.
    callback : callable, optional
        Called with the number of runs done, the total and the next step.

    Returns
    -------
    dict
        The content of ``results.json``, and ``summary``.
    """
    check_number("seeds", seeds, 1, integer=True)
    if not datasets:
        raise ValueError("datasets must name at least one data set; got none.")
    datasets = tuple(dict.fromkeys(datasets))
    for name in datasets:
        look_up("data set", name, DATASETS)
    plan = plan or Plan()
    folder = as_path(out)
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    total = len(datasets) * seeds
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in datasets}
    for i, name in enumerate(datasets):
        table: Trial | None = None
        for seed in range(seeds):
            path, done = _path(folder, name, seed, plan), i * seeds + seed
            stored = _stored(path, plan)
            if stored is None:
                table = table or Trial(name)
                began = time.perf_counter()
                result = run(table, seed, plan, _teller(callback, done, total, name))
                stored = {**_identity(plan), "seconds": time.perf_counter() - began, "run": result}
                _write(path, json.dumps(stored, indent=1, allow_nan=False).encode())
            runs[name].append(stored)
    results: dict[str, Any] = {
        **_identity(plan),
        "seeds": list(range(seeds)),
        "threads": count_threads(plan.n_jobs),
        "seconds": sum(stored["seconds"] for of_one in runs.values() for stored in of_one),
        "remarks": [],
        "runs": [stored["run"] for of_one in runs.values() for stored in of_one],
    }
    add_summary(results)
    write(results, folder)
    return results


def write(results: dict[str, Any], folder: Path) -> None:
    """Write the results and their summary as JSON, as Markdown with pictures, and as a page."""
    summary = results["summary"]
    plain = {
        **results,
        "summary": as_plain(summary),
        "claims": [asdict(claim) for claim in judge_claims(summary)],
        "published": {name: {method: asdict(published(name, method)) for method in TITLES} for name in summary},
    }
    drawn = pictures(results)
    (folder / "figures").mkdir(exist_ok=True)
    for picture in drawn:
        _write(folder / "figures" / f"{picture.name}.svg", picture.svg)
    titles = {picture.title: f"figures/{picture.name}.svg" for picture in drawn}
    _write(folder / "results.json", json.dumps(plain, indent=1, allow_nan=False).encode())
    _write(folder / "README.md", markdown(results, titles).encode())
    _write(folder / "report.html", page(results, drawn).encode())


def add_summary(results: dict[str, Any]) -> None:
    """Add the means of the runs, by data set."""
    names = dict.fromkeys(run["dataset"] for run in results["runs"])
    results["summary"] = {name: summarise([run for run in results["runs"] if run["dataset"] == name]) for name in names}


def _teller(
    callback: Callable[[int, int, str], object] | None, done: int, total: int, name: str
) -> Callable[[str], object]:
    return lambda step: callback(done, total, f"{name}: {step}") if callback else None


def _identity(plan: Plan) -> dict[str, Any]:
    """What a run depends on."""
    packages = ("numpy", "scikit-learn", "polars")
    versions = {"entropick": __version__, "python": platform.python_version(), **{p: version(p) for p in packages}}
    return {"format": _FORMAT, "version": 2, "plan": plan.identity(), "versions": versions}


def _path(folder: Path, name: str, seed: int, plan: Plan) -> Path:
    """Where a run is stored; the name depends on the settings."""
    settings = hashlib.sha256(json.dumps(plan.identity(), sort_keys=True).encode()).hexdigest()[:8]
    return folder / "runs" / f"{name}-{seed}-{settings}.json"


def missing(out: str | os.PathLike[str], datasets: Sequence[str], seeds: int, plan: Plan) -> list[str]:
    """The data sets that still have runs to do."""
    folder = as_path(out)
    return [
        name
        for name in dict.fromkeys(datasets)
        if any(_stored(_path(folder, name, seed, plan), plan) is None for seed in range(seeds))
    ]


def _stored(path: Path, plan: Plan) -> dict[str, Any] | None:
    """A stored run with the same settings and versions, if there is one."""
    try:
        stored: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(stored, dict) or {key: stored.get(key) for key in _identity(plan)} != _identity(plan):
        return None
    return stored if _is_whole(stored) else None


def _is_whole(stored: dict[str, Any]) -> bool:
    """Whether a stored run has everything that the tables need; an incomplete one is repeated."""
    try:
        summarise([stored["run"]])
        return stored["run"]["dataset"] in DATASETS and isfinite(stored["seconds"])
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return False


def _write(path: Path, data: bytes) -> None:
    with replacing(path) as file:
        file.write(data)
