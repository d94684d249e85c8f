"""A whole table: fitted on some rows, applied to any."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._arguments import check_number, look_up
from entropick.encode._binning import BINNINGS
from entropick.encode._column import ColumnEncoder, fit_column
from entropick.encode._source import Source, read_source
from entropick.encode._table import CodeTable


class TableEncoder:
    """Turns the columns of a table into codes; the bins and levels come from the rows given to `fit`.

    Strings, categories, booleans, dates and integer columns with at most 20 distinct values become levels;
    other numbers are binned; a missing value is a level of its own.

    Parameters
    ----------
    n_bins : int
        Number of bins of a real column, at least 2.
    binning : {'quantile', 'uniform', 'mdlp', 'floor'}
        How they are cut.
    literal : bool
        Take every distinct integer and string as it stands, however many they are; only fractions are binned.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([["a", 1.5], ["b", 2.5], ["a", None]], dtype=object)
    >>> table = TableEncoder(n_bins=2).fit_transform(X, np.array([0, 1, 1]))
    >>> [column.tolist() for column in table.columns]
    [[0, 1, 0], [0, 1, 2]]
    """

    def __init__(self, n_bins: int = 5, binning: str = "quantile", literal: bool = False) -> None:
        look_up("binning", binning, BINNINGS)
        check_number("n_bins", n_bins, 2, integer=True)
        self.n_bins = int(n_bins)
        self.binning = binning
        self.literal = literal
        self.columns: tuple[ColumnEncoder, ...] = ()

    def fit_transform(self, X: Any, classes: NDArray[np.int64]) -> CodeTable:
        """Learn the codes of X and apply them, reading each column once."""
        source = _source(X)
        source.check_rows(len(classes))
        encoders, columns, levels = [], [], []
        for raw in source:
            encoder = fit_column(raw, classes, self.n_bins, self.binning, self.literal)
            codes, n_codes = encoder.encode(raw)
            encoders.append(encoder)
            columns.append(codes)
            levels.append(n_codes)
        self.columns = tuple(encoders)
        return CodeTable(tuple(columns), np.array(levels, dtype=np.int64), classes)

    def transform(self, X: Any, classes: NDArray[np.int64]) -> CodeTable:
        """Codes of further rows of the same columns; a level that `fit` did not see has a code of its own."""
        source = _source(X)
        source.check_rows(len(classes))
        if len(source.names) != len(self.columns):
            raise ValueError(f"X must have the {len(self.columns)} columns of fit; got {len(source.names)}.")
        pairs = [encoder.encode(raw) for encoder, raw in zip(self.columns, source, strict=True)]
        levels = np.array([n_codes for _, n_codes in pairs], dtype=np.int64)
        return CodeTable(tuple(codes for codes, _ in pairs), levels, classes)


def _source(X: Any) -> Source:
    return X if isinstance(X, Source) else read_source(X)
