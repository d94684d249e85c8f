"""What all pages share: one HTML file that needs no network, no server and no other file."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import islice
from typing import Any

from entropick._words import grouped

MOST_ROWS = 500  # of a table: a page must stay one that a browser can show
MOST_CELLS = 120  # of a row


def html_page(title: str, header: str, body: str, figures: Mapping[str, Any], version: str) -> str:
    """The whole page.

    Parameters
    ----------
    title : str
        Plain text.
    header, body : str
        HTML; what comes from users in it is escaped already.
    figures : mapping of str to plotly figure
        Those that `html_figure` has places for, by name.
    version : str
        That of entropick.
    """
    # A hostile name cannot end the script that holds it.
    data = json.dumps({name: json.loads(figure.to_json()) for name, figure in figures.items()}).replace("<", "\\u003c")
    scripts = [_plotly(), _resource("page.js")]
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src {hashes}; img-src data: blob:; base-uri 'none'; "
        "form-action 'none'"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="entropick {escape(version)}">
<title>{escape(title)} · entropick</title>
<link rel="icon" href="data:,">
<style>{_resource("page.css")}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
{header}
</header>
<main id="content">
<noscript><p>The plots need JavaScript; their numbers are in the tables.</p></noscript>
{body}
</main>
<footer>Made by entropick {escape(version)}. Nothing on this page is fetched or sent.</footer>
<script type="application/json" id="figures">{data}</script>
<script>{scripts[0]}</script>
<script>{scripts[1]}</script>
</body>
</html>
"""


def html_figure(name: str, title: str, text: str, head: Sequence[Any], rows: Iterable[Iterable[Any]]) -> str:
    """The place of a plot, with its numbers in a table below."""
    caption = f"<figcaption>{text}</figcaption>" if text else ""
    return (
        f'<figure>{caption}<div class="plot" data-figure="{name}" role="img" aria-label="Plot: {escape(title)}. Its '
        f'numbers are in the table below."></div><details><summary>The numbers</summary>{html_table(head, rows, title)}'
        "</details></figure>"
    )


def html_table(head: Sequence[Any], rows: Iterable[Iterable[Any]], label: str) -> str:
    """A table of plain values; what would be too much for a page is left off, and said."""
    heads = "".join(f'<th scope="col">{as_text(str(cell))}</th>' for cell in head[:MOST_CELLS])
    rows = iter(rows)
    lines = "".join(
        "<tr>" + "".join(_cell(cell) for cell in islice(row, MOST_CELLS)) + "</tr>" for row in islice(rows, MOST_ROWS)
    )
    return (
        f'<div class="scroll" tabindex="0"><table aria-label="{escape(label)}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
        f"{and_more(sum(1 for _ in rows), 'rows')}{and_more(len(head) - MOST_CELLS, 'columns')}"
    )


def and_more(number: int, what: str) -> str:
    """A line about what was left off, if anything was."""
    return f'<p class="faint">And {grouped(number)} more {what}, which the JSON has.</p>' if number > 0 else ""


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f'<td class="number">{value:.4f}</td>'
    if isinstance(value, int):
        return f'<td class="number">{value}</td>'
    return f"<td>{'—' if value is None else as_text(str(value))}</td>"


def as_text(text: str) -> str:
    """A name of the user's as text: whole, but nothing in it is taken for markup."""
    return f"<bdi>{escape(text)}</bdi>"


def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    script: str = get_plotlyjs()
    return script


def _resource(name: str) -> str:
    return (files("entropick.report") / name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
