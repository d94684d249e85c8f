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
_CHUNK = 1 << 16  # bytes that are written at once
_TIMEOUT = 30  # seconds without a byte


def download(spec: Spec, folder: Path) -> None:
    """Put the archive of a data set into a folder, whole and checked.

    What came of a transfer that broke off is kept beside the folder under a hidden name, and the next one goes on from
    there where the server can.
    """
    url = f"{_UCI}/{spec.archive}"
    part = folder.parent / f".{spec.name}.part"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        went_on = _transfer(url, part, spec)
        try:
            _check_or_drop(spec, part)
        except BadFileError:
            if not went_on:
                raise
            _transfer(url, part, spec)  # its parts may have been of two versions: now all of it comes again
            _check_or_drop(spec, part)
        folder.mkdir(exist_ok=True)
        part.replace(folder / spec.archive_name)
    except OSError as error:
        raise DatasetError(
            f"{spec.title} is not on this machine and could not be downloaded ({_reason(error)}): put "
            f"{spec.archive_name} from {url} into {folder}, or into the folder {spec.name} of the directory that "
            "ENTROPICK_DATA names."
        ) from error


def _transfer(url: str, part: Path, spec: Spec) -> bool:
    """Bring the file, or the rest of it; whether it was the rest."""
    from pooch import HTTPDownloader

    have = part.stat().st_size if part.exists() else 0
    goes_on = bool(have) and _sends_parts(url, have)
    headers = {"Range": f"bytes={have}-"} if goes_on else {}
    bar = Progress(spec.title) if sys.stderr.isatty() else None
    try:
        with part.open("ab" if goes_on else "wb") as file:
            fetch = HTTPDownloader(progressbar=bar or False, chunk_size=_CHUNK, timeout=_TIMEOUT, headers=headers)
            fetch(url, file, None)
    finally:
        if bar:
            bar.end()
        if part.exists() and not part.stat().st_size:
            part.unlink()
    if not part.exists():
        raise BadFileError(part, "is empty")
    return goes_on


def _sends_parts(url: str, have: int) -> bool:
    """Whether the server can begin after so many bytes."""
    import requests

    answer = requests.head(url, timeout=_TIMEOUT, allow_redirects=True)
    return answer.headers.get("Accept-Ranges") == "bytes" and have < int(answer.headers.get("Content-Length", 0))


def _check_or_drop(spec: Spec, part: Path) -> None:
    """Raise unless the file is what it should be, and let go of it then."""
    with TemporaryDirectory(dir=part.parent, prefix=f".{spec.name}-") as scratch:
        archive = Path(scratch) / spec.archive_name
        part.replace(archive)
        _check(spec, archive)
        archive.replace(part)


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
