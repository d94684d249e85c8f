"""What a selector remembers of its fit, for the report and for comparisons."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from entropick.criteria import Criterion
from entropick.encode import Encoded
from entropick.notes import Note


@dataclass(frozen=True)
class Outcome:
    """What a method found on a table.

    Attributes
    ----------
    mask : ndarray of bool, shape (n_columns,)
        The chosen columns.
    kind : 'search' or 'ranking'
        What the method is; ``method`` is its name.
    criterion : Criterion
        What subsets were judged by.
    score : float
        The objective of the selection, the price of its columns taken off.
    order : ndarray of int or None
        The chosen columns in the order of a ranking.
    stop : dict
        Why it ended, with the value.
    trace : dict of arrays
        The steps of a search; see `CrossEntropySelector`.
    threshold_label : str
        What the threshold of the trace is.
    evaluations, seed : int or None
        Subsets that were scored, and the seed; None for a ranking.
    notes : tuple of Note
        What happened on the way.
    """

    mask: NDArray[np.bool_]
    kind: Literal["search", "ranking"]
    method: str
    criterion: Criterion
    score: float
    stop: dict[str, Any]
    order: NDArray[np.int64] | None = None
    trace: dict[str, NDArray[Any]] = field(default_factory=dict)
    threshold_label: str = "threshold"
    evaluations: int | None = None
    seed: int | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class FitRecord:
    """One fit: what was found, on which table, and how long that took.

    Attributes
    ----------
    outcome : Outcome
        What was found.
    encoded : Encoded or None
        The table; None after the selector was pickled or copied, which leaves it behind.
    seconds, selection_seconds : float
        The whole fit, and the selection from the encoded table.
    """

    outcome: Outcome
    encoded: Encoded | None
    seconds: float
    selection_seconds: float

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the owner of the table should know."""
        return (*(() if self.encoded is None else self.encoded.notes), *self.outcome.notes)

    def without_table(self) -> FitRecord:
        """The record without what is large."""
        return replace(self, encoded=None)
