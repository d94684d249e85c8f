"""The searches compared: the best score that each reaches with the same number of evaluations.

The criterion is `reliable`. Every stochastic search gets as many evaluations as a cross-entropy search needs on
average, polish included. Writes searches.md and searches.svg next to this file; reads the UCI tables from
ENTROPICK_DATA:

    ENTROPICK_DATA=... python benchmarks/searches.py [number of seeds]
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer

import entropick
from entropick import CrossEntropy, SubsetScorer
from entropick.search import (
    Backward,
    Budget,
    Floating,
    Forward,
    Genetic,
    ParticleSwarm,
    Random,
    Run,
    Search,
    Space,
    drive,
)

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from uci import advertisements_binary, connect_4

FOREVER = 10**6
STOCHASTIC: dict[str, Search] = {
    "cross_entropy": CrossEntropy(),
    "genetic": Genetic(patience=FOREVER, max_steps=5000),
    "particle_swarm": ParticleSwarm(patience=FOREVER, max_steps=5000),
    "random": Random(n_samples=10 * FOREVER),
}
GREEDY: dict[str, Search] = {"forward": Forward(), "floating": Floating(), "backward": Backward()}
COLOURS = {"cross_entropy": "#0b5394", "genetic": "#e69138", "particle_swarm": "#6aa84f", "random": "#888888"}


class Recorder:
    """Scores subsets and remembers the best score after every call."""

    def __init__(self, scorer: SubsetScorer) -> None:
        self.scorer = scorer
        self.evaluations = [0]
        self.best = [float("nan")]

    def __call__(self, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        scores = self.scorer(masks)
        self.evaluations.append(self.evaluations[-1] + len(masks))
        self.best.append(float(np.fmax(self.best[-1], scores.max())))
        return scores

    def at(self, evaluations: NDArray[np.float64]) -> NDArray[np.float64]:
        places = np.searchsorted(self.evaluations, evaluations, side="right") - 1
        return np.array(self.best)[places]


def compare(name: str, X: Any, y: Any, n_seeds: int) -> tuple[list[str], dict[str, NDArray[np.float64]], int]:
    """Lines of the table, and the mean curve of every stochastic search over 100 points up to the budget."""
    lines: list[str] = []
    curves: dict[str, NDArray[np.float64]] = {}
    budget: int | None = None
    scorer = SubsetScorer(X, y, "reliable")
    for search, setting in {**STOCHASTIC, **GREEDY}.items():
        runs, seconds, recorders, counts = [], [], [], []
        for seed in range(n_seeds if search in STOCHASTIC else 1):
            run = Run(setting, Space(scorer.table.n_columns, scale=scorer.scale), seed)
            recorder = Recorder(scorer)
            began = time.perf_counter()
            counts.append(drive(run, recorder, Budget(budget) if search in STOCHASTIC else Budget(max_seconds=60)))
            seconds.append(time.perf_counter() - began)
            runs.append(run)
            recorders.append(recorder)
        budget = budget or int(np.mean(counts))
        shares = np.array([run.score / scorer.scale for run in runs])
        error = f" ± {shares.std(ddof=1) / np.sqrt(len(shares)):.4f}" if len(shares) > 1 else ""
        columns = np.mean([run.mask.sum() for run in runs])
        lines.append(
            f"| {name} | `{search}` | {shares.mean():.4f}{error} | {shares.max():.4f} | {columns:.1f} "
            f"| {np.mean(counts):.0f} | {np.mean(seconds):.2f} |"
        )
        print(lines[-1], flush=True)
        if search in STOCHASTIC:
            grid = np.linspace(0, budget, 101)[1:]
            curves[search] = np.mean([recorder.at(grid) / scorer.scale for recorder in recorders], axis=0)
    return lines, curves, budget or 0


def draw(results: dict[str, tuple[dict[str, NDArray[np.float64]], int]], path: Path) -> None:
    """One panel for each table: mean best score, as a share of H(y), against evaluations."""
    from matplotlib import pyplot, rc_context

    with rc_context({"svg.hashsalt": "entropick", "svg.fonttype": "none"}):
        figure, panels = pyplot.subplots(
            1, len(results), figsize=(4 * len(results), 3.4), layout="constrained", squeeze=False
        )
        for axes, (name, (curves, budget)) in zip(panels[0], results.items(), strict=True):
            for search, curve in curves.items():
                axes.plot(np.linspace(0, budget, 101)[1:], curve, color=COLOURS[search], label=search)
            axes.set(title=name, xlabel="evaluations", ylabel="best score / H(y)")
        panels[0][-1].legend(frameon=False)
        figure.savefig(path, metadata={"Date": None})


def main() -> None:
    n_seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    tables: dict[str, Any] = {"breast cancer": lambda: load_breast_cancer(return_X_y=True)}
    if os.environ.get("ENTROPICK_DATA"):
        tables |= {"Connect-4": connect_4, "Advertisements": advertisements_binary}
    else:
        print("ENTROPICK_DATA is not set: breast cancer only")
    head = [
        "| table | search | score / H(y) | best | columns | evaluations | seconds |",
        "|---|---|---|---|---|---|---|",
    ]
    print("\n".join(head))
    lines, results = [], {}
    for name, load in tables.items():
        X, y = load()
        more, curves, budget = compare(name, X, y, n_seeds)
        lines += more
        results[name] = (curves, budget)
    folder = Path(__file__).parent
    draw(results, folder / "searches.svg")
    text = [
        "# Searches compared",
        "",
        f"Criterion `reliable`; mean of {n_seeds} seeds ± standard error. Each stochastic search gets as many",
        "evaluations as a cross-entropy search needs on average, polish included. Greedy searches run to the end,",
        "or for 60 s.",
        f"Written by `benchmarks/searches.py` with entropick {entropick.__version__}, NumPy {np.__version__}.",
        "",
        *head,
        *lines,
        "",
        "![Best score against evaluations](searches.svg)",
        "",
        "`genetic` and `particle_swarm` climb faster at first. The cross-entropy search moves all probabilities at",
        "once; the end of its curve is the polish.",
    ]
    (folder / "searches.md").write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
