"""Rows, columns and classes have an order by what they hold, whatever the order and the names they came in."""

import numpy as np
import polars as pl
import pytest
from cut import sharded
from hypothesis import given, settings
from hypothesis import strategies as st

from entropick.encode import CodeTable, encode
from entropick.encode import _content as room
from entropick.encode._content import content_of, mixed, stratified

LETTERS = np.array(["ant", "bee", "cat"])


def columns_of(rng, n):
    """Columns of many kinds, with rows that are alike, and two columns that are alike."""
    coin = rng.integers(0, 2, n)
    return {
        "number": rng.normal(size=n).round(1),
        "gaps": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n).round(1)),
        "coin": coin,
        "coin again": coin,
        "letter": LETTERS[rng.integers(0, 3, n)],
        "constant": np.ones(n),
    }


def targets_of(rng, n, kind):
    return rng.normal(size=n).round(2) if kind == "numbers" else rng.choice(["a", "b", "c"], n, p=[0.2, 0.3, 0.5])


def table_of(columns, y):
    frame = pl.DataFrame(
        {name: pl.Series(values).fill_nan(None) for name, values in columns.items() if name != "letter"}
    )
    return encode(frame.with_columns(pl.Series("letter", columns["letter"])), y).table


def as_it_is_worked_on(table, seed=0):
    """What is drawn from by place: rows and columns in the order of their content, classes by their numbers."""
    found = table.sample(table.n_rows, np.random.default_rng(seed))[0]
    found = found.reordered(found.content.columns)
    numbers = [found.numbers_of(j) for j in range(found.n_columns)]
    return (
        [column.tolist() for column in found.columns],
        [None if x is None else np.where(np.isnan(x), -99, x).tolist() for x in numbers],
        found.classes.tolist(),
        found.levels.tolist(),
        None if found.numbers is None else found.numbers.tolist(),
    )


@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), n=st.integers(8, 60), kind=st.sampled_from(["classes", "numbers"]))
def test_another_order_of_rows_or_columns_or_other_names_of_classes_change_nothing(seed, n, kind):
    rng = np.random.default_rng(seed)
    columns, y = columns_of(rng, n), targets_of(rng, n, kind)
    if kind == "classes" and len(set(y)) < 2:
        return
    expected = as_it_is_worked_on(table_of(columns, y))
    rows = rng.permutation(n)
    moved = table_of({name: values[rows] for name, values in columns.items()}, y[rows])
    assert as_it_is_worked_on(moved) == expected
    names = rng.permutation([name for name in columns if name != "letter"])
    assert as_it_is_worked_on(
        table_of({**{name: columns[name] for name in names}, "letter": columns["letter"]}, y)
    ) == (expected)
    if kind == "classes":
        sizes = [np.sum(y == name) for name in "abc"]
        renamed = table_of(columns, np.vectorize({"a": "z", "b": "m", "c": "f"}.get)(y))
        again = as_it_is_worked_on(renamed)
        if len(set(sizes)) == 3:  # of classes of one size, the content of their rows decides
            assert again == expected
        assert sorted(map(sorted, again[0])) == sorted(map(sorted, expected[0]))


def test_classes_of_one_size_are_told_apart_by_their_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), np.repeat(["a", "b", "c"], 20)
    one = encode(X, y).table
    other = encode(X, np.repeat(["c", "a", "b"], 20)).table
    assert [one.labels[c] for c in one.content.classes] != [other.labels[c] for c in other.content.classes]
    renamed = dict(zip("abc", "cab", strict=True))
    assert [renamed[one.labels[c]] for c in one.content.classes] == [other.labels[c] for c in other.content.classes]


@pytest.mark.parametrize("n_columns", [1, 3, 6])
def test_rows_that_differ_in_their_class_only_are_told_apart_even_if_classes_have_one_size(n_columns):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (80, n_columns)), np.repeat([0, 1], 40)
    X[:, 0] |= y & rng.integers(0, 2, 80)
    expected = as_it_is_worked_on(encode(X, y).table)
    for _ in range(5):
        order = rng.permutation(80)
        assert as_it_is_worked_on(encode(X[order], y[order]).table) == expected
    assert as_it_is_worked_on(encode(X, 1 - y).table) == expected


def test_the_smallest_class_is_the_first():
    y = np.repeat(["most", "few", "some"], [30, 5, 12])
    table = encode(np.random.default_rng(0).normal(size=(47, 2)), y).table
    assert [table.labels[c] for c in table.content.classes] == ["few", "some", "most"]
    sample, rows = table.sample(47, np.random.default_rng(0))
    assert sample.class_sizes.tolist() == [5, 12, 30]
    assert sample.labels == ("few", "some", "most")
    np.testing.assert_array_equal(np.take(sample.labels, sample.classes), y[rows])


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_a_sample_says_which_rows_it_has_and_gives_every_class_its_share(kind):
    rng = np.random.default_rng(0)
    columns, y = columns_of(rng, 300), targets_of(rng, 300, kind)
    table = table_of(columns, y)
    sample, rows = table.sample(120, np.random.default_rng(1))
    assert len(rows) == len(set(rows)) == sample.n_rows == 120
    for j in range(table.n_columns):
        np.testing.assert_array_equal(sample.columns[j], table.columns[j][rows])
        if (numbers := table.numbers_of(j)) is not None:
            np.testing.assert_array_equal(sample.numbers_of(j), numbers[rows])
    shares = np.bincount(table.classes[rows], minlength=len(table.class_sizes)) / table.class_sizes
    assert (abs(shares - 0.4) < 1.01 / table.class_sizes).all()
    again = table.sample(120, np.random.default_rng(2))[1]
    assert set(again.tolist()) != set(rows.tolist())
    place = np.argsort(table.content.rows)
    assert (np.diff(place[rows]) > 0).all()  # in the order of their content
    assert sample.content.rows.tolist() == list(range(120))


def test_columns_in_another_order_are_the_same_columns():
    rng = np.random.default_rng(0)
    columns = columns_of(rng, 50)
    columns.pop("coin again")  # of equal columns, the first is the first
    table = table_of(columns, targets_of(rng, 50, "classes"))
    order = rng.permutation(table.n_columns)
    found = table.reordered(order)
    for place, j in enumerate(order):
        assert found.columns[place] is table.columns[j]
        assert found.levels[place] == table.levels[j]
        np.testing.assert_array_equal(found.numbers_of(place), table.numbers_of(j))
    assert (found.X, found.y) == (None, None)
    np.testing.assert_array_equal(found.content.rows, table.content.rows)
    np.testing.assert_array_equal(order[found.content.columns], table.content.columns)
    np.testing.assert_array_equal(found.content.columns, content_of(found).columns)


def test_equal_columns_and_rows_are_in_the_given_order():
    X = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1], [1, 1, 0]])
    content = encode(X, [0, 0, 1, 0]).table.content
    places = np.argsort(content.columns)
    assert places[0] + 1 == places[1]
    assert [row for row in content.rows if row != 2] == [0, 1, 3]


def test_zeros_of_both_signs_are_equal_and_all_gaps_are():
    y = np.arange(8) % 2
    plain = np.array([0.0, 1, 0, 2, np.nan, 3, np.nan, 0])
    odd = np.where(plain == 0, -plain, plain)
    odd[4] = -np.nan
    one, other = (encode(x[:, None], y).table.content for x in (plain, odd))
    np.testing.assert_array_equal(one.rows, other.rows)


def test_values_within_one_bin_tell_rows_apart():
    x = np.arange(40.0)
    rows = [tuple(encode(some[:, None] ** 2, np.arange(40) % 2).table.content.rows) for some in (x, x + 0.25)]
    assert rows[0] != rows[1]


def test_of_a_large_table_codes_tell_rows_apart(monkeypatch):
    rng = np.random.default_rng(0)
    monkeypatch.setattr(room, "_CELLS", 10)
    columns = tuple(rng.integers(0, 9, 50).astype(np.uint8) for _ in range(4))
    table = CodeTable(columns, np.full(4, 9), rng.integers(0, 2, 50))
    order = rng.permutation(50)
    moved = CodeTable(tuple(column[order] for column in columns), table.levels, table.classes[order])
    np.testing.assert_array_equal(order[moved.content.rows], table.content.rows)
    monkeypatch.setattr(room, "_ROWS", 20)
    assert content_of(table).rows.tolist() == list(range(50))


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_shards_have_the_content_of_the_table_in_one_piece(kind):
    rng = np.random.default_rng(0)
    table = table_of(columns_of(rng, 90), targets_of(rng, 90, kind))
    parts = sharded(table, [0, 1, 40])
    for name in ("rows", "columns", "classes"):
        np.testing.assert_array_equal(getattr(parts.content, name), getattr(table.content, name))
    whole, found = (some.sample(50, np.random.default_rng(0)) for some in (table, parts))
    np.testing.assert_array_equal(found[1], whole[1])
    np.testing.assert_array_equal(found[0].classes, whole[0].classes)
    for j in range(table.n_columns):
        np.testing.assert_array_equal(found[0].columns[j], whole[0].columns[j])


@given(st.lists(st.integers(1, 50), min_size=1, max_size=5), st.data())
def test_every_class_has_its_share_of_a_sample(sizes, data):
    classes = np.repeat(np.arange(len(sizes)), sizes)
    most = data.draw(st.integers(1, len(classes)))
    places = stratified(classes, most, np.random.default_rng(0))
    assert len(set(places.tolist())) == most
    assert (np.diff(places) > 0).all()
    counts = np.bincount(classes[places], minlength=len(sizes))
    assert (abs(counts - np.array(sizes) * most / len(classes)) <= 1).all()


def test_sums_of_hashes_hardly_ever_agree():
    values = mixed(np.arange(100_000, dtype=np.uint64), 0)
    assert len(np.unique(values)) == 100_000
    sums = values[:50_000] + values[50_000:]
    assert len(np.unique(sums)) == 50_000
    assert not np.array_equal(mixed(np.arange(9, dtype=np.uint64), 1), mixed(np.arange(9, dtype=np.uint64), 2))


def test_parts_of_a_table_keep_its_order():
    rng = np.random.default_rng(7)
    table = encode(rng.normal(size=(60, 6)), rng.integers(0, 3, 60)).table
    whole = table.sample(60, rng)[0]
    rows, columns = np.flatnonzero(rng.random(60) < 0.5), np.array([4, 0, 3])
    part = whole.take_rows(rows, whole=False)
    assert part.known_content.rows.tolist() == list(range(len(rows)))
    narrow = part.take(columns)
    places = np.argsort(whole.content.columns)
    assert places[columns][narrow.content.columns].tolist() == sorted(places[columns])
    assert narrow.content.classes.tolist() == [0, 1, 2]
    assert table.take(columns).known_content is None  # what is not known is not made
