"""The searches compared, on the tables of the quality benchmark: how near the best known score does each come?

Greedy searches run once; the others with ten seeds, or `--seeds` of them. `genetic`, `particle_swarm` and `random` get
as many evaluations as the cross-entropy search at high effort, if they want them. Writes the criterion's section of
searches.md next to this file, unless only some tables are named. Needs what `make quality` installs:

    .venv-quality/bin/python benchmarks/searches.py [--criterion reliable] [--tables sonar,vehicle]
    .venv-quality/bin/python benchmarks/searches.py --criterion auto --seeds 3 --quick
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed, parallel_config
from quality.means import grid
from quality.tables import REAL

import entropick
from entropick import CrossEntropy, SubsetSelector
from entropick.search import Backward, Floating, Forward, Genetic, ParticleSwarm, Random, Search, Space, Steps, Stop
from entropick.search._climb import climb
from entropick.search._starts import best_of

SAME = 0.001  # of H(y), or of the best known score of a number
NEAR = 0.01
LONGEST = 60.0  # seconds of a greedy search
RESULTS = Path(__file__).parent / "quality" / "results" / "searches"


@dataclass
class Greedy(Search):
    """Forward and backward, each followed by single changes as long as one helps."""

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        for search in (Forward(), Backward()):
            mask, score = yield from best_of(space, search.steps(space, rng))
            yield from climb(space, mask, score)
        return Stop({"done": True})


STOCHASTIC: dict[str, Search] = {
    "cross_entropy, effort high": CrossEntropy(effort="high"),
    "cross_entropy, effort normal": CrossEntropy(),
    "cross_entropy, effort low": CrossEntropy(effort="low"),
    "genetic": Genetic(patience=100),
    "particle_swarm": ParticleSwarm(patience=100),
    "random": Random(n_samples=100_000),
}
GREEDY: dict[str, Search] = {
    "forward and backward, then single changes": Greedy(),
    "forward": Forward(),
    "floating": Floating(),
    "backward": Backward(),
}


SEARCHES = {**STOCHASTIC, **GREEDY}
DEAR = ("cross_entropy, effort high", "genetic", "particle_swarm", "random")  # left out by --quick
PAGE = Path(__file__).with_suffix(".md")


class Found(NamedTuple):
    """The answer of one run; `says` that another seed may choose other columns."""

    score: float
    columns: int
    evaluations: int
    seconds: float
    says: bool


def search(X: Any, y: Any, criterion: str, setting: Search, seed: int, evaluations: int | None) -> Found:
    selector = SubsetSelector(
        setting,
        criterion,
        null=False,
        halves=False,
        random_state=seed,
        n_jobs=1,
        max_evaluations=evaluations,
        max_seconds=None if setting in STOCHASTIC.values() else LONGEST,
    )
    began = time.process_time()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        selector.fit(X, y)
    seconds = time.process_time() - began
    scale = selector.class_entropy_ or 1.0
    says = any("another seed" in str(warning.message) for warning in told)
    return Found(
        selector.best_score_ / scale, int(selector.get_support().sum()), selector.n_evaluations_, seconds, says
    )


def run_table(name: str, criterion: str, n_seeds: int, labels: Iterable[str]) -> dict[str, list[Found]]:
    """Searches on one table; what is in the file of the table is not run again."""
    path = RESULTS / f"{criterion}-{n_seeds}" / f"{name}.json"
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if set(labels) <= set(kept):
        return {label: [Found(*run) for run in kept[label]] for label in labels}
    X, y, _ = next(table for table in REAL if table.name == name).load()
    runs: dict[str, list[Found]] = {}
    evaluations = None
    for label in labels:
        setting = SEARCHES[label]
        is_ours = isinstance(setting, CrossEntropy)
        seeds = range(n_seeds if label in STOCHASTIC else 1)
        most = None if is_ours or label in GREEDY else evaluations
        runs[label] = [search(X, y, criterion, setting, seed, most) for seed in seeds]
        evaluations = evaluations or int(np.mean([run.evaluations for run in runs[label]]))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(kept | runs), encoding="utf-8")
    return runs


def section(criterion: str, tables: dict[str, dict[str, list[Found]]], n_seeds: int) -> Iterator[str]:
    """One line a search."""
    best = {name: max(run.score for found in runs.values() for run in found) for name, runs in tables.items()}
    lines = []
    for label in next(iter(tables.values())):
        missing = np.array([[best[name] - run.score for run in runs[label]] for name, runs in tables.items()])
        every = [run for runs in tables.values() for run in runs[label]]
        spread = np.ptp(missing, axis=1) > NEAR
        silent = [
            name
            for name, differs in zip(tables, spread, strict=True)
            if differs and not any(run.says for run in tables[name][label])
        ]
        lines.append(
            [
                f"`{label}`" if "then" not in label else label,
                f"{missing.mean():.4f}",
                f"{missing.mean(axis=1).max():.4f}",
                f"{(missing.mean(axis=1) <= SAME).sum()}",
                f"{spread.sum()}" if label in STOCHASTIC else "–",
                (", ".join(silent) or "none") if label.startswith("cross") else "–",
                f"{np.mean([run.columns for run in every]):.1f}",
                f"{np.mean([run.evaluations for run in every]):.0f}",
                f"{np.mean([run.seconds for run in every]):.1f}",
            ]
        )
    yield f"## `{criterion}`: {len(tables)} tables, {n_seeds} seeds\n"
    yield from grid(
        (
            "search",
            "below the best known",
            "worst table",
            f"tables within {SAME}",
            f"tables on which seeds differ by more than {NEAR}",
            "and nothing is said",
            "columns",
            "evaluations",
            "seconds",
        ),
        lines,
    )


def compared(names: Iterable[str], criterion: str, n_seeds: int, jobs: int, labels: list[str]) -> Iterator[str]:
    tables = {}
    names = list(names)
    with parallel_config("loky", inner_max_num_threads=1):
        tasks = (delayed(run_table)(name, criterion, n_seeds, labels) for name in names)
        for name, runs in zip(names, Parallel(n_jobs=jobs, return_as="generator")(tasks), strict=True):
            tables[name] = runs
            print(name, *(f"{label} {np.mean([run.score for run in found]):.4f}" for label, found in runs.items()))
    return section(criterion, tables, n_seeds)


def write(criterion: str, lines: list[str], without: list[str]) -> None:
    """The page, with this section in the place of that of the same criterion, and all others as they are."""
    there = PAGE.read_text(encoding="utf-8").split("\n## ")[1:] if PAGE.exists() else []
    about = f"With entropick {entropick.__version__}, NumPy {np.__version__}; tables left out: "
    own = "\n".join([lines[0], about + (", ".join(without) or "none") + ".\n", *lines[1:]]).removeprefix("## ")
    sections = {text.split("`")[1]: text.strip() for text in there} | {criterion: own.strip()}
    text = [
        "# Searches compared\n",
        "The tables of the quality benchmark (`make quality`), at most 3000 rows each. How far a search stays below",
        "the best score that any run of any search reached on the table, as a share of H(y), or in bits where the",
        "target is a number: mean over tables and seeds, and the worst table. `genetic`, `particle_swarm` and",
        "`random` get as many evaluations as `cross_entropy` at high effort, if they want them. Greedy searches have",
        f"at most {LONGEST:.0f} s. Seconds are processor time. Written by `benchmarks/searches.py`.\n",
        *(f"## {text}\n" for text in sections.values()),
    ]
    PAGE.write_text("\n".join(text).rstrip() + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--criterion", default="reliable")
    parser.add_argument("--tables", default="", help="names, with commas; all of them otherwise")
    parser.add_argument("--without", default="", help="names of tables to leave out, with commas; the page names them")
    parser.add_argument("--quick", action="store_true", help="without the searches that take long")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    without = list(filter(None, given.without.split(",")))
    names = list(filter(None, given.tables.split(","))) or [table.name for table in REAL if table.name not in without]
    labels = [label for label in SEARCHES if not (given.quick and label in DEAR)]
    lines = [*compared(names, given.criterion, given.seeds, given.jobs, labels)]
    print("", *lines, sep="\n")
    if not given.tables:
        write(given.criterion, lines, without)


if __name__ == "__main__":
    main()
