"""What the driver owes to every search: tested on every member of the registry."""

import signal
import threading
import time
import warnings

import numpy as np
import pytest
from rough import go, rough, rough_bound, same, size

from entropick.search import SEARCHES, Ask, BranchAndBound, Budget, CrossEntropy, Run, Search, Space, Stop, drive


@pytest.fixture(params=SEARCHES)
def search(request):
    return SEARCHES[request.param]()


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
    monkeypatch.setattr("entropick.search._ledger._MEMO_BYTES", 2000)
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
    run, _ = go(CrossEntropy(effort=None, max_steps=10_000, patience=10_000), budget=Budget(max_seconds=0.05))
    assert run.stop == {"max_seconds": 0.05}


def test_only_true_from_a_callback_stops(search):
    for told in (np.ones(3), "yes", 1, False, np.False_):
        same(go(search, callback=lambda line, told=told: told)[0], go(search)[0])


def test_a_callback_sees_every_step_and_may_stop(search):
    lines = []
    run, _ = go(search, callback=lines.append)
    assert [line["step"] for line in lines] == list(range(1, len(run.trace) + 1))
    assert lines[-1]["best"] == run.trace[-1]["best"]
    run, _ = go(search, callback=lambda line: np.bool_(line["step"] == 2))
    assert run.stop["callback"] == 2
    assert len(run.trace) == 2


def interrupted_at(n_calls):
    """Scores, and Ctrl-C with call number ``n_calls``."""
    calls = []

    def score(masks):
        calls.append(len(masks))
        if len(calls) == n_calls:
            signal.raise_signal(signal.SIGINT)
        return rough(masks)

    return score, calls


@pytest.mark.signals
def test_ctrl_c_goes_through(search, small_calls):
    score, calls = interrupted_at(20)
    with pytest.raises(KeyboardInterrupt):
        go(search, score)
    assert len(calls) == 20


@pytest.mark.signals
def test_ctrl_c_ends_with_the_best_so_far_if_that_is_wanted(search, small_calls):
    score, calls = interrupted_at(20)
    with pytest.warns(UserWarning, match="interrupted after .* the answer is the best subset so far"):
        run, n_scored = go(search, score, on_interrupt="best")
    assert run.stop["interrupted"] == n_scored
    assert n_scored >= sum(calls) - 1  # a call that was broken off does not count
    assert run.score == rough(run.mask[None])[0] > 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.signals
def test_ctrl_c_breaks_off_a_call_that_takes_for_ever(search):
    def score(masks):
        if len(run.trace) or run.has_best:
            signal.raise_signal(signal.SIGINT)
            pytest.fail("the call went on")
        return rough(masks)

    run = Run(search, Space(11, scale=100.0), 0)
    with pytest.warns(UserWarning, match="interrupted"):
        drive(run, score, bound=rough_bound, on_interrupt="best")
    assert run.stop["interrupted"] <= 2  # the smallest subset, and perhaps a bound


@pytest.mark.signals
def test_ctrl_c_between_two_calls_is_not_lost(search):
    def callback(line):
        signal.raise_signal(signal.SIGINT)

    with pytest.warns(UserWarning, match="interrupted"):
        run, _ = go(search, callback=callback, on_interrupt="best")
    assert "interrupted" in run.stop or len(run.trace) == 1  # nothing is left to break off after the only step


@pytest.mark.signals
def test_a_second_ctrl_c_interrupts_at_once(search):
    def callback(line):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        pytest.fail("it went on")

    with pytest.warns(UserWarning, match="interrupted"):
        run, _ = go(search, callback=callback, on_interrupt="best")
    assert "interrupted" in run.stop


def test_another_word_about_interrupts_is_refused():
    with pytest.raises(ValueError, match="unknown on_interrupt 'stop'. Known: 'raise', 'best'"):
        go(CrossEntropy(), on_interrupt="stop")


def test_an_interrupt_before_any_score_is_passed_on(search):
    def interrupted(masks):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        go(search, interrupted, on_interrupt="best")


def test_a_run_in_a_thread_leaves_signals_alone(search):
    found = []
    thread = threading.Thread(target=lambda: found.append(go(search)[0]))
    thread.start()
    thread.join()
    same(found[0], go(search)[0])


@pytest.mark.signals
def test_another_handler_of_ctrl_c_is_left_alone(search):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        go(search)
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("limits", [{"max_evaluations": 0}, {"max_evaluations": 1.5}, {"max_seconds": "x"}], ids=str)
def test_bad_budgets_end_with_a_sentence(limits):
    with pytest.raises(ValueError, match=r"must be a.* or None; got"):
        Budget(**limits)


def test_bad_scores_end_with_a_sentence(search):
    run = search.start(5)
    masks = run.ask()
    with pytest.raises(ValueError, match="one score per mask"):
        run.tell(np.zeros(len(masks) + 1))
    for value, name in ((np.nan, "NaN"), (np.inf, "infinity")):
        with pytest.raises(ValueError, match=f"scores must be numbers; got {name}"):
            run.tell(np.full(len(masks), value))
    with pytest.raises(ValueError, match="scores must be numbers, one per mask; got 'x'"):
        run.tell("x")
    run.tell(np.zeros(len(masks)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_columns": "a"}, "n_columns must be an integer of at least 1; got 'a'"),
        ({"n_columns": 5, "random_state": -1}, "random_state must be an integer of at least 0; got -1"),
        ({"n_columns": 5, "always": 2}, "always must be a sequence of column numbers; got 2"),
        ({"n_columns": 5, "always": ["a"]}, "always must hold column numbers from 0 to 4; got 'a'"),
        ({"n_columns": 5, "scale": float("nan")}, "scale must be a finite number"),
    ],
    ids=str,
)
def test_a_run_that_makes_no_sense_does_not_start(arguments, message):
    with pytest.raises(ValueError, match=message):
        CrossEntropy().start(**arguments)


def test_a_search_that_asks_for_bounds_says_so():
    with pytest.raises(ValueError, match="asks for bounds, but there are none"):
        go(BranchAndBound(), bound=None)


def test_an_answer_of_the_wrong_kind_is_refused():
    """The loop that everyone writes first must not end with a false proof."""
    run = BranchAndBound().start(4)
    run.tell(size(run.ask()))
    assert run.question.kind == "bounds"
    with pytest.raises(RuntimeError, match="asks for bounds now; scores would make its answer wrong: answer with"):
        run.ask()
    with pytest.raises(RuntimeError, match="asks for bounds now"):
        run.tell(np.zeros(len(run.question.masks)))
    run.tell_bounds(np.zeros(len(run.question.masks)))
    with pytest.raises(RuntimeError, match="asks for scores now; bounds would make its answer wrong: answer with"):
        run.tell_bounds(np.zeros(len(run.question.masks)))


def test_every_search_can_be_driven_by_hand(search):
    run = search.start(11, scale=100.0)
    while run.stop is None:
        question = run.question
        assert isinstance(question, Ask)
        if question.kind == "bounds":
            run.tell_bounds(rough_bound(question.masks, question.upper))
        else:
            np.testing.assert_array_equal(run.ask(), question.masks)
            run.tell(rough(question.masks))
    assert run.question is None
    same(run, go(search)[0])


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


def test_a_fixed_number_of_columns_is_kept_even_if_nothing_is_worth_anything(search):
    run = Run(search, Space(11, exactly=2, scale=100.0), 0)
    drive(run, lambda masks: np.full(len(masks), -np.inf), Budget(300), bound=lambda lower, upper: np.zeros(len(lower)))
    assert run.mask.sum() == 2


@pytest.mark.parametrize("limit", [{"max_evaluations": 1}, {"max_seconds": 1e-9}], ids=str)
@pytest.mark.parametrize("space", [{"exactly": 3}, {"exactly": 3, "always": (4,)}, {"exactly": 9}], ids=str)
def test_a_fixed_number_of_columns_is_kept_however_early_a_run_ends(search, limit, space):
    run = Run(search, Space(11, scale=100.0, **space), 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        drive(run, rough, Budget(**limit), bound=rough_bound)
    assert run.mask.sum() == space["exactly"]
    assert run.mask[list(space.get("always", ()))].all()
    assert run.score == pytest.approx(rough(run.mask[None])[0])


def test_out_of_time_the_answer_is_the_best_single_column(search):
    def score(masks):
        time.sleep(0.002)
        return rough(masks)

    run = Run(search, Space(11, scale=100.0), 0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        drive(run, score, Budget(max_seconds=1e-9), bound=rough_bound)
    assert run.stop["max_seconds"] == 1e-9
    best = rough(np.eye(11, dtype=bool)).argmax()
    assert run.mask.sum() == 1
    assert run.mask[best]
    assert all("single columns" in str(warning.message) for warning in caught)


def test_a_limit_that_one_call_exceeds_is_told():
    def slow(masks):
        time.sleep(1.2 if masks.any() else 0)
        return np.abs(rough(masks))

    with pytest.warns(UserWarning, match=r"the search ended \d.* s after its time: one call of the criterion"):
        go(CrossEntropy(), slow, budget=Budget(max_seconds=0.1))


def test_the_first_calls_are_for_one_subset_and_the_empty_one_is_no_measure():
    """The empty subset of a wrapper takes no time, and the next ones may take seconds each."""
    calls = []

    def score(masks):
        calls.append(len(masks))
        time.sleep(0.3 * masks.any(axis=1).sum())
        return rough(masks)

    go(CrossEntropy(), score, budget=Budget(max_seconds=1))
    assert calls[:3] == [1, 1, 1]
    assert len(calls) <= 8


def test_calls_grow_while_they_are_fast():
    calls = []
    go(CrossEntropy(), lambda masks: calls.append(len(masks)) or rough(masks))
    assert max(calls) > 100


def test_columns_that_are_never_wanted_are_in_no_subset(search):
    space = Space(11, never=(0, 3, 10), always=(3,), scale=100.0)
    asked = []
    run = Run(search, space, 0)
    drive(run, lambda masks: asked.append(masks.copy()) or rough(masks), bound=rough_bound)
    assert not np.concatenate(asked)[:, [0, 10]].any()
    assert run.mask[3]
    fixed = Run(search, Space(11, never=tuple(range(8)), exactly=3, scale=100.0), 0)
    drive(fixed, rough, bound=rough_bound)
    assert np.flatnonzero(fixed.mask).tolist() == [8, 9, 10]
    with pytest.raises(ValueError, match="n_features_to_select must be at most 3, the number of columns not in never"):
        Space(11, never=tuple(range(8)), exactly=4)
