"""A run that goes on from a file: to the very same answer, or not at all."""

import os
import signal
import sys
import time
from dataclasses import dataclass

import numpy as np
import pytest
from rough import go, rough, rough_bound, same
from signals import running

from entropick.search import SEARCHES, Budget, Checkpoint, CheckpointWarning, CrossEntropy, Random, stored_seed
from entropick.search._checkpoint import ENTRY, MAGIC, read


@pytest.fixture(params=SEARCHES)
def search(request):
    return SEARCHES[request.param]()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.checkpoint"


def values(path):
    return read(path)[1]["value"]


@pytest.mark.parametrize("after", [1, 2, 20, 30])
def test_an_interrupted_run_goes_on_to_the_very_same_answer(search, path, after, small_calls):
    whole, n_whole = go(search, seed=1)
    calls = []

    def interrupted(masks):
        calls.append(len(masks))
        if len(calls) > after:
            raise KeyboardInterrupt
        return rough(masks)

    with pytest.raises(KeyboardInterrupt):
        go(search, interrupted, 1, checkpoint=Checkpoint(path, {"run": 1}))
    known = len(values(path))
    assert known >= after
    second, n_second = go(search, seed=1, checkpoint=Checkpoint(path, {"run": 1}))
    same(whole, second)
    assert n_second == n_whole == len(values(path))
    again = []
    third, n_third = go(
        search,
        lambda masks: again.append(len(masks)) or rough(masks),
        1,
        lambda *pair: again.append(len(pair[0])) or rough_bound(*pair),
        checkpoint=Checkpoint(path, {"run": 1}),
    )
    same(whole, third)
    assert n_third == n_whole
    assert 1 <= sum(again) <= 16  # a sample is scored again, and nothing else


def test_a_run_that_used_up_its_budget_goes_on_with_a_larger_one(search, path):
    whole, n_whole = go(search)
    for limit in (5, 60, 30, None):
        run, n_scored = go(search, budget=Budget(limit), checkpoint=Checkpoint(path, {}))
        assert n_scored == min(limit or n_whole, n_whole)
    same(whole, run)


KILLED = """
import sys, time
import numpy as np
from entropick.search import Checkpoint, Run, SEARCHES, Space, drive
pairs = np.random.default_rng(0).normal(size=(11, 11))
def slow(masks):
    time.sleep(0.01 * len(masks))
    return np.einsum("si,ij,sj->s", masks, pairs, masks)
def bound(lower, upper):
    most, now = (np.einsum("si,ij,sj->s", masks, np.maximum(pairs, 0), masks) for masks in (upper, lower))
    return slow(lower) + most - now + 1e-9
import entropick.search._journal as journal
import entropick.search._ledger as ledger
journal._SAVE_EVERY = 0.05
ledger._CALL_SECONDS = 0.0
run = Run(SEARCHES[sys.argv[2]](), Space(11, scale=100.0), 1)
drive(run, slow, checkpoint=Checkpoint(sys.argv[1], {"run": 1}), bound=bound)
"""


def has_values(path):
    """Whether a run has begun to write its answers; before that, its file is empty or not there."""
    return path.exists() and path.stat().st_size > 0 and len(values(path)) > 0


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
@pytest.mark.parametrize("name", ["cross_entropy", "forward", "branch_and_bound"])
def test_a_killed_run_goes_on_to_the_very_same_answer(name, path):
    with running([sys.executable, "-c", KILLED, str(path), name]) as process:
        deadline = time.monotonic() + 60
        while not has_values(path) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    whole, n_whole = go(SEARCHES[name](), seed=1)
    assert 0 < len(values(path)) < n_whole
    second, n_second = go(SEARCHES[name](), seed=1, checkpoint=Checkpoint(path, {"run": 1}))
    same(whole, second)
    assert n_second == n_whole


@pytest.mark.parametrize("cut", [1, 7, 8, 9, 100])
def test_a_block_that_was_cut_is_left_out_and_written_again(cut, path):
    whole, n_whole = go(CrossEntropy(), budget=Budget(500), checkpoint=Checkpoint(path, {}))
    content = path.read_bytes()
    path.write_bytes(content[:-cut])
    again, n_again = go(CrossEntropy(), budget=Budget(500), checkpoint=Checkpoint(path, {}))
    same(whole, again)
    assert n_again == n_whole
    assert path.read_bytes() == content


def test_a_save_writes_what_is_new_and_no_more(path, monkeypatch):
    monkeypatch.setattr("entropick.search._journal._SAVE_EVERY", 0.0)
    written = []
    append = Checkpoint.append
    monkeypatch.setattr(Checkpoint, "append", lambda self, new: written.append(len(new)) or append(self, new))
    _, n_scored = go(CrossEntropy(), checkpoint=Checkpoint(path, {}))
    assert len(written) > 5
    assert sum(written) == n_scored == len(values(path))
    assert path.stat().st_size < len(MAGIC) + 100 + 16 * n_scored + 8 * len(written)


def test_a_checkpoint_of_another_run_is_refused(path):
    go(CrossEntropy(), budget=Budget(20), checkpoint=Checkpoint(path, {"data": "abc", "seed": 7}))
    assert stored_seed(path) == 7
    assert len(Checkpoint(path, {"data": "abc", "seed": 7}).load()) == 20
    with pytest.raises(ValueError, match="does not match this run's data; delete the file or use another"):
        Checkpoint(path, {"data": "xyz", "seed": 7}).load()
    with pytest.raises(ValueError, match="this run's seed: 8 here, 7 there"):
        Checkpoint(path, {"data": "abc", "seed": 8}).load()
    with pytest.raises(ValueError, match="this run's seed: None here, 7 there"):
        Checkpoint(path, {"data": "abc"}).load()


def test_a_search_that_was_edited_is_refused(path):
    """The name and the settings are the same, the subsets are not."""

    @dataclass
    class Mine(Random):
        pass

    go(Mine(n_samples=50), checkpoint=Checkpoint(path, {"search": "Mine"}))
    content = path.read_bytes()
    with pytest.raises(ValueError, match=r"asked about different subsets from number 2 on: the search has changed"):
        go(CrossEntropy(), checkpoint=Checkpoint(path, {"search": "Mine"}))
    assert path.read_bytes() == content


@pytest.mark.parametrize("n_columns", [1, 7])
def test_scores_that_no_longer_hold_are_refused(n_columns, path):
    """The subsets are the same, what they are worth is not, be it that of the larger ones only."""
    go(Random(n_samples=300), checkpoint=Checkpoint(path, {}))
    content = path.read_bytes()
    with pytest.raises(ValueError, match="for a subset that now scores .*: it is from another criterion, or the"):
        go(
            Random(n_samples=300),
            lambda masks: rough(masks) + (masks.sum(axis=1) >= n_columns),
            checkpoint=Checkpoint(path, {}),
        )
    assert path.read_bytes() == content


def test_slow_scores_are_proven_by_few(path, monkeypatch):
    monkeypatch.setattr("entropick.search._journal._PROOF_SECONDS", -1.0)
    go(CrossEntropy(), budget=Budget(100), checkpoint=Checkpoint(path, {}))
    again = []
    go(
        CrossEntropy(),
        lambda masks: again.append(len(masks)) or rough(masks),
        budget=Budget(100),
        checkpoint=Checkpoint(path, {}),
    )
    assert sum(again) == 1


def damaged(content):
    """One score in the middle is another, which its checksum shows."""
    place = len(content) // 2
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


def test_a_damaged_checkpoint_is_refused(path, monkeypatch):
    monkeypatch.setattr("entropick.search._journal._SAVE_EVERY", 0.0)
    go(CrossEntropy(), checkpoint=Checkpoint(path, {}))
    path.write_bytes(damaged(path.read_bytes()))
    with pytest.raises(ValueError, match="is damaged: delete the file or use another"):
        go(CrossEntropy(), checkpoint=Checkpoint(path, {}))


@pytest.mark.parametrize(
    "content",
    [b"not a checkpoint", b"PK\x03\x04 broken", b"{}", MAGIC, MAGIC + b"\xff" * 99],
    ids=["text", "zip", "json", "head", "noise"],
)
def test_a_file_that_is_no_checkpoint_is_refused(path, content):
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is not an entropick checkpoint: delete the file"):
        Checkpoint(path, {}).load()
    with pytest.raises(ValueError, match="is not an entropick checkpoint"):
        stored_seed(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_scores_that_are_no_numbers_are_not_believed(value, path):
    checkpoint = Checkpoint(path, {"seed": 1})
    checkpoint.open()
    checkpoint.append(np.array([(1, value)], dtype=ENTRY))
    checkpoint.close()
    with pytest.raises(ValueError, match="is not an entropick checkpoint"):
        Checkpoint(path, {"seed": 1}).load()


def test_a_seed_that_is_none_is_no_seed(path):
    go(CrossEntropy(), budget=Budget(20), checkpoint=Checkpoint(path, {}))
    with pytest.raises(ValueError, match="is not an entropick checkpoint"):
        stored_seed(path)


def test_a_checkpoint_that_cannot_be_is_refused_at_once(tmp_path):
    for place in (tmp_path / "no" / "run", tmp_path):
        with pytest.raises(ValueError, match="must be a file in an existing folder"):
            Checkpoint(place, {})
    for path in ("", 5, None, "a\0b"):
        with pytest.raises(ValueError, match="checkpoint must be a file path"):
            Checkpoint(path, {})


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device that is always full")
def test_a_device_is_no_checkpoint():
    with pytest.raises(ValueError, match="must be a file in an existing folder; got '/dev/full'"):
        Checkpoint("/dev/full", {})


def test_a_checkpoint_in_use_is_refused(path):
    first = Checkpoint(path, {})
    first.open()
    with pytest.raises(ValueError, match="is in use by another run: wait for it, or use another file"):
        go(CrossEntropy(), checkpoint=Checkpoint(path, {}))
    first.close()
    go(CrossEntropy(), budget=Budget(20), checkpoint=Checkpoint(path, {}))


@pytest.mark.parametrize("there", [False, True])
def test_what_another_run_wrote_after_a_first_look_is_not_cut_off(path, there):
    if there:
        go(CrossEntropy(), budget=Budget(20), checkpoint=Checkpoint(path, {}))
    late = Checkpoint(path, {})
    late.load()
    go(CrossEntropy(), budget=Budget(50), checkpoint=Checkpoint(path, {}))
    content = path.read_bytes()
    with pytest.raises(ValueError, match="is in use by another run"):
        late.open()
    assert path.read_bytes() == content


def test_an_empty_file_is_a_checkpoint_that_has_not_begun(path):
    path.touch()
    assert stored_seed(path) is None
    go(CrossEntropy(), budget=Budget(20), checkpoint=Checkpoint(path, {}))
    assert len(values(path)) == 20


def full(*args, **kwargs):
    raise OSError(28, "No space left on device")


def test_a_full_disk_costs_the_checkpoint_but_not_the_answer(path, search, monkeypatch):
    monkeypatch.setattr("entropick.search._checkpoint.os.fsync", full)
    told = []
    with pytest.warns(CheckpointWarning, match="could not be written.*No space left"):
        run, _ = go(search, lambda masks: told.append(1) or rough(masks), checkpoint=Checkpoint(path, {}))
    same(run, go(search)[0])
    assert not path.exists()


def test_a_disk_that_fills_up_leaves_what_was_written(path, monkeypatch):
    go(CrossEntropy(), budget=Budget(50), checkpoint=Checkpoint(path, {}))
    content = path.read_bytes()
    monkeypatch.setattr("entropick.search._checkpoint.os.fsync", full)
    with pytest.warns(CheckpointWarning, match="could not be written.*No space left"):
        run, _ = go(CrossEntropy(), checkpoint=Checkpoint(path, {}))
    same(run, go(CrossEntropy())[0])
    assert path.read_bytes() == content


def test_what_cannot_be_written_is_told_before_the_first_score(path, monkeypatch):
    monkeypatch.setattr("entropick.search._checkpoint.os.fsync", full)
    with pytest.raises(CheckpointWarning, match="could not be written"):  # warnings are errors here
        go(CrossEntropy(), lambda masks: pytest.fail("too late"), checkpoint=Checkpoint(path, {}))


def test_bad_scores_spoil_no_checkpoint(search, path):
    with pytest.raises(ValueError, match="scores must be numbers; got NaN"):
        go(search, lambda masks: np.where(masks.sum(axis=1) > 1, np.nan, rough(masks)), checkpoint=Checkpoint(path, {}))
    assert not np.isnan(values(path)).any()
    same(go(search, checkpoint=Checkpoint(path, {}))[0], go(search)[0])
