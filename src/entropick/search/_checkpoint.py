"""A run on disk: what it was and every score so far, enough to replay it."""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Checkpoint:
    """A file that a killed run can go on from, to the very same answer.

    Parameters
    ----------
    path : path
        The file; it is replaced only by a complete new one.
    identity : dict
        What the run depends on: data, settings, seed, versions. A file with another identity is refused.
    """

    def __init__(self, path: str | os.PathLike[str], identity: dict[str, Any]) -> None:
        self.path = Path(path)
        self.identity: dict[str, Any] = json.loads(json.dumps(identity))

    def load(self) -> NDArray[np.float64]:
        """The scores of the earlier run in the order in which they were asked for; none if there is no file."""
        if not self.path.exists():
            if not self.path.parent.is_dir():
                raise ValueError(f"checkpoint must be in a folder that exists; got {str(self.path)!r}.")
            return np.empty(0)
        stored, scores = read(self.path)
        for name in [*self.identity, *stored]:
            if stored.get(name) != self.identity.get(name):
                raise ValueError(
                    f"checkpoint {str(self.path)!r} is of a run with another {name}: expected "
                    f"{self.identity.get(name)!r}, got {stored.get(name)!r}; delete the file or name another."
                )
        return scores

    def save(self, scores: NDArray[np.float64]) -> None:
        """Write the scores so far; on any failure the file before stays as it was."""
        handle, name = tempfile.mkstemp(prefix=self.path.name, suffix=".part", dir=self.path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(file, identity=np.array(json.dumps(self.identity)), scores=scores)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self.path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def stored_seed(path: str | os.PathLike[str]) -> int | None:
    """Seed of the run that a checkpoint file holds; None if there is no file."""
    return int(read(Path(path))[0]["seed"]) if Path(path).exists() else None


def read(path: Path) -> tuple[dict[str, Any], NDArray[np.float64]]:
    """Identity and scores of a checkpoint file."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as content:
            identity = json.loads(str(content["identity"]))
            return identity, np.asarray(content["scores"], dtype=np.float64)
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, AttributeError, TypeError) as error:
        raise ValueError(
            f"{str(path)!r} is not a checkpoint of entropick ({error}); delete the file or name another."
        ) from error
