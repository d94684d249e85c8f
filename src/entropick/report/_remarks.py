"""What users should know before they trust a selection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from entropick._words import listed
from entropick.criteria import plugin, reliable
from entropick.encode import Encoded, RawColumn
from entropick.notes import Note
from entropick.report._result import Feature, Target
from entropick.scorer import Scorers
from entropick.selectors import Outcome

_LIMITS = {
    "max_seconds": "the time limit",
    "max_evaluations": "the limit on evaluations",
    "max_steps": "the limit on steps",
    "interrupted": "an interruption",
}
_LEAK = 0.99  # share of H(y) from which a single column gives the target away
_LITTLE = 0.01  # share of H(y) below which a column adds little
_FEW = 20  # rows; in fewer, numbers that all differ are not reported as an id


def about_columns(encoded: Encoded) -> Iterator[Note]:
    """Constant columns and possible ids; notes from the encoding are not repeated."""
    table, columns = encoded.table, encoded.columns
    constant = [columns[j].name for j in table.constant_columns if columns[j].kind in ("levels", "bins")]
    if constant:
        which, have = ("column", "has") if len(constant) == 1 else ("columns", "have")
        text = f"{which} {listed(constant)} {have} the same value in every row and cannot help."
        yield Note("constant", text, tuple(constant))
    numbers = [
        column.name
        for j, column in enumerate(columns)
        if column.kind == "bins" and table.n_rows > _FEW and _all_different(encoded.source[j])
    ]
    if numbers:
        has = f"column {numbers[0]!r} has" if len(numbers) == 1 else f"columns {listed(numbers)} have"
        text = f"{has} a different whole number in every row: if that is an id, leave it out."
        yield Note("id_number", text, tuple(numbers))


def _all_different(column: RawColumn) -> bool:
    """Whether all values are whole numbers and no two are the same."""
    x = column.present
    for part in (x[:1000], x):
        if (part.dtype == np.float64 and (part != np.floor(part)).any()) or len(np.unique(part)) < len(part):
            return False
    return not column.has_missing


def about_leaks(scorers: Scorers, names: Sequence[str], target: Target) -> Iterator[Note]:
    """Columns that give the target away, other than by having a different value in every row."""
    m, limit = scorers.table.n_columns, _LEAK * scorers.table.class_entropy
    suspects = np.flatnonzero(scorers[plugin].each(np.arange(m)) >= limit)
    leaks = [names[j] for j in suspects[scorers[reliable].each(suspects) >= limit / 2]]
    if leaks:
        which = f"column {leaks[0]!r} alone carries" if len(leaks) == 1 else f"each of {listed(leaks)} alone carries"
        yield Note(
            "leak",
            f"{which} at least {_LEAK:.0%} of the information about the target {target.name!r}: make sure that it is "
            "known before the target, or leave it out.",
            tuple(leaks),
        )


def about_selection(
    outcome: Outcome,
    features: Sequence[Feature],
    information: float,
    corrected: float | None,
    class_entropy: float | None,
    parsimony: float,
) -> Iterator[Note]:
    """What to be aware of in a selection; a target that stays a number has no class entropy."""
    criterion, limits = outcome.criterion, _LIMITS.keys() & outcome.stop.keys()
    if not features and not _is_chance(outcome, bool(limits or parsimony)):
        why = criterion.nothing()
        if limits:
            why = "the search was stopped before it found any worth keeping."
        elif parsimony:
            why = f"none is worth the parsimony penalty by the criterion {criterion.name!r}."
        yield Note("nothing", f"no column was selected: {why}")
    least, whole = (_LITTLE, "the variance (R²)") if class_entropy is None else (_LITTLE * class_entropy, "H(y)")
    little = [feature.name for feature in features if feature.lost_without < least]
    if little and criterion.unit == "bits" and outcome.kind == "search":
        which = repr(little[0]) if len(little) == 1 else f"any one of {listed(little)}"
        text = f"dropping {which} loses less than {_LITTLE:.0%} of {whole}: a parsimony of {_LITTLE:g} leaves it out."
        yield Note("little", text, tuple(little))
    if features and criterion.rewards_luck and corrected is not None and corrected < information / 2:
        yield Note(
            "luck",
            f"of the {information:.3f} bits that the selected columns carry, chance alone would give "
            f"{information - corrected:.3f}: they split the rows so finely that they say little about new rows.",
        )
    for reason in sorted(limits):
        yield Note("limit", f"the search was stopped by {_LIMITS[reason]}, so a better selection may exist.")


def _is_chance(outcome: Outcome, has_reason: bool) -> bool:
    """Whether it is said already that nothing is better than chance, and there is no better reason for that."""
    chance = outcome.chance
    if chance is None or chance.finds_something:
        return False
    return chance.n_shuffles > 0 or not has_reason
