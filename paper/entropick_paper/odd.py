"""Entries of the paper's tables that do not look like errors on rows left out, or cannot be at all."""

from __future__ import annotations

from typing import Any

from entropick_paper.published import NAMES, SHAPES, published


def odd_entries(results: dict[str, Any]) -> list[str]:
    """A sentence for each, with our numbers."""
    found: dict[str, Any] = results["summary"]
    lines = []
    for name, summary in found.items():
        theirs, ours = published(name, "paper"), summary["methods"]["paper"]
        left_out, training = ours["knn"], ours["knn_on_training_rows"]
        if theirs.knn is not None and left_out.mean is not None and theirs.knn < left_out.mean / 2:
            lines.append(
                f"{NAMES[name]}, 3-NN: {theirs.knn:g} in the paper; ours is {left_out.mean:.4f} on rows left out and "
                f"{training.mean:.4f} on training rows. So small an error points to rows that the model has seen."
            )
        if theirs.delta is not None and theirs.delta > 1 and theirs.nb is not None:
            lines.append(
                f"{NAMES[name]}, ΔI_r: {theirs.delta:g} says that the columns tell a {theirs.delta + 1:.0f}th of H(y), "
                f"which does not go with an error of {theirs.nb:g}; ours is {_mean(ours['delta_information'])}."
            )
        swarm, columns = published(name, "pso").k, SHAPES[name][1]
        if swarm is not None and swarm > columns:
            lines.append(f"{NAMES[name]}, PSO: {swarm} columns kept of {columns}.")
    if "breast_cancer" in found:
        lines.append(
            "Cancer Breast: 32 features in table 1, where the source has 30 besides the patient and the diagnosis."
        )
    return lines


def _mean(estimate: Any) -> str:
    return "none" if estimate is None or estimate.mean is None else f"{estimate.mean:.4f}"
