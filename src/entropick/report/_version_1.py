"""Convert results of version 1, which may still be in files, to version 2."""

from __future__ import annotations

from entropick._names import FORMERLY, method_label
from entropick._plain import Json
from entropick.criteria import CRITERIA

_LINES = ("threshold", "best", "size", "samples", "elite", "seconds")


def upgraded(old: dict[str, Json]) -> dict[str, Json]:
    """A result of version 1 as version 2; what is broken stays broken, for the reader to report.

    Examples
    --------
    >>> new = upgraded({"version": 1, "evaluations": None, "warnings": ["column 'a' is constant."]})
    >>> new["version"], new["kind"], new["notes"]
    (2, 'ranking', [{'code': 'note', 'text': "column 'a' is constant."}])
    """
    new: dict[str, Json] = {**old, "version": 2, "kind": "ranking" if old.get("evaluations", 0) is None else "search"}
    if isinstance(old.get("method"), str):
        new["method_label"] = method_label(str(old["method"]))
    if "criterion" in old:
        new.update(criterion_label=old["criterion"], criterion_claim=_claim(old))
    trace, warned = old.get("trace"), new.pop("warnings", None)
    if isinstance(trace, dict):
        new["trace"] = {**{line: [] for line in _LINES}, **trace, "threshold_label": "threshold"}
    if isinstance(warned, list):
        new["notes"] = [{"code": "note", "text": text} for text in warned]
    return new


def _claim(old: dict[str, Json]) -> str | None:
    name, value, entropy = old["criterion"], old.get("criterion_value"), old.get("class_entropy_bits")
    if not isinstance(name, str) or name not in CRITERIA or not isinstance(value, float | int):
        return None
    return CRITERIA[FORMERLY.get(name, name)].claim(value, entropy) if isinstance(entropy, float | int) else None
