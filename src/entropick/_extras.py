"""Packages that only parts of entropick need, and what to install if one is missing."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Literal


class MissingExtraError(ImportError):
    """A package of an extra is not installed."""


def need(package: str, extra: str, what: str) -> ModuleType:
    """The package, or an error that names the extra.

    Examples
    --------
    >>> need("json", "all", "reading JSON").__name__
    'json'
    >>> need("no_such_package", "report", "a page")
    Traceback (most recent call last):
    entropick._extras.MissingExtraError: a page needs no_such_package: pip install 'entropick[report]'.
    """
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package.partition(".")[0]:
            raise
        raise MissingExtraError(f"{what} needs {error.name}: pip install 'entropick[{extra}]'.") from error


def frame_library() -> Literal["pandas", "polars"]:
    """The library to make a data frame with: pandas, or polars if only that is installed."""
    if find_spec("pandas") is not None:
        return "pandas"
    if find_spec("polars") is not None:
        return "polars"
    raise MissingExtraError("a data frame needs pandas or polars: pip install pandas.")


def need_page() -> None:
    """Raise an error that names the extra unless a page can be made."""
    for package in ("matplotlib", "jinja2"):
        need(package, "report", "the page")
