"""A data set: what is known before it is loaded, and what it is after."""

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
    """The facts about a data set, its files, and the function that reads them.

    Parameters
    ----------
    name : str
        The name to load it by, and the name of its folder.
    title : str
        The full name.
    target : str
        The column to predict.
    n_rows, n_features : int
        The number of rows, and of columns without the target.
    files : mapping of str to (str or None)
        The files that are read, each with its sha256 when unpacked. A pattern such as ``"*.csv"`` stands for all files
        that match, joined in the order of their names. None if copies differ in ways that do not matter.
    archive : str
        The archive's path at the UCI repository, such as ``"26/connect+4.zip"``; empty if scikit-learn has the data.
    read : callable
        Takes the folder and returns the frame, with the target last, and the frame of the source's own test rows or
        None.
    description : str
        What the rows, the columns and the target are, and what the paper did with them.
    citation : str
        What to cite.
    licence : str
        The terms of use.

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


@dataclass(frozen=True, eq=False)
class Dataset:
    """A data set in memory.

    Parameters
    ----------
    name : str
        The name it was loaded by.
    title : str
        The full name.
    target : str
        The column to predict.
    frame : polars.DataFrame
        All columns, the target last; missing values are null.
    test : polars.DataFrame or None
        The source's own test rows, with the columns of `frame`.
    description : str
        What the rows, the columns and the target are, and what the paper did with them.
    licence : str
        The terms of use.
    citation : str
        What to cite.

    Examples
    --------
    >>> from entropick.datasets import load
    >>> cancer = load("breast_cancer")
    >>> cancer
    Dataset(name='breast_cancer', title='Breast Cancer Wisconsin (Diagnostic)', target='diagnosis')
    >>> cancer.X.shape
    (569, 30)
    >>> cancer.y.value_counts(sort=True).rows()
    [('benign', 357), ('malignant', 212)]
    """

    name: str
    title: str
    target: str
    frame: pl.DataFrame = field(repr=False)
    test: pl.DataFrame | None = field(repr=False)
    description: str = field(repr=False)
    licence: str = field(repr=False)
    citation: str = field(repr=False)

    @property
    def X(self) -> pl.DataFrame:  # noqa: N802
        """The columns of `frame` without the target."""
        return self.frame.drop(self.target)

    @property
    def y(self) -> pl.Series:
        """The target of `frame`."""
        return self.frame[self.target]
