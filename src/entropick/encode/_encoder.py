"""A whole table: the encoding is fitted on some rows and applied to any."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._checks import check_number
from entropick._defaults import BINNING, N_BINS
from entropick._errors import Mention
from entropick._names import look_up
from entropick._words import listed
from entropick.encode._binning import BINNINGS
from entropick.encode._column import ColumnEncoder, fit_column
from entropick.encode._raw import ColumnWarning
from entropick.encode._source import Source, read_source
from entropick.encode._table import CodeTable
from entropick.notes import Note, tell


class TableEncoder:
    """Turns the columns of a table into codes; the bins and levels come from the rows given to `fit`.

    Strings, categories, booleans, dates and integer columns with at most 20 distinct values become levels;
    other numbers are binned; a missing value is a level of its own. If text or dates are all different, only whether
    they are missing is used.

    Parameters
    ----------
    n_bins : int
        Number of bins of a real column, at least 2; with quantiles, a value found in at least one row in ``n_bins``
        gets a bin of its own, which may be an extra one.
    binning : {'quantile', 'uniform', 'mdlp', 'floor'}
        How the bins are cut.
    as_is : bool
        Make every distinct integer and string a level, up to 65,535 of them; only fractions are binned.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([["a", 1.5], ["b", 2.5], ["a", None]], dtype=object)
    >>> table = TableEncoder(n_bins=2).fit_transform(X, np.array([0, 1, 1]))
    >>> [column.tolist() for column in table.columns]
    [[0, 1, 0], [0, 1, 2]]
    """

    def __init__(self, n_bins: int = N_BINS, binning: str = BINNING, as_is: bool = False) -> None:
        look_up(Mention("binning"), binning, BINNINGS)
        check_number("n_bins", n_bins, 2, integer=True)
        self.n_bins = int(n_bins)
        self.binning = binning
        self.as_is = as_is
        self.columns: tuple[ColumnEncoder, ...] = ()
        self.notes: tuple[Note, ...] = ()

    def fit_transform(self, X: Any, classes: NDArray[np.int64], deadline: float | None = None) -> CodeTable:
        """Learn the codes of X and apply them, reading each column once.

        Parameters
        ----------
        X : data frame, array, sparse matrix or Source
            The table.
        classes : ndarray of shape (n_rows,)
            The class of every row.
        deadline : float, optional
            When to stop reading columns, by `time.monotonic`; those up to the first that is not constant are always
            read. The others get a single code, like constant ones, and a note names them.
        """
        source = _source(X)
        source.check_rows(len(classes))
        encoders, columns, levels = [], [], []
        notes: list[Note] = []
        for raw in source:
            encoder = fit_column(raw, classes, self.n_bins, self.binning, self.as_is)
            codes, n_codes = encoder.encode(raw)
            encoders.append(encoder)
            notes += (*raw.notes, *encoder.notes)
            columns.append(codes)
            levels.append(n_codes)
            if deadline is not None and max(levels) > 1 and time.monotonic() >= deadline:
                break
        unread = source.names[len(encoders) :]
        if unread:
            text = (
                f"time ran out before {len(unread)} of {len(source.names)} columns were read, {listed(unread)}: "
                "they were not considered; allow more time, or pass fewer columns or rows."
            )
            notes.append(Note("unread", text, unread))
            encoders += [ColumnEncoder(name, "unread") for name in unread]
            columns += [np.zeros(source.n_rows, dtype=np.uint8)] * len(unread)
            levels += [1] * len(unread)
        self.columns, self.notes = tuple(encoders), notes_together(notes)
        for note in self.notes:
            tell(note, ColumnWarning)
        ordered = np.array([encoder.n_ordered for encoder in encoders], dtype=np.int64)
        return CodeTable(tuple(columns), np.array(levels, dtype=np.int64), classes, ordered)

    def transform(self, X: Any, classes: NDArray[np.int64]) -> CodeTable:
        """Codes of further rows of the same columns; levels not seen in the fit share a code of their own."""
        source = _source(X)
        source.check_rows(len(classes))
        if len(source.names) != len(self.columns):
            raise ValueError(f"X must have the {len(self.columns)} columns of fit; got {len(source.names)}.")
        pairs = [encoder.encode(raw) for encoder, raw in zip(self.columns, source, strict=True)]
        levels = np.array([n_codes for _, n_codes in pairs], dtype=np.int64)
        return CodeTable(tuple(codes for codes, _ in pairs), levels, classes)


_OF_SEVERAL = {  # columns that have the same note
    "row_number": "number the rows, which says nothing about other rows: they cannot be selected.",
    "id": "have a different value in every row, as ids do, and cannot be selected: drop them or make them numbers.",
    "presence": "have too many different values: only whether one is missing is used; group their values for more.",
    "crowded": "have too many different values and cannot be selected: drop them or group their values.",
    "mixed": "hold values of several types; they are read as strings: convert each to one type to decide yourself.",
    "numbers_as_text": "are mostly numbers written as text, and treated as text; to have them binned, convert them.",
}


def notes_together(notes: Sequence[Note]) -> tuple[Note, ...]:
    """The notes, with one in place of several that say the same about different columns."""
    by_code: dict[str, list[Note]] = {}
    for note in notes:
        by_code.setdefault(note.code, []).append(note)
    return tuple(_joined(some) if len(some) > 1 else some[0] for some in by_code.values())


def _joined(notes: Sequence[Note]) -> Note:
    columns = tuple(name for note in notes for name in note.columns)
    return Note(notes[0].code, f"columns {listed(columns)} {_OF_SEVERAL[notes[0].code]}", columns)


def _source(X: Any) -> Source:
    return X if isinstance(X, Source) else read_source(X)
