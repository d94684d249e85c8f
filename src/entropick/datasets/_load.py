"""Find, fetch and load a data set."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from entropick._extras import need
from entropick._names import look_up
from entropick.datasets._download import cache_folder, download
from entropick.datasets._folder import DatasetError, Folder
from entropick.datasets._registry import DATASETS
from entropick.datasets._spec import Dataset, Spec


def load(name: str) -> Dataset:
    """Load a data set from this machine, or the first time from the UCI repository.

    Parameters
    ----------
    name : str
        A name of `DATASETS`: ``"advertisements"``, ``"blog_feedback"``, ``"breast_cancer"``, ``"connect_4"``,
        ``"forest_fires"`` or ``"gesture_phase"``.

    Returns
    -------
    Dataset
        The table, its target and its source.

    Raises
    ------
    DatasetError
        If it cannot be downloaded, or its files cannot be read.
    MissingExtraError
        If polars is not installed, or pooch where there is something to download.

    Examples
    --------
    >>> from entropick.datasets import load
    >>> cancer = load("breast_cancer")
    >>> cancer.X.columns[:3], cancer.y[0]
    (['mean radius', 'mean texture', 'mean perimeter'], 'malignant')
    >>> load("breast_canser")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    entropick._errors.UnknownNameError: unknown data set 'breast_canser'. Known: ... Did you mean 'breast_cancer'?
    """
    spec = look_up("data set", name, DATASETS)
    polars_error = need("polars", "data", "reading a data set").exceptions.PolarsError
    folder = fetch(name)
    try:
        frame, test = spec.read(Folder(folder))
    except (polars_error, ValueError) as error:
        raise DatasetError(
            f"{' and '.join(spec.files)} in {folder} must be the files of {spec.title} at UCI; got something else "
            f"({str(error).partition(chr(10))[0]}): replace them, or delete them to download them again."
        ) from error
    return Dataset(spec.name, spec.title, spec.target, frame, test, spec.description, spec.licence, spec.citation)


def find(name: str) -> Path | None:
    """Find a data set on this machine.

    Parameters
    ----------
    name : str
        A name of `DATASETS`.

    Returns
    -------
    pathlib.Path or None
        The directory of its files; None if it must be downloaded.

    Examples
    --------
    >>> from entropick.datasets import find
    >>> find("breast_cancer").parts[-3:]
    ('sklearn', 'datasets', 'data')
    """
    spec = look_up("data set", name, DATASETS)
    return next((folder for folder in _places(spec) if all(map(Folder(folder).names, spec.files))), None)


def fetch(name: str) -> Path:
    """Download a data set unless it is on this machine.

    Parameters
    ----------
    name : str
        A name of `DATASETS`.

    Returns
    -------
    pathlib.Path
        The directory of its files.

    Raises
    ------
    DatasetError
        If it cannot be downloaded, or the download is not the right one.
    MissingExtraError
        If there is something to download and pooch is not installed.

    Examples
    --------
    >>> from entropick.datasets import fetch, find
    >>> fetch("breast_cancer") == find("breast_cancer")
    True
    """
    found = find(name)
    if found is None:
        found = download(DATASETS[name])
    return found


def _places(spec: Spec) -> Iterator[Path]:
    if not spec.archive:
        yield Path(str(files("sklearn"))) / "datasets" / "data"
        return
    given = os.environ.get("ENTROPICK_DATA")
    if given:
        if not Path(given).is_dir():
            raise DatasetError(
                f"ENTROPICK_DATA must name a directory; got {given!r}: correct it, or unset it to use the cache."
            )
        yield Path(given) / spec.name
    if find_spec("pooch"):  # it knows where the cache is, and without it nothing is downloaded
        yield cache_folder(spec)
