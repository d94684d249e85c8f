"""Errors about parameters: the sentence, and what it is made from."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest

from entropick import CrossEntropySelector, RankSelector
from entropick._checks import check_flag, check_number
from entropick._errors import Mention, ParameterError, UnknownNameError
from entropick._names import look_up
from entropick.engine import count_threads
from entropick.search import Random
from entropick.selectors import make_selector

ERRORS = [
    ParameterError("n_bins", "must be an integer", "5", ("use ", Mention("binning", "floor")), optional=True),
    UnknownNameError(Mention("target"), "class", ["auto", "classes"]),
]


@pytest.mark.parametrize("error", ERRORS, ids=["parameter", "name"])
def test_an_error_comes_out_of_another_process_as_it_was(error: ParameterError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def test_an_error_speaks_as_it_is_told_to() -> None:
    names = {"n_bins": "--bins", "binning": "--binning", "target": "--target-kind"}

    def write(mention: Mention) -> str:
        return " ".join(filter(None, (names[mention.parameter], mention.value)))

    first, second = ERRORS
    assert str(first) == "n_bins must be an integer, or None; got '5': use binning='floor'."
    assert first.sentence(write, none="") == "--bins must be an integer; got '5': use --binning floor."
    assert second.sentence(write).startswith("unknown --target-kind 'class'. Known: 'auto', 'classes'. Did you mean")


def test_what_is_looked_up_and_not_there_says_what_is() -> None:
    with pytest.raises(UnknownNameError) as caught:
        look_up("criterion", "plugim", {"plugin": 1})
    assert (caught.value.parameter, caught.value.got) == ("criterion", "plugim")
    assert caught.value.expected == "must be one of 'plugin'"


@pytest.mark.parametrize(
    ("value", "limits", "sentence"),
    [
        (0, {"low": 0, "high": 1, "above": True}, "a must be a number greater than 0 and at most 1; got 0."),
        (2, {"low": 0, "high": 1, "above": True}, "a must be a number greater than 0 and at most 1; got 2."),
        (2, {"low": 0, "high": 1}, "a must be a number between 0 and 1; got 2."),
        (-1, {"low": 0}, "a must be a number of at least 0; got -1."),
        (0, {"low": 0, "above": True}, "a must be a number greater than 0; got 0."),
        ("x", {}, "a must be a number; got 'x'."),
        (float("inf"), {}, "a must be a finite number; got inf."),
        (float("nan"), {"low": 0}, "a must be a finite number of at least 0; got nan."),
        (Fraction(10**400), {}, f"a must be a finite number; got {Fraction(10**400)!r}."),
        (10**400, {"low": 0}, f"a must be a finite number of at least 0; got {10**400}."),
        (True, {"low": 0, "integer": True}, "a must be an integer of at least 0; got True."),
        (1.0, {"integer": True, "optional": True}, "a must be an integer, or None; got 1.0."),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_number_out_of_its_limits_is_told_with_them(value: object, limits: dict[str, object], sentence: str) -> None:
    with pytest.raises(ParameterError) as caught:
        check_number("a", value, **limits)  # type: ignore[arg-type]
    assert str(caught.value) == sentence
    assert caught.value.got is value


def test_numbers_of_all_kinds_are_numbers() -> None:
    for value in (1, 0.5, np.float32(0.5), np.int8(1), Fraction(1, 3)):
        check_number("a", value, 0, 1)
    check_number("a", None, optional=True)
    check_number("a", 10**400, 2, integer=True)


def test_true_and_false_are_the_only_flags() -> None:
    check_flag("polish", True)
    check_flag("polish", np.False_)
    for value in ("no", 1, None):
        with pytest.raises(ParameterError, match="polish must be True or False; got "):
            check_flag("polish", value)


X = np.array([[i % 2, i % 3] for i in range(30)])


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: RankSelector("mifs", beta=float("inf")).fit(X, X[:, 0]), "beta must be a finite number of at least 0"),
        (lambda: Random(initial_features=float("inf")).start(3), "initial_features must be a finite number"),
        (
            lambda: CrossEntropySelector("reliable", parsimony=1e308, null=False).fit(X, X[:, 0]),
            "parsimony must be a number between 0 and 1000",
        ),
        (
            lambda: CrossEntropySelector("reliable", polish="no", null=False).fit(X, X[:, 0]),
            "polish must be True or False; got 'no'",
        ),
        (
            lambda: CrossEntropySelector("reliable", n_jobs=2**70, null=False).fit(X, X[:, 0]),
            "n_jobs must be at most 1024 threads; got",
        ),
        (
            lambda: CrossEntropySelector("reliable", target="numeric", null=False).fit(X, list("ab" * 15)),
            "use target='classes'",
        ),
        (lambda: make_selector("mrmr", n_features=3), "n_features is not a setting of 'mrmr', which is a ranking"),
    ],
    ids=["beta", "initial_features", "parsimony", "polish", "n_jobs", "target", "a ranking"],
)
def test_odd_parameters_end_with_a_sentence(make, sentence) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ParameterError, match=sentence):
        make()


def test_the_dearest_column_is_a_number_still() -> None:
    assert CrossEntropySelector("reliable", parsimony=10**9, null=False).fit(X, X[:, 0]).n_features_ == 0


def test_so_many_threads_below_the_processors_are_one() -> None:
    assert count_threads(-(2**70)) == 1
