"""Results of version 1, which files may still hold, as version 2 has them."""

from __future__ import annotations

from typing import Any

from entropick._words import percent

_LINES = ("threshold", "best", "size", "samples", "elite", "seconds")


def upgraded(old: dict[str, Any]) -> dict[str, Any]:
    """A result of version 1 as one of version 2; what is broken in it stays so, for the reader to name.

    Examples
    --------
    >>> new = upgraded({"version": 1, "evaluations": None, "warnings": ["column 'a' is constant."]})
    >>> new["version"], new["kind"], new["notes"]
    (2, 'ranking', [{'code': 'note', 'text': "column 'a' is constant."}])
    """
    new = {**old, "version": 2, "kind": "ranking" if old.get("evaluations", 0) is None else "search"}
    if "criterion" in old:
        new.update(criterion_label=old["criterion"], criterion_claim=_claim(old))
    if isinstance(old.get("trace"), dict):
        new["trace"] = {**{line: [] for line in _LINES}, **old["trace"], "threshold_label": "threshold"}
    if isinstance(old.get("warnings"), list):
        new["notes"] = [{"code": "note", "text": text} for text in new.pop("warnings")]
    return new


def _claim(old: dict[str, Any]) -> str | None:
    usable, entropy = old.get("criterion_value"), old.get("class_entropy_bits")
    if old["criterion"] != "usable" or not isinstance(usable, float) or not isinstance(entropy, float):
        return None
    return f"a naive Bayes model can use {usable:.3f} of them ({percent(usable, entropy)})"
