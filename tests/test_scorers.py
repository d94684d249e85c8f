"""Engines belong to one object and end with it."""

import pickle
import weakref

import numpy as np
import polars as pl
import pytest
from helpers import random_table

from entropick import CrossEntropySelector, RankSelector, SubsetScorer, SubsetSelector
from entropick.criteria import Criterion, ModelCriterion, _naive, _one_dependence
from entropick.encode import CodeTable
from entropick.scorer import Scorers
from entropick.shards import ShardedTable


@pytest.fixture
def table():
    return random_table(np.random.default_rng(0), 50, 4, 3, 2)


def test_criteria_share_an_engine_and_each_is_set_up_once(table):
    scorers = Scorers(table)
    assert scorers["plugin"] is scorers["plugin"]
    assert scorers["auto"] is scorers[scorers["auto"].criterion]  # a name, and what it stands for here
    assert scorers.engine is scorers.engine
    masks = np.eye(4, dtype=bool)
    for criterion in ("plugin", "reliable", "naive"):
        assert scorers[criterion](masks).tolist() == SubsetScorer(table, criterion=criterion)(masks).tolist()
        assert scorers[criterion].each(np.arange(4)).tolist() == scorers[criterion](masks).tolist()


@pytest.mark.parametrize("criterion", ["one_dependence", "naive", "blend"])
def test_columns_wider_than_most_are_screened_until_they_fit(criterion, monkeypatch):
    """Of many narrow columns and a few wide ones, the wide ones say more."""
    monkeypatch.setattr(_naive, "BUDGET", 1 << 9)
    monkeypatch.setattr(_one_dependence, "BUDGET", 1 << 13)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    wide = [(8 * y + rng.integers(0, 16, 400)).astype(np.uint8) for _ in range(30)]
    narrow = [rng.integers(0, 2, 400).astype(np.uint8) for _ in range(200)]
    table = CodeTable((*wide, *narrow), np.repeat([24, 2], [30, 200]), y)
    scorer = Scorers(table)[criterion]
    assert 0 < len(scorer.columns) < 230
    assert scorer.criterion.most_columns(table.take(scorer.columns)) >= len(scorer.columns)
    assert np.isfinite(scorer(np.zeros((1, 230), dtype=bool))).all()


def test_an_engine_is_gone_when_its_scorers_are_closed_without_the_garbage_collector(table):
    with Scorers(table) as scorers:
        scorers["plugin"](np.ones((1, 4), dtype=bool))
        engine = weakref.ref(scorers.engine)
        assert engine() is not None
    assert engine() is None
    assert scorers["plugin"](np.ones((1, 4), dtype=bool)) == SubsetScorer(table)(np.ones((1, 4), dtype=bool))


@pytest.mark.parametrize(
    "selector", [CrossEntropySelector("reliable", random_state=0, null=False), RankSelector(n_features_to_select=2)]
)
def test_no_engine_lives_on_after_fit(selector, monkeypatch):
    made = []
    real = Scorers.engine.fget

    def engine(scorers):
        found = real(scorers)
        made.append(weakref.ref(found))
        return found

    monkeypatch.setattr(Scorers, "engine", property(engine))
    rng = np.random.default_rng(0)
    selector.fit(rng.integers(3, size=(60, 5)), rng.integers(2, size=60))
    assert made
    assert all(reference() is None for reference in made)


def test_a_table_that_is_stored_is_codes_and_classes_and_nothing_that_was_computed(table):
    SubsetScorer(table, criterion="auto")(np.ones((1, 4), dtype=bool))
    assert table.of_columns  # there is something to leave out
    copy = pickle.loads(pickle.dumps(table))
    assert copy.of_columns == {}
    assert copy.digest() == table.digest()


@pytest.mark.parametrize("kind", ["memory", "shards"])
def test_nothing_that_was_computed_from_a_table_is_kept_after_fit_and_report(kind, monkeypatch):
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(rng.normal(size=(300, 5)), schema=list("abcde"))
    y = pl.Series("y", rng.normal(size=300) + frame["a"].to_numpy() > 0)
    X, y = (frame, y) if kind == "memory" else (frame.with_columns(y).lazy(), "y")
    selector = CrossEntropySelector(random_state=0).fit(X, y)
    table = selector.record_.encoded.table
    assert isinstance(table, ShardedTable) == (kind == "shards")
    assert table.of_columns == {}
    first, second = selector.report().result, selector.report().result
    assert first == second
    assert table.of_columns == {}

    def fail(*arguments):
        raise MemoryError

    monkeypatch.setattr("entropick.report._describe.about_leaks", fail)
    with pytest.raises(MemoryError):
        selector.report()
    assert table.of_columns == {}


def test_a_report_counts_the_levels_of_a_table_once(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    selector = RankSelector("mim", n_features_to_select=2).fit(X, X[:, 0] > 0)
    counted = []
    real = CodeTable.total

    def total(table, statistic):
        counted.append(statistic.__name__)
        return real(table, statistic)

    monkeypatch.setattr(CodeTable, "total", total)
    selector.report(X, X[:, 0] > 0)
    assert counted.count("_level_counts") == 1


def test_a_model_without_a_name_goes_by_that_of_its_class(table):
    class Flat(ModelCriterion):
        def bind(self, table):
            return lambda masks: np.zeros(len(masks))

    X = np.stack(table.columns, axis=1)
    result = SubsetSelector("forward", Flat(), max_features=2, null=False).fit(X, table.classes).report().result
    assert (result.criterion, result.criterion_label, result.n_features) == ("Flat", "Flat", 0)


def test_a_criterion_that_is_neither_tables_nor_model_is_refused(table):
    class Odd(Criterion):
        name = "odd"

    with pytest.raises(ValueError, match="must be a TableCriterion or a ModelCriterion"):
        SubsetScorer(table, criterion=Odd())
