"""Pages from templates; each is one HTML file that needs no network, no server and no other file."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from entropick._words import grouped, percent, shortened

if TYPE_CHECKING:
    import jinja2

_MOST_ROWS = 500  # of a table, so that a browser can still show the page
_MOST_CELLS = 120  # of a row


def render(
    template: str,
    *,
    version: str,
    **values: Any,
) -> str:
    """A whole page.

    Parameters
    ----------
    template : str
        File name of a template. It extends ``page.html.j2`` with the blocks ``title``, ``header`` and ``content``, and
        imports tables and figures from ``macros.html.j2``, with context. All values are escaped.
    version : str
        The version of entropick.
    **values
        Whatever else the template uses.

    Examples
    --------
    >>> render("page.html.j2", version="0.1.0").splitlines()[:2]
    ['<!doctype html>', '<html lang="en">']
    """
    page = environment().get_template(template)
    return page.render(
        version=version,
        css=_resource("page.css"),
        script=_resource("page.js"),
        most_rows=_MOST_ROWS,
        most_cells=_MOST_CELLS,
        **values,
    )


@cache
def environment() -> jinja2.Environment:
    """The templates."""
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.PackageLoader("entropick.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"grouped": grouped, "percent": percent, "sha256": _sha256, "shortened": shortened}
    made.policies["json.dumps_kwargs"] = {}
    return made


def _resource(name: str) -> str:
    return (files("entropick.report") / "templates" / name).read_text(encoding="utf-8")


def _sha256(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
