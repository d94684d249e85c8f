"""The threads that matrix products use."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()  # looks for libraries, which takes longer than a small product


def threads(n: int = 1) -> AbstractContextManager[Any]:
    """Inside, the BLAS uses so many threads: more make small products slower, and far slower on a busy machine."""
    limit: AbstractContextManager[Any] = _controller().limit(limits=n, user_api="blas")
    return limit
