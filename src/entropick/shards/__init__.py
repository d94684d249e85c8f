"""Tables in shards: rows that are never all in one place, in files on this disk or on the workers of a cluster."""

from entropick.shards._encode import encode_chunks
from entropick.shards._open import Chunked, is_lazy, open_chunks, take_lazily
from entropick.shards._shards import LocalShards, Shards
from entropick.shards._table import ShardedTable

__all__ = ["Chunked", "LocalShards", "ShardedTable", "Shards", "encode_chunks", "is_lazy", "open_chunks", "take_lazily"]
