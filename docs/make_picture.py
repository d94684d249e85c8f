"""Writes docs/probabilities.svg: the probabilities of the columns, step by step, on the breast cancer data."""

from __future__ import annotations

from html import escape
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer

from entropick import CrossEntropySelector

CELL, LEFT, TOP, SHOWN = 30, 190, 46, 12


def main() -> None:
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    selector = CrossEntropySelector(random_state=0).fit(X, y)
    p = np.vstack([np.full(X.shape[1], 10 / X.shape[1]), selector.trace_["probabilities"]])
    order = np.argsort(-p.sum(axis=0), kind="stable")[:SHOWN]
    width, height = max(LEFT + CELL * len(p) + 20, 620), TOP + CELL * SHOWN + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="13" role="img">',
        "<title>Probability of each column, step by step</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="10" y="22" font-size="15" font-weight="bold">Probability that a column is kept, step by step '
        f"({SHOWN} of {X.shape[1]} columns)</text>",
    ]
    for row, j in enumerate(order):
        middle = TOP + CELL * row + 20
        weight = "bold" if selector.support_[j] else "normal"
        parts.append(
            f'<text x="{LEFT - 8}" y="{middle}" text-anchor="end" font-weight="{weight}">{escape(X.columns[j])}</text>'
        )
        for step, value in enumerate(p[:, j]):
            colour = ",".join(str(round(255 - value * (255 - full))) for full in (11, 83, 148))
            ink = "white" if value > 0.6 else "#444"
            x = LEFT + CELL * step
            parts.append(
                f'<rect x="{x}" y="{middle - 20}" width="{CELL - 1}" height="{CELL - 1}" '
                f'fill="rgb({colour})"/>'
                f'<text x="{x + CELL / 2 - 0.5}" y="{middle - 1}" text-anchor="middle" font-size="10" fill="{ink}">'
                f"{100 * value:.0f}</text>"
            )
    for step in range(len(p)):
        centre = LEFT + CELL * (step + 0.5)
        parts.append(f'<text x="{centre}" y="{TOP + CELL * SHOWN + 14}" text-anchor="middle">{step}</text>')
    parts.append(
        f'<text x="{LEFT}" y="{height - 8}" fill="#444">step; numbers in %, the selected columns in bold</text>'
    )
    parts.append("</svg>")
    target = Path(__file__).with_name("probabilities.svg")
    target.write_text("\n".join(parts) + "\n", encoding="utf-8")
    print(f"{target}: {selector.n_steps_} steps, {selector.get_feature_names_out().tolist()}")


if __name__ == "__main__":
    main()
