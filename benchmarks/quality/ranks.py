"""Mean ranks of the methods, and Demšar's picture of them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import friedmanchisquare, rankdata, studentized_range

from quality.means import DEAR, KINDS, Tables, label, loss, there
from quality.rivals import METHODS


def ranks(kind: str, tables: Tables, folder: Path) -> Iterator[str]:
    names = [name for name in there(tables, METHODS) if name not in DEAR]
    losses = np.array([[round(loss(table, name), 5) for name in names] for table in tables.values()])
    if len(names) < 3 or len(tables) < 2:
        yield f"{KINDS[kind]}: too few methods or tables for ranks.\n"
        return
    means = rankdata(losses, axis=1).mean(axis=0)
    n, k = losses.shape
    critical = float(studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n)))
    p = friedmanchisquare(*losses.T).pvalue
    order = np.argsort(means, kind="stable")
    listed = ", ".join(f"{label(names[j])} {means[j]:.2f}" for j in order)
    yield f"{KINDS[kind]}, {n} tables: {listed}. Friedman's test p = {p:.1g}; critical difference {critical:.2f}.\n"
    if find_spec("matplotlib"):
        draw([label(names[j]).replace("`", "") for j in order], means[order], critical, folder / f"quality_{kind}.svg")
        yield f"![Mean ranks of the methods, {kind}](quality_{kind}.svg)\n"


def draw(names: list[str], means: NDArray[np.float64], critical: float, path: Path) -> None:
    """Demšar's picture: ranks on a line, and a bar over methods closer than the critical difference."""
    from matplotlib import pyplot, rc_context

    bars = [(i, int(np.searchsorted(means, means[i] + critical, "right")) - 1) for i in range(len(means))]
    bars = [(i, j) for i, j in bars if j > i and not any(a < i and j <= b for a, b in bars)]
    half = (len(names) + 1) // 2
    low, high = np.floor(means[0]), np.ceil(means[-1])
    with rc_context({"svg.hashsalt": "entropick", "svg.fonttype": "none"}):
        figure, axes = pyplot.subplots(figsize=(9, 1.2 + 0.28 * half + 0.12 * len(bars)))
        top = 0.45 * len(bars)
        for row, (i, j) in enumerate(bars):
            y = -0.45 * (row + 1)
            axes.plot([means[i] - 0.05, means[j] + 0.05], [y, y], color="black", linewidth=3, solid_capstyle="round")
        for i, name in enumerate(names):
            left = i < half
            y = -top - 1 - (i if left else len(names) - 1 - i)
            edge = low - 0.3 if left else high + 0.3
            axes.plot(
                [means[i], means[i], edge], [0, y, y], color="tab:red" if name == "entropick" else "grey", linewidth=1
            )
            words = f"{name}  {means[i]:.2f}"
            axes.text(edge + (-0.1 if left else 0.1), y, words, ha="right" if left else "left", va="center", fontsize=9)
        axes.plot([low, high], [0, 0], color="black", linewidth=1)
        for tick in np.arange(low, high + 1):
            axes.plot([tick, tick], [0, 0.25], color="black", linewidth=1)
            axes.text(tick, 0.4, f"{tick:.0f}", ha="center", fontsize=9)
        axes.plot([low, low + critical], [1.4, 1.4], color="black", linewidth=2)
        axes.text(low + critical / 2, 1.6, f"critical difference {critical:.2f}", ha="center", fontsize=8)
        margin = 0.45 * (high - low)
        axes.set(xlim=(low - margin, high + margin), ylim=(-top - half - 1.5, 2.4))
        axes.axis("off")
        figure.tight_layout()
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)
