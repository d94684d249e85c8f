"""What a selector remembers about its fit, for the report and for comparisons."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from entropick.criteria import Criterion
from entropick.encode import Encoded
from entropick.notes import Note
from entropick.selectors._chance import ChanceTest
from entropick.selectors._halves import Halves


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
        How subsets were scored.
    score, best_score : float
        The objective of the selection, its score minus the parsimony penalty, and that of the best subset found, from
        which the selection may differ.
    chance : ChanceTest or None
        How what was found compares with chance, if that was tested.
    halves : Halves or None
        What was chosen from halves of the rows, if that was asked for.
    always : tuple of int
        The columns that were to be selected in any case.
    order : ndarray of int or None
        The chosen columns in ranking order; None for a search.
    stop : dict
        Why the method ended, with the value.
    trace : dict of arrays
        The steps of a search; see `CrossEntropySelector`.
    threshold_label : str
        What the threshold in the trace means.
    evaluations, seed : int or None
        The number of subsets scored, and the seed; None for a ranking.
    notes : tuple of Note
        What users should know about the run.
    """

    mask: NDArray[np.bool_]
    kind: Literal["search", "ranking"]
    method: str
    criterion: Criterion
    score: float
    best_score: float
    stop: dict[str, Any]
    order: NDArray[np.int64] | None = None
    trace: dict[str, NDArray[Any]] = field(default_factory=dict)
    threshold_label: str = "threshold"
    evaluations: int | None = None
    seed: int | None = None
    notes: tuple[Note, ...] = ()
    chance: ChanceTest | None = None
    halves: Halves | None = None
    always: tuple[int, ...] = ()


@dataclass(frozen=True)
class FitRecord:
    """One fit: what was found, on which table, and how long that took.

    Attributes
    ----------
    outcome : Outcome
        What was found.
    encoded : Encoded or None
        The table; None if the selector was pickled or copied, because it is not stored with it.
    seconds, selection_seconds : float
        Time of the whole fit, and of the selection from the encoded table.
    limit : float or None
        Time that the fit was allowed.
    """

    outcome: Outcome
    encoded: Encoded | None
    seconds: float
    selection_seconds: float
    limit: float | None = None

    @property
    def notes(self) -> tuple[Note, ...]:
        """What users should know about the table and the run."""
        return (*(() if self.encoded is None else self.encoded.notes), *self.outcome.notes)

    def without_table(self) -> FitRecord:
        """The record without the table, which may be large."""
        return replace(self, encoded=None)
