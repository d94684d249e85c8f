"""What a selection found, as typed values: all that the screen, the JSON and the page show of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from entropick._plain import Json, as_plain
from entropick.notes import Note

FORMAT = "entropick-result"
VERSION = 2


@dataclass(frozen=True)
class Target:
    """The target: its classes, or the intervals that a number was cut into, with their row counts."""

    name: str
    kind: Literal["classes", "numeric"]
    n_classes: int
    labels: tuple[str, ...]  # of the classes shown; the smallest of many form one group
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Neighbour:
    """The column, chosen or not, that has most in common with another."""

    name: str
    index: int
    share: float  # adjusted mutual information, 0 to 1


@dataclass(frozen=True)
class Feature:
    """A chosen column; scores are in the unit of the result."""

    name: str
    index: int
    adds: float  # to the columns before it
    alone: float
    lost_without: float
    information_bits: float  # of the column alone, plug-in estimate
    redundant_with: Neighbour | None


@dataclass(frozen=True)
class Probabilities:
    """How likely the search kept each column, step by step, for the columns that matter."""

    names: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]  # one line per column


@dataclass(frozen=True)
class Trace:
    """The steps of a search, one value per step; empty for a ranking."""

    threshold: tuple[float | None, ...]
    best: tuple[float | None, ...]
    size: tuple[int, ...]
    samples: tuple[int, ...]
    elite: tuple[int, ...]
    seconds: tuple[float, ...]
    probabilities: Probabilities
    threshold_label: str  # what the threshold means for this search


@dataclass(frozen=True)
class CurvePoint:
    """The score of the first columns together: the chosen ones first, then those that would add most."""

    size: int
    column: str | None  # the one added; None at size 0
    score: float
    information_bits: float
    corrected_bits: float


@dataclass(frozen=True)
class Redundancy:
    """What the chosen columns have in common, pair by pair: 0 nothing, 1 everything."""

    names: tuple[str, ...]
    shares: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Distribution:
    """Rows of each class shown for every value of a column; rare values form one group."""

    name: str
    values: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Result:
    """What a selection found.

    Attributes
    ----------
    kind : 'search' or 'ranking'
        How the columns were found; ``method`` is the name.
    unit : 'bits' or 'score'
        The unit of ``score``, ``criterion_value``, the scores of the size curve and those of the features.
    criterion, criterion_label, criterion_value
        The criterion, its name on plots, and the score of the selection.
    criterion_claim : str or None
        What the score means, as the end of a sentence; None if there is nothing to add.
    score : float
        The objective that was maximised: ``criterion_value`` minus the parsimony penalty.
    stop : dict
        Why the search ended, with the value; with ``gap``, it is proven that no subset is better by more than that.
    """

    table: str
    target: Target
    n_rows: int
    n_columns: int
    kind: Literal["search", "ranking"]
    method: str
    method_label: str  # what to call it in prose
    features: tuple[Feature, ...]
    n_features: int
    information_bits: float
    corrected_information_bits: float
    class_entropy_bits: float
    delta_information: float | None
    criterion: str
    criterion_label: str
    criterion_claim: str | None
    criterion_value: float
    unit: Literal["bits", "score"]
    score: float
    stop: dict[str, Json]
    steps: int
    evaluations: int | None
    seconds: float
    trace: Trace
    size_curve: tuple[CurvePoint, ...]
    redundancy: Redundancy
    target_by_column: tuple[Distribution, ...]
    notes: tuple[Note, ...]
    settings: dict[str, Json]
    seed: int | None
    versions: dict[str, str]

    def to_dict(self) -> dict[str, Json]:
        """The result as plain JSON values, starting with the format and its version."""
        return {"format": FORMAT, "version": VERSION, **as_plain(self)}
