"""Write docs/probabilities.svg: the probabilities of the columns, step by step, on the breast cancer data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib import pyplot, rc_context
from sklearn.datasets import load_breast_cancer

from entropick import CrossEntropySelector

SHOWN = 12


def main() -> None:
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    selector = CrossEntropySelector("reliable", null=False, effort=None, random_state=0).fit(X, y)
    p = np.vstack([np.full(X.shape[1], 10 / X.shape[1]), selector.trace_["probabilities"]])
    order = np.argsort(-p.sum(axis=0), kind="stable")[:SHOWN]
    with rc_context({"svg.hashsalt": "entropick", "svg.fonttype": "none"}):
        figure, axes = pyplot.subplots(figsize=(7.4, 4.6), layout="constrained")
        axes.pcolormesh(p[:, order].T, cmap="Blues", vmin=0, vmax=1, edgecolors="white", linewidth=1)
        for row, j in enumerate(order):
            for step, value in enumerate(p[:, j]):
                ink = "white" if value > 0.6 else "#444"
                axes.text(step + 0.5, row + 0.5, f"{100 * value:.0f}", ha="center", va="center", fontsize=7, color=ink)
        axes.set_yticks(np.arange(SHOWN) + 0.5, X.columns[order])
        for label, j in zip(axes.get_yticklabels(), order, strict=True):
            label.set_fontweight("bold" if selector.support_[j] else "normal")
        axes.set_xticks(np.arange(len(p)) + 0.5, [str(step) for step in range(len(p))])
        axes.set(xlabel="step; numbers in %, the selected columns in bold")
        axes.set_title(
            f"Probability of keeping each column, step by step ({SHOWN} of {X.shape[1]} columns)", loc="left"
        )
        axes.invert_yaxis()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        target = Path(__file__).with_name("probabilities.svg")
        figure.savefig(target, metadata={"Date": None})
    print(f"{target}: {selector.n_steps_} steps, {selector.get_feature_names_out().tolist()}")


if __name__ == "__main__":
    main()
