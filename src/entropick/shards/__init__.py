"""Tables in shards: rows that are never all in one place, in files on this disk or on the workers of a cluster."""

from entropick.shards._dask import DaskShards, clear_errors, itself, on_cluster
from entropick.shards._encode import encode_chunks
from entropick.shards._files import lazy_chunks
from entropick.shards._open import Chunked, is_lazy, open_chunks, take_lazily
from entropick.shards._shards import LocalShards, Shards
from entropick.shards._table import ShardedTable

__all__ = [
    "Chunked",
    "DaskShards",
    "LocalShards",
    "ShardedTable",
    "Shards",
    "clear_errors",
    "encode_chunks",
    "is_lazy",
    "itself",
    "lazy_chunks",
    "on_cluster",
    "open_chunks",
    "take_lazily",
]
