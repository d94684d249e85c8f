"""Files that are either complete or not there at all, and files that stay what they were."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

PICTURES = ("png", "svg", "pdf")  # formats of figures, which are their suffixes


def as_path(path: str | os.PathLike[str]) -> Path:
    """The path, with ``~`` alone or before a slash expanded to the home folder unless a file has exactly that name.

    Examples
    --------
    >>> as_path("~data.csv").name, as_path("~/data.csv") == Path.home() / "data.csv"
    ('~data.csv', True)
    """
    text = os.fspath(path)
    is_home = (text == "~" or text.startswith(("~/", f"~{os.sep}"))) and not os.path.lexists(text)
    return Path(os.path.expanduser(text) if is_home else text)


@dataclass(frozen=True)
class FileState:
    """What tells a file from another that takes its place, and from itself once it has been written to."""

    size: int
    modified: int  # in nanoseconds
    number: int  # of the file in its file system

    @classmethod
    def of(cls, file: BinaryIO | Path) -> FileState:
        """That of a file now."""
        found = file.stat() if isinstance(file, Path) else os.fstat(file.fileno())
        return cls(found.st_size, found.st_mtime_ns, found.st_ino)

    def check(self, file: BinaryIO | Path, called: str) -> None:
        """Raise a ValueError if a file is not in this state any more."""
        if FileState.of(file) != self:
            raise ValueError(
                f"{called} has changed since it was first read, and a result would be that of no table: run again once "
                "nobody writes to it."
            )


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to; it replaces ``path`` at the end of the block and leaves nothing behind if that fails.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(f"{folder}/a.txt") as file:
    ...         _ = file.write(b"whole")
    ...     Path(f"{folder}/a.txt").read_bytes(), os.listdir(folder)
    (b'whole', ['a.txt'])
    """
    given = as_path(path)
    if given.exists() and not given.is_file():
        with given.open("wb") as file:  # a pipe or a device cannot be replaced; for a folder, open raises
            yield file
        return
    final = Path(os.path.realpath(given))  # a link keeps pointing to the same file
    part = final.with_name(f".entropick-{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            if final.exists():
                os.chmod(part, final.stat().st_mode & 0o777)
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(final)
    except BaseException as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename in (None, str(part)):  # the error of a full disk names no file
            error.filename = str(path)
        raise
