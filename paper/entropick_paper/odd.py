"""Entries of the paper's tables that do not look like errors on held-out rows, or are impossible."""

from __future__ import annotations

from typing import Any

from entropick_paper.published import NAMES, SHAPES, published


def odd_entries(results: dict[str, Any]) -> list[str]:
    """A sentence for each such entry, with our numbers."""
    found: dict[str, Any] = results["summary"]
    lines = []
    for name, summary in found.items():
        theirs, ours = published(name, "paper"), summary["methods"]["paper"]
        held_out, training = ours["knn"], ours["knn_on_training_rows"]
        if theirs.knn is not None and held_out.mean is not None and theirs.knn < held_out.mean / 2:
            lines.append(
                f"{NAMES[name]}, 3-NN: {theirs.knn:g} in the paper; ours is {held_out.mean:.4f} on held-out rows and "
                f"{training.mean:.4f} on training rows. An error this small suggests a test on training rows."
            )
        if theirs.delta is not None and theirs.delta > 1 and theirs.nb is not None:
            lines.append(
                f"{NAMES[name]}, ΔI_r: {theirs.delta:g} means that the columns carry a {theirs.delta + 1:.0f}th of "
                f"H(y), which does not fit an error of {theirs.nb:g}; ours is {_mean(ours['delta_information'])}."
            )
        swarm, columns = published(name, "pso").k, SHAPES[name][1]
        if swarm is not None and swarm > columns:
            lines.append(f"{NAMES[name]}, PSO: {swarm} columns kept of {columns}.")
    if "breast_cancer" in found:
        lines.append(
            "Cancer Breast: table 1 has 32 features; the source has 30, besides the patient's id and the diagnosis."
        )
    return lines


def _mean(estimate: Any) -> str:
    return "none" if estimate is None or estimate.mean is None else f"{estimate.mean:.4f}"
