"""From a fitted selector to a dict, and from the dict alone to one page that needs nothing else."""

from entropick.report import figures
from entropick.report._describe import describe
from entropick.report._page import Report
from entropick.report._schema import read_result, schema

__all__ = ["Report", "describe", "figures", "read_result", "schema"]
