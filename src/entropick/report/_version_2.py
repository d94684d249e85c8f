"""Convert results of version 2, which may still be in files, to version 3."""

from __future__ import annotations

from entropick._plain import Json


def upgraded(old: dict[str, Json]) -> dict[str, Json]:
    """A result of version 2 as version 3; what is broken stays broken, for the reader to report.

    Examples
    --------
    >>> new = upgraded({"version": 2, "score": 0.5, "features": [{"name": "age"}]})
    >>> new["version"], new["best_score"], new["features"]
    (3, 0.5, [{'name': 'age', 'selection_frequency': None}])
    """
    new: dict[str, Json] = {**old, "version": 3, "r_squared": None, "chance": None, "halves": None}
    if "score" in old:
        new["best_score"] = old["score"]
    features = old.get("features")
    if isinstance(features, list):
        new["features"] = [{**f, "selection_frequency": None} if isinstance(f, dict) else f for f in features]
    return new
