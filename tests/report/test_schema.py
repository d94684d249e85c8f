"""The JSON of a result: what its types say, and what is refused."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from entropick.report import Curve, Result, read_result, schema


def fits(value: Any) -> bool:
    return bool(Draft202012Validator(schema()).is_valid(value))


def test_the_schema_is_one_and_a_result_fits_it(result: Result) -> None:
    Draft202012Validator.check_schema(schema())
    plain = result.to_dict()
    assert list(plain) == ["format", "version", *(field.name for field in fields(Result))]
    text = json.dumps(plain, allow_nan=False)
    assert fits(json.loads(text))
    assert read_result(text) == result


def test_the_schema_says_what_the_types_say() -> None:
    parts = schema()["properties"]
    assert (parts["format"], parts["version"]) == ({"const": "entropick-result"}, {"const": 4})
    assert parts["kind"] == {"enum": ["search", "ranking"]}
    assert parts["n_rows"] == {"type": "integer", "minimum": 0}
    assert parts["seed"] == {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]}
    assert parts["features"] == {"type": "array", "items": {"$ref": "#/$defs/Feature"}}
    assert parts["versions"] == {"type": "object", "additionalProperties": {"type": "string"}}
    assert parts["settings"] == {"type": "object", "additionalProperties": {}}
    assert schema()["$defs"]["Feature"]["description"] == "A chosen column; scores are in the unit of the result."
    assert schema()["$defs"]["Note"]["required"] == ["code", "text"]


HALVES = {"n_halves": 2, "names": ["a"], "frequency": [1], "stability": 1, "interval": [], "groups": []}
CURVE = {"sizes": [1, 2], "predicted": [-0.5, 0.25], "error": [0.1, 0.0], "enough": 2, "fewest_alike": 2}

# A place in a result, what is put there (...: it is taken away), and what is said about it.
BROKEN: list[tuple[tuple[str | int, ...], Any, str]] = [
    (("n_rows",), "x", "'n_rows' must be an integer; got 'x'"),
    (("n_rows",), True, "'n_rows' must be an integer; got True"),
    (("n_rows",), 1.5, "'n_rows' must be an integer; got 1.5"),
    (("n_rows",), -1, "'n_rows' must be 0 or more; got -1"),
    (("n_rows",), ..., "'n_rows' is missing"),
    (("score",), None, "'score' must be a number; got None"),
    (("table",), 3, "'table' must be text; got 3"),
    (("unit",), "nats", "'unit' must be 'bits' or 'r_squared' or 'score'; got 'nats'"),
    (("kind",), [], r"'kind' must be 'search' or 'ranking'; got \[\]"),
    (("features",), {}, "'features' must be a list; got {}"),
    (("features", 1, "name"), None, r"'features\[1\].name' must be text; got None"),
    (("features", 0, "adds"), ..., r"'features\[0\].adds' is missing"),
    (("features", 0, "redundant_with"), "x" * 500, r"'features\[0\].redundant_with' must be an object; got 'xxx"),
    (("target", "labels", 0), 1, r"'target.labels\[0\]' must be text; got 1"),
    (("trace", "probabilities", "values", 0, 0), "x", r"'trace.probabilities.values\[0\]\[0\]' must be a number"),
    (("versions", "numpy"), 2, "'versions.numpy' must be text; got 2"),
    (("stop",), [], r"'stop' must be an object; got \[\]"),
    (("notes",), [{"code": "id"}], r"'notes\[0\].text' is missing"),
    (
        ("chance",),
        {"p_value": 0.1, "n_shuffles": 9, "is_approximate": 1},
        "'chance.is_approximate' must be true or false; got 1",
    ),
    (("halves",), 6, "'halves' must be an object; got 6"),
    (
        ("chance",),
        {"p_value": 1e308, "n_shuffles": 9, "is_approximate": False},
        "'chance.p_value' must be from 0 to 1; got 1e",
    ),
    (
        ("chance",),
        {"p_value": -0.1, "n_shuffles": 9, "is_approximate": False},
        "'chance.p_value' must be from 0 to 1; got -0",
    ),
    (("features", 0, "selection_frequency"), 2, r"'features\[0\].selection_frequency' must be from 0 to 1; got 2.0"),
    (("columns", 0, "selection_frequency"), 1.01, r"'columns\[0\].selection_frequency' must be from 0 to 1; got 1.01"),
    (("redundancy", "shares", 0, 0), 3, r"'redundancy.shares\[0\]\[0\]' must be from 0 to 1; got 3"),
    (("trace", "probabilities", "values", 0, 0), -1, r"'trace.probabilities.values\[0\]\[0\]' must be from 0 to 1"),
    (("halves",), {**HALVES, "stability": -3}, "'halves.stability' must be from -1 to 1; got -3"),
    (("halves",), {**HALVES, "interval": [0.5, 1.2]}, r"'halves.interval\[1\]' must be from -1 to 1; got 1.2"),
    (("halves",), {**HALVES, "frequency": [1e308]}, r"'halves.frequency\[0\]' must be from 0 to 1; got 1e"),
    (("features", 0, "verdict"), "maybe", r"'features\[0\].verdict' must be 'sure' or 'useful' or 'no'; got 'maybe'"),
    (("columns", 0, "verdict"), 1, r"'columns\[0\].verdict' must be 'sure' or 'useful' or 'no'; got 1"),
    (("features", 0, "place"), "first", r"'features\[0\].place' must be a number; got 'first'"),
    (("columns", 0, "expected_false"), "few", r"'columns\[0\].expected_false' must be a number; got 'few'"),
    (("decoys",), -4, "'decoys' must be 0 or more; got -4"),
    (("curve",), [], r"'curve' must be an object; got \[\]"),
    (("curve",), {**CURVE, "sizes": [1.5]}, r"'curve.sizes\[0\]' must be an integer; got 1.5"),
    (("curve",), {**CURVE, "predicted": ["x"]}, r"'curve.predicted\[0\]' must be a number; got 'x'"),
    (("curve",), {name: CURVE[name] for name in CURVE if name != "enough"}, "'curve.enough' is missing"),
]


@pytest.mark.parametrize(("place", "value", "sentence"), BROKEN, ids=[case[2] for case in BROKEN])
def test_a_part_that_does_not_fit_is_named(
    place: tuple[str | int, ...], value: Any, sentence: str, result: Result
) -> None:
    broken: Any = json.loads(json.dumps(result.to_dict()))
    inside = broken
    for key in place[:-1]:
        inside = inside[key]
    if value is ...:
        del inside[place[-1]]
    else:
        inside[place[-1]] = value
    with pytest.raises(ValueError, match=f"^'my.json' is not an entropick result: {sentence}") as caught:
        read_result(json.dumps(broken), "my.json")
    assert len(str(caught.value)) < 200
    assert not fits(broken)


OTHERS = {
    "text": ("nonsense", "other text"),
    "a list": ("[1]", r"is not an entropick result: it must be an object; got \[1\]"),
    "another object": ('{"a": 1}', "is not an entropick result: its 'format' is None"),
    "a part": ('{"format": "entropick-result", "version": 4}', "'table' is missing"),
    "an older one": ('{"format": "entropick-result", "version": 3}', "got version 3: run the selection again"),
    "the oldest": ('{"format": "entropick-result", "version": 1}', "must be a result of version 4; got version 1"),
    "a newer one": ('{"format": "entropick-result", "version": 5}', "got version 5: run the selection again"),
    "no version": ('{"format": "entropick-result"}', "got version None"),
    "deep": ("[" * 100_000, "other text"),
    "no number": ('{"score": NaN}', "NaN is not a JSON number"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_what_is_no_result_is_refused(case: str) -> None:
    text, sentence = OTHERS[case]
    with pytest.raises(ValueError, match=sentence):
        read_result(text)


def test_a_result_whose_parts_do_not_fit_together_is_refused(result: Result) -> None:
    plain = result.to_dict()
    changes: list[tuple[str, Any]] = [
        ("steps", result.steps + 1),
        ("steps", 10**12),
        ("size_curve", []),
        ("features", []),
        ("redundancy", {"names": ["a", "b"], "shares": [[1.0]]}),
        ("target_by_column", [{"name": "a", "values": ["x"], "counts": [[1]]}]),
    ]
    for key, value in changes:
        with pytest.raises(ValueError, match=f"the parts of its '{key}' do not match"):
            read_result(json.dumps({**plain, key: value}))
    with pytest.raises(ValueError, match="'steps' do not match"):
        read_result(json.dumps({**plain, "trace": {**plain["trace"], "best": []}}))


@pytest.mark.parametrize(
    "change",
    [{"sizes": [1]}, {"error": [0.1]}, {"sizes": [2, 1]}, {"sizes": [1, 1]}, {"enough": 3}, {"fewest_alike": 0}],
    ids=str,
)
def test_a_curve_whose_parts_do_not_match_is_refused(change: dict[str, Any], result: Result) -> None:
    plain = {**result.to_dict(), "curve": CURVE}
    assert fits(plain)
    assert read_result(json.dumps(plain)).curve == Curve((1, 2), (-0.5, 0.25), (0.1, 0.0), 2, 2)
    with pytest.raises(ValueError, match="the parts of its 'curve' do not match"):
        read_result(json.dumps({**plain, "curve": {**CURVE, **change}}))
    empty: dict[str, Any] = {**CURVE, "sizes": [], "predicted": [], "error": []}
    with pytest.raises(ValueError, match="the parts of its 'curve' do not match"):
        read_result(json.dumps({**plain, "curve": empty}))


def test_verdicts_and_copies_are_there_together_or_not_at_all(result: Result) -> None:
    plain: Any = json.loads(json.dumps(result.to_dict()))
    with pytest.raises(ValueError, match="the parts of its 'decoys' do not match"):
        read_result(json.dumps({**plain, "decoys": 4}))
    for part in (*plain["features"], *plain["columns"]):
        part["verdict"] = "sure"
    assert read_result(json.dumps({**plain, "decoys": 4})).decoys == 4
    for decoys in (None, 0):
        with pytest.raises(ValueError, match="the parts of its 'decoys' do not match"):
            read_result(json.dumps({**plain, "decoys": decoys}))


def test_what_another_program_adds_is_left_alone(result: Result) -> None:
    plain = {**result.to_dict(), "colour": "blue"}
    assert fits(plain)
    assert read_result(json.dumps(plain)) == result
    assert read_result(json.dumps({**plain, "seconds": 1})).seconds == 1.0
