"""Tables on a Dask cluster of two worker processes."""

import os
import signal

import numpy as np
import pytest
from cut import assert_same_path, mixed_frame
from optional import optional

from entropick import CrossEntropySelector, RankSelector, SubsetScorer, SubsetSelector
from entropick.criteria import CRITERIA, TableCriterion
from entropick.encode import encode
from entropick.engine import _dask as dask_engine
from entropick.engine import make_engine
from entropick.ranking import RANKINGS
from entropick.search import SEARCHES
from entropick.shards import _dask as dask_shards

dd, distributed, pd = optional("dask.dataframe"), optional("distributed"), optional("pandas")

pytestmark = [
    pytest.mark.filterwarnings("ignore::entropick.encode.ColumnWarning"),  # of ids
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets that a cluster leaves to the garbage collector
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def client():
    """A client of a cluster of two worker processes."""
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "processes": True}
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        yield client


def frame_of(n_rows, target="classes", n_partitions=4):
    """A Dask frame with a target, and the same in memory."""
    frame, y = mixed_frame(n_rows, target)
    frame = frame.drop("large").with_columns(y).to_pandas()
    partitions = dd.from_pandas(frame, npartitions=n_partitions, sort=False)
    nothing = dd.from_pandas(frame.head(0), npartitions=1)
    one = dd.from_pandas(frame.head(1), npartitions=1)
    rest = partitions.loc[1:]
    return dd.concat([nothing, one, rest]), frame


@pytest.mark.parametrize(("criterion", "deals"), [*((name, False) for name in CRITERIA), ("reliable", True)])
def test_every_criterion_scores_as_the_native_engine(client, criterion, deals, monkeypatch):
    monkeypatch.setattr(dask_engine, "_SHARE", 0.25 if deals else 0.0)
    frame, y = mixed_frame(300, "classes")
    table = encode(frame, y).table
    native, dask = (SubsetScorer(table, None, criterion, engine=engine) for engine in ("native", "dask"))
    masks = np.random.default_rng(0).random((20, table.n_columns)) < 0.6
    if isinstance(native.criterion, TableCriterion):
        np.testing.assert_array_equal(dask(masks), native(masks))
    else:
        np.testing.assert_allclose(dask(masks), native(masks), atol=1e-9)
        np.testing.assert_allclose(dask.final(masks[:4]), native.final(masks[:4]), atol=1e-9)


def test_pair_counts_are_equal_to_the_last_bit(client):
    frame, y = mixed_frame(300, "classes")
    table = encode(frame, y).table
    native, dask = (
        make_engine(engine, table, 1).pair_entropies(range(table.n_columns)) for engine in ("native", "dask")
    )
    np.testing.assert_array_equal(native, dask)


@pytest.mark.parametrize("method", RANKINGS)
def test_every_ranking_is_that_of_the_native_engine(client, method):
    frame, y = mixed_frame(300, "classes")
    native, dask = (
        RankSelector(method, n_features_to_select=4, engine=engine).fit(frame, y) for engine in ("native", "dask")
    )
    np.testing.assert_array_equal(dask.record_.outcome.order, native.record_.outcome.order)


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_is_that_of_the_native_engine(client, search):
    frame, y = mixed_frame(300, "classes")
    settings = {"criterion": "reliable", "max_evaluations": 60, "null": False, "random_state": 0}
    native, dask = (SubsetSelector(search, engine=engine, **settings).fit(frame, y) for engine in ("native", "dask"))
    assert (dask.score_, dask.stop_) == (native.score_, native.stop_)
    np.testing.assert_array_equal(dask.support_, native.support_)


@pytest.mark.parametrize(("criterion", "target"), [("auto", "classes"), ("auto", "numbers"), ("reliable", "classes")])
def test_a_dask_frame_gives_the_answer_of_one_machine(client, criterion, target):
    partitions, frame = frame_of(300, target)
    settings = {"criterion": criterion, "random_state": 0}
    if criterion == "reliable":
        settings |= {"halves": True, "decoys": 1}
    memory = CrossEntropySelector(**settings).fit(frame.drop(columns="target"), frame["target"])
    found = CrossEntropySelector(**settings).fit(partitions, "target")
    assert found.get_feature_names_out().tolist() == memory.get_feature_names_out().tolist()
    assert found.p_value_ == memory.p_value_
    assert found.score_ == pytest.approx(memory.score_, abs=1e-9)
    assert_same_path(found, memory)
    assert any("2 Dask workers" in note.text for note in found.record_.encoded.notes)
    assert list(found.transform(partitions).columns) == memory.get_feature_names_out().tolist()


def test_the_target_may_be_a_series_and_a_class_in_one_partition_only(client):
    frame = pd.DataFrame({"a": np.arange(200) // 2 % 7, "b": np.arange(200) % 3})
    y = pd.Series(np.where(np.arange(200) > 190, "rare", np.where(frame["b"] > 0, "yes", "no")), name="b")
    memory = SubsetSelector("exhaustive", "plugin", n_features_to_select=1).fit(frame, y)
    X, y = (dd.from_pandas(some, npartitions=5, sort=False) for some in (frame, y))
    found = SubsetSelector("exhaustive", "plugin", n_features_to_select=1).fit(X, y)
    assert (found.score_, found.target_["labels"]) == (memory.score_, memory.target_["labels"])
    assert found.feature_names_in_.tolist() == ["a", "b"]


def test_a_worker_that_is_killed_changes_nothing(client):
    partitions, frame = frame_of(300)
    settings = {"criterion": "reliable", "random_state": 0, "null": False}
    expected = CrossEntropySelector(**settings).fit(frame.drop(columns="target"), frame["target"])
    steps = []

    def kill(line):
        if not steps:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        steps.append(line["step"])

    found = CrossEntropySelector(callback=kill, **settings).fit(partitions, "target")
    assert len(steps) > 1
    assert found.score_ == expected.score_
    np.testing.assert_array_equal(found.support_, expected.support_)


def test_a_worker_that_dies_while_a_fit_begins_changes_nothing(client, monkeypatch, tmp_path):
    partitions, frame = frame_of(300)
    settings = {"criterion": "reliable", "random_state": 0, "null": False}
    expected = CrossEntropySelector(**settings).fit(frame.drop(columns="target"), frame["target"])
    flag, version = tmp_path / "die", dask_shards.__version__
    flag.touch()

    def die_once():
        try:
            flag.unlink()
        except FileNotFoundError:
            return version
        return os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(dask_shards, "_version", die_once)
    found = CrossEntropySelector(**settings).fit(partitions, "target")
    assert not flag.exists()
    np.testing.assert_array_equal(found.support_, expected.support_)


def test_a_worker_without_entropick_is_named(client, monkeypatch):
    def missing():
        raise ModuleNotFoundError("No module named 'entropick'")

    monkeypatch.setattr(dask_shards, "_version", missing)
    with pytest.raises(ValueError, match=r"all workers need the entropick of this process, .*; tcp://.* has none"):
        CrossEntropySelector().fit(frame_of(50)[0], "target")


def test_without_a_client_the_work_is_done_here():
    partitions, frame = frame_of(200, n_partitions=2)
    settings = {"criterion": "reliable", "random_state": 0, "null": False}
    expected = CrossEntropySelector(**settings).fit(frame.drop(columns="target"), frame["target"])
    found = CrossEntropySelector(**settings).fit(partitions, "target")
    np.testing.assert_array_equal(found.support_, expected.support_)


def test_faults_end_with_a_sentence(client, monkeypatch, tmp_path):
    frame_of(50)[1].drop(columns="id").to_parquet(tmp_path / "0.parquet")
    partitions = dd.read_parquet(tmp_path)
    with pytest.raises(ValueError, match="y must be a column of X; got 'targt'"):
        CrossEntropySelector().fit(partitions, "targt")
    (tmp_path / "0.parquet").write_bytes(b"PAR1 no more PAR1")
    with pytest.raises(ValueError, match="partition 0 cannot be read"):
        CrossEntropySelector().fit(partitions, "target")
    monkeypatch.setattr(dask_shards, "__version__", "0.0.1")
    with pytest.raises(ValueError, match=r"all workers need the entropick of this process, 0\.0\.1; tcp://"):
        CrossEntropySelector().fit(partitions, "target")


def test_a_scheduler_that_is_gone_ends_with_a_sentence_and_keeps_the_checkpoint(tmp_path):
    partitions, frame = frame_of(200, n_partitions=2)
    path = tmp_path / "run.ckpt"
    settings = {"criterion": "reliable", "random_state": 0, "null": False, "checkpoint": path}
    with distributed.LocalCluster(n_workers=1, dashboard_address=":0") as cluster:
        client = distributed.Client(cluster, timeout=2)

        def end(line):
            cluster.close()

        message = "the Dask scheduler at .* does not answer any more"
        with client.as_current(), pytest.raises(ValueError, match=message):
            CrossEntropySelector(callback=end, **settings).fit(partitions, "target")
        client.close()
    assert path.stat().st_size > 0
    again = CrossEntropySelector(**settings).fit(partitions, "target")
    expected = CrossEntropySelector(criterion="reliable", random_state=0, null=False)
    expected.fit(frame.drop(columns="target"), frame["target"])
    np.testing.assert_array_equal(again.support_, expected.support_)
