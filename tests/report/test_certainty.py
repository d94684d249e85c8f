"""How sure a selection is: compared with chance, and chosen again from halves of the rows."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers import quick
from numpy.typing import NDArray

from entropick import CrossEntropySelector
from entropick.path import ChanceTest
from entropick.report import Chance, Curve, Halves, Note, Report, Result, describe, read_result
from entropick.report._remarks import about_selection
from entropick.report.words import (
    agreement,
    answer,
    certainty,
    chosen_from,
    effort,
    not_needed,
    replacements,
    sure,
)


def coins(n: int = 120) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Five coins; y is the first in most rows, and the second is a copy of it in most."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, size=(n, 5))
    X[:, 1] = np.where(rng.random(n) < 0.05, 1 - X[:, 0], X[:, 0])
    return X, np.where(rng.random(n) < 0.2, 1 - X[:, 0], X[:, 0])


@pytest.fixture(scope="module")
def halved() -> CrossEntropySelector:
    return quick("auto").fit(*coins())


def test_what_is_there_has_its_p_value_everywhere() -> None:
    result = describe(CrossEntropySelector(random_state=0).fit(*coins()))
    assert result.chance == Chance(0.01, 99)
    assert certainty(result) == "p = 0.01: none of 99 shuffled targets scored as high."
    html = Report(result).html
    assert certainty(result) in html
    assert "p-value, against chance" in html
    assert read_result(json.dumps(result.to_dict())) == result


def test_noise_is_told_and_nothing_is_kept() -> None:
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 2, (100, 4)), rng.integers(0, 2, 100)
    with pytest.warns(UserWarning, match="no column is better than chance"):
        selector = CrossEntropySelector(random_state=0).fit(X, y)
    result = describe(selector)
    assert result.n_features == 0
    assert result.chance is not None
    assert result.chance.p_value > 0.02
    assert [note.code for note in result.notes] == ["nothing_there"]
    assert answer(result) == "None of the 4 columns is better than chance for 'y'."
    assert certainty(result).endswith(" shuffled targets scored as high.")
    assert (result.curve, result.halves, result.decoys, result.held_out) == (None, None, None, None)
    assert effort(result).startswith("No search followed the comparison with chance.")
    assert answer(result) in Report(result).html.replace("&#39;", "'")
    assert read_result(json.dumps(result.to_dict())) == result


WORDS: dict[str, Any] = {
    "Untested: this was not compared with shuffled targets.": None,
    "p = 0.01: none of 99 shuffled targets scored as high.": Chance(0.01, 99),
    "p = 0.02: 1 of 99 shuffled targets scored as high.": Chance(0.02, 99),
    "p = 0.35: 6 of 19 shuffled targets scored as high.": Chance(0.35, 19),
    "p = 0.01, approximate: none of 99 targets shuffled between rows alike in the columns that are always kept scored "
    "as high.": Chance(0.01, 99, is_approximate=True),
}


def test_without_a_shuffle_there_is_nothing_to_say(result: Result) -> None:
    untried = replace(result, chance=Chance(1.0, 0))
    assert certainty(untried) == ""
    assert "p-value" not in Report(untried).html


def test_what_there_was_no_time_for_is_untested(result: Result) -> None:
    late = replace(result, notes=(Note("untested", "there was no time."),))
    assert certainty(late) == "Untested: there was no time to compare this with shuffled targets."
    assert "no time." not in Report(late).html
    assert certainty(replace(late, n_features=0, features=())) == ""


def test_what_is_kept_in_any_case_is_all_that_chance_leaves(result: Result) -> None:
    noise = replace(result, notes=(Note("nothing_there", "no column is better than chance."),))
    asked = "2 columns are kept because you asked for them."
    assert answer(noise) == f"None of the other 28 columns is better than chance for 'target'; {asked}"
    assert answer(replace(noise, n_columns=3)) == f"The other column is not better than chance for 'target'; {asked}"
    assert answer(replace(noise, n_columns=2)) == asked
    one = replace(noise, n_features=1, features=noise.features[:1])
    assert answer(one).endswith("for 'target'; 'worst area' is kept because you asked for it.")


@pytest.mark.parametrize("sentence", WORDS)
def test_a_p_value_is_put_into_words(sentence: str, result: Result) -> None:
    assert certainty(replace(result, chance=WORDS[sentence])) == sentence


def test_what_is_chosen_from_halves_is_in_the_result(halved: CrossEntropySelector) -> None:
    result, choices = describe(halved), halved.record_.outcome.choices
    assert result.halves is not None
    assert choices is not None
    assert result.halves.n_halves == len(choices.masks) == 22
    often = dict(zip(result.halves.names, result.halves.frequency, strict=True))
    assert often == {f"x{j}": round(share, 4) for j, share in enumerate(choices.frequency) if share}
    assert list(often.values()) == sorted(often.values(), reverse=True)
    assert (result.halves.stability, *result.halves.interval) == pytest.approx(halved.stability_)
    for feature in result.features:
        assert feature.selection_frequency == often.get(feature.name, 0.0)
    assert read_result(json.dumps(result.to_dict())) == result


def test_what_is_judged_is_in_the_result(halved: CrossEntropySelector) -> None:
    result, outcome = describe(halved), halved.record_.outcome
    curve, decoys = outcome.curve, outcome.decoys
    assert curve is not None
    assert decoys is not None
    assert result.curve == Curve(
        tuple(curve.sizes), tuple(curve.predicted), tuple(curve.error), curve.enough(0.98), curve.fewest_alike
    )
    assert result.curve.enough == result.n_features
    assert result.decoys == decoys.n_copies == 4
    assert outcome.places is not None
    for column in result.columns:
        assert column.verdict == halved.verdict_[column.index]
        assert column.expected_false == pytest.approx(decoys.expected_false[column.index], abs=1e-4)
        assert column.place == pytest.approx(outcome.places[column.index], abs=1e-4)
    by_name = {column.name: column for column in result.columns}
    for feature in result.features:
        same = by_name[feature.name]
        assert (feature.verdict, feature.expected_false, feature.place) == (
            same.verdict, same.expected_false, same.place,
        )  # fmt: skip
    assert read_result(json.dumps(result.to_dict())) == result


def verdicts(result: Result, chosen: str, others: str = "") -> Result:
    """The result with verdicts: the first letters of those of the chosen columns, and of others."""
    names = {"s": "sure", "u": "useful", "n": "no"}
    features = tuple(
        replace(result.features[0], name=f"a{i}", verdict=names[letter]) for i, letter in enumerate(chosen)
    )
    columns = tuple(
        replace(result.columns[0], name=f"b{i}", is_chosen=False, verdict=names[letter], place=float(-i))
        for i, letter in enumerate(others)
    )
    return replace(result, features=features, n_features=len(features), columns=columns, decoys=4)


RISK = "(a useless column gets among the sure ones in at most 1 of 5 tables)"
SURE = {
    f"2 of the 3 are sure {RISK}: a0, a2.": ("sus", ""),
    f"1 of the 2 is sure {RISK}: a1.": ("us", ""),
    f"Both are sure {RISK}: a0, a1.": ("ss", "n"),
    f"It is sure {RISK}: a0.": ("s", ""),
    f"All 9 are sure {RISK}: a0, a1, a2, a3, a4, a5 and 3 more.": ("sssssssss", ""),
    "None of the 2 is sure: copies of columns that have lost the target come out as strong.": ("uu", ""),
    "It is not sure: copies of columns that have lost the target come out as strong.": ("u", "s"),
}


@pytest.mark.parametrize("sentence", SURE)
def test_which_columns_are_sure(sentence: str, result: Result) -> None:
    told = verdicts(result, *SURE[sentence])
    assert sure(told) == sentence
    assert sentence in Report(told).html
    assert sure(replace(told, decoys=None)) == sure(result) == ""


def test_sure_columns_that_are_not_needed_are_named_by_their_places(result: Result) -> None:
    assert not_needed(verdicts(result, "s", "snsn")) == "Sure, but not needed: b2, b0."
    assert not_needed(verdicts(result, "s", "sssssss")) == "Sure, but not needed: b6, b5, b4, b3, b2 and 2 more."
    assert not_needed(verdicts(result, "s", "nn")) == not_needed(result) == ""


def test_sentences_say_how_much_halves_agree(result: Result) -> None:
    halves = Halves(6, ("a", "b", "c"), (1.0, 0.5, 0.5), 0.75, (0.5, 1.0), (("b", "c"),))
    told = replace(result, halves=halves)
    assert agreement(told) == (
        "Stability over 6 halves of the rows: 0.75 (0.50 to 1.00); 1 means always the same columns, 0 no better than "
        "chance."
    )
    assert replacements(told) == []  # none of them is chosen
    told = replace(told, features=(replace(result.features[0], name="b"), *result.features[1:]))
    assert replacements(told) == ["'b' or 'c'"]
    assert "<li>&#39;b&#39; or &#39;c&#39;</li>" in Report(told).html
    assert [chosen_from(told, share) for share in (1.0, 0.5, 0.0, 0.1667, None)] == [
        "6 of 6", "3 of 6", "0 of 6", "1 of 6", "",
    ]  # fmt: skip
    two = replace(halves, n_halves=2, interval=(), groups=())
    assert "2 halves of the rows: 0.75; 1 means" in agreement(replace(result, halves=two))
    assert replacements(replace(result, halves=two)) == []
    none = Halves(4, (), (), None, (), ())
    assert agreement(replace(result, halves=none)) == "From each of 4 halves of the rows, no column was chosen."
    every = replace(none, names=("a",), frequency=(1.0,))
    assert agreement(replace(result, halves=every)).endswith("of the rows, all columns were chosen.")
    assert agreement(result) == chosen_from(result, 0.5) == ""
    assert replacements(result) == []


def test_many_groups_are_cut(result: Result) -> None:
    groups = tuple((f"a{i}", *(f"b{j}" for j in range(9))) for i in range(9))
    every = replace(verdicts(result, "s" * 9), halves=Halves(6, (), (), 0.5, (), groups))
    told = replacements(every)
    assert told[0] == "'a0', 'b0', 'b1', 'b2' or 'b3' and 5 more"
    assert told[5:] == ["and 4 more such groups"]


def test_the_page_shows_how_often_each_column_was_chosen(halved: CrossEntropySelector) -> None:
    report = halved.report()
    html = report.html
    assert "Which are sure?" in html
    assert sure(report.result) in html
    assert '<th scope="col">verdict</th>' in html
    assert "<td>sure</td>" in html
    assert agreement(report.result) in html
    assert '<th scope="col" class="number">chosen from halves</th>' in html
    assert all(f"<bdi>{name}</bdi>" in html for name in report.result.halves.names)  # type: ignore[union-attr]
    assert " of 22</td>" in html


def test_hostile_names_in_groups_are_text(result: Result) -> None:
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    told = replace(
        result,
        features=(replace(result.features[0], name="b"), *result.features[1:]),
        halves=Halves(2, (evil, "b"), (1.0, 0.5), 0.5, (), ((evil, "b"),)),
        notes=(Note("nothing_there", evil),),
    )
    html = Report(read_result(json.dumps(told.to_dict()))).html
    assert "<img" not in html
    assert html.count("<script") == 1
    assert html.count("&lt;/script&gt;&lt;script&gt;alert(1)") >= 2


@pytest.mark.parametrize(
    "change", [{"names": ["a"]}, {"frequency": [0.5]}, {"interval": [0.5]}], ids=["names", "frequency", "interval"]
)
def test_halves_whose_parts_do_not_match_are_refused(change: dict[str, Any], result: Result) -> None:
    plain: Any = replace(result, halves=Halves(2, (), (), None, (), ())).to_dict()
    with pytest.raises(ValueError, match="the parts of its 'halves' do not match"):
        read_result(json.dumps({**plain, "halves": {**plain["halves"], **change}}))


@pytest.mark.filterwarnings("ignore:3 of 5 columns were searched")
def test_columns_that_a_model_cannot_hold_are_left_out_of_the_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    from entropick.criteria import one_dependence

    monkeypatch.setattr(type(one_dependence), "most_columns", lambda self, table: 3)
    X, y = coins()
    result = describe(quick("one_dependence", always=[4], halves=False).fit(X, y))
    assert any(note.code == "screened" for note in result.notes)
    assert all(np.isfinite(point.score) for point in result.size_curve)
    assert len(result.size_curve) <= 4
    assert read_result(json.dumps(result.to_dict(), allow_nan=False)) == result


@pytest.mark.parametrize(
    ("chance", "codes"), [(None, ["nothing", "limit"]), (ChanceTest(1.0, 0), []), (ChanceTest(0.5, 19), [])]
)
def test_a_search_that_was_stopped_is_blamed_unless_there_was_none(
    chance: ChanceTest | None, codes: list[str], halved: CrossEntropySelector
) -> None:
    outcome = replace(halved.record_.outcome, stop={"max_seconds": 1.0}, chance=chance)
    assert [note.code for note in about_selection(outcome, [], 0.0, 0.0, 1.0, 0.0)] == codes
