"""Results in sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from entropick.report import Chance, Curve, Result
from entropick.report.words import answer, as_share, effort, in_order, information, predicted, worth


def test_what_was_found(result: Result) -> None:
    found = replace(
        result, n_features=4, n_columns=11, information_bits=0.567, corrected_information_bits=0.538,
        class_entropy_bits=0.997,
    )  # fmt: skip
    carried = "They carry 0.567 of the 0.997 bits of information about 'target' (57%)"
    carried += " as counted, 0.538 (54%) after correction for chance"
    assert information(found) == f"{carried}."
    assert information(replace(found, criterion_claim="0.4 for a toad")) == f"{carried}; 0.4 for a toad."
    only = replace(found, n_columns=1, n_features=1, corrected_information_bits=-0.01)
    assert information(only).startswith("It carries 0.567 of")
    assert information(only).endswith(" as counted, 0.000 (0%) after correction for chance.")


def test_that_nothing_was_found(result: Result) -> None:
    none = replace(result, n_features=0, features=(), class_entropy_bits=0.5)
    assert answer(none) == "None of the 30 columns is worth keeping for 'target'."
    assert answer(replace(none, n_columns=1)) == "The only column is not worth keeping for 'target'."
    assert information(none) == "The entropy of 'target' is 0.500 bits."


CURVE = Curve((1, 2, 3, 5), (0.5, 0.79, 0.8, 0.7), (0.1, 0.02, 0.0, 0.05), 2, 2)
KEEP: dict[str, Any] = {"settings": {"keep": 0.98}}
NONE = "but no number of columns predicts anything of rows that they were not chosen from."
ENOUGH: dict[str, dict[str, Any]] = {
    "2 of 30 columns are enough for 'target': they keep 98% of what any number of them predicts (with 569 rows, they "
    "cannot be told from the best number).": {},
    "2 of 30 columns are enough for 'target': they keep 98% of what any number of them predicts (as few as 1 cannot be "
    "told from the best number with 569 rows).": {"curve": replace(CURVE, fewest_alike=1)},
    "2 of 30 columns are enough for 'target': they keep 98% of what any number of them predicts (it takes 3 to be "
    "indistinguishable from the best number with these rows).": {
        "curve": replace(CURVE, fewest_alike=3), "n_rows": 100_000,
    },
    "3 of 30 columns are enough for 'target': no other number of them predicts more (as few as 2 cannot be told from "
    "them with 569 rows).": {"curve": replace(CURVE, enough=3), "n_features": 3},
    "3 of 30 columns are enough for 'target': no other number of them predicts more (any fewer predict clearly less "
    "with 569 rows).": {"curve": replace(CURVE, enough=3, fewest_alike=3), "n_features": 3},
    "1 of 30 columns is enough for 'target': no other number of them predicts more.": {
        "curve": Curve((1, 2), (0.5, 0.4), (0.0, 0.1), 1, 1), "n_features": 1,
    },
    "1 of 30 columns is kept for 'target', the most that you allow: it keeps 62% of what any number of them predicts; "
    "2 would be enough.": {"n_features": 1, "settings": {"max_features": 1}},
    "4 of 30 columns are kept for 'target', the fewest that you allow: they keep about 93% of what any number of them "
    "predicts; 2 would be enough.": {"n_features": 4, "settings": {"min_features": 4}},
    "5 of 30 columns are kept for 'target': they keep 87% of what any number of them predicts; 2 would be enough.": {
        "n_features": 5, "settings": {"max_features": 5},
    },
    "All 2 columns are needed for 'target': fewer predict less than 98% of what they do.": {"n_columns": 2, **KEEP},
    "All 2 columns are needed for 'target': fewer predict less.": {"n_columns": 2, "settings": {"keep": 1}},
    "All 2 columns are needed for 'target': fewer predict clearly less.": {
        "n_columns": 2, "settings": {"keep": "one_se"},
    },
    f"2 of 30 columns are kept for 'target', {NONE}": {"curve": replace(CURVE, predicted=(-0.2, -0.1, -0.1, -0.3))},
    "The only column is worth keeping for 'target': 'worst area'.": {"n_columns": 1, "n_features": 1},
}  # fmt: skip


@pytest.mark.parametrize("sentence", ENOUGH)
def test_how_many_are_enough(sentence: str, result: Result) -> None:
    changes = {"curve": CURVE, **ENOUGH[sentence]}
    told = replace(result, **changes, features=result.features[: changes.get("n_features", 2)])
    assert answer(told) == sentence


SHARES = {"<0%": -0.2, "0%": -0.001, "79%": 0.79, "100%": 1.0}


@pytest.mark.parametrize("text", SHARES)
def test_a_share_is_a_percentage(text: str) -> None:
    assert as_share(SHARES[text]) == text


def test_what_is_predicted_between_two_sizes_lies_between(result: Result) -> None:
    assert predicted(replace(result, n_features=3), CURVE) == (0.8, True)
    assert predicted(replace(result, n_features=4), CURVE) == (pytest.approx(0.75), False)


def test_what_a_model_predicts_is_a_share_of_the_entropy(result: Result) -> None:
    told = replace(result, criterion="blend", criterion_value=0.6, class_entropy_bits=1.0)
    assert information(told) == (
        "With them, the score by 'blend' is 60% of the entropy of 'target', in rows left out one by one; that flatters "
        "columns chosen from the same rows."
    )


def test_what_it_scores(result: Result) -> None:
    priced = replace(result, criterion_value=0.75, score=0.5, best_score=0.4)
    assert worth(priced) == "The selection scores 0.7500 bits by 'reliable' (0.5000 after the parsimony penalty)."
    assert worth(replace(priced, unit="score", score=0.75)) == "The selection scores 0.7500 by 'reliable'."
    assert worth(replace(priced, kind="ranking")) == ""


STOPS = {
    "it converged.": {"tolerance": 0.0},
    "it reached the time limit.": {"max_seconds": 3.0},
    "it was stopped by the callback.": {"callback": True},
    "it stopped (no more food).": {"no_more_food": 1},
    "every subset was scored or ruled out. No subset is better.": {"exhausted": 9, "gap": 0.0},
    "it reached the step limit and it was interrupted. No subset is better by more than 0.2500.": {
        "max_steps": 9, "interrupted": True, "gap": 0.25,
    },
}  # fmt: skip


@pytest.mark.parametrize("sentence", STOPS)
def test_why_it_ended(sentence: str, result: Result) -> None:
    ended = replace(result, evaluations=120, steps=1, seconds=0.25, stop=STOPS[sentence])
    assert effort(ended) == f"Cross-entropy search scored 120 subsets in 1 step and 0.25 seconds; {sentence}"


def test_what_follows_a_search_is_part_of_its_time(result: Result) -> None:
    tested = replace(result, evaluations=120, steps=1, seconds=0.25, stop={"exhausted": 9}, chance=Chance(0.01, 99))
    assert effort(tested) == (
        "Cross-entropy search scored 120 subsets in 1 step; every subset was scored or ruled out. All in all it took "
        "0.25 seconds."
    )


def test_a_ranking_is_called_one(result: Result) -> None:
    ranking = replace(result, kind="ranking", method="cmim", method_label="CMIM", criterion="plugin", seconds=0.25)
    assert effort(ranking) == "The ranking CMIM took 0.25 seconds."
    assert in_order(ranking) == "In the order in which CMIM picked them, in bits by the criterion 'plugin'."
    assert in_order(result) == "Ordered by what each adds to those before it, in bits by the criterion 'reliable'."
