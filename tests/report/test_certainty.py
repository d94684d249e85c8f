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
from entropick.report import Chance, Halves, Note, Report, Result, describe, read_result
from entropick.report.words import agreement, answer, certainty, chosen_from, replacements, sure


def coins(n: int = 120) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Five coins; y is the first in most rows, and the second is a copy of it in most."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, size=(n, 5))
    X[:, 1] = np.where(rng.random(n) < 0.05, 1 - X[:, 0], X[:, 0])
    return X, np.where(rng.random(n) < 0.2, 1 - X[:, 0], X[:, 0])


@pytest.fixture(scope="module")
def halved() -> CrossEntropySelector:
    return quick("auto", half_samples=6).fit(*coins())


@pytest.mark.all_shuffles
def test_what_is_there_has_its_p_value_everywhere() -> None:
    result = describe(CrossEntropySelector(random_state=0).fit(*coins()))
    assert result.chance == Chance(0.01, 99, is_fitted=False)
    assert certainty(result) == "p = 0.01: as much was found in none of 99 shuffled targets."
    html = Report(result).html
    assert certainty(result) in html
    assert "p-value, against chance" in html
    assert read_result(json.dumps(result.to_dict())) == result


def test_noise_is_told_and_nothing_is_kept() -> None:
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 2, (100, 4)), rng.integers(0, 2, 100)
    with pytest.warns(UserWarning, match="no column is better than chance"):
        selector = CrossEntropySelector(within=0, random_state=0).fit(X, y)
    result = describe(selector)
    assert result.n_features == 0
    assert result.chance is not None
    assert result.chance.p_value > 0.02
    assert [note.code for note in result.notes] == ["nothing_there"]
    assert answer(result) == "None of the 4 columns is better than chance for 'y'."
    assert " shuffled targets." in certainty(result)
    assert answer(result) in Report(result).html.replace("&#39;", "'")
    assert read_result(json.dumps(result.to_dict())) == result


WORDS: dict[str, Any] = {
    "": None,
    "p = 0.01: as much was found in none of 99 shuffled targets.": Chance(0.01, 99, is_fitted=False),
    "p = 0.02: as much was found in 1 of 99 shuffled targets.": Chance(0.02, 99, is_fitted=False),
    "p = 0.35: as much was found in 6 of 19 shuffled targets.": Chance(0.35, 19, is_fitted=False),
    "p = 0.00031, by a tail fitted to 12 shuffled targets: there was no time for more.": Chance(
        0.000312, 12, is_fitted=True
    ),
}


def test_without_a_shuffle_there_is_nothing_to_say(result: Result) -> None:
    untried = replace(result, chance=Chance(1.0, 0, is_fitted=False))
    assert certainty(untried) == ""
    assert "p-value" not in Report(untried).html


@pytest.mark.parametrize("sentence", WORDS)
def test_a_p_value_is_put_into_words(sentence: str, result: Result) -> None:
    assert certainty(replace(result, chance=WORDS[sentence])) == sentence


def test_what_is_chosen_from_halves_is_in_the_result(halved: CrossEntropySelector) -> None:
    result, halves = describe(halved), halved.record_.outcome.halves
    assert result.halves is not None
    assert halves is not None
    assert result.halves.n_halves == 6
    often = dict(zip(result.halves.names, result.halves.frequency, strict=True))
    assert often == {f"x{j}": round(share, 4) for j, share in enumerate(halves.frequency) if share}
    assert list(often.values()) == sorted(often.values(), reverse=True)
    assert (result.halves.stability, *result.halves.interval) == pytest.approx(halves.stability)
    for feature in result.features:
        assert feature.selection_frequency == often.get(feature.name, 0.0)
    assert read_result(json.dumps(result.to_dict())) == result


def test_sentences_say_how_much_halves_agree(result: Result) -> None:
    halves = Halves(6, ("a", "b", "c"), (1.0, 0.5, 0.5), 0.75, (0.5, 1.0), (("b", "c"),))
    told = replace(result, halves=halves)
    assert agreement(told) == (
        "Stability over the halves: 0.75 (0.50 to 1.00); 1 is always the same columns, 0 no better than chance."
    )
    assert replacements(told) == ["'b' or 'c': any one of them"]
    assert "<li>&#39;b&#39; or &#39;c&#39;: any one of them</li>" in Report(told).html
    assert [chosen_from(told, share) for share in (1.0, 0.5, 0.0, 0.1667, None)] == [
        "6 of 6", "3 of 6", "0 of 6", "1 of 6", "",
    ]  # fmt: skip
    two = replace(halves, n_halves=2, interval=(), groups=())
    assert "halves: 0.75; 1 is" in agreement(replace(result, halves=two))
    assert replacements(replace(result, halves=two)) == []
    none = Halves(4, (), (), None, (), ())
    assert agreement(replace(result, halves=none)) == "From each of 4 random halves of the rows no column was chosen."
    every = replace(none, names=("a",), frequency=(1.0,))
    assert agreement(replace(result, halves=every)).endswith("of the rows all columns were chosen.")
    assert agreement(result) == chosen_from(result, 0.5) == ""
    assert replacements(result) == []


def test_many_groups_are_cut(result: Result) -> None:
    groups = tuple((f"a{i}", *(f"b{j}" for j in range(9))) for i in range(9))
    told = replacements(replace(result, halves=Halves(6, (), (), 0.5, (), groups)))
    assert told[0] == "'a0', 'b0', 'b1', 'b2' or 'b3': any one of them"
    assert told[5:] == ["and 4 more such groups"]


def test_the_page_shows_how_often_each_column_was_chosen(halved: CrossEntropySelector) -> None:
    report = halved.report()
    html = report.html
    assert "How sure is that?" in html
    assert sure(report.result) in html
    assert agreement(report.result) in html
    assert '<th scope="col" class="number">chosen from halves</th>' in html
    assert all(f"<bdi>{name}</bdi>" in html for name in report.result.halves.names)  # type: ignore[union-attr]
    assert " of 6</td>" in html


def test_hostile_names_in_groups_are_text(result: Result) -> None:
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    told = replace(
        result,
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


def test_columns_that_a_model_cannot_hold_are_left_out_of_the_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    from entropick.criteria import one_dependence

    monkeypatch.setattr(type(one_dependence), "most_columns", lambda self, table: 3)
    X, y = coins()
    with pytest.warns(UserWarning, match="3 of 5 columns were searched"):
        selector = quick("one_dependence", always=[4]).fit(X, y)
    result = describe(selector)
    assert any(note.code == "screened" for note in result.notes)
    assert all(np.isfinite(point.score) for point in result.size_curve)
    assert len(result.size_curve) <= 4
    assert read_result(json.dumps(result.to_dict(), allow_nan=False)) == result


def test_a_selection_that_differs_from_the_best_subset_says_so(result: Result) -> None:
    from entropick.report.words import worth

    dropped = " Columns of the best subset found that make no clear difference were dropped."
    added = " Besides the best subset found, it has columns that halves of the rows chose."
    same = replace(result, best_score=result.size_curve[result.n_features].score)
    for words, within in ((dropped, 1.0), (added, 0.0)):
        same = replace(same, settings=same.settings | {"within": within})
        assert not worth(same).endswith(words)
        assert worth(replace(same, best_score=same.best_score + 0.01)).endswith(words)
        assert not worth(replace(same, best_score=9.0, n_features=0, features=())).endswith(words)


@pytest.mark.parametrize(("stop", "codes"), [({}, []), ({"max_seconds": 1.0}, ["nothing", "limit"])])
def test_a_search_that_was_stopped_is_not_blamed_on_chance(
    stop: dict[str, Any], codes: list[str], halved: CrossEntropySelector
) -> None:
    from entropick.report._remarks import about_selection
    from entropick.selectors._chance import ChanceTest

    outcome = replace(halved.record_.outcome, stop=stop, chance=ChanceTest(1.0, 0))
    assert [note.code for note in about_selection(outcome, [], 0.0, 0.0, 1.0, 0.0)] == codes
