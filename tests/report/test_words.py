"""Results in sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from entropick.report import Chance, Result
from entropick.report.words import answer, effort, in_order, information, worth


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
    tested = replace(
        result, evaluations=120, steps=1, seconds=0.25, stop={"exhausted": 9}, chance=Chance(0.01, 99, is_fitted=False)
    )
    assert effort(tested) == (
        "Cross-entropy search scored 120 subsets in 1 step; every subset was scored or ruled out. All in all it took "
        "0.25 seconds."
    )


def test_a_ranking_is_called_one(result: Result) -> None:
    ranking = replace(result, kind="ranking", method="cmim", method_label="CMIM", criterion="plugin", seconds=0.25)
    assert effort(ranking) == "The ranking CMIM took 0.25 seconds."
    assert in_order(ranking) == "In the order in which CMIM picked them, in bits by the criterion 'plugin'."
    assert in_order(result) == "Ordered by what each adds to those before it, in bits by the criterion 'reliable'."
