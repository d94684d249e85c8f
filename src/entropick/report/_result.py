"""What a selection found, as typed values: all that the screen, the JSON and the page show of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from entropick._plain import Json, as_plain
from entropick.evaluation import HeldOut, Tested
from entropick.notes import Note

FORMAT = "entropick-result"
VERSION = 4


@dataclass(frozen=True)
class Limits:
    """Between what a number must be, the ends included."""

    low: float
    high: float


Share: TypeAlias = Annotated[float, Limits(0, 1)]
Agreement: TypeAlias = Annotated[float, Limits(-1, 1)]
Verdict: TypeAlias = Literal["sure", "useful", "no"]


@dataclass(frozen=True)
class Target:
    """The target: its classes, or the intervals that a number was cut into, with their row counts."""

    name: str
    kind: Literal["classes", "numeric"]
    n_classes: int
    labels: tuple[str, ...]  # of the classes shown; the smallest of many form one group
    counts: tuple[int, ...]
    spread: tuple[float, ...] = ()  # of a number: below which 5, 25, 50, 75 and 95 % of it are


@dataclass(frozen=True)
class Neighbour:
    """The column, chosen or not, that has most in common with another."""

    name: str
    index: int
    share: Share  # adjusted mutual information, 0 to 1


@dataclass(frozen=True)
class Partner:
    """The chosen column with which another says more than the two say one by one."""

    name: str
    together: float  # the score of the two
    beyond: float  # what the two say beyond the sum of what each says alone


@dataclass(frozen=True)
class Feature:
    """A chosen column; scores are in the unit of the result."""

    name: str
    index: int
    adds: float  # to the columns before it
    alone: float
    lost_without: float
    information_bits: float | None  # of the column alone, plug-in estimate; None if the target stays a number
    redundant_with: Neighbour | None
    selection_frequency: Share | None  # share of the halves of the rows from which it was chosen, if that was tried
    partner: Partner | None = None  # if it works together with another
    verdict: Verdict | None = None  # 'sure' or 'useful', if copies without the target were tried
    expected_false: float | None = None  # useless columns to be expected down to its place
    place: float | None = None  # its mean place over halves of the rows


@dataclass(frozen=True)
class Column:
    """Any column, chosen or not; scores are in the unit of the result."""

    name: str
    index: int
    is_chosen: bool
    alone: float | None  # None if it was not scored
    gain: float | None  # what would be lost without it, or what it would add to the chosen ones
    selection_frequency: Share | None
    like: Neighbour | None  # the chosen column that has most in common with it
    state: Literal["free", "constant", "id", "unread", "screened"]  # why it could not be chosen, if so
    verdict: Verdict | None = None  # 'sure', 'useful' (chosen all the same) or 'no'
    expected_false: float | None = None  # as of a `Feature`
    place: float | None = None  # its mean place over halves of the rows


@dataclass(frozen=True)
class Chance:
    """How what was found compares with what is found when the target is shuffled."""

    p_value: Share
    n_shuffles: int
    is_approximate: bool = False  # targets changed places between rows that are alike, not equal, in `always`


@dataclass(frozen=True)
class Curve:
    """How much numbers of columns predict of rows that they were not chosen from."""

    sizes: tuple[int, ...]  # numbers of columns, rising
    predicted: tuple[float, ...]  # what they predict: a share of H(y), or R²; below 0, worse than without columns
    error: tuple[float, ...]  # the standard error of the difference from the best number
    enough: int  # the fewest columns that predict as much as `keep` among the settings says
    fewest_alike: int  # the fewest that cannot be told from the best number


@dataclass(frozen=True)
class Halves:
    """What was chosen from halves of the rows."""

    n_halves: int
    names: tuple[str, ...]  # of the columns chosen from at least one half, the most frequent first
    frequency: tuple[Share, ...]  # the share of the halves from which each was chosen
    stability: Agreement | None  # 1: always the same columns, 0: no better than chance; None if always none or all
    interval: tuple[Agreement, ...]  # the ends of its 95 % interval, if there is one
    groups: tuple[tuple[str, ...], ...]  # columns that replace each other from half to half


@dataclass(frozen=True)
class Probabilities:
    """How likely the search kept each column, step by step, for the columns that matter."""

    names: tuple[str, ...]
    values: tuple[tuple[Share, ...], ...]  # one line per column


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
    """The score of the first columns together, as in a search: the chosen first, then those that would add most."""

    size: int
    column: str | None  # the one added; None at size 0
    score: float
    information_bits: float | None  # None if the target stays a number
    corrected_bits: float | None


@dataclass(frozen=True)
class Redundancy:
    """What the chosen columns have in common, pair by pair: 0 nothing, 1 everything."""

    names: tuple[str, ...]
    shares: tuple[tuple[Share, ...], ...]


@dataclass(frozen=True)
class Distribution:
    """Rows of each class shown for every value of a column; rare values form one group."""

    name: str
    values: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    spread: tuple[tuple[float, ...], ...] = ()  # of a numeric target for every value, as in `Target`


@dataclass(frozen=True)
class Result:
    """What a selection found.

    Attributes
    ----------
    kind : 'search' or 'ranking'
        How the columns were found; ``method`` is the name.
    information_bits, corrected_information_bits, class_entropy_bits, delta_information
        The plug-in estimate of I(U;y), the same corrected for chance, H(y) and ΔI_r. If the target stays a number,
        there are no classes to count: they are ½ log2(1/(1 − R²)), None, None and 1 − R².
    r_squared : float or None
        The share of the variance of a target that stays a number that the selection predicts, in rows left out.
    unit : 'bits', 'r_squared' or 'score'
        The unit of all scores. They are R² if the target stays a number, even where a selector has bits.
    criterion, criterion_label, criterion_value
        The criterion, its name on plots, and the score of the selection, on all rows. What the features add and lose,
        and the size curve, are scores as in a search, where a model compares subsets on a sample of many rows.
    criterion_claim : str or None
        What the score means, as the end of a sentence; None if there is nothing to add.
    score : float
        The objective that was maximised: ``criterion_value`` minus the parsimony penalty.
    best_score : float
        The objective of the selection as the search scores it.
    chance : Chance or None
        How what was found compares with chance, if that was tested.
    halves : Halves or None
        What was chosen from halves of the rows, if that was tried: from each as many columns as were selected.
    curve : Curve or None
        How much numbers of columns predict, if halves of the rows decided how many are enough.
    decoys : int or None
        How many copies of the table without its target the columns were compared with, if they were.
    held_out : HeldOut or None
        What a model loses with the chosen columns, if that was tried.
    columns : tuple of Column
        All columns of the table, in its order.
    tested : Tested or None
        What a model reaches on another table, if there was one.
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
    corrected_information_bits: float | None
    class_entropy_bits: float | None
    delta_information: float | None
    r_squared: float | None
    criterion: str
    criterion_label: str
    criterion_claim: str | None
    criterion_value: float
    unit: Literal["bits", "r_squared", "score"]
    score: float
    best_score: float
    chance: Chance | None
    halves: Halves | None
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
    held_out: HeldOut | None = None
    columns: tuple[Column, ...] = ()
    curve: Curve | None = None
    decoys: int | None = None
    tested: Tested | None = None

    def to_dict(self) -> dict[str, Json]:
        """The result as plain JSON values, starting with the format and its version."""
        return {"format": FORMAT, "version": VERSION, **as_plain(self)}
