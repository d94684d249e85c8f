import subprocess
import sys
import time

import numpy as np
import pytest
from helpers import LOCAL_ENGINES, random_table
from hypothesis import given, settings
from hypothesis import strategies as st

from entropick import SubsetScorer, _kernels
from entropick.criteria import CRITERIA, TableCriterion, reliable
from entropick.encode import CodeTable
from entropick.engine import make_engine
from entropick.engine._base import count_threads

TABLE_CRITERIA = [name for name in CRITERIA if isinstance(CRITERIA[name], TableCriterion)]
OTHERS = [name for name in LOCAL_ENGINES if name != "numpy"]  # the twin
SHAPES = [  # rows, columns, levels, classes
    (1, 1, 2, 1),
    (1, 50, 3, 1),
    (50, 1, 3, 3),
    (5000, 2, 3, 2),  # blocks above the sizes that are computed at once
    (400, 2000, 2, 3),
    (70_000, 3, 65_535, 5),
    (500, 70, 7, 100),
    (300, 9, 256, 2),
    (300, 9, 257, 2),
    (200, 40, 1, 2),  # constant columns have no bits
    (3000, 64, 2, 2),
    (150_000, 8, 40, 3),  # more rows than are looked at at once, from few blocks to all rows alone
]


@pytest.mark.parametrize("engine", OTHERS)
@pytest.mark.parametrize("criterion", TABLE_CRITERIA)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_an_engine_equals_the_twin_to_the_last_bit(shape, criterion, engine):
    rng = np.random.default_rng(0)
    table = random_table(rng, *shape)
    masks = rng.random((8, table.n_columns)) < np.array([0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 1])[:, None]
    expected = SubsetScorer(table, criterion=criterion, engine="numpy")(masks)
    for n_jobs in (1, 2, 5):
        scores = SubsetScorer(table, criterion=criterion, engine=engine, n_jobs=n_jobs)(masks)
        np.testing.assert_array_equal(scores, expected)


@pytest.mark.parametrize("engine", OTHERS)
@settings(max_examples=150)
@given(data=st.data())
def test_an_engine_equals_the_twin_on_odd_tables(engine, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    levels = data.draw(st.lists(st.sampled_from([1, 2, 3, 4, 5, 9, 17, 300, 5000]), min_size=1, max_size=60))
    n_rows = data.draw(st.integers(1, 200))
    base = random_table(rng, n_rows, 1, 2, data.draw(st.integers(1, 12)))
    columns = tuple((rng.integers(L, size=n_rows)).astype(np.uint16 if L > 256 else np.uint8) for L in levels)
    table = CodeTable(columns, np.array(levels), base.classes)
    masks = rng.random((6, len(levels))) < data.draw(st.floats(0, 1))
    scores, expected = (SubsetScorer(table, criterion="reliable", engine=name)(masks) for name in (engine, "numpy"))
    np.testing.assert_array_equal(scores, expected)


def test_scores_do_not_depend_on_the_company_of_a_mask():
    table = random_table(np.random.default_rng(0), 3000, 20, 3, 3)
    masks = np.random.default_rng(1).random((100, 20)) < 0.3
    for criterion in CRITERIA:
        together = SubsetScorer(table, criterion=criterion)(masks)
        scorer = SubsetScorer(table, criterion=criterion)
        np.testing.assert_array_equal([scorer(mask[None])[0] for mask in masks], together)


@pytest.mark.parametrize("engine", OTHERS)
def test_rows_and_masks_that_repeat_are_counted_as_often_as_they_occur(engine):
    rng = np.random.default_rng(0)
    few = random_table(rng, 90, 100, 3, 2)
    rows = rng.integers(90, size=4000)
    table = CodeTable(tuple(column[rows] for column in few.columns), few.levels, few.classes[rows])
    masks = rng.random((150, 100)) < rng.choice([0.02, 0.5], size=(150, 1))
    masks = masks[rng.integers(150, size=400)]
    scores, expected = (SubsetScorer(table, criterion="reliable", engine=name)(masks) for name in (engine, "numpy"))
    np.testing.assert_array_equal(scores, expected)


@pytest.mark.parametrize("engine", OTHERS)
@pytest.mark.parametrize("n_classes", [2, 5, 300])
def test_entropies_of_pairs_equal_those_of_the_twin(engine, n_classes):
    rng = np.random.default_rng(0)
    parts = [random_table(rng, 1000, 3, n_levels, n_classes) for n_levels in (1, 2, 3, 8, 9, 70)]
    columns = tuple(column for part in parts for column in part.columns)
    table = CodeTable(columns, np.concatenate([part.levels for part in parts]), parts[0].classes)
    ours, twin = make_engine(engine, table, 2), make_engine("numpy", table)
    for columns in ([0], [4, 10], [17], [17, 3, 13], range(table.n_columns)):
        np.testing.assert_array_equal(ours.pair_entropies(columns), twin.pair_entropies(columns))


def test_a_table_of_kernels_refuses_what_it_cannot_do():
    codes = np.array([0, 1, 1], dtype=np.uint8)
    planes = _kernels.BitPlanes(1, [0, 3])
    planes.add_column(0, codes)
    one, t1, t2 = np.zeros(1, dtype=np.int64), np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
    with pytest.raises(ValueError, match="sealed before it is scored"):
        planes.score(np.ones((1, 1), dtype=np.uint8), t1, t2, one, one.copy(), 1)
    planes.seal()
    with pytest.raises(RuntimeError, match="takes no more columns"):
        planes.add_column(0, codes)
    with pytest.raises(ValueError, match="one entry per column"):
        planes.score(np.ones((1, 2), dtype=np.uint8), t1, t2, one, one.copy(), 1)
    with pytest.raises(ValueError, match="must not decrease"):
        _kernels.LevelSets([2], [0, 5, 2])
    with pytest.raises(ValueError, match="1 to 8 levels"):
        _kernels.LevelSets([9], [0, 3])
    with pytest.raises(ValueError, match="below the number of levels"):
        _kernels.LevelSets([2], [0, 3]).set_column(0, codes + 1)


@pytest.mark.parametrize("engine", LOCAL_ENGINES)
def test_an_engine_leaves_its_input_alone(engine):
    table = random_table(np.random.default_rng(0), 50, 4, 3, 2)
    before = table.digest()
    masks = np.asfortranarray(np.random.default_rng(1).random((9, 4)) < 0.5)
    kept = masks.copy()
    SubsetScorer(table, engine=engine)(masks)
    assert table.digest() == before
    np.testing.assert_array_equal(masks, kept)


def test_memory_does_not_grow_with_the_number_of_masks():
    script = """
import resource, sys
import numpy as np
from entropick import SubsetScorer, _kernels
from entropick.encode import CodeTable
rng = np.random.default_rng(0)
columns = tuple(rng.integers(4, size=200_000).astype(np.uint8) for _ in range(20))
scorer = SubsetScorer(CodeTable(columns, np.full(20, 4), rng.integers(2, size=200_000)), n_jobs=2)
scorer(rng.random((20, 20)) < 0.5)
few = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
scorer(rng.random((600, 20)) < 0.5)
many = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
unit = 1 if sys.platform == "darwin" else 1024
print((many - few) * unit)
"""
    pytest.importorskip("resource")
    grown = int(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout)
    assert grown < 200_000 * 40  # bytes; holding the blocks of 600 masks would take 480 MB


def test_the_time_of_a_score_does_not_depend_on_the_order_of_the_columns():
    """Sparse columns first and a rich one last must not all fall into the same slots of the hash table."""
    rng = np.random.default_rng(0)
    sparse = [(rng.random(20_000) < 0.01).astype(np.uint8) for _ in range(49)]
    rich = rng.integers(30_000, size=20_000).astype(np.uint16)
    classes, masks = rng.integers(2, size=20_000), np.ones((1, 50), dtype=bool)
    scorers = []
    for columns in ([*sparse, rich], [rich, *sparse]):
        levels = np.array([column.max() + 1 for column in columns])
        scorers.append(SubsetScorer(CodeTable(tuple(columns), levels, classes), n_jobs=1))
    seconds = np.empty((30, 2))
    for times in seconds:  # in turn, so that a busy machine is one for both; of the processor, and the best of many
        for i, scorer in enumerate(scorers):
            began = time.thread_time()
            scorer(masks)
            times[i] = time.thread_time() - began
    first, last = seconds.min(axis=0)
    assert max(first, last) < 4 * min(first, last)


def test_threads_are_counted_as_scikit_learn_does():
    assert count_threads(4) == 4
    assert count_threads(-1) >= count_threads(-2) >= 1
    assert count_threads(-1000) == 1


@pytest.mark.parametrize(("n_rows", "n_columns", "n_classes"), [(30, 400, 4), (5, 5, 3), (1, 3, 1)])
def test_single_columns_of_wide_tables_have_the_scores_of_masks(n_rows, n_columns, n_classes):
    rng = np.random.default_rng(n_rows)
    table = random_table(rng, n_rows, n_columns, 5, n_classes)
    every = np.arange(n_columns)
    for name in ("native", "numpy"):
        engine = make_engine(name, table)
        for score in (engine.entropy, engine.entropy_with_classes, engine.bind(reliable(table.class_sizes))):
            assert score.each(every).tolist() == score(np.eye(n_columns, dtype=bool)).tolist()
            assert score.each(every[::-2]).tolist() == score.each(every)[::-2].tolist()
            assert score.each([]).shape == (0,)
