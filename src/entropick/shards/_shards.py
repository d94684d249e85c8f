"""Where the rows of a table are, in shards, and how functions get there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")
S = TypeVar("S")
Piece = TypeVar("Piece")
Shard = TypeVar("Shard", covariant=True)


class Shards(Protocol[Shard]):
    """Shards of rows: tables of codes, or chunks of rows as they came.

    A function goes to where a shard is; what it returns comes back. Functions are those of a module, or partial calls
    of them: they may have to travel.
    """

    on_cluster: bool  # whether they are elsewhere

    def __len__(self) -> int:
        """How many there are."""

    def each(self, function: Callable[..., T], *arguments: Sequence[Any]) -> Iterator[T]:
        """The values of a function of each shard, in order, with its own of further arguments."""

    def meet(
        self, split: Callable[[Any, int], list[Piece]], merge: Callable[[list[Piece]], T], n_parts: int
    ) -> Iterator[T]:
        """Split each shard into so many pieces, and merge those of the same number.

        ``split`` gets a shard and the number of pieces, ``merge`` the pieces of one number from all shards.
        """


class LocalShards(Generic[T]):
    """Shards that this process loads, one at a time.

    Parameters
    ----------
    shards : sequence of callable
        What loads each shard.
    """

    on_cluster = False

    def __init__(self, shards: Sequence[Callable[[], T]]) -> None:
        self.shards = shards

    def __len__(self) -> int:
        """How many there are."""
        return len(self.shards)

    def each(self, function: Callable[..., S], *arguments: Sequence[Any]) -> Iterator[S]:
        """The values of a function of each shard, in order, with its own of further arguments."""
        for load, *own in zip(self.shards, *arguments, strict=True):
            yield function(load(), *own)

    def meet(
        self, split: Callable[[Any, int], list[Piece]], merge: Callable[[list[Piece]], S], n_parts: int
    ) -> Iterator[S]:
        """Split each shard and merge the pieces, those of one number after those of the other, to save memory."""
        for part in range(n_parts):
            yield merge([split(load(), n_parts)[part] for load in self.shards])
