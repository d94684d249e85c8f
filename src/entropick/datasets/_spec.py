"""What is known of a data set before it is loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import polars as pl

    from entropick.datasets._folder import Folder

Frames: TypeAlias = "tuple[pl.DataFrame, pl.DataFrame | None]"


@dataclass(frozen=True)
class Spec:
    """A data set: its facts, its files, and the function that reads them.

    Parameters
    ----------
    name : str
        The name it is loaded by, which is that of its folder too.
    title : str
        The name for people.
    target : str
        The column that is to be told from the others.
    n_rows, n_features : int
        Rows of the frame, and its columns without the target.
    files : mapping of str to (str or None)
        The files that are read, or patterns such as ``"*.csv"``, and the sha256 of each unpacked, or of all that match
        one after the other in the order of their names; None where copies differ in ways that do not matter.
    archive : str
        Where the UCI repository has the archive of them, as ``"26/connect+4.zip"``; empty if scikit-learn has the data.
    read : callable
        From the folder to the frame, target last, and the frame of the source's own test rows or None.
    description : str
        What rows, columns and target are, and what the paper did with them.
    citation : str
        Whom to cite.
    licence : str
        On what terms it may be used.

    Examples
    --------
    >>> from entropick.datasets import DATASETS
    >>> spec = DATASETS["connect_4"]
    >>> spec.n_rows, spec.n_features, spec.target
    (67557, 42, 'Class')
    """

    name: str
    title: str
    target: str
    n_rows: int
    n_features: int
    files: Mapping[str, str | None] = field(repr=False)
    archive: str
    read: Callable[[Folder], Frames] = field(repr=False)
    description: str = field(repr=False)
    citation: str = field(repr=False)
    licence: str = field(default="Creative Commons Attribution 4.0 International (CC BY 4.0)", repr=False)

    @property
    def archive_name(self) -> str:
        """The archive's file name."""
        return self.archive.rpartition("/")[2]
