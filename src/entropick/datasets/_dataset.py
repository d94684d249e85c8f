"""What a data set is once it is loaded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table with its target, and where it comes from.

    Parameters
    ----------
    name : str
        The name it is loaded by.
    title : str
        The name for people.
    target : str
        The column that is to be told from the others.
    frame : polars.DataFrame
        All columns, the target last; missing values are null.
    test : polars.DataFrame or None
        The rows that the source sets apart for testing, with the columns of `frame`.
    description : str
        What rows, columns and target are, and what the paper did with them.
    licence : str
        On what terms it may be used.
    citation : str
        Whom to cite.

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
        """All columns of `frame` but the target."""
        return self.frame.drop(self.target)

    @property
    def y(self) -> pl.Series:
        """The target of `frame`."""
        return self.frame[self.target]
