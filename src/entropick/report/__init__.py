"""From a fitted selector to a dict, and from the dict alone to one page that needs nothing else."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from entropick._extras import need
from entropick.report._describe import describe
from entropick.report._schema import read_result, schema

if TYPE_CHECKING:
    from entropick.report import figures
    from entropick.report._page import Report

__all__ = ["Report", "describe", "figures", "read_result", "schema"]


def __getattr__(name: str) -> Any:
    """`Report` and `figures` when they are used: the rest works without plotly."""
    if name not in ("Report", "figures"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    need("plotly", "report", "the page")
    return (
        import_module("entropick.report.figures")
        if name == "figures"
        else import_module("entropick.report._page").Report
    )
