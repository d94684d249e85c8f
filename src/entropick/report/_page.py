"""The dict of a result as one HTML page that needs no network, no server and no other file."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any

from entropick._files import replacing
from entropick._words import grouped, percent, shortened
from entropick.report import figures
from entropick.report._html import MOST_ROWS, and_more, as_text, html_figure, html_page, html_table
from entropick.report._words import effort, in_order, summary

_MOST_LETTERS = 1000  # of the value of a setting


@dataclass(frozen=True, eq=False)
class Report:
    """A result as a page: shown in a notebook, or saved as one file.

    Parameters
    ----------
    result : dict
        As of `describe` or `read_result`; the page is made from it alone.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from entropick import CrossEntropySelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> report = CrossEntropySelector(random_state=0).fit(X, y).report()
    >>> report
    Report: 2 of 30 columns of 'table' for 'target'
    >>> sorted(report.figures)[:3]
    ['convergence', 'features', 'probabilities']
    """

    result: dict[str, Any] = field(repr=False)

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The plotly figures by name."""
        return figures.every_figure(self.result)

    @cached_property
    def html(self) -> str:
        """The whole page."""
        return _page(self.result, self.figures)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page; a file that is there is replaced only by the whole new one."""
        with replacing(path) as file:
            file.write(self.html.encode("utf-8", "replace"))

    def __repr__(self) -> str:
        result = self.result
        k, m, name = result["n_features"], result["n_columns"], shortened(result["target"]["name"])
        return f"Report: {k} of {m} columns of {shortened(result['table'])!r} for {name!r}"

    def _repr_html_(self) -> str:
        # In a frame of its own: neither the notebook's style nor its scripts reach the page, nor the page's them.
        return (
            f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts" title="{escape(repr(self))}" '
            'style="width:100%;height:900px;border:0"></iframe>'
        )


def _page(result: dict[str, Any], made: dict[str, Any]) -> str:
    parts = (
        _facts(result),
        _warnings(result),
        _chosen(result),
        _plots(result, made),
        _distributions(result),
        _settings(result),
    )
    target = result["target"]["name"]
    header = f"""<h1>Which columns tell about {as_text(target)}?</h1>
<p class="lead">{escape(summary(result))}</p>
<p class="faint">{as_text(result["table"])}: {grouped(result["n_rows"])} rows. {escape(effort(result))}</p>"""
    title = f"{shortened(target)} in {shortened(result['table'])}: {result['n_features']} columns"
    shown = {name: figure for name, figure in made.items() if name != "features"}
    version = str(result["versions"].get("entropick", ""))
    return html_page(title, header, "\n".join(part for part in parts if part), shown, version)


def _facts(result: dict[str, Any]) -> str:
    delta = result["delta_information"]
    facts = {
        "columns kept": f"{result['n_features']} of {result['n_columns']}",
        "I(U;y), as counted": f"{result['information_bits']:.3f} bits",
        "less chance": f"{result['corrected_information_bits']:.3f} bits",
        "H(y), all there is": f"{result['class_entropy_bits']:.3f} bits",
        "information missing, ΔI_r": "—" if delta is None else f"{delta:.3f}",
        f"worth, {result['criterion']}": f"{result['criterion_value']:.3f}",
    }
    items = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts.items())
    return f'<dl class="facts">{items}</dl>'


def _warnings(result: dict[str, Any]) -> str:
    if not result["warnings"]:
        return ""
    items = "".join(f"<li>{escape(text[:1].upper() + text[1:])}</li>" for text in result["warnings"])
    return f'<section class="warnings"><h2>Please note</h2><ul>{items}</ul></section>'


def _chosen(result: dict[str, Any]) -> str:
    chosen = result["features"]
    if not chosen:
        return '<section id="chosen"><h2>The chosen columns</h2><p>None.</p></section>'
    most = max(1e-12, *(feature[key] for feature in chosen for key in ("adds", "alone", "lost_without")))
    rows = []
    for i, feature in enumerate(chosen[:MOST_ROWS], start=1):
        other = feature["redundant_with"]
        nearest = "—" if other is None else f"{as_text(other['name'])} ({percent(other['share'], 1)})"
        bars = "".join(_bar(feature[key], most) for key in ("adds", "alone", "lost_without"))
        rows.append(
            f'<tr><td class="number">{i}</td><th scope="row" class="name">{as_text(feature["name"])}</th>{bars}'
            f'<td class="name">{nearest}</td></tr>'
        )
    heads = ("adds", "alone", "lost without it")
    return f"""<section id="chosen"><h2>The chosen columns</h2>
<p class="faint">{escape(in_order(result))} The percentage is what it has in common with the column, chosen or not,
that is most like it.</p>
<div class="scroll" tabindex="0" role="region" aria-label="The chosen columns"><table>
<thead><tr><th class="number" scope="col">#</th><th scope="col">column</th>
{"".join(f'<th scope="col">{head}</th>' for head in heads)}<th scope="col">most redundant with</th></tr></thead>
<tbody>{"".join(rows)}</tbody></table></div>{and_more(len(chosen) - MOST_ROWS, "columns")}</section>"""


def _bar(value: float, most: float) -> str:
    width = max(0.0, min(1.0, value / most))
    return (
        f'<td class="number">{value:.4f}<span class="bar" aria-hidden="true"><span style="width:{width:.1%}"></span>'
        "</span></td>"
    )


def _plots(result: dict[str, Any], made: dict[str, Any]) -> str:
    trace = result["trace"]
    steps = list(range(1, result["steps"] + 1))
    likely, common = trace["probabilities"], result["redundancy"]
    curve_keys = ("size", "column", "information_bits", "corrected_bits", "score")
    trace_keys = [key for key in ("threshold", "best", "size", "samples", "elite", "seconds") if key in trace]
    sections = {
        "size_curve": (
            "Information against the number of columns",
            "The chosen columns first, then those that would add most. What is counted can only rise; what is left "
            "when chance is taken off falls again when columns no longer earn their keep.",
            curve_keys,
            ([point[key] for key in curve_keys] for point in result["size_curve"]),
        ),
        "convergence": (
            "How the search went",
            "The best score so far, the threshold that a subset must reach to count, and the number of columns of the "
            "best subset.",
            ("step", *trace_keys),
            zip(steps, *(trace[key] for key in trace_keys), strict=True),
        ),
        "probabilities": (
            "Probability of each column, step by step",
            "Columns that the search came to trust are strong in colour to the right; the likeliest are shown.",
            ("column", *map(str, steps)),
            ([name, *values] for name, values in zip(likely["names"], likely["values"], strict=True)),
        ),
        "redundancy": (
            "What the chosen columns have in common",
            "0 if two columns tell nothing about each other, 1 if each can be worked out from the other.",
            ("column", *common["names"]),
            ([name, *shares] for name, shares in zip(common["names"], common["shares"], strict=True)),
        ),
    }
    return "\n".join(
        f"<section><h2>{title}</h2>{html_figure(name, title, text, head, rows)}</section>"
        for name, (title, text, head, rows) in sections.items()
        if name in made
    )


def _distributions(result: dict[str, Any]) -> str:
    if not result["target_by_column"]:
        return ""
    labels = result["target"]["labels"]
    target = as_text(result["target"]["name"])
    parts = []
    for place, column in enumerate(result["target_by_column"]):
        rows = ([value, *counts] for value, counts in zip(column["values"], column["counts"], strict=True))
        title = f"{result['target']['name']} by {column['name']}"
        figure = html_figure(f"target_by_column_{place}", title, "", ("value", *labels), rows)
        parts.append(f"<div><h3>{as_text(shortened(column['name']))}</h3>{figure}</div>")
    return (
        f"<section><h2>{target} within the leading columns</h2>"
        f'<p class="faint">Shares of the classes of {target} for each value, the number of rows in brackets.</p>'
        f'<div class="grid">{"".join(parts)}</div></section>'
    )


def _settings(result: dict[str, Any]) -> str:
    settings = {"method": result["method"], **result["settings"], "seed": result["seed"]}
    rows = [(name, shortened(json.dumps(value, ensure_ascii=False), _MOST_LETTERS)) for name, value in settings.items()]
    made_with = [(name, value) for name, value in result["versions"].items()]
    return (
        "<section><h2>To repeat this run</h2><div class='grid'>"
        f"<div>{html_table(('setting', 'value'), rows, 'Settings')}</div>"
        f"<div>{html_table(('software', 'version'), made_with, 'Versions')}</div></div></section>"
    )
