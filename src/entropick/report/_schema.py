"""The JSON of a result: its schema, made from the types, and how it is read."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from functools import cache
from math import isfinite
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from entropick._plain import Json
from entropick._words import shortened
from entropick.report._result import FORMAT, VERSION, Result, Verdict

_SCHEMAS: dict[type, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer", "minimum": 0},  # all are counts, indices or seeds
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    object: {},  # any JSON
}


def schema() -> dict[str, Json]:
    """The JSON Schema that every result fits.

    Examples
    --------
    >>> schema()["properties"]["version"]
    {'const': 4}
    >>> schema()["properties"]["unit"]
    {'enum': ['bits', 'r_squared', 'score']}
    """
    parts: dict[str, Any] = {}
    _schema_of(Result, parts)
    result = parts.pop(Result.__name__)
    first = {"format": {"const": FORMAT}, "version": {"const": VERSION}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Result of entropick, version {VERSION}",
        **result,
        "properties": {**first, **result["properties"]},
        "required": [*first, *result["required"]],
        "$defs": parts,
    }


def _schema_of(kind: Any, parts: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type; schemas of dataclasses go into ``parts``, by name."""
    if kind in _SCHEMAS:
        return _SCHEMAS[kind]
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return {**_schema_of(inner[0], parts), "minimum": inner[1].low, "maximum": inner[1].high}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is tuple:
        return {"type": "array", "items": _schema_of(inner[0], parts)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema_of(inner[1], parts)}
    if origin is not None:
        return {"anyOf": [_schema_of(part, parts) for part in inner]}
    if kind.__name__ not in parts:
        parts[kind.__name__] = {
            "description": str(kind.__doc__).partition("\n")[0],
            "type": "object",
            "properties": {name: _schema_of(part, parts) for name, (part, _) in _fields(kind).items()},
            "required": [name for name, (_, is_required) in _fields(kind).items() if is_required],
        }
    return {"$ref": f"#/$defs/{kind.__name__}"}


@cache
def _fields(kind: Any) -> dict[str, tuple[Any, bool]]:
    """The type of each field of a dataclass, and whether it is required."""
    kinds = get_type_hints(kind, localns={"Json": object}, include_extras=True)
    return {field.name: (kinds[field.name], field.default is MISSING) for field in fields(kind)}


def read_result(text: str, name: str = "result") -> Result:
    """Read a result from its JSON, or raise a ValueError that says what is wrong with it.

    Parameters
    ----------
    text : str
        JSON written by `entropick select --json`.
    name : str
        What to call it in errors.

    Examples
    --------
    >>> read_result("[]", "my.json")
    Traceback (most recent call last):
    ValueError: 'my.json' is not an entropick result: it must be an object; got [].
    """
    try:
        value = json.loads(text, parse_constant=_refuse, parse_int=_integer, parse_float=_number)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{name!r} must be JSON written by `entropick select --json`; got other text: {error}."
        ) from error
    if isinstance(value, dict) and value.get("format") == FORMAT:
        version = value.get("version")
        if version != VERSION or isinstance(version, bool):
            raise ValueError(
                f"{name!r} must be a result of version {VERSION}; got version {_shown(version)}: run the selection "
                "again, or use the version of entropick that wrote it."
            )
    elif isinstance(value, dict):
        raise ValueError(f"{name!r} is not an entropick result: its 'format' is {_shown(value.get('format'))}.")
    try:
        result: Result = _load(Result, value, "")
    except _MisfitError as error:
        raise ValueError(f"{name!r} is not an entropick result: {error}.") from error
    for part, fits in _fits(result).items():
        if not fits:
            raise ValueError(f"{name!r} is not an entropick result: the parts of its {part!r} do not match.")
    return result


class _MisfitError(Exception):
    """What is wrong with a part of a result."""


def _load(kind: Any, value: Any, where: str) -> Any:
    """Convert a JSON value to its type; unknown keys of an object are ignored."""
    if kind is object:
        return value
    if kind is str:
        return _expect(isinstance(value, str), "text", value, where)
    if kind is bool:
        return _expect(isinstance(value, bool), "true or false", value, where)
    if kind is float:
        return float(_expect(_is_number(value), "a number", value, where))
    if kind is int:
        _expect(_is_number(value) and value == int(value), "an integer", value, where)
        return int(_expect(value >= 0, "0 or more", value, where))
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        number, limits = _load(inner[0], value, where), inner[1]
        return _expect(limits.low <= number <= limits.high, f"from {limits.low} to {limits.high}", number, where)
    if origin is Literal:
        return _expect(value in inner, " or ".join(map(repr, inner)), value, where)
    if origin is tuple:
        _expect(isinstance(value, list), "a list", value, where)
        return tuple(_load(inner[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    if origin not in (None, dict):  # X | None
        return None if value is None else _load(inner[0], value, where)
    _expect(isinstance(value, dict), "an object", value, where)
    if origin is dict:
        return {key: _load(inner[1], item, f"{where}.{key}") for key, item in value.items()}
    found = {}
    for name, (part, is_required) in _fields(kind).items():
        inside = f"{where}.{name}".lstrip(".")
        if name in value:
            found[name] = _load(part, value[name], inside)
        elif is_required:
            raise _MisfitError(f"{inside!r} is missing")
    return kind(**found)


def _expect(fits: bool, what: str, value: Any, where: str) -> Any:
    if not fits:
        raise _MisfitError(f"{repr(where) if where else 'it'} must be {what}; got {_shown(value)}")
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    return shortened(repr(value), 60)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON number")


def _number(digits: str) -> float:
    if not isfinite(number := float(digits)):
        raise ValueError(f"the number {shortened(digits, 20)} is too large")
    return number


def _integer(digits: str) -> int:
    _number(digits)  # used as a float, so it must not be too large for one
    return int(digits)


def _verdicts(result: Result) -> list[Verdict | None]:
    return [*(feature.verdict for feature in result.features), *(column.verdict for column in result.columns)]


def _fits(result: Result) -> dict[str, bool]:
    """Whether lists have the right lengths, and all parts are about classes or all about a number."""
    trace, common, n_classes = result.trace, result.redundancy, len(result.target.labels)
    lines = (trace.threshold, trace.best, trace.size, trace.samples, trace.elite, trace.seconds)
    likely, halves, is_number = trace.probabilities, result.halves, result.r_squared is not None
    curve, told = result.curve, {verdict is None for verdict in _verdicts(result)}
    known = [bits for point in result.size_curve for bits in (point.information_bits, point.corrected_bits)]
    return {
        "r_squared": all(
            (bits is None) == is_number
            for bits in (result.class_entropy_bits, result.corrected_information_bits, *known)
        ),
        "halves": halves is None or (len(halves.names) == len(halves.frequency) and len(halves.interval) in (0, 2)),
        "curve": curve is None
        or (
            len(curve.sizes) == len(curve.predicted) == len(curve.error) > 0
            and list(curve.sizes) == sorted(set(curve.sizes))
            and {curve.enough, curve.fewest_alike} <= {*curve.sizes}
        ),
        "decoys": told <= {result.decoys is None} and result.decoys != 0,
        "features": len(result.features) == result.n_features,
        "steps": all(len(line) == result.steps for line in (*lines, *likely.values)),
        "trace": len(likely.names) == len(likely.values),
        "size_curve": len(result.size_curve) > 0,
        "redundancy": all(len(line) == len(common.names) for line in (common.shares, *common.shares)),
        "target": len(result.target.counts) == n_classes,
        "target_by_column": all(
            len(column.counts) == len(column.values) and all(len(line) == n_classes for line in column.counts)
            for column in result.target_by_column
        ),
    }
