"""Packages that users may not have: without them the tests that are about them are skipped."""

from __future__ import annotations

import importlib
import os
from importlib.util import find_spec
from typing import Any

import pytest


class Absent:
    """Stands for a package that is not installed and for all that is in it: a test that calls it is skipped.

    While tests are collected a call gives another one, so that tables of parameters may be made of it.
    """

    def __init__(self, package: str) -> None:
        self._package = package

    def __getattr__(self, name: str) -> Absent:
        return self

    def __call__(self, *values: Any, **more: Any) -> Absent:
        if "PYTEST_CURRENT_TEST" in os.environ:
            self.skip()
        return self

    def skip(self) -> None:
        pytest.skip(f"{self._package} is not installed")


def optional(package: str) -> Any:
    """The package, or what stands for it."""
    return importlib.import_module(package) if find_spec(package) else Absent(package)
