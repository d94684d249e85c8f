"""What a selector remembers about its fit, for the report and for comparisons."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from entropick.criteria import Criterion
from entropick.encode import Encoded
from entropick.notes import Note
from entropick.path import ChanceTest, Choices, Curve, Decoys


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
    choices : Choices or None
        The sets of as many columns that halves of the rows chose, if that was asked for.
    curve : Curve or None
        What numbers of columns predict of rows that they were not chosen from.
    decoys : Decoys or None
        How the columns stand beside copies that have lost the target.
    places : ndarray or None
        The mean place of each column over halves of the rows.
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
    choices: Choices | None = None
    curve: Curve | None = None
    decoys: Decoys | None = None
    places: NDArray[np.float64] | None = None
    always: tuple[int, ...] = ()

    def in_order(self, order: NDArray[np.int64]) -> Outcome:
        """The same, of a table that has its columns in another order: column k here is column ``order[k]`` there."""
        places = np.argsort(order)
        choices, decoys = self.choices, self.decoys
        if choices is not None:
            groups = tuple(tuple(sorted(int(order[j]) for j in group)) for group in choices.groups)
            choices = replace(choices, masks=choices.masks[:, places], groups=groups)
        if decoys is not None:
            decoys = replace(decoys, is_sure=decoys.is_sure[places], expected_false=decoys.expected_false[places])
        return replace(
            self,
            mask=self.mask[places],
            choices=choices,
            decoys=decoys,
            places=None if self.places is None else self.places[places],
            always=tuple(int(order[j]) for j in self.always),
            order=None if self.order is None else order[self.order],
        )


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
