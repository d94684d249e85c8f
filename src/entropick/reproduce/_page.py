"""The tables and figures as one HTML page."""

from __future__ import annotations

from typing import Any

from entropick.report import render
from entropick.reproduce._figures import every_figure
from entropick.reproduce._markdown import sections
from entropick.reproduce._odd import odd_entries
from entropick.reproduce._published import NAMES


def page(results: dict[str, Any]) -> str:
    """The whole page."""
    made = every_figure(results)
    return render(
        "paper.html.j2",
        "entropick.reproduce",
        figures=made,
        version=results["versions"]["entropick"],
        n_seeds=len(results["seeds"]),
        tables=[
            (title, [_parts(cell) for cell in heads], [[_parts(cell) for cell in row] for row in rows])
            for title, heads, rows in sections(results)
        ],
        odd=odd_entries(results),
        plots=[(name, _title(name), *_numbers(name, results["summary"])) for name in made],
    )


def _parts(cell: str) -> list[tuple[str, str]]:
    """The parts of a cell, each with the tag that it has on the page, if any.

    Examples
    --------
    >>> _parts("`paper`: **0.1** (0.2)")
    [('code', 'paper'), ('', ': '), ('strong', '0.1'), ('', ' (0.2)')]
    """
    parts = []
    for i, text in enumerate(cell.split("`")):
        marks = ("code",) if i % 2 else ("", "strong")
        pieces = [text] if i % 2 else text.split("**")
        parts += [(marks[j % 2], piece) for j, piece in enumerate(pieces) if piece]
    return parts


def _title(name: str) -> str:
    if name == "convergence":
        return "Figure 7: the objective, step by step"
    return f"{NAMES[name]}: error and ΔI_r against the number of retained columns"


def _numbers(name: str, found: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """The head and the rows of the table below a plot."""
    if name == "convergence":
        lines = {NAMES[key]: summary["convergence"]["paper"]["objective"] for key, summary in found.items()}
        rows = [[title, ", ".join(f"{value:.3f}" for value in line)] for title, line in lines.items()]
        return ["data set", "threshold / H(y), step by step"], rows
    return ["method", "columns", "MCE, naive Bayes", "ΔI_r"], [
        [method, point["size"], point["nb_diagonal"], point["delta_information"]]
        for method, points in found[name]["curves"].items()
        for point in points
    ]
