import numpy as np
import pytest

from entropick._masks import flip_each, in_parts
from entropick.search import Space, is_better, pick_best
from entropick.search._space import pick_best_flip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_columns": 0}, "n_columns must be an integer of at least 1; got 0"),
        (
            {"n_columns": 12, "exactly": 40},
            "n_features_to_select must be between 1 and 12, the number of columns; got 40",
        ),
        ({"n_columns": 12, "exactly": 0}, "n_features_to_select must be between 1 and 12"),
        ({"n_columns": 12, "max_features": 13}, "max_features must be between 1 and 12, the number of columns; got 13"),
        ({"n_columns": 12, "max_features": 2.5}, "max_features must be between 1 and 12"),
        ({"n_columns": 12, "exactly": True}, "n_features_to_select must be between 1 and 12"),
        ({"n_columns": 3, "always": (3,)}, "always must hold column numbers from 0 to 2; got 3"),
        ({"n_columns": 3, "always": (0, 1), "max_features": 1}, "always names 2 columns, but at most 1 may be"),
        ({"n_columns": 3, "exactly": 3, "max_features": 2}, "must not exceed max_features, which is 2; got 3"),
    ],
    ids=str,
)
def test_impossible_spaces_end_with_a_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        Space(**arguments)


def test_of_equal_scores_fewer_columns_win_then_the_lowest_numbers():
    masks = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 1, 1]], dtype=bool)
    assert pick_best(masks, np.array([1.0, 1, 1, 1])) == 2
    assert pick_best(masks, np.array([1.0, 1, 0, 1])) == 1
    assert pick_best(masks, np.array([1.0, 1, 1, 2])) == 3
    assert is_better(1.0, masks[2], 1.0, masks[1])
    assert not is_better(1.0, masks[1], 1.0, masks[2])
    assert not is_better(1.0, masks[1], 1.0, masks[1])
    assert is_better(1.0, masks[1], 1.0, masks[3])
    assert is_better(1.1, masks[3], 1.0, masks[1])


@pytest.mark.parametrize("seed", range(30))
def test_the_best_flip_is_the_best_of_the_flipped_masks(seed):
    rng = np.random.default_rng(seed)
    mask, columns = rng.random(12) < 0.5, rng.permutation(12)[: rng.integers(1, 13)]
    scores = rng.integers(0, 3, len(columns)).astype(float)  # many are equal
    assert pick_best_flip(mask, columns, scores) == pick_best(flip_each(mask, columns), scores)


def test_masks_of_a_wide_table_are_asked_for_in_parts():
    columns = np.arange(100_000)
    parts = list(in_parts(columns, 100_000))
    assert max(map(len, parts)) * 100_000 <= 1 << 24
    np.testing.assert_array_equal(np.concatenate(parts), columns)
    assert [len(part) for part in in_parts(np.arange(5), 1 << 30)] == [1] * 5


def test_a_column_that_is_never_chosen_is_in_no_subset_of_the_space():
    space = Space(4, always=(0,), never=(2,), max_features=3)
    masks = np.array([[1, 0, 0, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 1, 0, 0]], dtype=bool)
    assert space.allows(masks).tolist() == [True, False, True, False]
