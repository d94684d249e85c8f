"""A run on disk: what it was and every score so far, enough to replay it."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._files import replacing


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
        self.path = _checked(path)
        self.identity: dict[str, Any] = json.loads(json.dumps(identity))

    def load(self) -> NDArray[np.float64]:
        """The scores of the earlier run in the order in which they were asked for; none if there is no file."""
        if not self.path.exists():
            return np.empty(0)
        stored, scores = read(self.path)
        for name in [*self.identity, *stored]:
            here, there = self.identity.get(name), stored.get(name)
            if here != there:
                values = "" if name == "data" else f": {here!r} here, {there!r} there"
                raise ValueError(
                    f"checkpoint {str(self.path)!r} is of a run with other {name}{values}; delete the file or name "
                    "another."
                )
        return scores

    def save(self, scores: NDArray[np.float64]) -> None:
        """Write the scores so far; on any failure the file before stays as it was."""
        with replacing(self.path) as file:
            np.savez(file, identity=np.array(json.dumps(self.identity)), scores=scores)


def _checked(path: str | os.PathLike[str]) -> Path:
    if not isinstance(path, str | os.PathLike) or not str(path):
        raise ValueError(f"checkpoint must be the path of a file; got {path!r}.")
    checked = Path(path).expanduser()
    if checked.is_dir() or not checked.parent.is_dir():
        raise ValueError(f"checkpoint must be a file in a folder that exists; got {str(path)!r}.")
    return checked


def stored_seed(path: str | os.PathLike[str]) -> int | None:
    """Seed of the run that a checkpoint file holds; None if there is no file."""
    checked = _checked(path)
    return int(read(checked)[0]["seed"]) if checked.exists() else None


def read(path: Path) -> tuple[dict[str, Any], NDArray[np.float64]]:
    """Identity and scores of a checkpoint file."""
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            identity = json.loads(str(_array(archive, "identity")))
            scores = np.asarray(_array(archive, "scores"), dtype=np.float64)
        if not isinstance(identity, dict) or scores.ndim != 1:
            raise ValueError("its parts are not those of a run")  # noqa: TRY301 - all that is wrong ends in one sentence
    except PermissionError as error:
        raise ValueError(
            f"checkpoint {str(path)!r} may not be read: change its permissions or name another."
        ) from error
    except Exception as error:  # whatever a broken file makes of the reader
        raise ValueError(f"{str(path)!r} is not a checkpoint of entropick: delete the file or name another.") from error
    return identity, scores


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    with archive.open(f"{name}.npy") as part:
        return np.asarray(np.lib.format.read_array(part, allow_pickle=False))
