"""What the default answers: how many columns are enough, which ones, which are sure, and whether there is anything."""

import pickle
import re
import warnings
from itertools import combinations

import numpy as np
import pytest
from problems import parity_of_three

from entropick import CrossEntropySelector, RankSelector, SubsetScorer, SubsetSelector
from entropick._errors import ParameterError
from entropick.path import Curve
from entropick.path._settings import LEVEL, SHUFFLES

BEST = 1 / (1 + SHUFFLES)


def fit(X, y, **settings):
    return CrossEntropySelector(**{"random_state": 0, **settings}).fit(X, y)


def chosen(selector):
    return selector.get_support(indices=True).tolist()


def linear_sum(seed=0, n=250, m=10, target="classes"):
    """Columns 1, 4 and 7 add up to y, the last the least."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m))
    signal = X[:, 1] + X[:, 4] + 0.6 * X[:, 7] + 0.4 * rng.normal(size=n)
    return X, (signal > 0).astype(int) if target == "classes" else signal


@pytest.fixture(scope="module", params=["classes", "numbers"])
def summed(request):
    X, y = linear_sum(target=request.param)
    return X, y, fit(X, y)


# Known answers


def test_the_columns_of_a_sum_are_the_answer_and_sure(summed):
    _, _, selector = summed
    assert {1, 4, 7} <= set(chosen(selector))
    assert selector.n_features_ <= 5
    assert (selector.verdict_[[1, 4, 7]] == "sure").all()
    assert selector.p_value_ == BEST
    assert selector.expected_false_[[1, 4]].tolist() == [0.25, 0.25]
    assert selector.selection_frequency_[[1, 4]].tolist() == [1, 1]
    others = np.setdiff1d(np.arange(10), [1, 4, 7])
    assert (selector.verdict_[others] == "sure").sum() <= 1
    assert selector.feature_importances_[[1, 4, 7]].min() > selector.feature_importances_[others].max()


def xor_of_two(seed, m, n=400):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, m))
    return X, X[:, 3] ^ X[:, m - 2]


@pytest.mark.parametrize("seed", range(2))
def test_xor_of_two_is_found(seed):
    X, y = xor_of_two(seed, 30)
    selector = fit(X, y, random_state=seed, decoys=0)
    assert chosen(selector) == [3, 28]
    assert selector.p_value_ == BEST


@pytest.mark.slow
def test_xor_of_two_among_120_columns_is_found_ten_times_of_ten():
    found = [chosen(fit(*xor_of_two(seed, 120), random_state=seed)) for seed in range(10)]
    assert found == [[3, 118]] * 10


def parity_is_found(seed):
    X, y, relevant = parity_of_three(np.random.default_rng(seed))
    selector = fit(X, y, criterion="reliable", random_state=seed)
    return set(chosen(selector)) == relevant and selector.p_value_ == BEST


def test_parity_of_three_is_found_with_the_test_on_by_a_criterion_that_counts():
    assert parity_is_found(0)


def coins(seed, n=200, m=15):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (n, m)), rng.integers(0, 2, n)


def test_noise_gives_the_empty_set_and_a_sentence():
    X, y = coins(0)
    with pytest.warns(UserWarning, match="no column is better than chance"):
        selector = fit(X, y)
    assert (selector.n_features_, selector.score_) == (0, 0)
    assert selector.p_value_ > LEVEL
    assert [note.code for note in selector.record_.notes] == ["nothing_there"]
    assert selector.curve_ is selector.verdict_ is selector.expected_false_ is selector.selection_frequency_ is None
    with pytest.warns(UserWarning, match="no column was selected"):
        assert selector.transform(X).shape == (200, 0)


@pytest.mark.parametrize("criterion", ["auto", "linear", "naive", "reliable", "bayes"])
def test_noise_rarely_gives_anything(criterion):
    wrong = 0
    for seed in range(8):
        X, y = coins(seed, 100, 8)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            wrong += fit(X, y, criterion=criterion).n_features_ > 0
    assert wrong <= 1


def test_noise_of_numbers_gives_nothing():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 10))
    with pytest.warns(UserWarning, match="better than chance"):
        assert fit(X, rng.normal(size=150)).n_features_ == 0
    found = fit(X, X[:, 2] + rng.normal(size=150))
    assert found.support_[2]
    assert found.p_value_ == BEST


def test_a_weak_column_is_kept_with_the_least_p_value_that_the_shuffles_allow():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (500, 20)), rng.integers(0, 2, 500)
    X[:, 5] = np.where(rng.random(500) < 0.66, y, 1 - y)
    selector = fit(X, y)
    assert selector.support_[5]
    assert selector.verdict_[5] == "sure"
    assert selector.p_value_ == BEST


def test_columns_that_must_stay_stay():
    X, y = coins(2)
    with pytest.warns(UserWarning, match="better than chance"):
        assert chosen(fit(X, y, always=[3])) == [3]


@pytest.mark.parametrize(
    "settings",
    [{"null": False}, {"n_features_to_select": 2}, {"criterion": "plugin"}],
    ids=lambda settings: next(iter(settings)),
)
@pytest.mark.filterwarnings("ignore:no number of columns predicts rows")
def test_the_test_can_be_turned_off_and_is_off_where_it_makes_no_sense(settings):
    X, y = coins(3)
    selector = fit(X, y, **settings)
    assert selector.p_value_ is None
    assert selector.n_features_ > 0


def test_where_no_number_of_columns_predicts_anything_nothing_is_selected_untested():
    X, y = coins(2, 100, 6)
    with pytest.warns(UserWarning, match="no number of columns predicts rows that they were not chosen from"):
        selector = fit(X, y, null=False, decoys=0)
    assert selector.curve_["predicted"].max() <= 0
    assert selector.n_features_ == 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        assert fit(X, y, null=False, decoys=0, min_features=2).n_features_ == 2
        assert chosen(fit(X, y, null=False, decoys=0, always=[3])) == [3]


def test_the_paper_has_no_test_and_no_halves():
    X, y = coins(3)
    selector = CrossEntropySelector.paper(random_state=0).fit(X, y)
    assert selector.p_value_ is selector.curve_ is selector.selection_frequency_ is selector.verdict_ is None


def test_every_search_is_tested():
    X, y = coins(6)
    with pytest.warns(UserWarning, match="better than chance"):
        assert SubsetSelector("forward", random_state=0).fit(X, y).n_features_ == 0


def test_without_time_for_the_test_it_is_said_and_there_is_no_p_value(monkeypatch):
    monkeypatch.setattr("entropick.path.against_chance", lambda *args, **settings: None)
    with pytest.warns(UserWarning, match="there was no time to compare the selection with chance"):
        selector = fit(*linear_sum())
    assert selector.p_value_ is None
    assert selector.n_features_ > 0
    assert "untested" in {note.code for note in selector.record_.notes}


# How many


def test_the_number_of_columns_is_read_off_the_curve(summed):
    _, _, selector = summed
    curve = Curve(**selector.curve_)
    assert curve.sizes[:6].tolist() == [1, 2, 3, 4, 5, 6]
    assert curve.sizes[-1] == 10  # all columns are a point of it
    assert (np.diff(curve.sizes) > 0).all()
    assert selector.n_features_ == curve.enough(0.98)
    assert 0.5 < curve.predicted.max() < 1
    assert curve.error[curve.predicted.argmax()] == 0


@pytest.mark.parametrize("keep", [1, 0.9, 0.6, "one_se"])
def test_keep_says_what_is_enough(summed, keep):
    X, y, selector = summed
    other = fit(X, y, keep=keep, null=False, decoys=0)
    np.testing.assert_array_equal(other.curve_["predicted"], selector.curve_["predicted"])  # of the same halves
    curve = Curve(**selector.curve_)
    expected = {1: curve.best, "one_se": curve.fewest_alike}.get(keep, curve.enough(keep))
    assert other.n_features_ == expected
    assert fit(X, y, keep=0.6, null=False, decoys=0).n_features_ < selector.n_features_


def test_the_least_and_the_most_number_of_columns_bound_the_answer(summed):
    X, y, selector = summed
    free = selector.n_features_
    assert 2 < free < 8
    bound = {"null": False, "decoys": 0}
    assert fit(X, y, max_features=2, **bound).n_features_ == 2
    assert fit(X, y, min_features=8, **bound).n_features_ == 8
    assert fit(X, y, min_features=1, max_features=9, **bound).n_features_ == free
    assert fit(X, y, min_features=6, max_features=6, **bound).n_features_ == 6
    some = fit(X, y, always=[0, 2], max_features=3, **bound)
    assert some.support_[[0, 2]].all()
    assert some.n_features_ == 3
    many = fit(X, y, always=[0, 2, 3, 5, 6, 8, 9], **bound)
    assert many.n_features_ >= 7
    assert many.curve_["sizes"][0] == 7
    assert many.support_[[0, 2, 3, 5, 6, 8, 9]].all()


def test_an_exact_number_asks_nothing_unless_told_to(summed):
    X, y, _ = summed
    exact = fit(X, y, n_features_to_select=3)
    assert exact.n_features_ == 3
    assert exact.p_value_ is exact.curve_ is exact.verdict_ is exact.selection_frequency_ is None
    told = fit(X, y, n_features_to_select=3, halves=True, decoys=2)
    np.testing.assert_array_equal(told.support_, exact.support_)
    assert told.selection_frequency_.sum() == pytest.approx(3)
    assert (told.verdict_[[1, 4]] == "sure").all()
    assert told.stability_[0] > 0.5


def test_criteria_that_count_decide_themselves_and_get_halves_on_request():
    X, y = linear_sum()
    alone = fit(X, y, criterion="reliable", null=False)
    told = fit(X, y, criterion="reliable", null=False, halves=True, decoys=1)
    np.testing.assert_array_equal(alone.support_, told.support_)
    assert alone.selection_frequency_ is alone.verdict_ is alone.curve_ is None
    assert told.curve_ is None
    assert told.selection_frequency_.sum() == pytest.approx(told.n_features_)
    assert set(told.expected_false_) <= set(range(1, 12))
    assert (told.verdict_ != "no").sum() >= told.n_features_


def test_without_halves_the_search_decides_how_many():
    X, y = linear_sum()
    selector = fit(X, y, halves=False, null=False)
    assert selector.curve_ is selector.selection_frequency_ is selector.verdict_ is None
    assert selector.best_score_ == SubsetScorer(X, y, "auto")(selector.support_[None])[0]
    assert {1, 4, 7} <= set(chosen(selector))


@pytest.mark.parametrize("n", [4, 7])
def test_too_few_rows_are_not_halved_and_that_is_said(n):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    y = np.arange(n) % 2
    X[:, 1] = y + 0.01 * X[:, 1]
    with pytest.warns(UserWarning, match=f"{n} rows are too few to say how many columns are enough"):
        selector = fit(X, y, null=False)
    assert selector.curve_ is None
    assert selector.verdict_ is None
    (note,) = [note for note in selector.record_.notes if note.code == "few_rows_for_halves"]
    assert note.text == f"{n} rows are too few to say how many columns are enough from halves of them."


def test_constant_columns_and_copies_are_no_answer():
    X, y = linear_sum(m=8)
    X = np.column_stack([X, X[:, 1], np.ones(len(X)), X[:, 4]])
    selector = fit(X, y, null=False, min_features=9)
    assert selector.n_features_ == 8
    assert not selector.support_[[8, 9, 10]].any()
    kept = fit(X, y, null=False, decoys=0, always=[8])
    assert kept.support_[8]
    assert not kept.support_[1]


# Which


def test_the_columns_are_the_best_of_their_number_by_the_criterion(summed):
    X, y, selector = summed
    scorer = SubsetScorer(X, y, "auto")
    k = selector.n_features_
    masks = np.array([[j in some for j in range(10)] for some in combinations(range(10), k)])
    assert selector.best_score_ == pytest.approx(scorer(masks).max(), abs=1e-9)
    assert selector.score_ == scorer.final(selector.support_[None])[0]


@pytest.mark.parametrize("k", [1, 2, 5, 10])
def test_so_many_columns_of_a_fit_are_those_of_a_fit_for_so_many(summed, k):
    X, y, selector = summed
    of_fit, exact = selector.at(k), fit(X, y, n_features_to_select=k)
    assert chosen(of_fit) == chosen(exact)
    assert (of_fit.n_features_, of_fit.score_, of_fit.best_score_) == (k, exact.score_, exact.best_score_)
    assert of_fit.seed_ == selector.seed_
    assert of_fit.get_params()["n_features_to_select"] == k
    np.testing.assert_array_equal(of_fit.transform(X), exact.transform(X))
    np.testing.assert_array_equal(of_fit.feature_importances_, exact.feature_importances_)


def test_at_most_so_many_columns_are_exactly_so_many_where_more_would_be_enough(summed):
    X, y, selector = summed
    assert selector.n_features_ > 2
    for k in (1, 2):
        at_most = fit(X, y, max_features=k, decoys=0)
        assert chosen(at_most) == chosen(selector.at(k))
        assert at_most.score_ == selector.at(k).score_


def test_so_many_columns_of_a_stored_selector_take_the_table(summed):
    X, y, selector = summed
    stored = pickle.loads(pickle.dumps(selector))
    with pytest.raises(ValueError, match=r"is not stored with the selector: call at\(k, X, y\)"):
        stored.at(2)
    again = stored.at(2, X, y)
    assert chosen(again) == chosen(selector.at(2))
    assert again.score_ == selector.at(2).score_


def test_so_many_columns_leave_the_selector_as_it_was(summed):
    _, _, selector = summed
    before = dict(selector.__dict__)
    selector.at(2).at(1)
    assert selector.__dict__.keys() == before.keys()
    assert all(selector.__dict__[name] is value for name, value in before.items())


@pytest.mark.parametrize("k", [0, 11, 2.5, "many"])
def test_a_number_of_columns_that_there_is_not_is_refused(summed, k):
    with pytest.raises(ValueError, match="^k must be between 1 and 10, the number of col"):
        summed[2].at(k)


def test_so_many_columns_keep_what_must_be_kept_and_the_criterion():
    X, y = linear_sum()
    selector = fit(X, y, criterion="naive", always=[0], null=False, decoys=0)
    two = selector.at(2)
    assert two.support_[0]
    assert two.record_.outcome.criterion.name == "naive"
    assert two.n_features_ == 2


def test_another_criterion_of_ones_own_has_so_many_columns_too():
    X, y = linear_sum(n=80)
    selector = fit(X, y, criterion="reliable", null=False)
    assert selector.at(4).n_features_ == 4


# Which are sure


def test_more_copies_promise_more(summed):
    X, y, selector = summed
    assert set(4 * selector.expected_false_ % 1) == {0}
    two = fit(X, y, decoys=2, null=False)
    assert set(2 * two.expected_false_ % 1) == {0}
    assert two.expected_false_[1] == 0.5
    none = fit(X, y, decoys=0, null=False)
    assert none.verdict_ is none.expected_false_ is None
    assert none.selection_frequency_ is not None
    np.testing.assert_array_equal(none.support_, two.support_)


def test_verdicts_are_sure_useful_or_no(summed):
    _, _, selector = summed
    is_sure = selector.record_.outcome.decoys.is_sure
    expected = np.where(is_sure, "sure", np.where(selector.support_, "useful", "no"))
    np.testing.assert_array_equal(selector.verdict_, expected)
    assert set(selector.verdict_) >= {"sure", "no"}


def test_bins_that_look_at_the_target_have_a_curve_and_no_verdicts():
    X, y = linear_sum()
    selector = fit(X, y, binning="mdlp")
    assert selector.verdict_ is None
    assert selector.curve_["predicted"].max() > 0.3
    assert {1, 4} <= set(chosen(selector))


# Wrong settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"keep": 0}, "keep must be a share greater than 0 and at most 1, or 'one_se'; got 0"),
        ({"keep": 1.2}, "keep must be a share greater than 0 and at most 1, or 'one_se'; got 1.2"),
        ({"keep": "two_se"}, "keep must be a share greater than 0 and at most 1, or 'one_se'; got 'two_se'"),
        ({"keep": None}, "keep must be a share greater than 0 and at most 1, or 'one_se'; got None"),
        ({"decoys": -1}, "decoys must be an integer of at least 0, or None; got -1"),
        ({"decoys": 1.5}, "decoys must be an integer of at least 0, or None; got 1.5"),
        ({"decoys": "4"}, "decoys must be an integer of at least 0, or None; got '4'"),
        ({"halves": 6}, "halves must be True or False; got 6"),
        ({"halves": "yes"}, "halves must be True or False; got 'yes'"),
        ({"min_features": -1}, "min_features must be an integer of at least 0; got -1"),
        ({"min_features": None}, "min_features must be an integer of at least 0; got None"),
        ({"min_features": 1.5}, "min_features must be an integer of at least 0; got 1.5"),
        ({"min_features": 6}, "min_features must be between 1 and 5, the number of columns; got 6"),
        ({"min_features": 4, "max_features": 3}, "min_features must not exceed max_features, which is 3; got 4"),
    ],
    ids=str,
)
def test_wrong_settings_are_refused_in_a_sentence(settings, message):
    X, y = coins(0, 40, 5)
    selector = CrossEntropySelector(**settings)
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}[^\n]*$"):
        selector.fit(X, y)
    assert not hasattr(selector, "support_")


# The width of the table


@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_a_score_of_a_subset_is_the_same_in_a_wider_table(target):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 70))
    X[:, 2] = rng.integers(0, 4, 300)
    signal = X[:, 0] * X[:, 1] + X[:, 2] + 0.1 * rng.normal(size=300)
    widths = (3, 8, 70)
    y = np.digitize(signal, [0, 2]) if target == "classes" else signal
    scorers = [SubsetScorer(X[:, :m], y, "auto") for m in widths]
    for small in ([0], [1], [0, 1], [0, 1, 2]):
        masks = [np.isin(np.arange(m), small)[None] for m in widths]
        for score in ("__call__", "final"):
            values = [getattr(scorer, score)(mask)[0] for scorer, mask in zip(scorers, masks, strict=True)]
            assert values == pytest.approx([values[0]] * 3, abs=1e-9)
    assert {scorer.criterion.name for scorer in scorers} == {"blend" if target == "classes" else "linear"}


# Large tables


def test_large_tables_are_halved_by_a_sample_of_their_rows(monkeypatch):
    monkeypatch.setattr("entropick.path.CELLS", 0)
    monkeypatch.setattr("entropick.selectors._fit._FEWEST_ROWS", 100)
    X, y = linear_sum(n=400)
    y[:80] = 2
    selector = fit(X, y, null=False)
    choices = selector.record_.outcome.choices
    assert choices.in_half.shape == (22, 100)
    assert len(set(choices.rows.tolist())) == 100
    np.testing.assert_allclose(np.bincount(y[choices.rows]), np.bincount(y) / 4, atol=1)
    assert {1, 4} <= set(chosen(selector))
    scorer = SubsetScorer(X, y, "auto")  # which columns, all rows say
    assert selector.score_ == scorer.final(selector.support_[None])[0]


def test_rankings_are_repeated_on_the_same_kind_of_halves():
    X, y = linear_sum()
    plain, told = (RankSelector("mim", n_features_to_select=3, halves=halves).fit(X, y) for halves in (False, True))
    assert plain.selection_frequency_ is plain.stability_ is None
    np.testing.assert_array_equal(plain.order_, told.order_)
    choices = told.record_.outcome.choices
    assert (choices.masks.sum(axis=1) == 3).all()
    assert choices.in_half.shape == (22, 250)
    assert (choices.in_half[::2] == ~choices.in_half[1::2]).all()
    for mask, own in zip(choices.masks[:4], choices.in_half[:4], strict=True):
        assert own.sum() == pytest.approx(125, abs=6)
        assert mask[[1, 4]].all()
    assert told.selection_frequency_.sum() == pytest.approx(3)
    few = RankSelector("mim", n_features_to_select=1, halves=True).fit(X[:7], [0, 1, 0, 1, 0, 1, 0])
    assert few.selection_frequency_ is None
    with pytest.raises(ParameterError, match="halves must be True or False; got 6"):
        RankSelector(halves=6).fit(X, y)


@pytest.mark.parametrize("method", ["mrmr", "cmim"])
def test_halves_of_a_ranking_do_not_depend_on_the_order_of_the_rows(method):
    X, y = linear_sum()
    order = np.random.default_rng(0).permutation(len(y))
    selector = RankSelector(method, n_features_to_select=3, halves=True)
    one = selector.fit(X, y).selection_frequency_
    np.testing.assert_array_equal(selector.fit(X[order], y[order]).selection_frequency_, one)


def test_criteria_that_count_keep_at_least_so_many_columns_too():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 8))
    y = X[:, 0] ^ (rng.random(200) < 0.1)
    few, more = (CrossEntropySelector("reliable", min_features=k, random_state=0).fit(X, y) for k in (0, 6))
    assert few.n_features_ < 6 == more.n_features_
    assert more.support_[0]


def test_at_is_not_bound_by_what_bounded_the_answer():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 6))
    selector = CrossEntropySelector(max_features=1, decoys=0, random_state=0).fit(X, X[:, 0] + X[:, 1] > 0)
    assert selector.n_features_ == 1
    assert set(np.flatnonzero(selector.at(2).support_)) == {0, 1}
    assert selector.at(3).n_features_ == 3
