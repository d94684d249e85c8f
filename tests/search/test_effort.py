"""What an effort adds to Algorithm 1: all subsets if they are few, greedy starts, and starts until they agree."""

import hashlib
import itertools
import signal
import warnings

import numpy as np
import pytest
from rough import same

from entropick.search import Backward, Budget, Checkpoint, CrossEntropy, Floating, Forward, Run, Space, drive

EFFORTS = ["low", "normal"]
PAIRS = np.random.default_rng(1).normal(size=(40, 40)) / 6


def rugged(masks):
    """Forty columns with many local optima."""
    return np.round(np.einsum("si,ij,sj->s", masks, PAIRS, masks), 10)


def go(search, score=rugged, seed=0, how=None, **space):
    run = Run(search, Space(**{"n_columns": 40, "scale": 5.0, **space}), seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="the starts of the search")
        return run, drive(run, score, **(how or {}))


@pytest.mark.parametrize(("effort", "n_columns"), [("low", 8), ("normal", 12), ("high", 15)])
def test_few_subsets_are_all_scored(effort, n_columns):
    trap = np.random.default_rng(5).normal(size=1 << n_columns)

    def score(masks):
        return trap[masks @ (1 << np.arange(n_columns))]

    run, n_scored = go(CrossEntropy(effort), score, n_columns=n_columns)
    assert run.stop == {"exhausted": 1 << n_columns}
    assert n_scored == 1 << n_columns
    assert run.score == trap.max()
    assert sum(line["samples"] for line in run.trace) == 1 << n_columns
    run, n_scored = go(CrossEntropy(effort), score, n_columns=n_columns, exactly=3, always=(1,))
    pairs = itertools.combinations(set(range(n_columns)) - {1}, 2)
    assert run.score == max(trap[2 | 1 << i | 1 << j] for i, j in pairs)
    run, _ = go(CrossEntropy(effort), lambda masks: -masks.sum(axis=1).astype(float), n_columns=n_columns + 1)
    assert "exhausted" not in run.stop


def test_smooth_scores_take_fewer_samples_at_normal_effort_unless_their_number_is_given():
    def samples(search, is_smooth):
        return {line["samples"] for line in go(search, is_smooth=is_smooth)[0].trace}

    assert min(samples(CrossEntropy(), True)) == 100 < min(samples(CrossEntropy(), False))
    assert max(samples(CrossEntropy(), True)) <= 400
    assert min(samples(CrossEntropy(min_samples=200), True)) == 200
    for effort in (None, "low", "high"):
        search = CrossEntropy(effort, max_steps=3)
        assert samples(search, True) == samples(search, False)


@pytest.mark.parametrize(
    ("search", "included"),
    [
        (CrossEntropy("low"), [Forward]),
        (CrossEntropy("normal"), [Forward, Backward]),
        (CrossEntropy("high", max_steps=1, restarts=0), [Forward, Backward, Floating]),
    ],
    ids=["low", "normal", "high"],
)
def test_no_greedy_search_that_it_includes_is_better(search, included):
    for space in ({}, {"exactly": 6}, {"max_features": 4}, {"always": (3,)}):
        run, _ = go(search, **space)
        assert all(run.score >= go(greedy(), **space)[0].score for greedy in included)


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("space", [{"exactly": 5}, {"max_features": 6}, {"always": (3, 4), "never": (1, 2)}], ids=str)
def test_only_allowed_subsets_or_their_beginnings_are_asked_for(effort, space):
    hints = tuple(np.eye(40, dtype=bool)[i] | np.eye(40, dtype=bool)[i + 1] for i in range(6))
    seen = []
    run, _ = go(CrossEntropy(effort), lambda masks: seen.append(masks) or rugged(masks), hints=hints, **space)
    masks, allowed = np.concatenate(seen), Space(40, **space)
    assert allowed.allows(run.mask[None])[0]
    assert masks[:, allowed.base].all()
    assert not masks[:, list(allowed.never)].any()
    assert allowed.allows(masks[masks.sum(axis=1) == allowed.largest]).all()


def test_a_hint_leads_to_a_pair_that_no_single_column_shows():
    def score(masks):
        return np.where(masks[:, 70] & masks[:, 140], 10.0, 0.0) - 0.1 * masks.sum(axis=1)

    hint = np.zeros(200, dtype=bool)
    hint[[70, 140]] = True
    decoy = np.roll(hint, 1)
    for effort in EFFORTS:
        found, _ = go(CrossEntropy(effort), score, n_columns=200, hints=(decoy, hint), scale=10.0)
        assert np.flatnonzero(found.mask).tolist() == [70, 140]
    missed, _ = go(CrossEntropy("low"), score, n_columns=200, scale=10.0)
    assert not missed.mask.any()


def test_a_start_that_confirms_the_greedy_ones_is_enough():
    weights = np.linspace(-1, 1, 40)
    run, _ = go(CrossEntropy(), lambda masks: masks @ weights)
    np.testing.assert_array_equal(run.mask, weights > 0)
    one, _ = go(CrossEntropy(restarts=0), lambda masks: masks @ weights)
    assert len(run.trace) < 2 * len(one.trace)
    assert not run.notes


def needle(masks):
    """The greedy way leads to column 0; much better is what only luck finds."""
    place = masks.astype(float) @ np.random.default_rng(0).normal(size=40)
    return np.where(masks.sum(axis=1) > 4, np.tan(1e4 * place), -masks.sum(axis=1) + 2.0 * masks[:, 0])


def test_starts_that_end_apart_leave_a_note():
    setting = {"min_samples": 40, "max_samples": 40, "max_steps": 3, "polish": False, "tolerance": 0.0}
    run = Run(CrossEntropy(**setting), Space(40, scale=1.0), 0)
    with pytest.warns(UserWarning, match="starts of the search ended at scores between .* another seed may choose"):
        drive(run, needle)
    assert [note.code for note in run.notes] == ["starts"]
    assert run.notes[0].text.endswith("; effort='high' searches longer.")
    quiet = Run(CrossEntropy("low", **setting), Space(40, scale=1.0), 0)
    drive(quiet, needle)
    assert not quiet.notes


@pytest.mark.parametrize("effort", EFFORTS)
def test_a_run_that_is_cut_off_anywhere_resumes_to_the_same_answer(effort, tmp_path):
    whole, n_whole = go(CrossEntropy(effort))
    for i, limit in enumerate(np.geomspace(5, n_whole - 1, 4).astype(int).tolist()):
        path = tmp_path / f"{i}.run"
        cut, n_cut = go(CrossEntropy(effort), how={"budget": Budget(limit), "checkpoint": Checkpoint(path, {})})
        assert n_cut == limit
        assert cut.stop == {"max_evaluations": limit}
        assert cut.score == rugged(cut.mask[None])[0] <= whole.score
        again, n_again = go(CrossEntropy(effort), how={"checkpoint": Checkpoint(path, {})})
        same(again, whole)
        assert n_again == n_whole


@pytest.mark.signals
@pytest.mark.parametrize("n_calls", [5, 60, 1000])
def test_ctrl_c_ends_every_phase_with_the_best_so_far(n_calls, small_calls):
    calls = []

    def score(masks):
        calls.append(len(masks))
        if len(calls) == n_calls:
            signal.raise_signal(signal.SIGINT)
        return rugged(masks)

    with pytest.warns(UserWarning, match="interrupted after .* the answer is the best subset so far"):
        run, _ = go(CrossEntropy(), score, how={"on_interrupt": "best"})
    assert "interrupted" in run.stop
    assert run.score == rugged(run.mask[None])[0]


def test_low_effort_is_cheap():
    rng = np.random.default_rng(0)
    weights = rng.normal(size=100)
    _, n_low = go(CrossEntropy("low"), lambda masks: -np.abs(masks @ weights - 3.0), n_columns=100)
    assert n_low < 1500


@pytest.mark.parametrize(
    ("setting", "space", "expected"),
    [
        ({}, {}, "a9a3d34298abb3c5"),
        ({}, {"exactly": 5}, "ef8b83d45576babe"),
        ({"restarts": 2}, {}, "ae1bf14f93e1c6b6"),
    ],
    ids=str,
)
def test_no_effort_asks_what_algorithm_1_always_asked(setting, space, expected):
    pairs = np.random.default_rng(0).normal(size=(40, 40)) / 6
    run, asked = Run(CrossEntropy(effort=None, **setting), Space(40, scale=5.0, **space), 7), hashlib.sha256()
    while run.stop is None:
        masks = run.ask()
        asked.update(np.packbits(masks).tobytes())
        run.tell(np.round(np.einsum("si,ij,sj->s", masks, pairs, masks), 10))
    asked.update(run.mask.tobytes())
    assert asked.hexdigest()[:16] == expected


def test_scores_of_minus_infinity_are_no_obstacle():
    run, _ = go(CrossEntropy(), lambda masks: np.where(masks.sum(axis=1) < 2, -np.inf, rugged(masks)))
    assert np.isfinite(run.score)
    run, _ = go(CrossEntropy(), lambda masks: np.full(len(masks), -np.inf))
    assert not run.mask.any()


@pytest.mark.parametrize("exactly", [100, 250])
def test_exactly_many_columns_of_many_take_a_bounded_number_of_subsets(exactly):
    """By the score of a model: it is noise that a longer search would fit."""
    rng = np.random.default_rng(0)
    weights, pairs = rng.normal(size=500), rng.normal(size=(500, 500)) / 10

    def score(masks):
        return np.round(masks @ weights + np.einsum("si,ij,sj->s", masks, pairs, masks, optimize=True), 10)

    run, n_scored = go(CrossEntropy("normal"), score, n_columns=500, exactly=exactly, is_smooth=True, scale=100.0)
    assert run.mask.sum() == exactly
    assert n_scored < 30_000
    greedy, _ = go(Forward(), score, n_columns=500, exactly=exactly, scale=100.0)
    assert run.score > 0.95 * greedy.score
