"""A run on disk: its identity and every question with its answer, enough to replay and verify it."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from entropick._files import as_path
from entropick._masks import Mask

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

MAGIC = b"entropick checkpoint 2\n"
_HEAD = struct.Struct("<II")  # size of a block in bytes, and its checksum

Entries = NDArray[np.void]
ENTRY = np.dtype([("digest", "<u8"), ("value", "<f8")])


class CheckpointWarning(UserWarning):
    """A run continues without its checkpoint."""


class Checkpoint:
    """A file from which a killed run resumes, to exactly the same answer.

    It only grows: a header with the identity of the run, then blocks of entries, each with a checksum. An entry is the
    digest of a subset (or of two, for a bound) and its answer. A block that was cut off when the process ended is
    ignored when the file is read.

    Parameters
    ----------
    path : path
        The file; it is created when the run begins, and rejected if it belongs to another run.
    identity : dict
        What the run depends on: data, settings, seed, versions. A file with another identity is rejected.
    """

    def __init__(self, path: str | os.PathLike[str], identity: dict[str, Any]) -> None:
        self.path = _checked(path)
        self.identity: dict[str, Any] = json.loads(json.dumps(identity))
        self._file: BinaryIO | None = None
        self._size = 0  # of the file when it was read
        self._end = 0  # of the last complete block

    def load(self) -> Entries:
        """The entries of the earlier run in the order in which they were asked for; none if there is no file."""
        if not _has_content(self.path):
            return np.empty(0, dtype=ENTRY)
        stored, entries, self._end, self._size = read(self.path)
        for name in [*self.identity, *stored]:
            here, there = self.identity.get(name), stored.get(name)
            if here != there:
                values = "" if name in ("data", "criterion tables") else f": {here!r} here, {there!r} there"
                raise ValueError(
                    f"checkpoint {str(self.path)!r} does not match this run's {name}{values}; delete the file or use "
                    "another."
                )
        return entries

    def open(self) -> None:
        """Create the file if there is none, and lock it against other runs; raises OSError if that fails."""
        if not self.path.exists():
            self.path.touch()
        self._file = self.path.open("r+b", buffering=0)
        # What another run has written since the file was read would be cut off by our first block.
        if not _lock(self._file) or os.fstat(self._file.fileno()).st_size != self._size:
            self.close()
            raise ValueError(
                f"checkpoint {str(self.path)!r} is in use by another run: wait for it, or use another file."
            )
        if not self._size:
            try:
                self._write(MAGIC + _block(json.dumps(self.identity).encode()))
            except BaseException:
                self.close()
                self.path.unlink()
                raise

    def append(self, entries: Entries) -> None:
        """Append entries; if that fails, the file stays as it was."""
        self._write(_block(entries.tobytes()))

    def _write(self, content: bytes) -> None:
        if self._file is None:
            raise ValueError("a checkpoint must be opened before entries are added to it.")
        try:
            self._file.truncate(self._end)
            self._file.seek(self._end)
            if self._file.write(content) < len(content):
                raise OSError(28, "No space left on device")  # noqa: TRY301 - all failures are handled below
            os.fsync(self._file.fileno())
        except BaseException:
            self._file.truncate(self._end)
            raise
        self._end += len(content)

    def close(self) -> None:
        """Close the file, which also unlocks it."""
        if self._file is not None:
            self._file.close()
            self._file = None


def digest(masks: Mask, upper: Mask | None = None) -> NDArray[np.uint64]:
    """A 64-bit hash of every mask, or of every pair of masks.

    Examples
    --------
    >>> one, other, same = digest(np.array([[1, 0, 1], [1, 0, 0], [1, 0, 1]], dtype=bool))
    >>> bool(one == same), bool(one == other)
    (True, False)
    """
    rows = np.packbits(masks if upper is None else np.concatenate([masks, upper], axis=1), axis=1)
    hashes = b"".join(hashlib.blake2b(row.tobytes(), digest_size=8).digest() for row in rows)
    return np.frombuffer(hashes, dtype="<u8")


def _lock(file: BinaryIO) -> bool:
    """Lock the file, and whether that worked: no other process has it. Systems without locks always succeed."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _block(content: bytes) -> bytes:
    return _HEAD.pack(len(content), zlib.crc32(content)) + content


def _checked(path: str | os.PathLike[str]) -> Path:
    if not isinstance(path, str | os.PathLike) or not str(path) or "\0" in str(path):
        raise ValueError(f"checkpoint must be a file path; got {path!r}.")
    checked = as_path(path)
    if not checked.parent.is_dir() or (checked.exists() and not checked.is_file()):
        raise ValueError(f"checkpoint must be a file in an existing folder; got {str(path)!r}.")
    return checked


def stored_seed(path: str | os.PathLike[str]) -> int | None:
    """Seed of the run in a checkpoint file; None if there is no file."""
    checked = _checked(path)
    if not _has_content(checked):
        return None
    seed = read(checked)[0].get("seed")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise ValueError(_no_checkpoint(checked))
    return seed


def read(path: Path) -> tuple[dict[str, Any], Entries, int, int]:
    """Identity and entries of a checkpoint file, the end of its last complete block, and its size."""
    try:
        data = path.read_bytes()
    except PermissionError as error:
        raise ValueError(f"checkpoint {str(path)!r} cannot be read: change its permissions or use another.") from error
    if not data.startswith(MAGIC):
        raise ValueError(_no_checkpoint(path))
    blocks, end = _blocks(data, path)
    try:
        identity = json.loads(blocks[0])
        entries = np.frombuffer(b"".join(blocks[1:]), dtype=ENTRY)
    except (IndexError, ValueError) as error:
        raise ValueError(_no_checkpoint(path)) from error
    values = entries["value"]
    if not isinstance(identity, dict) or np.isnan(values).any() or np.isposinf(values).any():
        raise ValueError(_no_checkpoint(path))
    return identity, entries, end, len(data)


def _blocks(data: bytes, path: Path) -> tuple[list[bytes], int]:
    """The contents of all blocks; a cut or bad one at the very end counts as not written."""
    blocks, place = [], len(MAGIC)
    while place + _HEAD.size <= len(data):
        length, checksum = _HEAD.unpack_from(data, place)
        end = place + _HEAD.size + length
        content = data[place + _HEAD.size : end]
        if len(content) < length or zlib.crc32(content) != checksum:
            if end < len(data):
                raise ValueError(f"checkpoint {str(path)!r} is damaged: delete the file or use another.")
            break
        blocks.append(content)
        place = end
    return blocks, place


def _no_checkpoint(path: Path) -> str:
    return f"{str(path)!r} is not an entropick checkpoint: delete the file or use another."
