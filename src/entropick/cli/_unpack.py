"""Gzip files, unpacked piece by piece and only so far."""

from __future__ import annotations

import gzip
import os
import zlib
from typing import BinaryIO

_TIMES = 200  # its size that a file may unpack to
_ALWAYS = 1 << 26  # bytes that it may in any case


class Unpacked(gzip.GzipFile):
    """What is in a gzip file; reading raises a ValueError where it is damaged, or far larger than tables are.

    Parameters
    ----------
    file : binary file
        The packed file; it is closed together with this one.
    called : str
        What it is called in errors.
    """

    def __init__(self, file: BinaryIO, called: str) -> None:
        super().__init__(fileobj=file, mode="rb")
        self.myfileobj = file  # type: ignore[assignment]
        self._called = called
        self._most = max(_ALWAYS, _TIMES * file.seek(0, os.SEEK_END))
        file.seek(0)

    def read(self, size: int | None = -1) -> bytes:
        return self._checked(super().read, size)

    def read1(self, size: int = -1) -> bytes:
        return self._checked(super().read1, size)

    def _checked(self, read: object, size: int | None) -> bytes:
        try:
            data: bytes = read(size)  # type: ignore[operator]
        except (EOFError, OSError, zlib.error) as error:
            raise ValueError(
                f"{self._called} must be a gzip file, as its name says; it cannot be unpacked: {error}."
            ) from error
        if self.tell() > self._most:
            raise ValueError(
                f"{self._called} must unpack to at most {_TIMES} times its size, and is larger: if that is right, "
                "unpack it first, such as with `gunzip`."
            )
        return data
