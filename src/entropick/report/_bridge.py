"""What `describe` returns, as a Result, until it returns one itself."""

from __future__ import annotations

import json
from typing import Any

from entropick.report import _describe
from entropick.report._result import Result
from entropick.report._schema import read_result


def describe(selector: Any, encoded: Any = None, **words: Any) -> Result:
    """What a fitted selector found."""
    return read_result(json.dumps({**_describe.describe(selector, encoded, **words), "version": 1}))
