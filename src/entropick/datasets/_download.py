"""Archives of the UCI repository, downloaded and held to the sha256 of what is in them."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from entropick.datasets._error import BadFileError, DatasetError
from entropick.datasets._folder import Folder
from entropick.datasets._progress import Progress
from entropick.datasets._spec import Spec

_UCI = "https://archive.ics.uci.edu/static/public"
_TIMEOUT = 30  # seconds without a byte


def download(spec: Spec, folder: Path) -> None:
    """Put the archive of a data set into a folder: whole and checked, or not at all."""
    url = f"{_UCI}/{spec.archive}"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder.parent, prefix=f".{spec.name}-") as scratch:
            part = Path(scratch) / spec.archive_name
            _transfer(url, part, spec.title)
            _check(spec, part)
            folder.mkdir(exist_ok=True)
            part.replace(folder / spec.archive_name)
    except OSError as error:
        raise DatasetError(
            f"{spec.title} is not on this machine and could not be downloaded ({_reason(error)}): put "
            f"{spec.archive_name} from {url} into {folder}, or into the folder {spec.name} of the directory that "
            "ENTROPICK_DATA names."
        ) from error


def _transfer(url: str, path: Path, title: str) -> None:
    from pooch import HTTPDownloader

    bar = Progress(title) if sys.stderr.isatty() else None
    try:
        HTTPDownloader(progressbar=bar or False, chunk_size=1 << 16, timeout=_TIMEOUT)(url, str(path), None)
    finally:
        if bar:
            bar.end()


def _check(spec: Spec, archive: Path) -> None:
    came = Folder(archive.parent)
    for pattern, wanted in spec.files.items():
        names = came.names(pattern)
        if not names:
            raise BadFileError(archive, f"holds no {pattern}")
        got = sha256(b"".join(map(came.read, names))).hexdigest()
        if wanted and got != wanted:
            raise BadFileError(archive, f"holds {pattern} with the sha256 {got}, not {wanted}")


def _reason(error: OSError) -> str:
    if isinstance(error, BadFileError):
        return f"what came {error.reason}"
    response = getattr(error, "response", None)
    if response is not None:
        return f"the server answered {response.status_code}"
    return error.strerror or type(error).__name__
