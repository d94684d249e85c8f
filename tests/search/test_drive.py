"""What the driver owes to every search: tested on every member of the registry."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from entropick.search import SEARCHES, Budget, Checkpoint, CrossEntropy, Run, Search, Space, Stop, drive, stored_seed

PAIRS = np.random.default_rng(0).normal(size=(14, 14))


def rough(masks):
    return np.einsum("si,ij,sj->s", masks, PAIRS, masks)


def rough_bound(lower, upper):
    """What is there, and all that could be gained."""
    return rough(lower) + np.einsum("si,ij,sj->s", upper, np.maximum(PAIRS, 0), upper)


def size(masks):
    return -masks.sum(axis=1).astype(float)


@pytest.fixture(params=SEARCHES)
def search(request):
    return SEARCHES[request.param]()


def go(search, score=rough, seed=0, bound=rough_bound, **how):
    run = Run(search, Space(14, scale=100.0), seed)
    return run, drive(run, score, bound=bound, **how)


@pytest.fixture
def small_calls(monkeypatch):
    """Scores are asked for one at a time, as if they were slow."""
    monkeypatch.setattr("entropick.search._drive._CHUNK_SECONDS", 0.0)


def same(one, other):
    np.testing.assert_array_equal(one.mask, other.mask)
    assert one.score == other.score
    assert one.stop == other.stop
    assert [{**line, "seconds": 0, "probabilities": 0} for line in one.trace] == [
        {**line, "seconds": 0, "probabilities": 0} for line in other.trace
    ]


def test_a_run_ends_with_reasons_and_the_score_of_its_answer(search):
    run, n_scored = go(search)
    assert run.stop
    assert run.score == rough(run.mask[None])[0]
    assert n_scored > 0
    with pytest.raises(RuntimeError, match="the search has ended"):
        run.ask()


def test_the_best_score_never_falls_and_is_never_below_the_empty_set(search):
    run, _ = go(search)
    best = [line["best"] for line in run.trace]
    assert (np.diff(best) >= 0).all()
    run, _ = go(search, size, bound=lambda lower, upper: size(lower))
    assert run.score == 0
    assert not run.mask.any()


def test_equal_seeds_give_equal_runs(search):
    one, n_one = go(search, seed=3)
    other, n_other = go(search, seed=3)
    same(one, other)
    assert n_one == n_other


def test_no_subset_is_scored_twice(search):
    seen = set()

    def once(masks):
        for mask in masks:
            assert mask.tobytes() not in seen
            seen.add(mask.tobytes())
        return rough(masks)

    bounds = []
    _, n_scored = go(search, once, bound=lambda *pair: bounds.append(len(pair[0])) or rough_bound(*pair))
    assert n_scored == len(seen) + sum(bounds)


def test_forgetting_scores_changes_no_answer(search, monkeypatch):
    remembered, _ = go(search)
    monkeypatch.setattr("entropick.search._drive._MEMO_BYTES", 2000)
    forgotten, _ = go(search)
    same(remembered, forgotten)


@pytest.mark.parametrize("limit", [1, 2, 37, 80, 1000])
def test_the_budget_of_evaluations_is_kept_to_the_last_one(search, limit):
    _, n_whole = go(search)
    counted = []
    run, n_scored = go(
        search,
        lambda masks: counted.append(len(masks)) or rough(masks),
        bound=lambda *pair: counted.append(len(pair[0])) or rough_bound(*pair),
        budget=Budget(limit),
    )
    assert sum(counted) == n_scored == min(limit, n_whole)
    assert ("max_evaluations" in run.stop) == (limit < n_whole)
    assert run.score == rough(run.mask[None])[0]


def test_the_deadline_ends_a_run_within_a_batch(search):
    def slow(masks):
        time.sleep(0.02 * len(masks))
        return rough(masks)

    began = time.monotonic()
    run, _ = go(search, slow, budget=Budget(max_seconds=0.3))
    assert time.monotonic() - began < 5
    assert run.stop["max_seconds"] == 0.3
    assert run.score == rough(run.mask[None])[0]


def test_the_deadline_ends_a_run_between_two_batches():
    run, _ = go(CrossEntropy(max_steps=10_000, patience=10_000), budget=Budget(max_seconds=0.05))
    assert run.stop == {"max_seconds": 0.05}


def test_a_callback_sees_every_step_and_may_stop(search):
    lines = []
    run, _ = go(search, callback=lines.append)
    assert [line["step"] for line in lines] == list(range(1, len(run.trace) + 1))
    assert lines[-1]["best"] == run.trace[-1]["best"]
    run, _ = go(search, callback=lambda line: line["step"] == 2)
    assert run.stop["callback"] == 2
    assert len(run.trace) == 2


def test_ctrl_c_returns_the_best_so_far(search, small_calls):
    calls = []

    def interrupted(masks):
        calls.append(len(masks))
        if len(calls) == 20:
            signal.raise_signal(signal.SIGINT)
        return rough(masks)

    run, n_scored = go(search, interrupted)
    assert run.stop["interrupted"] == n_scored
    assert n_scored >= sum(calls)
    assert run.score == rough(run.mask[None])[0] > 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_before_any_score_is_passed_on(search):
    def interrupted(masks):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        go(search, interrupted)


def test_a_run_in_a_thread_leaves_signals_alone(search):
    found = []
    thread = threading.Thread(target=lambda: found.append(go(search)[0]))
    thread.start()
    thread.join()
    same(found[0], go(search)[0])


def test_another_handler_of_ctrl_c_is_left_alone(search):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        go(search)
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("after", [1, 2, 20, 40])
def test_an_interrupted_run_goes_on_to_the_very_same_answer(search, tmp_path, after, small_calls):
    whole, n_whole = go(search, seed=1)
    path = tmp_path / "run.npz"
    calls = []

    def interrupted(masks):
        calls.append(len(masks))
        if len(calls) > after:
            raise KeyboardInterrupt
        return rough(masks)

    first, n_first = go(search, interrupted, 1, checkpoint=Checkpoint(path, {"run": 1}))
    assert "interrupted" in first.stop
    fresh = []
    second, n_second = go(
        search,
        lambda masks: fresh.append(len(masks)) or rough(masks),
        1,
        lambda *pair: fresh.append(len(pair[0])) or rough_bound(*pair),
        checkpoint=Checkpoint(path, {"run": 1}),
    )
    same(whole, second)
    assert n_second == n_whole
    assert sum(fresh) == n_whole - n_first
    third, _ = go(search, lambda masks: pytest.fail("all is known"), 1, checkpoint=Checkpoint(path, {"run": 1}))
    same(whole, third)


def test_a_run_that_used_up_its_budget_goes_on_with_a_larger_one(search, tmp_path):
    whole, n_whole = go(search)
    for limit in (5, 60, 30, None):
        run, n_scored = go(search, budget=Budget(limit), checkpoint=Checkpoint(tmp_path / "run.npz", {}))
        assert n_scored == min(limit or n_whole, n_whole)
    same(whole, run)


KILLED = """
import sys, time
import numpy as np
from entropick.search import Checkpoint, Run, SEARCHES, Space, drive
pairs = np.random.default_rng(0).normal(size=(14, 14))
def slow(masks):
    time.sleep(0.01 * len(masks))
    return np.einsum("si,ij,sj->s", masks, pairs, masks)
def bound(lower, upper):
    return slow(lower) + np.einsum("si,ij,sj->s", upper, np.maximum(pairs, 0), upper)
import entropick.search._drive as module
module._SAVE_EVERY = 0.05
module._CHUNK_SECONDS = 0.0
run = Run(SEARCHES[sys.argv[2]](), Space(14, scale=100.0), 1)
print("ready", flush=True)
drive(run, slow, checkpoint=Checkpoint(sys.argv[1], {"run": 1}), bound=bound)
"""


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
@pytest.mark.parametrize("name", SEARCHES)
def test_a_killed_run_goes_on_to_the_very_same_answer(name, tmp_path):
    path = tmp_path / "run.npz"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(path), name], stdout=subprocess.PIPE)
    process.stdout.readline()
    deadline = time.monotonic() + 30
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    known = len(Checkpoint(path, {"run": 1}).load())
    whole, n_whole = go(SEARCHES[name](), seed=1)
    assert 0 < known < n_whole
    second, n_second = go(SEARCHES[name](), seed=1, checkpoint=Checkpoint(path, {"run": 1}))
    same(whole, second)
    assert n_second == n_whole


def test_a_checkpoint_of_another_run_is_refused(tmp_path):
    path = tmp_path / "run.npz"
    Checkpoint(path, {"data": "abc", "seed": 7}).save(np.arange(3.0))
    assert stored_seed(path) == 7
    assert Checkpoint(path, {"data": "abc", "seed": 7}).load().tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="is of a run with other data; delete the file or name another"):
        Checkpoint(path, {"data": "xyz", "seed": 7}).load()
    with pytest.raises(ValueError, match="other seed: 8 here, 7 there"):
        Checkpoint(path, {"data": "abc", "seed": 8}).load()
    with pytest.raises(ValueError, match="other seed: None here, 7 there"):
        Checkpoint(path, {"data": "abc"}).load()


@pytest.mark.parametrize("content", [b"", b"not a checkpoint", b"PK\x03\x04 broken", json.dumps({}).encode()])
def test_a_file_that_is_no_checkpoint_is_refused(tmp_path, content):
    path = tmp_path / "run.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is not a checkpoint of entropick: delete the file"):
        Checkpoint(path, {}).load()
    with pytest.raises(ValueError, match="is not a checkpoint"):
        stored_seed(path)
    assert path.read_bytes() == content


def test_a_checkpoint_that_cannot_be_is_refused_at_once(tmp_path):
    with pytest.raises(ValueError, match="must be a file in a folder that exists"):
        Checkpoint(tmp_path / "no" / "run", {})
    with pytest.raises(ValueError, match="must be a file in a folder that exists"):
        Checkpoint(tmp_path, {})
    for path in ("", 5, None):
        with pytest.raises(ValueError, match="checkpoint must be the path of a file"):
            Checkpoint(path, {})


def test_a_full_disk_costs_the_checkpoint_but_not_the_answer(tmp_path, search, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numpy.savez", full)
    path = tmp_path / "run.npz"
    with pytest.warns(UserWarning, match="could not be written.*No space left"):
        run, _ = go(search, checkpoint=Checkpoint(path, {}))
    same(run, go(search)[0])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("limits", [{"max_evaluations": 0}, {"max_evaluations": 1.5}, {"max_seconds": "x"}], ids=str)
def test_bad_budgets_end_with_a_sentence(limits):
    with pytest.raises(ValueError, match=r"must be a.* or None; got"):
        Budget(**limits)


def test_bad_scores_end_with_a_sentence(search):
    run = search.start(5)
    masks = run.ask()
    with pytest.raises(ValueError, match="one score per mask"):
        run.tell(np.zeros(len(masks) + 1))
    with pytest.raises(ValueError, match="scores must be numbers; got NaN"):
        run.tell(np.full(len(masks), np.nan))
    with pytest.raises(ValueError, match="scores must be numbers, one per mask; got 'x'"):
        run.tell("x")
    run.tell(np.zeros(len(masks)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_columns": "a"}, "n_columns must be an integer of at least 1; got 'a'"),
        ({"n_columns": 5, "random_state": -1}, "random_state must be an integer of at least 0; got -1"),
        ({"n_columns": 5, "always": 2}, "always must be a sequence of column numbers; got 2"),
        ({"n_columns": 5, "always": ["a"]}, "always must hold columns from 0 to 4; got 'a'"),
        ({"n_columns": 5, "scale": float("nan")}, "scale must be a number"),
    ],
    ids=str,
)
def test_a_run_that_makes_no_sense_does_not_start(arguments, message):
    with pytest.raises(ValueError, match=message):
        CrossEntropy().start(**arguments)


def test_a_search_that_asks_for_bounds_says_so():
    with pytest.raises(ValueError, match="asks for bounds, but there are none"):
        go(SEARCHES["branch_and_bound"](), bound=None)
    run = SEARCHES["branch_and_bound"]().start(4)
    while run.stop is None:
        masks, upper = run.ask(), run.upper
        run.tell(size(masks) if upper is None else np.zeros(len(masks)))
    assert not run.best_mask.any()


def test_settings_can_be_read_and_changed_by_name(search):
    settings = search.get_params()
    assert type(search)(**settings) == search
    assert search.set_params(**settings) is search
    with pytest.raises(ValueError, match="unknown setting 'speed'"):
        search.set_params(speed=1)


def test_a_search_of_your_own_is_one_method():
    class Nothing(Search):
        def steps(self, space, rng):
            return Stop({"done": 0})
            yield

    run, n_scored = go(Nothing())
    assert run.stop == {"done": 0}
    assert n_scored == 1  # the smallest subset is looked at whatever a search does
    assert run.score == 0


def test_scores_that_are_no_numbers_spoil_no_checkpoint(search, tmp_path):
    path = tmp_path / "run.npz"
    with pytest.raises(ValueError, match="scores must be numbers; got NaN"):
        go(search, lambda masks: np.where(masks.sum(axis=1) > 1, np.nan, rough(masks)), checkpoint=Checkpoint(path, {}))
    assert not np.isnan(Checkpoint(path, {}).load()).any()
    same(go(search, checkpoint=Checkpoint(path, {}))[0], go(search)[0])


def test_a_fixed_number_of_columns_is_kept_even_if_nothing_is_worth_anything(search):
    run = Run(search, Space(14, exactly=2, scale=100.0), 0)
    drive(run, lambda masks: np.full(len(masks), -np.inf), Budget(300), bound=lambda lower, upper: np.zeros(len(lower)))
    assert run.mask.sum() == 2
