"""What each search finds, beside what all of them owe (test_drive.py)."""

import itertools

import numpy as np
import pytest
from helpers import random_table
from sklearn.datasets import load_breast_cancer

from entropick import SubsetScorer, SubsetSelector
from entropick.search import SEARCHES, Dfl, Exhaustive, Floating, Run, Space, drive


def random_problem(seed, n_columns):
    rng = np.random.default_rng(seed)
    table = random_table(rng, 80, n_columns, 3, 2)
    X = np.stack(table.columns, axis=1).astype(int)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + (rng.random(80) < 0.2)) % 2
    return X, y


SPACES = [
    {},
    {"n_features_to_select": 3},
    {"max_features": 2},
    {"always": [4]},
    {"always": [4], "n_features_to_select": 3},
]


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("space", SPACES, ids=str)
def test_every_search_stays_in_the_space_and_above_the_empty_set(search, space):
    X, y = random_problem(0, 8)
    selector = SubsetSelector(search, "reliable", random_state=0, **space, null=False).fit(X, y)
    if "n_features_to_select" in space:
        assert selector.n_features_ == space["n_features_to_select"]
    else:
        base = np.zeros((1, 8), dtype=bool)
        base[0, space.get("always", [])] = True
        assert selector.score_ >= SubsetScorer(X, y, "reliable")(base)[0]
    assert selector.n_features_ <= space.get("max_features", 8)
    assert selector.support_[space.get("always", [])].all()


@pytest.mark.parametrize("criterion", ["plugin", "reliable"])
@pytest.mark.parametrize("space", [*SPACES, {"parsimony": 0.05}, {"parsimony": 0.02, "max_features": 4}], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_branch_and_bound_equals_exhaustive(criterion, space, seed):
    n_columns = (6, 9, 12, 15)[seed]
    X, y = random_problem(seed, n_columns)
    exact, bounded = (
        SubsetSelector(search, criterion, **space, null=False).fit(X, y)
        for search in ("exhaustive", "branch_and_bound")
    )
    assert bounded.score_ == exact.score_
    np.testing.assert_array_equal(bounded.support_, exact.support_)
    assert bounded.stop_["gap"] == 0


def test_branch_and_bound_proves_the_optimum_on_breast_cancer():
    X, y = load_breast_cancer(return_X_y=True)
    selector = SubsetSelector("branch_and_bound", "reliable", null=False).fit(X, y)
    assert selector.stop_["gap"] == 0
    assert selector.n_evaluations_ <= 200_000
    assert selector.get_support(indices=True).tolist() == [23, 27]


def test_branch_and_bound_stopped_early_has_a_proven_gap():
    X, y = load_breast_cancer(return_X_y=True)
    best = SubsetSelector("branch_and_bound", "reliable", null=False).fit(X, y).score_
    gaps = []
    for limit in (3, 200, 2000, 20_000):
        selector = SubsetSelector("branch_and_bound", "reliable", max_evaluations=limit, null=False).fit(X, y)
        assert selector.stop_["max_evaluations"] == limit
        assert selector.score_ + selector.stop_["gap"] >= best
        gaps.append(selector.stop_["gap"])
    assert gaps[0] >= gaps[-1] >= 0


def test_branch_and_bound_wants_a_bound():
    X, y = random_problem(0, 5)
    with pytest.raises(ValueError, match="and 'bayes' has none: use 'plugin' or 'reliable', or search='exhaustive'"):
        SubsetSelector("branch_and_bound", "bayes", null=False).fit(X, y)


@pytest.mark.parametrize("space", [{}, {"exactly": 2}, {"max_features": 3}, {"always": (0, 2)}], ids=str)
def test_exhaustive_scores_every_allowed_subset_once(space):
    run = Run(Exhaustive(), Space(6, **space), 0)
    seen = []
    drive(run, lambda masks: seen.extend(map(tuple, masks.tolist())) or np.zeros(len(masks)))
    everything = np.array(list(itertools.product([False, True], repeat=6)))
    allowed = everything[Space(6, **space).allows(everything)]
    assert sorted(set(seen)) == sorted(map(tuple, allowed.tolist()))
    assert len(seen) == len(set(seen))


def test_exhaustive_refuses_what_would_take_for_ever():
    X = np.random.default_rng(0).integers(2, size=(50, 30))
    with pytest.raises(ValueError, match="scores at most 33,554,432 subsets; 30 free columns have more: use 'branch_"):
        SubsetSelector("exhaustive", "reliable", null=False).fit(X, X[:, 0])
    assert SubsetSelector("exhaustive", "reliable", max_features=2, null=False).fit(X, X[:, 0]).get_support(
        indices=True
    ).tolist() == [0]


@pytest.mark.parametrize(("noise", "epsilon"), [(0.0, 0.0), (0.05, 0.3)])
@pytest.mark.parametrize("criterion", ["plugin", "reliable"])
@pytest.mark.parametrize("seed", range(3))
def test_dfl_finds_the_columns_of_a_function(noise, epsilon, criterion, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(2, size=(2000, 30))
    y = X[:, 0] ^ X[:, 1] ^ (X[:, 2] & X[:, 3])
    y = np.where(rng.random(2000) < noise, 1 - y, y)
    selector = SubsetSelector(Dfl(epsilon=epsilon), criterion, null=False).fit(X, y)
    assert selector.get_support(indices=True).tolist() == [0, 1, 2, 3]


def test_dfl_loses_the_columns_it_can_do_without():
    """The greedy path takes the decoy first; y is a function of the other two."""
    rng = np.random.default_rng(0)
    X = rng.integers(2, size=(500, 5))
    y = X[:, 0] & X[:, 1]
    X[:, 4] = np.where(rng.random(500) < 0.9, y, 1 - y)
    selector = SubsetSelector("dfl", "plugin", null=False).fit(X, y)
    assert selector.get_support(indices=True).tolist() == [0, 1]
    assert selector.stop_ == {"found": 1.0}


def test_dfl_looks_at_the_columns_that_are_always_there():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    y = X[:, 0] ^ X[:, 1]
    for table in (X, np.c_[X, X]):
        selector = SubsetSelector("dfl", "plugin", always=(0, 1), null=False).fit(table, y)
        assert selector.stop_ == {"found": 1.0}
        assert selector.n_features_ == 2


def test_an_improvement_on_the_way_is_no_idle_step():
    scores = np.random.default_rng(213).random(32)
    run = Floating(patience=1).start(5)
    while run.stop is None:
        run.tell(scores[run.ask() @ (1 << np.arange(5))])
    best = [line["best"] for line in run.trace]
    assert best[-1] == best[-2]


def test_exhaustive_refuses_very_wide_tables_too():
    with pytest.raises(ValueError, match="15000 free columns have more"):
        Exhaustive().start(15_000).tell([0.0])


def test_floating_gets_out_where_forward_is_stuck():
    """A good column that a pair makes useless: forward keeps it, floating drops it again."""
    values = {(): 0, (0,): 5, (1,): 3, (2,): 3, (0, 1): 6, (0, 2): 6, (1, 2): 8, (0, 1, 2): 7}

    def score(masks):
        return np.array([values[tuple(np.flatnonzero(mask))] for mask in masks], dtype=float)

    answers = {}
    for name in ("forward", "floating", "backward"):
        run = Run(SEARCHES[name](), Space(3), 0)
        drive(run, score)
        answers[name] = np.flatnonzero(run.mask).tolist()
    assert answers == {"forward": [0, 1, 2], "floating": [1, 2], "backward": [1, 2]}


def test_floating_keeps_its_promise_of_patience():
    run = Run(Floating(patience=2), Space(10), 0)
    drive(run, lambda masks: -masks.sum(axis=1).astype(float))
    assert run.stop == {"no_gain": 2}
    assert len(run.trace) == 2


@pytest.mark.parametrize("search", ["genetic", "particle_swarm"])
def test_a_population_beats_chance(search):
    X, y = load_breast_cancer(return_X_y=True)
    budget = {"max_evaluations": 1500, "random_state": 0}
    chance = SubsetSelector("random", "reliable", **budget, null=False).fit(X, y)
    assert SubsetSelector(search, "reliable", **budget, null=False).fit(X, y).score_ > chance.score_


@pytest.mark.parametrize(
    ("search", "setting"),
    [
        ("genetic", {"keep": 100}),
        ("genetic", {"crossover": 2}),
        ("particle_swarm", {"max_velocity": 0}),
        ("random", {"n_samples": 0}),
        ("dfl", {"epsilon": -1}),
        ("dfl", {"depth": 0}),
        ("floating", {"patience": 0}),
    ],
    ids=str,
)
def test_bad_settings_end_with_a_sentence(search, setting):
    (name,) = setting
    with pytest.raises(ValueError, match=f"{name} must be a"):
        SEARCHES[search](**setting).start(5)
