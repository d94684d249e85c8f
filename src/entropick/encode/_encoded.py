"""X and y, encoded: the problem that everything behind the encoding works on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from entropick._defaults import BINNING, N_BINS, TARGET
from entropick.encode._column import ColumnEncoder
from entropick.encode._encoder import TableEncoder
from entropick.encode._source import Source, read_source
from entropick.encode._table import CodeTable
from entropick.encode._target import TargetEncoder
from entropick.notes import Note


@dataclass(frozen=True)
class Encoded:
    """A table of codes and all that it came from.

    Attributes
    ----------
    table : CodeTable
        Codes and classes.
    columns : tuple of ColumnEncoder
        How each column was encoded.
    target : TargetEncoder
        How y was.
    source : Source
        The columns as they came, read one at a time; ``source[j].numbers`` are those of a numeric column.
    notes : tuple of Note
        What their owner should know about them.
    """

    table: CodeTable
    columns: tuple[ColumnEncoder, ...]
    target: TargetEncoder
    source: Source
    notes: tuple[Note, ...] = ()

    def shown(self, most: int) -> Encoded:
        """What the values of columns are shown by: this or, of a table in shards, at most so many of its rows."""
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.source.names


def encode(
    X: Any, y: Any, n_bins: int = N_BINS, binning: str = BINNING, target: str = TARGET, deadline: float | None = None
) -> Encoded:
    """Encode a table and its target.

    Parameters
    ----------
    X : data frame, array, sparse matrix or Source
        The table.
    y : array-like of shape (n_rows,)
        The target.
    n_bins, binning, target
        As of a selector.
    deadline : float, optional
        When to read no further column; see `TableEncoder.fit_transform`.

    Examples
    --------
    >>> encoded = encode([["a", 1.5], ["b", 2.5], ["a", 9.5]], ["no", "yes", "yes"])
    >>> encoded.table.levels, encoded.table.classes, encoded.target.labels
    (array([2, 3]), array([0, 1, 1]), ('no', 'yes'))
    """
    if y is None:
        raise ValueError("y must be given: information is about a target; got None.")
    source = X if isinstance(X, Source) else read_source(X)
    columns, target_encoder = TableEncoder(n_bins, binning), TargetEncoder(target, n_bins, binning)
    table = columns.fit_transform(source, target_encoder.fit_transform(y), deadline)
    labels = target_encoder.labels if target_encoder.kind == "classes" else None
    table = replace(table, X=source.native, y=y, labels=labels, numbers=target_encoder.numbers)
    return Encoded(table, columns.columns, target_encoder, source, (*target_encoder.notes, *columns.notes))
