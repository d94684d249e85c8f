import json
from pathlib import Path

import numpy as np
import pytest
from helpers import breast_cancer_width5, random_table
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from uci import advertisements_binary, connect_4

from entropick import SubsetScorer, entropy, mutual_information
from entropick.criteria import CRITERIA

REFERENCE = json.loads((Path(__file__).parent / "data" / "joint_information.json").read_text())


@pytest.mark.parametrize("name", REFERENCE)
def test_reference_values_come_out(name):
    X, y = {
        "connect_4": connect_4,
        "advertisements_binary": advertisements_binary,
        "breast_cancer_width5": breast_cancer_width5,
    }[name]()
    reference = REFERENCE[name]
    assert entropy(y) == pytest.approx(reference["class_entropy_bits"], abs=1e-9)
    for subset in reference["subsets"]:
        U = X[:, subset["features"]]
        information = mutual_information(U, y)
        expected = information - mutual_information(U, y, estimator="reliable")
        assert entropy(U) == pytest.approx(subset["joint_entropy_bits"], abs=1e-9)
        assert information == pytest.approx(subset["mutual_information_bits"], abs=1e-9)
        assert expected == pytest.approx(subset["expected_mutual_information_bits"], abs=1e-9)


def test_uniform_binning_gives_the_codes_of_the_reference():
    X, y = load_breast_cancer(return_X_y=True)
    codes, _ = breast_cancer_width5()
    table = SubsetScorer(X, y, binning="uniform").table
    np.testing.assert_array_equal(np.stack(table.columns, axis=1), codes)


@settings(max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 5), st.integers(1, 4))
def test_plugin_lies_between_0_and_the_class_entropy_and_never_falls(seed, n_rows, n_columns, n_classes):
    rng = np.random.default_rng(seed)
    table = random_table(rng, n_rows, n_columns, 3, n_classes)
    nested = np.tri(n_columns + 1, n_columns, -1, dtype=bool)  # the first 0, 1, 2, ... columns
    scores = SubsetScorer(table)(nested)
    assert scores[0] == 0
    assert (scores >= 0).all()
    assert (scores <= table.class_entropy + 1e-9).all()
    assert (np.diff(scores) >= -1e-9).all()


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(2, 60))
def test_information_obeys_the_chain_rule_and_symmetry(seed, n_rows):
    X = np.random.default_rng(seed).integers(3, size=(n_rows, 3))
    a, b, y = X.T
    assert mutual_information(a, y) == pytest.approx(mutual_information(y, a), abs=1e-9)
    chain = mutual_information(a, y) + mutual_information(b, y, given=a)
    assert mutual_information(X[:, :2], y) == pytest.approx(chain, abs=1e-9)
    assert mutual_information(a, y) == pytest.approx(entropy(a) + entropy(y) - entropy(X[:, [0, 2]]), abs=1e-9)


def test_values_count_as_they_stand():
    assert entropy(np.arange(64)) == 6
    assert entropy(2**60 + np.arange(8)) == 3
    assert entropy([f"row {i}" for i in range(64)]) == 6
    assert entropy(["a", None, "a", None]) == 1
    assert entropy(np.array([0.5, np.nan, 0.5, np.nan])) == 1
    assert entropy(np.linspace(0, 1, 100)) == pytest.approx(np.log2(5))
    assert entropy(["same"] * 5) == 0


def test_several_targets_are_taken_jointly():
    bits = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert mutual_information(np.arange(4), bits) == 2
    assert mutual_information(bits[:, 0], bits) == 1


@pytest.mark.parametrize("estimator", CRITERIA)
def test_every_estimator_is_there(estimator):
    x = np.arange(200) % 2
    noise = np.random.default_rng(0).integers(2, size=200)
    assert mutual_information(x, x, estimator=estimator) > 0.8
    assert abs(mutual_information(noise, x, estimator=estimator)) < 0.05


def test_bad_input_ends_with_a_sentence():
    with pytest.raises(ValueError, match="unknown criterion 'relable'.*Did you mean 'reliable'"):
        mutual_information([0, 1], [0, 1], estimator="relable")
    with pytest.raises(ValueError, match="X has 3 and y has 2"):
        mutual_information([0, 1, 1], [0, 1])
    with pytest.raises(ValueError, match="at least one row"):
        entropy([])
    with pytest.raises(ValueError, match="given and y must have the same number of rows; given has 3 and y has 2"):
        mutual_information([0, 1], [0, 1], given=[0, 1, 1])
    with pytest.raises(ValueError, match="column 'x0' must have at most 65535 different values.*got 65536"):
        entropy(np.arange(65_536))
    with pytest.raises(ValueError, match="mdlp"):
        entropy([0.5, 1.5], binning="mdlp")
    with pytest.raises(ValueError, match=r"column 'x0' must have at most 65535 different values.*got 70000"):
        entropy([str(i) for i in range(70_000)])
