"""The record of a fit: one reading, times that fit together, notes, and nothing large in a pickle."""

import pickle

import numpy as np
import polars as pl
import pytest
from helpers import breast_cancer_frame

from entropick import ColumnWarning, CrossEntropySelector, RankSelector, SubsetSelector
from entropick.criteria import naive, plugin
from entropick.encode import read_source
from entropick.report import describe

SELECTORS = [
    CrossEntropySelector("reliable", random_state=0, null=False),
    SubsetSelector("forward", "reliable", null=False),
    RankSelector("cmim", n_features_to_select=3),
]


@pytest.mark.parametrize("selector", SELECTORS, ids=lambda selector: type(selector).__name__)
def test_a_fit_is_recorded(selector):
    X, y = breast_cancer_frame()
    record = selector.fit(X, y).record_
    outcome = record.outcome
    assert outcome.mask.tolist() == selector.support_.tolist()
    assert outcome.kind == ("ranking" if isinstance(selector, RankSelector) else "search")
    assert 0 <= record.selection_seconds <= record.seconds
    assert record.encoded.names == tuple(X.columns)
    assert record.encoded.table.class_entropy == selector.class_entropy_
    assert record.notes == ()


def test_a_fit_and_its_report_read_the_table_once(monkeypatch):
    """A table may be a view of something slow; the columns are read when they are needed, the table is opened once."""
    opened = []

    def counted(X, name="X"):
        opened.append(name)
        return read_source(X, name)

    for module in ("encode._source", "encode._encoder", "encode._encoded", "encode._target", "selectors._validate"):
        monkeypatch.setattr(f"entropick.{module}.read_source", counted)
    X, y = breast_cancer_frame()
    CrossEntropySelector("reliable", random_state=0, null=False).fit(X, y).report()
    assert sorted(opened) == ["X", "y"]


@pytest.mark.filterwarnings("ignore:the target .* is numeric and was cut:UserWarning")
def test_a_numeric_target_stays_beside_its_classes():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 3)), rng.normal(size=100)
    table = CrossEntropySelector("reliable", random_state=0, null=False).fit(X, y).record_.encoded.table
    assert table.numbers.tolist() == y.tolist()
    assert len(table.class_sizes) == 5
    source = CrossEntropySelector("reliable", random_state=0, null=False).fit(X, y > 0).record_.encoded.source
    assert source[1].numbers.tolist() == X[:, 1].tolist()
    assert (
        CrossEntropySelector("reliable", random_state=0, null=False).fit(X, y > 0).record_.encoded.table.numbers is None
    )


def test_notes_travel_with_the_record_and_are_given_as_warnings_once():
    ids = {"id": [f"P{i}" for i in range(60)], "key": [f"K{i}" for i in range(60)]}
    frame, y = pl.DataFrame({"x": [0, 1] * 30, **ids}), [0, 1] * 30
    with pytest.warns(ColumnWarning, match="columns 'id', 'key' have a different value in every row") as warned:
        selector = CrossEntropySelector("reliable", random_state=0, null=False).fit(frame, y)
    assert len(warned) == 1
    (note,) = selector.record_.notes
    assert (note.code, note.columns) == ("id", ("id", "key"))
    assert note in selector.report().result.notes


def test_a_pickle_has_the_record_without_the_table():
    X, y = breast_cancer_frame()
    selector = CrossEntropySelector("reliable", random_state=0, null=False).fit(X, y)
    stored = pickle.loads(pickle.dumps(selector))
    assert stored.record_.encoded is None
    assert stored.record_.outcome.stop == selector.record_.outcome.stop
    assert selector.record_.encoded is not None


def own_tables(class_sizes):
    return plugin(class_sizes)


@pytest.mark.parametrize("criterion", ["plugin", plugin, own_tables, naive], ids=["name", "ours", "own", "model"])
def test_a_selector_is_pickled_with_any_criterion_that_can_be(criterion):
    X, y = breast_cancer_frame()
    selector = SubsetSelector("forward", criterion, max_features=2, null=False).fit(X, y)
    stored = pickle.loads(pickle.dumps(selector))
    assert stored.record_.outcome.criterion.name == selector.record_.outcome.criterion.name
    assert stored.report(X, y).result.features == selector.report().result.features


def test_a_selector_of_an_older_version_has_no_record_and_says_so():
    X, y = breast_cancer_frame()
    selector = CrossEntropySelector("reliable", random_state=0, null=False).fit(X, y)
    del selector.record_
    with pytest.raises(ValueError, match="fitted by an older version of entropick, without a record: fit it again"):
        describe(selector)
