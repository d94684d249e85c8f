"""Every ranking method against known orders, and against its formula computed the slow way."""

import json
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from helpers import breast_cancer_width5, random_table
from optional import optional
from uci import advertisements_binary, connect_4

from entropick import RankSelector, entropy, mutual_information
from entropick.encode import encode
from entropick.engine import make_engine
from entropick.ranking import RANKINGS, Pairwise, RankProblem
from entropick.ranking._koller_sahami import _Neighbours

pd = optional("pandas")

REFERENCE = json.loads((Path(__file__).parent.parent / "data" / "rank_orders.json").read_text())
TABLES = {
    "connect_4": connect_4,
    "advertisements_binary": advertisements_binary,
    "breast_cancer_width5": breast_cancer_width5,
}


@pytest.mark.parametrize("name", REFERENCE)
def test_the_orders_of_the_reference_come_out(name):
    X, y = TABLES[name]()
    for method, order in REFERENCE[name]["orders"].items():
        selector = RankSelector(method, n_features_to_select=20).fit(X, y)
        assert selector.order_.tolist() == [column for column in order if column >= 0], method


@pytest.fixture(scope="module")
def small():
    table = random_table(np.random.default_rng(4), 60, 6, 3, 3)
    X = np.stack(table.columns, axis=1).astype(int)
    X[:, 5] = (X[:, 0] + table.classes) % 3
    return X, table.classes


def terms(X, y, f, s):
    """I(f;y), I(f;s), I(f;s|y), I(f,s;y), I(f;y|s), H(f,s,y)."""
    pair = X[:, [f, s]]
    return (
        mutual_information(X[:, f], y),
        mutual_information(X[:, f], X[:, s]),
        mutual_information(X[:, f], X[:, s], given=y),
        mutual_information(pair, y),
        mutual_information(X[:, f], y, given=X[:, s]),
        entropy(np.column_stack([pair, y])),
    )


FORMULAS = {
    "mim": lambda t: t[0][0],
    "mifs": lambda t: t[0][0] - 0.7 * sum(x[1] for x in t),
    "mrmr": lambda t: t[0][0] - np.mean([x[1] for x in t]),
    "cmim": lambda t: min(min(x[0], x[4]) for x in t),
    "disr": lambda t: sum(x[3] / x[5] for x in t),
    "jmi": lambda t: sum(x[3] for x in t),
    "icap": lambda t: t[0][0] - sum(max(0, x[1] - x[2]) for x in t),
    "cife": lambda t: t[0][0] - sum(x[1] - x[2] for x in t),
    "jmim": lambda t: min(x[3] for x in t),
}


@pytest.mark.parametrize("method", [name for name in RANKINGS if isinstance(RANKINGS[name], Pairwise)])
def test_a_pairwise_method_is_its_formula(method, small):
    X, y = small
    selector = RankSelector(method, n_features_to_select=6, beta=0.7).fit(X, y)
    picked = [int(np.argmax([round(mutual_information(X[:, f], y), 9) for f in range(6)]))]
    values = [mutual_information(X[:, picked[0]], y)]
    while len(picked) < 6:
        score = {f: FORMULAS[method]([terms(X, y, f, s) for s in picked]) for f in range(6) if f not in picked}
        picked.append(max(score, key=lambda f: round(score[f], 9)))
        values.append(score[picked[-1]])
    assert selector.order_.tolist() == picked
    np.testing.assert_allclose(selector.scores_, values, rtol=1e-6, atol=1e-8)


def test_cmi_follows_the_chain_rule_and_stops_by_itself(small):
    X, y = small
    selector = RankSelector("cmi").fit(X, y)
    np.testing.assert_allclose(np.cumsum(selector.scores_), selector.information_path_, atol=1e-8)
    assert (selector.scores_ > 0).all()
    rest = [j for j in range(6) if j not in selector.order_]
    for j in rest:
        assert mutual_information(X[:, j], y, given=X[:, selector.order_]) == pytest.approx(0, abs=1e-9)
    function = np.c_[X, y]
    assert RankSelector("cmi").fit(function, y).order_.tolist() == [6]


def koller_sahami_by_hand(X, y, size):
    left, removed = list(range(X.shape[1])), []
    while left:
        losses = {}
        for x in left:
            others = [j for j in left if j != x]
            blanket = sorted(others, key=lambda j: (-round(mutual_information(X[:, x], X[:, j]), 9), j))[:size]
            given = X[:, blanket] if blanket else None
            losses[x] = round(mutual_information(X[:, x], y, given=given), 9)
        worst = max(left, key=lambda x: (-losses[x], x))
        left.remove(worst)
        removed.append(worst)
    return removed[::-1]


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_koller_sahami_removes_what_its_blanket_replaces(size, small):
    X, y = small
    selector = RankSelector("koller_sahami", n_features_to_select=6, blanket_size=size).fit(X, y)
    assert selector.order_.tolist() == koller_sahami_by_hand(X, y, size)


@pytest.mark.parametrize("spare", [0, 1, 3])
def test_koller_sahami_looks_again_when_it_has_forgotten_neighbours(spare, small, monkeypatch):
    X, y = small
    whole = RankSelector("koller_sahami", n_features_to_select=X.shape[1]).fit(X, y)
    monkeypatch.setattr("entropick.ranking._koller_sahami._SPARE", spare)
    monkeypatch.setattr("entropick._masks.MASK_BYTES", 1)
    some = RankSelector("koller_sahami", n_features_to_select=X.shape[1]).fit(X, y)
    np.testing.assert_array_equal(some.order_, whole.order_)
    np.testing.assert_array_equal(some.scores_, whole.scores_)


def test_koller_sahami_needs_no_square_of_the_columns(monkeypatch):
    monkeypatch.setattr("entropick._masks.MASK_BYTES", 1 << 19)
    X = np.random.default_rng(0).integers(2, size=(200, 2000))
    tracemalloc.start()
    problem = RankProblem(encode(X, X[:, 0]).table, make_engine("native", encode(X, X[:, 0]).table), 5)
    _Neighbours(problem)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2000 * 2000 * 8


@pytest.mark.parametrize("beta", [1e300, 1e308])
def test_no_column_is_picked_twice_however_heavy_redundancy_is(beta, small):
    X, y = small
    with np.errstate(over="ignore"):
        selector = RankSelector("mifs", n_features_to_select=X.shape[1], beta=beta).fit(X, y)
    assert sorted(selector.order_.tolist()) == list(range(X.shape[1]))


def test_ctrl_c_ends_a_ranking(monkeypatch):
    """All pairs of columns are counted in calls that are short."""
    X = np.random.default_rng(0).integers(2, size=(20_000, 300))
    engine = make_engine("native", encode(X, X[:, 0]).table)
    calls = []
    sets = engine._level_sets
    monkeypatch.setitem(engine.__dict__, "_level_sets", Calls(sets, calls))
    engine.pair_entropies(range(300))
    assert sum(calls) == 300
    assert max(calls) * 300 * 20_000 <= 1 << 27


class Calls:
    """Level sets that count the columns of every call."""

    def __init__(self, sets, calls):
        self.sets, self.calls = sets, calls

    def score(self, places, *arguments):
        self.calls.append(len(places))
        self.sets.score(places, *arguments)


def test_koller_sahami_drops_a_copy_first():
    rng = np.random.default_rng(0)
    x = rng.integers(2, size=(300, 2))
    X = np.c_[x, x[:, 0], rng.integers(2, size=300)]
    y = x[:, 0] + 2 * x[:, 1]
    assert set(RankSelector("koller_sahami", 2).fit(X, y).order_.tolist()) == {0, 1}


@pytest.mark.filterwarnings("ignore:the target .* is numeric and was cut:UserWarning")
def test_pearson_is_the_absolute_correlation():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5)) * [1, 1e6, 1e-6, 1, 1]
    X[:, 4] = 3.25
    y = X[:, 0] - 2e-6 * X[:, 1] + 0.1 * rng.normal(size=200)
    selector = RankSelector("pearson", n_features_to_select=5).fit(X, y)
    expected = np.abs(np.r_[[np.corrcoef(X[:, j], y)[0, 1] for j in range(4)], 0])
    assert selector.order_.tolist() == np.argsort(-expected, kind="stable").tolist()
    np.testing.assert_allclose(selector.scores_, np.sort(expected)[::-1], atol=1e-9)


def test_pearson_sees_past_a_large_offset():
    y = np.arange(40) % 2
    X = np.c_[np.full(40, 3.3), np.random.default_rng(0).normal(size=40), 1e13 + y]
    assert RankSelector("pearson", n_features_to_select=1).fit(X, y).order_.tolist() == [2]


def test_pearson_looks_past_missing_values_and_takes_levels_by_their_place():
    y = np.array([0, 1, 0, 1, 1, 0] * 10)
    X = pd.DataFrame(
        {"same": np.where(np.arange(60) < 6, np.nan, y), "level": np.where(y == 1, "b", "a"), "none": np.nan}
    )
    selector = RankSelector("pearson", n_features_to_select=3).fit(X, y)
    np.testing.assert_allclose(selector.scores_, [1, 1, 0])
    assert selector.order_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("method", RANKINGS)
def test_what_every_method_owes(method, small):
    X, y = small
    selector = RankSelector(method, n_features_to_select=3).fit(X, y)
    assert len(selector.order_) == len(selector.scores_) == len(selector.information_path_) == selector.n_features_ == 3
    assert sorted(selector.order_) == selector.get_support(indices=True).tolist()
    for k in range(1, 4):
        expected = mutual_information(X[:, selector.order_[:k]], y)
        assert selector.information_path_[k - 1] == pytest.approx(expected, abs=1e-9)
    assert selector.information_ == selector.information_path_[-1]
    twin = RankSelector(method, n_features_to_select=3, engine="numpy", n_jobs=1).fit(X, y)
    np.testing.assert_array_equal(selector.order_, twin.order_)
    np.testing.assert_array_equal(selector.scores_, twin.scores_)


@pytest.mark.parametrize("method", RANKINGS)
def test_ties_go_to_the_lowest_number(method):
    rng = np.random.default_rng(0)
    x = rng.integers(2, size=(200, 3))
    X = np.c_[x[:, 0], x[:, 0], 1 - x[:, 0], x[:, 1:]]
    assert RankSelector(method, n_features_to_select=1).fit(X, x[:, 0] * 2 + x[:, 1]).order_.tolist() == [0]


def test_without_a_number_ten_columns_are_kept():
    rng = np.random.default_rng(0)
    X, y = rng.integers(3, size=(100, 15)), rng.integers(2, size=100)
    assert RankSelector("mim").fit(X, y).n_features_ == 10
    assert RankSelector("mim").fit(X[:, :4], y).n_features_ == 4


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "jmii"}, "unknown method 'jmii'.*Did you mean 'jmi'"),
        ({"n_features_to_select": 7}, "n_features_to_select must be between 1 and 6, the number of columns; got 7"),
        ({"n_features_to_select": 0}, "n_features_to_select must be between 1 and 6"),
        ({"beta": "x"}, "beta must be a number of at least 0; got 'x'"),
        ({"blanket_size": -1}, "blanket_size must be an integer of at least 0"),
    ],
    ids=str,
)
def test_bad_settings_end_with_a_sentence(settings, message, small):
    with pytest.raises(ValueError, match=message):
        RankSelector(**settings).fit(*small)
