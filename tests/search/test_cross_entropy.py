"""Algorithm 1 itself, without what an effort adds (test_effort.py)."""

import itertools
import re
import tracemalloc
from functools import partial

import numpy as np
import pytest

from entropick.search import Ask, CrossEntropy, Run, Space, Step, drive
from entropick.search._cross_entropy import most_probable
from entropick.search._given_size import draw_given_size
from entropick.search._sampling import draw

plain = partial(CrossEntropy, effort=None)
WEIGHTS = np.array([3.0, -1.0, 2.0, -1.0, 0.5, -2.0, 1.0, -0.5])
PAPER = {"smoothing": 1.0, "min_elite": 1, "final": "sample", "polish": False, "initial_probability": 0.5}


def linear(masks):
    return masks @ WEIGHTS


def play(search, score=linear, n_columns=8, seed=0, **space):
    """Everything a search yields, with the scores that it was told."""
    steps = search.steps(Space(n_columns, **space), np.random.default_rng(seed))
    events, scores = [], None
    try:
        while True:
            event = steps.send(scores)
            scores = score(event.masks) if isinstance(event, Ask) else None
            events.append((event, scores))
    except StopIteration as stop:
        return events, stop.value


def steps_of(events):
    """For each step its masks, scores and record."""
    masks, scores = [], []
    for event, told in events:
        if isinstance(event, Ask):
            masks.append(event.masks)
            scores.append(told)
        else:
            yield np.concatenate(masks), np.concatenate(scores), event
            masks, scores = [], []


def test_probabilities_are_the_share_of_the_elite_that_holds_each_column():
    events, _ = play(plain(min_samples=100, max_samples=100, elite=0.1, **PAPER))
    n_steps = 0
    for masks, scores, step in steps_of(events):
        n_steps += 1
        gamma = np.sort(scores)[-10]
        elite = masks[scores >= gamma]  # ties included
        assert step.threshold == gamma
        assert step.samples == 100
        assert step.elite == len(elite) >= 10
        np.testing.assert_array_equal(step.probabilities, elite.mean(axis=0))
    assert n_steps >= 6


def test_smoothing_mixes_the_probabilities_with_those_before():
    setting = {**PAPER, "smoothing": 0.25}
    events, _ = play(plain(min_samples=100, max_samples=100, elite=0.1, **setting))
    before = np.full(8, 0.5)
    for masks, scores, step in steps_of(events):
        share = masks[scores >= step.threshold].mean(axis=0)
        np.testing.assert_allclose(step.probabilities, 0.25 * share + 0.75 * before)
        before = step.probabilities


def test_the_number_of_samples_adapts_between_m_and_20_m():
    events, _ = play(plain(min_samples=1.0, max_samples=20.0, elite=0.05, **PAPER))
    before = -np.inf
    sizes = set()
    for masks, scores, step in steps_of(events):
        assert len(masks) % 8 == 0
        batches = len(masks) // 8
        assert 1 <= batches <= 20
        # γ of what was drawn before the last batch did not exceed the one of the step before, or one would have stopped
        if batches > 1:
            assert scores[: 8 * (batches - 1)].max() <= before
        assert batches == 20 or step.threshold > before
        assert step.threshold == scores.max()  # ⌈.05 · 8⌉ = 1
        before = step.threshold
        sizes.add(batches)
    assert len(sizes) > 1


def test_it_stops_when_the_threshold_has_not_moved_over_d_steps():
    for patience, tolerance in ((5, 0.05), (2, 0.0), (7, 1.0)):
        search = plain(min_samples=50, max_samples=50, patience=patience, tolerance=tolerance, **PAPER)
        events, stop = play(search, scale=2.0)
        thresholds = [event.threshold for event, _ in events if isinstance(event, Step)]
        assert len(thresholds) >= patience + 1
        changes = np.abs(np.array(thresholds)[patience:] - np.array(thresholds)[:-patience])
        assert changes[-1] <= tolerance * 2.0
        assert (changes[:-1] > tolerance * 2.0).all()
        assert stop.reasons == {"tolerance": changes[-1]}


def test_max_steps_is_a_reason():
    events, stop = play(plain(max_steps=3))
    assert stop.reasons == {"max_steps": 3}
    assert sum(isinstance(event, Step) for event, _ in events) == 3


def test_the_last_draw_is_the_answer_of_the_paper():
    events, stop = play(plain(min_samples=50, max_samples=50, **PAPER))
    (last, scores) = events[-1]
    assert last.masks.shape == (1, 8)
    np.testing.assert_array_equal(stop.mask, last.masks[0])
    assert stop.score == scores[0]
    p = next(event.probabilities for event, _ in reversed(events) if isinstance(event, Step))
    assert (stop.mask[p == 1]).all()
    assert not stop.mask[p == 0].any()


def test_the_most_probable_columns_can_be_the_answer():
    _, stop = play(plain(final="most_probable", polish=False))
    np.testing.assert_array_equal(stop.mask, WEIGHTS > 0)
    p = np.array([0.9, 0.5, 0.4, 0.6, 0.1])
    assert most_probable(Space(5), p).tolist() == [True, True, False, True, False]
    assert most_probable(Space(5, max_features=2), p).tolist() == [True, False, False, True, False]
    assert most_probable(Space(5, exactly=4), p).tolist() == [True, True, True, True, False]
    assert most_probable(Space(5, always=(4,), exactly=2), p).tolist() == [True, False, False, False, True]


@pytest.mark.parametrize("seed", range(5))
def test_the_best_subset_is_found(seed):
    run = plain().start(8, random_state=seed)
    while run.stop is None:
        run.tell(linear(run.ask()))
    np.testing.assert_array_equal(run.best_mask, WEIGHTS > 0)
    assert run.best_score == run.score == 6.5


def test_a_polished_answer_has_no_better_neighbour():
    rng = np.random.default_rng(0)
    pairs = rng.normal(size=(12, 12))

    def rough(masks):
        return np.einsum("si,ij,sj->s", masks, pairs, masks)

    setting = {"min_samples": 20, "max_samples": 20, "min_elite": 2, "max_steps": 2, "final": "most_probable"}
    _, stop = play(plain(**setting, polish=True), rough, 12)
    flips = np.repeat(stop.mask[None], 12, axis=0) ^ np.eye(12, dtype=bool)
    assert rough(flips).max() < stop.score
    _, rougher = play(plain(**setting, polish=False), rough, 12)
    assert rougher.score < stop.score


def test_a_polish_of_a_fixed_number_exchanges_columns():
    setting = {"min_samples": 4, "max_samples": 4, "min_elite": 2, "max_steps": 1, "final": "most_probable"}
    _, stop = play(plain(**setting), exactly=3)
    assert np.flatnonzero(stop.mask).tolist() == [0, 2, 6]
    _, stop = play(plain(**setting), max_features=2)
    assert np.flatnonzero(stop.mask).tolist() == [0, 2]


def test_a_restart_can_only_help():
    trap = np.random.default_rng(5).normal(size=256)

    def rugged(masks):
        return trap[masks @ (1 << np.arange(8))]

    setting = {"min_samples": 6, "max_samples": 6, "min_elite": 2, "max_steps": 6, "polish": False}
    scores = []
    for restarts in (0, 20):
        run = plain(**setting, restarts=restarts).start(8)
        while run.stop is None:
            run.tell(rugged(run.ask()))
        scores.append(run.score)
    assert scores[0] < scores[1]
    assert len(run.trace) > 6


@pytest.mark.parametrize(
    "space",
    [{}, {"always": (1, 5)}, {"max_features": 3}, {"exactly": 3}, {"always": (1,), "exactly": 3}, {"exactly": 8}],
    ids=str,
)
@pytest.mark.parametrize("final", ["best", "most_probable", "sample"])
def test_only_allowed_subsets_are_drawn_and_returned(space, final):
    events, stop = play(plain(final=final, initial_features=6, max_steps=4), **space)
    allowed = Space(8, **space)
    for event, _ in events:
        if isinstance(event, Ask):
            assert allowed.allows(event.masks).all()
        elif space.get("exactly"):
            assert event.probabilities.sum() == pytest.approx(space["exactly"])
    if final != "best":
        assert allowed.allows(stop.mask[None]).all()


def test_draws_of_a_fixed_size_follow_the_conditional_distribution():
    p = np.array([0.9, 0.5, 0.3, 0.1])
    masks = draw(Space(4, exactly=2), p, 40_000, np.random.default_rng(0))
    pairs = list(itertools.combinations(range(4), 2))
    odds = p / (1 - p)
    exact = np.array([odds[i] * odds[j] for i, j in pairs])
    found = np.array([(masks[:, i] & masks[:, j]).mean() for i, j in pairs])
    np.testing.assert_allclose(found, exact / exact.sum(), atol=0.01)


@pytest.mark.parametrize(("m", "size"), [(1, 0), (1, 1), (5, 0), (5, 5), (7, 3), (8, 1), (9, 7)])
def test_draws_of_a_fixed_size_hold_every_column_as_often_as_they_should(m, size):
    p = np.random.default_rng(m).random(m)
    masks = draw(Space(m, exactly=size or None), p, 20_000, np.random.default_rng(0)) if size else None
    rows, places = draw_given_size(p, size, 20_000, np.random.default_rng(0))
    assert np.bincount(rows, minlength=20_000).tolist() == [size] * 20_000
    subsets = list(itertools.combinations(range(m), size))
    weights = np.array([np.prod([p[i] if i in chosen else 1 - p[i] for i in range(m)]) for chosen in subsets])
    exact = [sum(weights[[i in chosen for chosen in subsets]]) / weights.sum() for i in range(m)]
    np.testing.assert_allclose(np.bincount(places, minlength=m) / 20_000, exact, atol=0.02)
    assert masks is None or (masks.sum(axis=1) == size).all()


def test_draws_of_a_fixed_size_need_no_square_of_the_columns():
    tracemalloc.start()
    rows, _ = draw_given_size(np.full(50_000, 0.01), 500, 20, np.random.default_rng(0))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(rows) == 20 * 500
    assert peak < 50_000 * 500 * 8 / 4


def test_of_very_many_exchanges_the_promising_ones_are_enough(monkeypatch):
    rng = np.random.default_rng(0)
    weights, pairs = rng.normal(size=60), rng.normal(size=(60, 60)) / 8

    def score(masks):
        return masks @ weights + np.einsum("si,ij,sj->s", masks, pairs, masks)

    def climbed(**limits):
        for name, value in limits.items():
            monkeypatch.setattr(f"entropick.search._climb.{name}", value)
        asked = []
        run = Run(plain(max_steps=2), Space(60, exactly=8), 0)
        drive(run, lambda masks: asked.append(len(masks)) or score(masks))
        return run, sum(asked)

    whole, n_whole = climbed()
    some, n_some = climbed(_EXCHANGES=10, _PROMISING=80)
    assert some.mask.sum() == 8
    assert n_some < n_whole
    assert some.score > whole.score - 0.5
    leaving, entering = np.flatnonzero(some.mask), np.flatnonzero(~some.mask)
    best = np.argsort(-score(some.mask ^ np.eye(60, dtype=bool)[entering]))[:10]
    for i, j in itertools.product(leaving, entering[best]):  # of those that were looked at none is better
        swapped = some.mask.copy()
        swapped[[i, j]] = False, True
        assert score(swapped[None])[0] <= some.score


def test_draws_of_a_fixed_size_survive_certain_columns():
    p = np.array([1.0, 1.0, 0.0, 0.0, 0.0])
    masks = draw(Space(5, exactly=2), p, 10, np.random.default_rng(0))
    assert (masks == (p == 1)).all()
    impossible = draw(Space(5, exactly=4), p, 10, np.random.default_rng(0))
    assert (impossible.sum(axis=1) == 4).all()


def test_the_first_draws_have_the_expected_size():
    def first(search, **space):
        events, _ = play(search, lambda masks: np.zeros(len(masks)), 1000, **space)
        return events[0][0].masks.sum(axis=1).mean()

    assert first(plain(max_steps=1)) == pytest.approx(10, abs=0.5)
    assert first(plain(max_steps=1, initial_features=50)) == pytest.approx(50, abs=1)
    assert first(plain(max_steps=1, initial_probability=0.3)) == pytest.approx(300, abs=3)
    assert first(plain(max_steps=1), max_features=4) <= 4


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"initial_probability": 1.5}, "initial_probability must be a number between 0 and 1, or None; got 1.5"),
        ({"initial_probability": -0.1}, "initial_probability must be a number between 0 and 1, or None; got -0.1"),
        ({"elite": 2}, "elite must be a number between 0 and 1; got 2"),
        ({"smoothing": 0}, "smoothing must be a number greater than 0 and at most 1, or None; got 0"),
        (
            {"smoothing": float("nan")},
            "smoothing must be a finite number greater than 0 and at most 1, or None; got nan",
        ),
        ({"tolerance": -1}, "tolerance must be a number of at least 0; got -1"),
        ({"patience": 0}, "patience must be an integer of at least 1, or None; got 0"),
        ({"max_steps": 2.5}, "max_steps must be an integer of at least 1; got 2.5"),
        ({"min_samples": 0}, "min_samples must be a number greater than 0, or None; got 0"),
        ({"min_samples": float("inf")}, "min_samples must be a finite number greater than 0, or None; got inf"),
        ({"elite": "x"}, "elite must be a number between 0 and 1; got 'x'"),
        ({"patience": True}, "patience must be an integer of at least 1, or None; got True"),
        ({"smoothing": np.array([1, 2])}, "smoothing must be a number greater than 0 and at most 1"),
        ({"polish": "no"}, "polish must be True or False; got 'no'"),
        ({"initial_features": float("inf")}, "initial_features must be a finite number of at least 0; got inf"),
        ({"final": "last"}, "unknown final 'last'"),
        ({"effort": "hihg"}, "unknown effort 'hihg'. Known: 'low', 'normal', 'high'. Did you mean 'high'?"),
    ],
    ids=str,
)
def test_bad_settings_end_with_a_sentence(setting, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        CrossEntropy(**setting).start(5)
