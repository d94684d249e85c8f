"""Tables in shards: rows that are never all in one place, in files on this disk or on the workers of a cluster."""

from entropick.shards._dask import DaskShards, chunks_on_cluster, clear_errors, itself, on_cluster
from entropick.shards._encode import encode_chunks
from entropick.shards._files import FileShards, is_missing
from entropick.shards._open import Chunked, is_lazy, open_chunks, take_lazily
from entropick.shards._parquet import ParquetFiles
from entropick.shards._shards import LocalShards, Shards
from entropick.shards._table import ShardedTable

__all__ = [
    "Chunked",
    "DaskShards",
    "FileShards",
    "LocalShards",
    "ParquetFiles",
    "ShardedTable",
    "Shards",
    "chunks_on_cluster",
    "clear_errors",
    "encode_chunks",
    "is_lazy",
    "is_missing",
    "itself",
    "on_cluster",
    "open_chunks",
    "take_lazily",
]
