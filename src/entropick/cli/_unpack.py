"""Gzip files, unpacked piece by piece and only up to a limit."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

TIMES = 200  # a file may unpack to this many times its size
ALWAYS = 1 << 26  # or to this many bytes, however small it is
_PIECE = 1 << 20


class Unpacked(gzip.GzipFile):
    """The content of a gzip file; reading raises a ValueError if it is damaged or implausibly large.

    Parameters
    ----------
    file : binary file
        The packed file; it is closed together with this one.
    called : str
        Its name in errors.
    """

    def __init__(self, file: BinaryIO, called: str) -> None:
        super().__init__(fileobj=file, mode="rb")
        self.myfileobj = file  # type: ignore[assignment]
        self._called = called
        packed = file.seek(0, os.SEEK_END)
        self._most = max(ALWAYS, TIMES * packed)
        file.seek(max(0, packed - 4))
        told = int.from_bytes(file.read(4), "little")  # a complete gzip file ends with its unpacked size, modulo 4 GB
        file.seek(0)
        if told > self._most:
            self._look_through()

    def read(self, size: int | None = -1) -> bytes:
        return self._checked(super().read, size)

    def read1(self, size: int = -1) -> bytes:
        return self._checked(super().read1, size)

    def _look_through(self) -> None:
        """Raise whatever is wrong before anything is kept."""
        while self.read(_PIECE):
            pass
        self.seek(0)

    def _checked(self, read: Callable[[Any], bytes], size: int | None) -> bytes:
        try:
            data = read(size)
        except (EOFError, OSError, zlib.error) as error:
            raise ValueError(f"{self._called} must be a valid gzip file; it cannot be unpacked: {error}.") from error
        if self.tell() > self._most:
            raise ValueError(
                f"{self._called} must unpack to at most {TIMES} times its size; it is larger: if you trust it, "
                "unpack it first, for example with `gunzip`."
            )
        return data
