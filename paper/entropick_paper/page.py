"""The tables and figures as one HTML page."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from entropick.report._html import html_figure, html_page, html_table
from entropick_paper.figures import every_figure
from entropick_paper.markdown import sections
from entropick_paper.odd import odd_entries
from entropick_paper.published import NAMES


def page(results: dict[str, Any]) -> str:
    """The whole page."""
    made = every_figure(results)
    parts = []
    for title, heads, rows in sections(results):
        parts.append(f"<section><h2>{escape(title)}</h2>{_marked(html_table(heads, rows, title))}</section>")
    odd = "".join(f"<li>{escape(line)}</li>" for line in odd_entries(results))
    parts.append(f"<section><h2>Entries of the paper that we cannot account for</h2><ul>{odd}</ul></section>")
    for name in made:
        parts.append(f"<section><h2>{escape(_title(name))}</h2>{_figure(name, results)}</section>")
    header = (
        "<h1>The paper, reproduced</h1><p class='lead'>Means over "
        f"{len(results['seeds'])} seeds with their standard errors; the paper's numbers in brackets.</p>"
    )
    return html_page("The paper, reproduced", header, "\n".join(parts), made, results["versions"]["entropick"])


def _marked(html: str) -> str:
    """The marks of Markdown as those of HTML; all of the text is ours."""
    return re.sub(r"`(.+?)`", r"<code>\1</code>", re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", html))


def _title(name: str) -> str:
    if name == "convergence":
        return "Figure 7: the objective, step by step"
    return f"{NAMES[name]}: error and ΔI_r against the number of retained columns"


def _figure(name: str, results: dict[str, Any]) -> str:
    found = results["summary"]
    if name == "convergence":
        lines = {NAMES[key]: summary["convergence"]["paper"]["objective"] for key, summary in found.items()}
        return html_figure(name, _title(name), "", ["data set", "threshold / H(y), step by step"], _joined(lines))
    curves = found[name]["curves"]
    rows = [
        [method, point["size"], point["nb_diagonal"], point["delta_information"]]
        for method, points in curves.items()
        for point in points
    ]
    return html_figure(name, _title(name), "", ["method", "columns", "MCE, naive Bayes", "ΔI_r"], rows)


def _joined(lines: dict[str, list[float]]) -> list[list[str]]:
    return [[name, ", ".join(f"{value:.3f}" for value in line)] for name, line in lines.items()]
