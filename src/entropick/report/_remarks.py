"""What the owner of a table should know before trusting a selection, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from entropick._words import listed
from entropick.criteria import plugin, reliable
from entropick.encode import CodeTable, RawColumn, TableEncoder, read_source
from entropick.engine import make_engine

_LIMITS = {
    "max_seconds": "the time limit",
    "max_evaluations": "the limit of evaluations",
    "max_steps": "the limit of steps",
    "interrupted": "an interruption",
}
_NOTED = {  # kinds of columns that are not used as they came
    "id": "a different value in every row, as an id has, and cannot be selected.",
    "presence": "too many different values to tell anything: only whether one is missing was used.",
    "crowded": "more different values than a column may have, and cannot be selected.",
    "unread": "not been read, for the time was over, and could not be selected.",
}
_LEAK = 0.99  # share of H(y) from which on a single column is said to give the target away
_LITTLE = 0.01  # share of H(y) below which a column is said to add little
_FEW = 20  # rows; so few distinct numbers are no id


def remarks(result: dict[str, Any], table: CodeTable, encoder: TableEncoder) -> list[str]:
    """Sentences about columns and result, none if all is well."""
    names = [column.name for column in encoder.columns]
    return [
        *_target(result),
        *_constant(table, encoder),
        *_ids(table, encoder),
        *_leaks(result, table, names),
        *_selection(result),
    ]


def _target(result: dict[str, Any]) -> Iterator[str]:
    target = result["target"]
    if target["kind"] == "numeric":
        yield (
            f"the target {target['name']!r} is a number and was cut into {target['n_classes']} classes "
            f"({', '.join(target['labels'])}): use classes of your own if others matter."
        )


def _constant(table: CodeTable, encoder: TableEncoder) -> Iterator[str]:
    constant = [
        column.name
        for column, codes in zip(encoder.columns, table.columns, strict=True)
        if column.kind in ("levels", "bins") and (codes == codes[0]).all()
    ]
    if len(constant) == 1:
        yield f"column {constant[0]!r} has the same value in every row and tells nothing."
    elif constant:
        yield f"{len(constant)} columns have one value in every row and tell nothing: {listed(constant)}."


def _ids(table: CodeTable, encoder: TableEncoder) -> Iterator[str]:
    for kind, words in _NOTED.items():
        noted = [column.name for column in encoder.columns if column.kind == kind]
        if noted:
            yield f"{_columns(noted)} {words}"
    source = read_source(table.X)
    numbers = []
    for j, column in enumerate(encoder.columns):
        if column.kind == "bins" and table.n_rows > _FEW and _all_different(source[j]):
            numbers.append(column.name)
    if numbers:
        yield f"{_columns(numbers)} a different whole number in every row: if that is an id, leave it out."


def _all_different(column: RawColumn) -> bool:
    """Whether all values are whole numbers and no two the same."""
    x = column.present
    for part in (x[:1000], x):
        if (part.dtype == np.float64 and (part != np.floor(part)).any()) or len(np.unique(part)) < len(part):
            return False
    return not column.has_missing


def _leaks(result: dict[str, Any], table: CodeTable, names: Sequence[str]) -> Iterator[str]:
    """Columns that give the target away, and not by having a value of their own in every row."""
    engine = make_engine(result["settings"]["engine"], table, result["settings"]["n_jobs"])
    limit = _LEAK * table.class_entropy
    counted = engine.bind(plugin(table.class_sizes)).each(range(table.n_columns))
    suspects = np.flatnonzero(counted >= limit)
    if len(suspects):
        corrected = engine.bind(reliable(table.class_sizes)).each(suspects)
        leaks = [names[j] for j in suspects[corrected >= limit / 2]]
        if leaks:
            which = f"column {leaks[0]!r} alone tells" if len(leaks) == 1 else f"each of {listed(leaks)} alone tells"
            yield (
                f"{which} at least {_LEAK:.0%} of what there is to know about the target {result['target']['name']!r}: "
                "make sure that it is known before the target is, or leave it out."
            )


def _selection(result: dict[str, Any]) -> Iterator[str]:
    if not result["n_features"]:
        yield f"no column was selected: {_why_none(result)}"
    limit = _LITTLE * result["class_entropy_bits"]
    little = [feature["name"] for feature in result["features"] if feature["lost_without"] < limit]
    if little and result["unit"] == "bits" and result["evaluations"] is not None:
        which = f"column {little[0]!r}" if len(little) == 1 else f"any one of {listed(little)}"
        yield (
            f"without {which} less than {_LITTLE:.0%} of what there is to know would be lost: a parsimony of "
            f"{_LITTLE:g} leaves such columns out."
        )
    information, corrected = result["information_bits"], result["corrected_information_bits"]
    if result["n_features"] and result["criterion"] in ("plugin", "miller_madow") and corrected < information / 2:
        yield (
            f"of the {information:.3f} bits that the selected columns show, chance alone would show "
            f"{information - corrected:.3f}: they split the rows so finely that they would tell little about new ones."
        )
    for reason, words in _LIMITS.items():
        if reason in result["stop"]:
            yield f"the search was ended by {words}, so a better selection may exist."


def _why_none(result: dict[str, Any]) -> str:
    if _LIMITS.keys() & result["stop"].keys():
        return "none that is worth keeping was found before the search was ended."
    if result["settings"].get("parsimony"):
        return f"by the criterion {result['criterion']!r} none is worth its price, the parsimony."
    if result["criterion"] == "reliable":
        return "none tells more about the target than chance would show."
    return f"by the criterion {result['criterion']!r} none is worth keeping."


def _columns(names: Sequence[str]) -> str:
    return f"column {names[0]!r} has" if len(names) == 1 else f"columns {listed(names)} have"
