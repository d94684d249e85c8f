"""The JSON Schema of a result, which ships with the package, and reading what claims to fit it."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import Any

from entropick._words import shortened

FORMAT = "entropick-result"
VERSION = 1


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema that every result fits.

    Examples
    --------
    >>> schema()["properties"]["version"]
    {'const': 1}
    """
    text = (files("entropick.report") / "result.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def read_result(text: str, name: str = "result") -> dict[str, Any]:
    """A result from its JSON, or a ValueError that says what is wrong with it.

    Parameters
    ----------
    text : str
        JSON as `entropick select --json` writes it.
    name : str
        What to call it in errors.

    Examples
    --------
    >>> read_result("[]", "my.json")
    Traceback (most recent call last):
    ValueError: 'my.json' must be a result of entropick; this JSON is not one: [] is not of type 'object'.
    """
    from jsonschema import Draft202012Validator

    try:
        result = json.loads(text, parse_constant=_refuse, parse_int=_integer, parse_float=_number)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{name!r} must be JSON that `entropick select --json` wrote; got other text: {error}."
        ) from error
    if isinstance(result, dict) and result.get("format") == FORMAT and result.get("version", VERSION) != VERSION:
        raise ValueError(
            f"{name!r} must be a result of version {VERSION}; got version {result['version']!r}: make it again, or use "
            "the entropick that wrote it."
        )
    problem = next(Draft202012Validator(schema()).iter_errors(result), None)
    if problem is not None:
        where = "".join(f" in {part!r}" for part in list(problem.absolute_path)[:1])
        message = problem.message if len(problem.message) < 200 else problem.message[:200] + "..."
        raise ValueError(f"{name!r} must be a result of entropick; this JSON is not one{where}: {message}.")
    for key, fits in _fits(result).items():
        if not fits:
            raise ValueError(f"{name!r} must be a result of entropick; the parts of its {key!r} do not fit together.")
    checked: dict[str, Any] = result
    return checked


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON")


def _number(digits: str) -> float:
    if not isfinite(number := float(digits)):
        raise ValueError(f"the number {shortened(digits, 20)} is too large")
    return number


def _integer(digits: str) -> int:
    _number(digits)  # they are worked with as floats, so there must be one
    return int(digits)


def _fits(result: dict[str, Any]) -> dict[str, bool]:
    """Whether the lists of each part are as long as they must be, which a schema cannot say."""
    trace, steps, n_classes = result["trace"], result["steps"], len(result["target"]["labels"])
    lines = [values for name, values in trace.items() if name != "probabilities"]
    likely, common = trace["probabilities"], result["redundancy"]
    return {
        "features": len(result["features"]) == result["n_features"],
        "steps": all(len(line) == steps for line in (*lines, *likely["values"])) and bool(lines or not steps),
        "trace": len(likely["names"]) == len(likely["values"]),
        "redundancy": all(len(line) == len(common["names"]) for line in (common["shares"], *common["shares"])),
        "target": len(result["target"]["counts"]) == n_classes,
        "target_by_column": all(
            len(column["counts"]) == len(column["values"]) and all(len(line) == n_classes for line in column["counts"])
            for column in result["target_by_column"]
        ),
    }
