"""A table in shards gives the answers of the same table in one piece."""

import pickle
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest
from cut import assert_same_path, mixed_frame, sharded
from helpers import random_table
from hypothesis import given, settings
from hypothesis import strategies as st

from entropick import CrossEntropySelector, RankSelector, SubsetScorer, SubsetSelector
from entropick.criteria import CRITERIA, TableCriterion
from entropick.encode import CodeTable, RawColumn, encode
from entropick.encode._read import read_array
from entropick.engine import _sharded, make_engine
from entropick.ranking import RANKINGS
from entropick.report import _describe, describe
from entropick.search import SEARCHES
from entropick.shards import LocalShards, _files, _quantiles, encode_chunks, open_chunks
from entropick.shards._encode import whole_column
from entropick.shards._summary import Summary

pytestmark = pytest.mark.filterwarnings("ignore::entropick.encode.ColumnWarning")  # of ids

CUTS = [0, 1, 1, 130, 300]  # empty shards, one of a single row


@pytest.mark.parametrize("target", ["classes", "numbers"])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_every_criterion_scores_as_in_one_piece(criterion, target):
    frame, y = mixed_frame(400, target)
    table = encode(frame, y).table
    whole, parts = (SubsetScorer(some, None, criterion) for some in (table, sharded(table, CUTS)))
    masks = np.random.default_rng(0).random((40, table.n_columns)) < 0.5
    for one, other in ((whole, parts), (whole.final, parts.final)):
        if isinstance(whole.criterion, TableCriterion):
            np.testing.assert_array_equal(other(masks), one(masks))
        else:
            np.testing.assert_allclose(other(masks), one(masks), atol=1e-9)
    if whole.model is not None:
        np.testing.assert_allclose(parts.model.losses(masks), whole.model.losses(masks), atol=1e-9)


@settings(max_examples=60)
@given(data=st.data())
def test_joint_sums_are_equal_to_the_last_bit_on_odd_tables(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    levels = data.draw(st.lists(st.sampled_from([1, 2, 3, 5, 9, 17, 300, 5000]), min_size=1, max_size=60))
    n_rows = data.draw(st.integers(1, 200))
    base = random_table(rng, n_rows, 1, 2, data.draw(st.integers(1, 12)))
    columns = tuple((rng.integers(L, size=n_rows)).astype(np.uint16 if L > 256 else np.uint8) for L in levels)
    table = CodeTable(columns, np.array(levels), base.classes)
    masks = rng.random((6, len(levels))) < data.draw(st.floats(0, 1))
    cuts = sorted(data.draw(st.lists(st.integers(0, n_rows), max_size=4)))
    some = range(min(5, len(levels)))
    for one, other in zip(*(_sums(t, masks, some) for t in (table, sharded(table, cuts))), strict=True):
        np.testing.assert_array_equal(other, one)


def _sums(table, masks, columns):
    engine = make_engine("native", table, 1)
    return [SubsetScorer(table, criterion="reliable")(masks), *engine.pair_entropies(columns)]


def test_blocks_meet_in_parts_and_keys_of_equal_hash_are_told_apart(monkeypatch):
    table = random_table(np.random.default_rng(0), 3000, 40, 9, 3)
    masks = np.random.default_rng(1).random((5, 40)) < 0.6
    expected = SubsetScorer(table, criterion="reliable")(masks)
    monkeypatch.setattr(_sharded, "_HELD", 700)
    np.testing.assert_array_equal(SubsetScorer(sharded(table, [900, 2000]), criterion="reliable")(masks), expected)
    monkeypatch.setattr(_sharded, "_hash", lambda keys: keys[:, 0] % np.uint64(7))
    np.testing.assert_array_equal(SubsetScorer(sharded(table, [900, 2000]), criterion="reliable")(masks), expected)


def test_rows_are_fetched_in_any_order_and_columns_can_be_chosen():
    frame, y = mixed_frame(400, "numbers")
    table = encode(frame, y).table
    parts = sharded(table, CUTS)
    rows = np.array([399, 0, 17, 17, 131, 2])
    found, where = parts.locate(rows)
    for j in range(table.n_columns):
        np.testing.assert_array_equal(found.columns[j][where], table.columns[j][rows])
        np.testing.assert_array_equal(parts.columns[j][rows], table.columns[j][rows])
    np.testing.assert_array_equal(found.numbers[where], table.numbers[rows])
    np.testing.assert_array_equal(parts.numbers[rows], table.numbers[rows])
    narrow = parts.take(np.array([3, 0]))
    assert narrow.levels.tolist() == table.levels[[3, 0]].tolist()
    np.testing.assert_array_equal(narrow.take(np.array([1])).columns[0][rows], table.columns[0][rows])
    assert parts.copies == table.copies
    np.testing.assert_array_equal(parts.constant_columns, table.constant_columns)


@pytest.fixture
def few_rows(monkeypatch):
    """Chunks of a few rows."""
    monkeypatch.setattr(_files, "_ROWS", 37)


@pytest.mark.parametrize("binning", ["quantile", "uniform", "floor"])
@pytest.mark.parametrize("target", ["classes", "numbers", "whole numbers", "many whole numbers", "booleans"])
def test_a_lazy_frame_has_the_codes_of_one_in_memory(target, binning, few_rows):
    frame, y = mixed_frame(400, target)
    memory = encode(frame, y, 5, binning)
    chunked = open_chunks(frame.with_columns(y).lazy(), "target")
    found = encode_chunks(chunked.chunks, chunked.names, chunked.target, 5, binning)
    table = found.table.in_memory()
    for name, codes, expected in zip(frame.columns, table.columns, memory.table.columns, strict=True):
        np.testing.assert_array_equal(codes, expected, name)
        assert codes.dtype == expected.dtype
    np.testing.assert_array_equal(table.classes, memory.table.classes)
    np.testing.assert_array_equal(table.levels, memory.table.levels)
    np.testing.assert_array_equal(table.ordered, memory.table.ordered)
    assert found.target.labels == memory.target.labels
    assert [note.text for note in found.notes] == [note.text for note in memory.notes]
    for j in range(table.n_columns):
        numbers, expected = table.numbers_of(j), memory.table.numbers_of(j)
        assert (numbers is None) == (expected is None)
        assert numbers is None or np.array_equal(numbers, expected, equal_nan=True)


HUGE = {
    "stamps": lambda i: 1_700_000_000_000_000_000 + i,
    "two values": lambda i: 2**60 + i % 2,
    "beside small ones": lambda i: 2**60 + i % 30 if i > 300 else i % 7,
    "beyond int64": lambda i: 2**63 + i % 40 if i % 50 == 7 else i,
    "below zero": lambda i: -(2**62) - i % 90,
}


@pytest.mark.parametrize("binning", ["quantile", "uniform"])
@pytest.mark.parametrize("place", ["column", "target"])
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("kind", HUGE)
def test_whole_numbers_beyond_floats_are_the_same_in_chunks(kind, gaps, place, binning, few_rows):
    rows = range(400)
    values = [None if gaps and place == "column" and i % 11 == 3 else HUGE[kind](i) for i in rows]
    huge = pl.Series("huge", values, dtype=pl.UInt64 if kind == "beyond int64" else pl.Int64)
    plain = pl.Series("plain", [i % 5 for i in rows])
    X, y = (huge.to_frame(), plain) if place == "column" else (plain.to_frame(), huge)
    memory = encode(X, y, 5, binning)
    chunked = open_chunks(X.with_columns(y).lazy(), y.name)
    found = encode_chunks(chunked.chunks, chunked.names, chunked.target, 5, binning)
    table = found.table.in_memory()
    np.testing.assert_array_equal(table.columns[0], memory.table.columns[0])
    np.testing.assert_array_equal(table.classes, memory.table.classes)
    np.testing.assert_array_equal(table.levels, memory.table.levels)
    np.testing.assert_array_equal(table.numbers_of(0), memory.table.numbers_of(0))
    assert (found.target.kind, found.target.labels) == (memory.target.kind, memory.target.labels)
    if memory.table.numbers is not None:
        np.testing.assert_array_equal(table.numbers, memory.table.numbers)
    assert [note.text for note in found.notes] == [note.text for note in memory.notes]


def test_fractions_in_one_chunk_make_huge_numbers_floats_in_all():
    """Objects of Python: floats and integers of any size in one column."""
    parts = [RawColumn("x", numbers=np.array([0.5, 1.5])), read_array(np.array([2**60, 2**60 + 1]), "x")]
    assert parts[1].exact is not None
    whole = whole_column(LocalShards([lambda part=part: _Part([part]) for part in parts]), "x")
    assert whole.exact is None
    np.testing.assert_array_equal(whole.numbers, [0.5, 1.5, 2.0**60, 2.0**60])
    total = Summary.of(parts[0], "one") + Summary.of(parts[1], "other")
    assert total.are_large
    assert not total.are_exact


@dataclass
class _Part:
    columns: list

    def source(self, names):
        return self.columns


def after(reads, change, monkeypatch):
    """Lazy frames are collected, and something is done just before one of the times."""
    collect, seen = pl.LazyFrame.collect, []

    def counted(frame, *arguments, **settings):
        seen.append(frame)
        if len(seen) == reads:
            change()
        return collect(frame, *arguments, **settings)

    monkeypatch.setattr(pl.LazyFrame, "collect", counted)
    return seen


OTHER = {
    "other values": lambda frame: frame.with_columns(x=-pl.col("x")),
    "another order": lambda frame: frame.reverse(),
    "fewer rows": lambda frame: frame.head(300),
    "more rows": lambda frame: pl.concat([frame, frame]),
    "other types": lambda frame: frame.with_columns(x=pl.lit("words")),
}


@pytest.mark.parametrize("reads", [3, 7, 30])
@pytest.mark.parametrize("other", OTHER)
def test_a_lazy_frame_whose_file_is_replaced_is_refused(other, reads, few_rows, monkeypatch, tmp_path):
    frame, y = mixed_frame(400, "classes")
    frame.select("x", "gaps", "coin").with_columns(y).write_parquet(tmp_path / "t.parquet")
    OTHER[other](pl.read_parquet(tmp_path / "t.parquet")).write_parquet(tmp_path / "new.parquet")
    lazy = pl.scan_parquet(tmp_path / "t.parquet")
    seen = after(reads, lambda: (tmp_path / "new.parquet").replace(tmp_path / "t.parquet"), monkeypatch)
    with pytest.raises(ValueError, match=r"the frame \(rows \d+ to \d+\) (must have the same values|cannot be read)"):
        CrossEntropySelector("linear", random_state=0, null=False).fit(lazy, "target")
    assert len(seen) >= reads


def test_a_frame_without_a_fixed_order_is_refused():
    frame, y = mixed_frame(400, "classes")
    lazy = frame.with_columns(y).lazy().select(pl.all().shuffle())
    with pytest.raises(ValueError, match="must have the same values whenever it is read"):
        CrossEntropySelector("reliable", random_state=0, null=False).fit(lazy, "target")


@settings(max_examples=60)
@given(data=st.data())
def test_order_statistics_are_exact(data):
    numbers = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, -0.0, 1.0, 1.0 + 2**-52, 5e-324])
    x = np.array(data.draw(st.lists(numbers, min_size=1, max_size=60)))
    few = data.draw(st.sampled_from([0, 3, 1 << 16]))
    chunks = open_chunks(pl.DataFrame({"x": x, "y": x}).lazy(), "y").chunks
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_quantiles, "_FEW", few)
        values, times = _quantiles.order_statistics(chunks, {"x": np.arange(len(x))})
    np.testing.assert_array_equal(values["x"], np.sort(x))
    np.testing.assert_array_equal(times["x"], (x[:, None] == np.sort(x)).sum(axis=0))


@pytest.mark.parametrize(("criterion", "target"), [("auto", "classes"), ("auto", "numbers"), ("reliable", "classes")])
def test_a_fit_to_a_lazy_frame_gives_the_same_answer(target, criterion, few_rows):
    frame, y = mixed_frame(400, target)
    settings = {"criterion": criterion, "random_state": 0}
    if criterion == "reliable":
        settings |= {"halves": True, "decoys": 1}
    memory = CrossEntropySelector(**settings).fit(frame, y)
    lazy = frame.with_columns(y).lazy()
    found = CrossEntropySelector(**settings).fit(lazy, "target")
    assert found.get_feature_names_out().tolist() == memory.get_feature_names_out().tolist()
    assert (found.p_value_, found.n_evaluations_) == (memory.p_value_, memory.n_evaluations_)
    assert found.score_ == pytest.approx(memory.score_, abs=1e-9)
    assert found.information_ == pytest.approx(memory.information_, abs=1e-9)
    assert_same_path(found, memory)
    two = found.at(2)
    assert two.get_feature_names_out().tolist() == memory.at(2).get_feature_names_out().tolist()
    assert two.score_ == pytest.approx(memory.at(2).score_, abs=1e-9)
    np.testing.assert_allclose(found.feature_importances_, memory.feature_importances_, atol=1e-9)
    np.testing.assert_array_equal(found.ranking_, memory.ranking_)
    chosen = found.transform(lazy)
    assert isinstance(chosen, pl.LazyFrame)
    assert chosen.collect().columns == memory.get_feature_names_out().tolist()
    assert any("shards on this disk" in note.text for note in found.record_.encoded.notes)


@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_a_sample_of_a_lazy_frame_is_the_same_rows(target, few_rows, monkeypatch):
    """Halves and copies of large tables are made of some of the rows."""
    monkeypatch.setattr("entropick.path.CELLS", 0)
    monkeypatch.setattr("entropick.selectors._fit._FEWEST_ROWS", 150)
    frame, y = mixed_frame(400, target)
    memory = CrossEntropySelector(random_state=0, null=False, decoys=1).fit(frame, y)
    found = CrossEntropySelector(random_state=0, null=False, decoys=1).fit(frame.with_columns(y).lazy(), "target")
    assert found.get_feature_names_out().tolist() == memory.get_feature_names_out().tolist()
    assert_same_path(found, memory)
    rows = [selector.record_.outcome.choices.rows.tolist() for selector in (memory, found)]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 150


@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_the_report_is_that_of_one_in_memory(target, few_rows, monkeypatch):
    frame, y = mixed_frame(400, target)
    settings = {"criterion": "linear", "random_state": 0, "null": False}
    lazy = CrossEntropySelector(**settings).fit(frame.with_columns(y).lazy(), "target")
    memory, found = (
        describe(selector, seconds=60.0).to_dict()
        for selector in (CrossEntropySelector(**settings).fit(frame, y), lazy)
    )
    notes = [note for note in found["notes"] if note["code"] != "shards"]
    for name in memory.keys() - {"seconds", "trace", "notes", "target"}:
        assert found[name] == memory[name], name
    assert notes == memory["notes"]
    assert found["target"] == {**memory["target"], "name": "target"}
    monkeypatch.setattr(_describe, "_MOST_SHOWN", 50)
    found = describe(lazy, quick=True)
    assert sum(map(sum, found.target_by_column[0].counts)) == 50
    assert "from a sample of 50 rows" in str(found.notes)
    assert sum(found.target.counts) == 400
    again = pickle.loads(pickle.dumps(lazy))
    assert again.report(frame.with_columns(y).lazy(), "target").result.features == describe(lazy).features


@pytest.mark.parametrize("method", RANKINGS)
def test_every_ranking_is_the_same_for_a_lazy_frame(method, few_rows):
    frame, y = mixed_frame(400, "classes")
    memory = RankSelector(method, n_features_to_select=4).fit(frame, y)
    found = RankSelector(method, n_features_to_select=4).fit(frame.with_columns(y).lazy(), "target")
    np.testing.assert_array_equal(found.record_.outcome.order, memory.record_.outcome.order)


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_is_the_same_in_shards(search):
    frame, y = mixed_frame(300, "classes")
    settings = {"criterion": "reliable", "max_evaluations": 200, "null": False, "random_state": 0}
    memory, found = (SubsetSelector(search, **settings) for _ in range(2))
    memory.fit(frame, y)
    found.fit(frame.with_columns(y).lazy(), "target")
    assert (found.score_, found.stop_) == (memory.score_, memory.stop_)
    np.testing.assert_array_equal(found.support_, memory.support_)


def test_nothing_is_left_of_the_codes(few_rows, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    frame, y = mixed_frame(200, "classes")
    selector = CrossEntropySelector("reliable", null=False, random_state=0).fit(frame.with_columns(y).lazy(), "target")
    assert len(list(tmp_path.glob("entropick-*/*.codes"))) == 6
    del selector
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "y must be the name of a column of X, because X is not in memory; got NoneType"),
        ("targt", "y must be a column of X; got 'targt', which is not one. Did you mean 'target'"),
        ("gaps", "y must not have missing values"),
        ("constant", "y must have at least two classes; got one class, 1"),
    ],
)
def test_bad_targets_end_with_a_sentence(y, message):
    frame, target = mixed_frame(100, "classes")
    with pytest.raises(ValueError, match=message):
        CrossEntropySelector().fit(frame.with_columns(target).lazy(), y)


def test_what_cannot_be_done_out_of_memory_is_refused():
    frame, y = mixed_frame(100, "classes")
    lazy = frame.with_columns(y).lazy()
    with pytest.raises(ValueError, match="binning must not look at the target of a table that is not in memory"):
        CrossEntropySelector(binning="mdlp").fit(lazy, "target")
    with pytest.raises(ValueError, match="must have at least one row"):
        CrossEntropySelector().fit(lazy.head(0), "target")
    with pytest.raises(ValueError, match="at least one column"):
        CrossEntropySelector().fit(lazy.select("target"), "target")


def test_blocks_say_how_large_they_are():
    frame, y = mixed_frame(400, "classes")
    table = encode(frame, y).table
    parts = _sharded._split(table, 2, np.ones((1, table.n_columns), dtype=bool), 1)
    for (blocks,) in parts:
        assert len(blocks.keys)
        assert blocks.__sizeof__() == sum(array.nbytes for array in vars(blocks).values())
