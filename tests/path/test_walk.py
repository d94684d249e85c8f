"""Halves of the rows put columns in order, and rows that they have not seen judge the order."""

import threading

import numpy as np
import pytest

from entropick.criteria import CRITERIA
from entropick.encode import encode
from entropick.path import Judge, halve, mean_places, walk
from entropick.path import _walk as walk_room
from entropick.path._settings import PATIENCE
from entropick.scorer import Scorers

CRITERION_OF = {"classes": "blend", "numbers": "linear"}


def sample_of(target="classes", n=180, m=8, seed=0):
    """Rows in the order of their content; columns 0, 2 and 3 tell something, 1 nearly repeats 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m))
    X[:, 1] = X[:, 0] + 0.02 * rng.normal(size=n)
    signal = X[:, 0] + 0.8 * X[:, 2] - 0.5 * X[:, 3] + 0.7 * rng.normal(size=n)
    table = encode(X, np.digitize(signal, [-1, 1]) if target == "classes" else signal).table
    return table.sample(n, np.random.default_rng(0))[0]


def walked(table, criterion, *, judged=True, **settings):
    halved = halve(table, np.random.default_rng(0))
    scorers = Scorers(table, n_jobs=1)
    model = scorers[criterion].model
    never = settings.get("never", ())
    judge = Judge(model, halved.blocks[model.rows], halved.design, table.n_columns, never) if judged else None
    settings = {
        "largest": table.n_columns,
        "criterion": CRITERIA[criterion],
        "engine_name": "auto",
        "judge": judge,
        **settings,
    }
    return walk(halved, settings.pop("criterion"), scorers.engine, settings.pop("engine_name"), **settings), judge


@pytest.fixture(scope="module", params=["classes", "numbers"])
def found(request):
    table = sample_of(request.param)
    path, judge = walked(table, CRITERION_OF[request.param])
    return table, path, judge


def test_a_half_has_the_rows_of_its_blocks():
    table = sample_of(n=100)
    halved = halve(table, np.random.default_rng(0))
    assert len(halved.tables) == len(halved.design) == len(halved.in_half) == 22
    assert (halved.in_half[::2] == ~halved.in_half[1::2]).all()
    for half, own in zip(halved.tables, halved.in_half, strict=True):
        for j in range(table.n_columns):
            np.testing.assert_array_equal(half.columns[j], table.columns[j][own])
            np.testing.assert_array_equal(half.numbers_of(j), table.numbers_of(j)[own])
        assert [table.labels.index(label) for label in half.labels] == np.unique(table.classes[own]).tolist()
        np.testing.assert_array_equal(np.take(half.labels, half.classes), np.take(table.labels, table.classes[own]))
        assert abs(half.class_sizes - table.class_sizes / 2).max() <= 6  # at most half a row a block


def test_too_few_rows_are_not_halved():
    assert halve(sample_of(n=7), np.random.default_rng(0)) is None
    assert len(halve(sample_of(n=8), np.random.default_rng(0)).tables) == 6


def test_a_half_may_lack_a_class():
    rng = np.random.default_rng(0)
    table = encode(rng.normal(size=(41, 3)), ["a"] * 20 + ["b"] * 20 + ["rare"]).table
    halved = halve(table.sample(41, rng)[0], rng)
    assert sorted({len(half.class_sizes) for half in halved.tables}) == [2, 3]
    assert all(half.class_sizes.min() >= 1 for half in halved.tables)


def test_the_order_is_that_of_the_mean_places_in_the_sets_of_halves(found):
    table, path, _ = found
    assert path.places.shape == (22, table.n_columns)
    for own, sets in zip(path.places, path.sets, strict=True):
        assert all(mask.sum() == size for size, mask in sets.items())
        stays = [sets[size] & sets.get(size + 1, sets[size]) for size in sorted(sets)]
        for j in range(table.n_columns):
            assert own[j] == min(
                (size for size, mask in zip(sorted(sets), stays, strict=True) if mask[j]), default=np.inf
            )
    np.testing.assert_array_equal(path.mean, mean_places(path.places, path.last + 1, path.near))


def test_near_copies_are_known_and_share_their_places(found):
    _, path, _ = found
    assert [group.tolist() for group in path.near] == [[0, 1]]
    assert set(np.argsort(path.mean)[:3].tolist()) in ({0, 2, 3}, {1, 2, 3})


def test_the_curve_is_that_of_a_slow_definition(found):
    """Each row is left out of the model, and of the halves whose order it judges."""
    table, path, judge = found
    m, model = table.n_columns, judge.model
    assert path.curve.sizes.tolist() == list(range(1, m + 1))
    blocks = path.halved.blocks[model.rows]
    nothing = model.losses(np.zeros((1, m), dtype=bool))[0]
    losses = np.empty((m, len(blocks)))
    for i, block in enumerate(blocks):
        has_it = path.halved.in_half[:, model.rows[i]]
        assert (has_it == path.halved.design[:, block]).all()
        known = np.where(np.isinf(path.places), path.last + 1, path.places)[~has_it]
        means = known.mean(axis=0)
        for group in path.near:
            means[min(group, key=lambda j, of=means: of[j])] = known[:, group].min(axis=1).mean()
        order = sorted(range(m), key=lambda j, of=means: (of[j], j))
        for k in range(1, m + 1):
            losses[k - 1, i] = model.losses(np.isin(np.arange(m), order[:k])[None])[0, i]
    np.testing.assert_allclose(path.curve.predicted, 1 - losses.mean(axis=1) / nothing.mean(), atol=1e-12)
    best = losses[losses.mean(axis=1).argmin()]
    error = (losses - best).std(axis=1, ddof=1) / np.sqrt(len(blocks)) / nothing.mean()
    np.testing.assert_allclose(path.curve.error, error, atol=1e-12)


def test_it_does_not_depend_on_the_threads():
    table = sample_of()
    one, other = (walked(table, "blend", n_threads=n)[0] for n in (1, 3))
    np.testing.assert_array_equal(one.places, other.places)
    np.testing.assert_array_equal(one.curve.predicted, other.curve.predicted)
    assert threading.active_count() < 20


def test_halves_stop_when_the_curve_has_not_risen_for_some_sizes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 30))
    table = encode(X, X[:, 4] > 0).table.sample(150, rng)[0]
    path, _ = walked(table, "linear")
    assert path.last < 15
    assert path.last >= path.curve.best
    assert path.last == max(max(sets) for sets in path.sets)
    assert path.curve.sizes[-1] == 30  # all columns are a point of the curve in any case
    assert path.curve.best < path.last
    assert path.last - 1 >= PATIENCE


def test_without_a_judge_halves_stop_where_they_are_told_to():
    path, _ = walked(sample_of(), "reliable", judged=False, stop=3)
    assert path.curve is None
    assert path.last == 3
    assert {max(sets) for sets in path.sets} == {3}


def test_columns_to_keep_are_first_and_those_to_leave_out_have_no_place():
    path, _ = walked(sample_of(), "blend", always=[5, 6], never=[0, 1], largest=6)
    assert (path.places[:, [5, 6]] == 0).all()
    assert np.isinf(path.places[:, [0, 1]]).all()
    assert all(mask[[5, 6]].all() and not mask[[0, 1]].any() for sets in path.sets for mask in sets.values())
    assert path.curve.sizes.tolist() == [2, 3, 4, 5, 6]


def test_out_of_time_the_sizes_so_far_count(monkeypatch):
    times = iter([0.0] * 22)  # the models are set up
    monkeypatch.setattr(walk_room.time, "monotonic", lambda: next(times, 2.0))
    path, _ = walked(sample_of(), "blend", deadline=1.0)
    assert path.last == 1
    assert path.curve.predicted[0] > 0
    assert {max(sets) for sets in path.sets} == {1}


def test_without_time_for_the_models_of_all_halves_there_is_no_path(monkeypatch):
    times = iter([0.0] * 21)
    monkeypatch.setattr(walk_room.time, "monotonic", lambda: next(times, 2.0))
    assert walked(sample_of(), "blend", deadline=1.0)[0] is None
