"""What users should know before they trust a selection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from entropick._words import listed, percent
from entropick.dates import part_of
from entropick.encode import Encoded, RawColumn
from entropick.notes import Note
from entropick.report._result import Feature
from entropick.selectors import Outcome

_LIMITS = {
    "max_seconds": "the time limit",
    "max_evaluations": "the limit on evaluations",
    "max_steps": "the limit on steps",
    "interrupted": "an interruption",
}
_LITTLE = 0.01  # share of H(y) below which a column adds little
_FEW_ROWS = 200  # of a table with more columns than rows
_HANDFUL = 5  # rows of a value from which little can be learnt ...
_RARE = 0.2  # ... and the share of rows with such values that is worth a note
_MANY = 10  # columns, from which on they are counted
_FEW = 20  # rows; in fewer, numbers that all differ are not reported as an id


def about_columns(encoded: Encoded) -> Iterator[Note]:
    """Constant columns and possible ids; notes from the encoding are not repeated."""
    table, columns = encoded.table, encoded.columns
    constant = [columns[j].name for j in table.constant_columns if columns[j].kind in ("levels", "bins")]
    if constant:
        which, have = ("column", "has") if len(constant) == 1 else ("columns", "have")
        text = f"{which} {listed(constant)} {have} the same value in every row and cannot help."
        yield Note("constant", text, tuple(constant))
    copies = [columns[j].name for j in table.copies]
    if len(copies) == 1:
        ((copy, first),) = table.copies.items()
        text = f"column {columns[copy].name!r} is a copy of {columns[first].name!r}: a model gets one of them."
        yield Note("copy", text, tuple(copies))
    elif copies:
        text = f"columns {listed(copies)} are copies of others: a model gets one of each."
        yield Note("copy", text, tuple(copies))
    numbers = [
        column.name
        for j, column in enumerate(columns)
        if column.kind == "bins"
        and table.n_rows > _FEW
        and part_of(column.name) is None
        and _all_different(encoded.source[j])
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


def about_rows(encoded: Encoded, chosen: NDArray[np.int64]) -> Iterator[Note]:
    """Too few rows for the number of columns, or for the values of a chosen column."""
    table = encoded.table
    if table.n_rows < _FEW_ROWS and table.n_columns > table.n_rows:
        yield Note(
            "few_rows",
            f"there are {table.n_columns} columns and only {table.n_rows} rows: many other columns would do about as "
            "well, and most claims about so few rows do not hold on others.",
        )
    for j in chosen:
        if encoded.columns[j].kind == "levels":
            sizes = np.bincount(table.columns[j])
            rare = sizes[(sizes > 0) & (sizes < _HANDFUL)]
            if rare.sum() > _RARE * table.n_rows:
                name = encoded.names[j]
                text = (
                    f"{len(rare)} of the values of column {name!r} have fewer than {_HANDFUL} rows each, "
                    f"{percent(rare.sum(), table.n_rows)} of all rows: what it says about them hardly holds on others; "
                    "group them."
                )
                yield Note("rare_levels", text, (name,))


def about_selection(
    outcome: Outcome,
    features: Sequence[Feature],
    information: float,
    corrected: float | None,
    class_entropy: float | None,
    parsimony: float,
) -> Iterator[Note]:
    """What to be aware of in a selection; a target that stays a number has no class entropy."""
    criterion, has_search = outcome.criterion, outcome.chance is None or outcome.chance.finds_something
    limits = _LIMITS.keys() & outcome.stop.keys() if has_search else set()
    if not features and has_search:
        why = criterion.nothing()
        if limits:
            why = "the search was stopped before it found any worth keeping."
        elif parsimony:
            why = f"none is worth the parsimony penalty by the criterion {criterion.name!r}."
        yield Note("nothing", f"no column was selected: {why}")
    least, whole = (_LITTLE, "the variance (R²)") if class_entropy is None else (_LITTLE * class_entropy, "H(y)")
    spare = [feature for feature in features if feature.index not in outcome.always]
    little = [feature.name for feature in spare if feature.lost_without < least]
    if little and criterion.unit == "bits" and outcome.kind == "search" and outcome.curve is None:
        which = listed(little) if len(little) == 1 else f"each of {listed(little)}"
        which += f" ({len(little)} columns)" if len(little) > _MANY else ""
        text = (
            f"{which} can be dropped for less than {_LITTLE:.0%} of {whole}; a parsimony of {_LITTLE:g} removes such "
            "columns."
        )
        yield Note("little", text, tuple(little))
    if features and criterion.rewards_luck and corrected is not None and corrected < information / 2:
        yield Note(
            "luck",
            f"of the {information:.3f} bits that the selected columns carry, chance alone would give "
            f"{information - corrected:.3f}: they split the rows so finely that they say little about new rows.",
        )
    for reason in sorted(limits):
        yield Note("limit", f"the search was stopped by {_LIMITS[reason]}, so a better selection may exist.")
