"""The files of a data set, packed or not."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import IO
from zipfile import BadZipFile, ZipFile

from entropick.datasets._lzw import uncompress

_LARGEST = 256 << 20  # bytes of one unpacked file, so that no archive fills the memory; ours are below 100 MB
# What the standard library raises for damaged, encrypted (RuntimeError) and unknown (NotImplementedError) archives.
_DAMAGE = (BadZipFile, gzip.BadGzipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


class DatasetError(OSError):
    """A data set cannot be downloaded, or its files cannot be read.

    Examples
    --------
    >>> issubclass(DatasetError, OSError)
    True
    """


class BadFileError(DatasetError):
    """A file is damaged or not the right one; `reason` says why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} {reason}: replace it with another copy, or delete it to download it again.")
        self.reason = reason


class Folder:
    """Files by their unpacked names: those in a folder, and those in the zip archives there.

    Archives are read in memory; nothing is written.
    """

    def __init__(self, path: Path) -> None:
        files = sorted(file for file in path.glob("*") if file.is_file())
        found = [(file, "") for file in files]
        found += [(file, member) for file in files if file.suffix == ".zip" for member in _members(file)]
        # The last copy of a file counts: outside an archive rather than in one, unpacked (x) rather than packed (x.gz).
        found.sort(key=lambda place: (bool(place[1]), place[1] or place[0].name), reverse=True)
        self._places = {_unpacked_name(member or file.name): (file, member) for file, member in found}

    def names(self, pattern: str) -> list[str]:
        """The names that match, sorted."""
        return sorted(name for name in self._places if fnmatchcase(name, pattern))

    def read(self, name: str) -> bytes:
        """The unpacked content of a file."""
        path, member = self._places[name]
        with _explained(path):
            if not member:
                with path.open("rb") as file:
                    return _unpack(file, path.suffix)
            with ZipFile(path) as archive, archive.open(member) as file:
                return _unpack(file, PurePosixPath(member).suffix)


def _members(archive: Path) -> list[str]:
    with _explained(archive), ZipFile(archive) as opened:
        return opened.namelist()


def _unpacked_name(name: str) -> str:
    path = PurePosixPath(name)
    return path.stem if path.suffix in (".gz", ".Z") else path.name


def _unpack(file: IO[bytes], suffix: str) -> bytes:
    if suffix == ".Z":
        return uncompress(file.read())
    content = (gzip.GzipFile(fileobj=file) if suffix == ".gz" else file).read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise ValueError(f"it unpacks to more than {_LARGEST} bytes")
    return content


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        raise BadFileError(path, f"is not a complete {path.suffix} file ({error})") from error
