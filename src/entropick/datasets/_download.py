"""Downloads from the UCI repository, kept only if their content has the right sha256."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from entropick._extras import need
from entropick.datasets._folder import BadFileError, DatasetError, Folder
from entropick.datasets._spec import Spec

_UCI = "https://archive.ics.uci.edu/static/public"


def cache_folder(spec: Spec) -> Path:
    """The folder of a data set in the user's cache."""
    return Path(need("pooch", "data", "downloading a data set").os_cache("entropick")) / spec.name


def download(spec: Spec) -> Path:
    """Put the archive of a data set into the cache, complete and checked, or leave nothing behind."""
    folder = cache_folder(spec)
    from pooch import HTTPDownloader

    url = f"{_UCI}/{spec.archive}"
    if sys.stderr.isatty():
        sys.stderr.write(f"Downloading {spec.title} from {url}\n")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder.parent, prefix=f".{spec.name}-") as scratch:
            archive = Path(scratch) / spec.archive_name
            # Not pooch.retrieve: UCI gives no checksum of its archives, so ours is checked before the file is moved.
            HTTPDownloader(timeout=30)(url, archive, None)
            _check(spec, archive)
            folder.mkdir(exist_ok=True)
            archive.replace(folder / spec.archive_name)
    except OSError as error:
        raise DatasetError(
            f"{spec.title} is not on this machine and could not be downloaded ({_reason(error)}): put "
            f"{spec.archive_name} from {url} into {folder}, or into the folder {spec.name} of the directory that "
            "ENTROPICK_DATA names."
        ) from error
    return folder


def _check(spec: Spec, archive: Path) -> None:
    """Raise an error unless the archive holds the files of the data set."""
    folder = Folder(archive.parent)
    for pattern, expected in spec.files.items():
        names = folder.names(pattern)
        if not names:
            raise BadFileError(archive, f"has no {pattern}")
        digest = sha256(b"".join(map(folder.read, names))).hexdigest()
        if expected and digest != expected:
            raise BadFileError(archive, f"has {pattern} with sha256 {digest} instead of {expected}")


def _reason(error: OSError) -> str:
    if isinstance(error, BadFileError):
        return f"the download {error.reason}"
    if hasattr(error, "response") and error.response is not None:  # of requests, which pooch uses
        return f"the server answered {error.response.status_code}"
    return error.strerror or type(error).__name__
