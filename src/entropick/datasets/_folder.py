"""The files of a data set, wherever in its folder they are."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TypeAlias
from zipfile import BadZipFile, ZipFile

from entropick.datasets._error import BadFileError
from entropick.datasets._lzw import uncompress

Reader: TypeAlias = Callable[[], bytes]
_LARGEST = 256 << 20  # bytes of one unpacked file; those of all data sets are below 100 MB
# What the readers of archives raise for broken, encrypted (RuntimeError) and unknown (NotImplementedError) content.
_DAMAGE = (BadZipFile, gzip.BadGzipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


class Folder:
    """Files by the names they have unpacked: those that lie in a folder, then those in its zip archives.

    Archives are read in memory; nothing is written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._readers: dict[str, Reader] = {}
        for archive in sorted(path.glob("*.zip")):
            self._add((member, partial(_read_member, archive, member)) for member in _members(archive))
        if path.is_dir():
            self._add((file.name, file.read_bytes) for file in path.iterdir() if file.is_file())

    def _add(self, found: Iterable[tuple[str, Reader]]) -> None:
        """Of a file that is there twice, the one that is not compressed, whose name is the first in order, is kept."""
        for name, read in sorted(found, key=lambda item: item[0], reverse=True):
            path = PurePosixPath(name)
            if path.suffix in _UNPACK:
                self._readers[path.stem] = partial(_unpack, self.path / path.name, read)
            else:
                self._readers[path.name] = read

    def names(self, pattern: str) -> list[str]:
        """The names that match, in order."""
        return sorted(name for name in self._readers if fnmatchcase(name, pattern))

    def holds(self, patterns: Iterable[str]) -> bool:
        """Whether every pattern has a file."""
        return all(self.names(pattern) for pattern in patterns)

    def read(self, name: str) -> bytes:
        """A file, unpacked."""
        return self._readers[name]()


def _members(archive: Path) -> list[str]:
    """The names of the files in an archive, none of which may point outside it."""
    with _explained(archive), ZipFile(archive) as opened:
        members = [info.filename for info in opened.infolist() if not info.is_dir()]
    for member in members:
        path = PureWindowsPath(member)  # which knows both kinds of slashes
        if path.anchor or ".." in path.parts:
            raise BadFileError(archive, f"holds {member!r}, a name that points outside the archive")
    return members


def _read_member(archive: Path, member: str) -> bytes:
    with _explained(archive), ZipFile(archive) as opened:
        info = opened.getinfo(member)
        if info.file_size > _LARGEST:  # no more than this is unpacked, whatever there is
            raise BadFileError(archive, f"holds {member!r} of {info.file_size} bytes, more than a data set has")
        return opened.read(info)


def _gunzip(data: bytes) -> bytes:
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        unpacked = file.read(_LARGEST + 1)
    if len(unpacked) > _LARGEST:
        raise ValueError(f"it unpacks to more than {_LARGEST} bytes")
    return unpacked


_UNPACK: dict[str, Callable[[bytes], bytes]] = {".gz": _gunzip, ".Z": uncompress}


def _unpack(path: Path, read: Reader) -> bytes:
    with _explained(path):
        return _UNPACK[path.suffix](read())


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        raise BadFileError(path, f"is not a whole {path.suffix} file ({error})") from error
