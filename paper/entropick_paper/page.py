"""The tables and figures as one HTML page that needs no other file."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader

from entropick_paper.markdown import sections
from entropick_paper.odd import odd_entries
from entropick_paper.pictures import Picture


def page(results: dict[str, Any], pictures: Sequence[Picture]) -> str:
    """The whole page."""
    environment = Environment(
        loader=PackageLoader("entropick_paper", ""), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["base64"] = lambda data: base64.b64encode(data).decode("ascii")
    return environment.get_template("page.html").render(
        results=results, tables=sections(results), odd=odd_entries(results), pictures=pictures
    )
