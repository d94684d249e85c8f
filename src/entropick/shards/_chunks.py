"""Rows as they came, some at a time: what a table in shards is made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from entropick.encode import CodeTable, RawColumn, Source
from entropick.shards._shards import Shards


class Chunk(Protocol):
    """Some rows of a table, read on request."""

    @property
    def place(self) -> str:
        """Where they are, in words."""

    def source(self, names: Sequence[str]) -> Source:
        """Some columns, in this order."""

    def rows(self, names: Sequence[str], rows: NDArray[np.int64]) -> Any:
        """Some rows of some columns, as a frame."""

    def numbers(
        self, columns: Sequence[RawColumn], are_numbers: Sequence[bool]
    ) -> Sequence[NDArray[np.float64] | None]:
        """The numbers of columns that were read, to be kept with their codes: these, or what reads them again.

        Which columns are of numbers is said by all rows; these may have no value.
        """


class Chunks(Shards[Chunk], Protocol):
    """All rows of a table, in chunks."""

    def keep(self, function: Callable[[Chunk], CodeTable]) -> Shards[CodeTable]:
        """The tables that a function makes of each chunk, as shards, where the chunks are."""


def kept_numbers(columns: Sequence[RawColumn], are_numbers: Sequence[bool]) -> tuple[NDArray[np.float64] | None, ...]:
    """The numbers of columns that were read, as they are kept with their codes."""
    return tuple(column.as_numbers() if is_one else None for column, is_one in zip(columns, are_numbers, strict=True))
