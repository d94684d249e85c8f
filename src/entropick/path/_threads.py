"""The same for one table after the other, in threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from itertools import islice
from typing import TypeVar

from entropick import _blas

Item = TypeVar("Item")
Value = TypeVar("Value")


def in_threads(function: Callable[[Item], Value], items: Iterator[Item], n_threads: int) -> Iterator[Value]:
    """The values of a function, in the order of the items, computed a few items ahead."""
    if n_threads == 1:
        yield from map(function, items)
        return
    with _blas.threads(1), ThreadPoolExecutor(n_threads) as pool:

        def submit(item: Item) -> Future[Value]:
            return pool.submit(copy_context().run, function, item)  # somebody may be listening to notes in the context

        ahead = deque(map(submit, islice(items, n_threads)))
        try:
            while ahead:
                yield ahead.popleft().result()
                ahead.extend(map(submit, islice(items, 1)))
        finally:
            pool.shutdown(cancel_futures=True)
