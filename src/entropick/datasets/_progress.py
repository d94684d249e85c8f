"""How far a download has come, on a terminal."""

from __future__ import annotations

import sys


class Progress:
    """A line with the bytes that have come; pooch sets `total`, which is 0 where the server does not say it."""

    total = 0

    def __init__(self, title: str) -> None:
        self._title, self._done = title, 0

    def update(self, n_bytes: int) -> None:
        """Count a chunk, the last of which pooch gives as if it were full."""
        self._done += n_bytes
        done = min(self._done, self.total) if self.total else self._done
        of = f" of {self.total / 1e6:.1f}" if self.total else ""
        sys.stderr.write(f"\r{self._title}: {done / 1e6:.1f}{of} MB")
        sys.stderr.flush()

    def reset(self) -> None:
        """Count anew."""
        self._done = 0

    def close(self) -> None:
        """Nothing: pooch calls it only where all went well."""

    def end(self) -> None:
        """End the line."""
        sys.stderr.write("\n")
