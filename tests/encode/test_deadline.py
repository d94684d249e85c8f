import time

import numpy as np
import pytest
from optional import optional

from entropick import ColumnWarning
from entropick.encode import TableEncoder, encode, read_source

pd = optional("pandas")


def test_columns_after_the_deadline_are_not_read_and_cannot_be_selected():
    X = pd.DataFrame(np.arange(40).reshape(4, 10) % 7, columns=list("abcdefghij"))
    encoder = TableEncoder()
    with pytest.warns(ColumnWarning) as caught:
        table = encoder.fit_transform(X, np.zeros(4, dtype=np.int64), deadline=time.monotonic() - 1)
    (warning,) = caught
    said = "time ran out before 9 of 10 columns were read, 'b', 'c', 'd', 'e', 'f' and 4 more: they were not"
    assert str(warning.message).startswith(said)
    assert table.levels.tolist() == [4] + [1] * 9
    assert [column.kind for column in encoder.columns] == ["levels"] + ["unread"] * 9
    assert all((column == 0).all() for column in table.columns[1:])
    assert encoder.columns[1].labels(read_source(X)[1], table.columns[1]) == ["not read"]
    assert encoder.transform(X, np.zeros(4, dtype=np.int64)).levels.tolist() == [4] + [1] * 9


def test_a_deadline_far_away_changes_nothing():
    X, y = np.arange(40).reshape(10, 4) % 7, np.arange(10) % 2
    assert encode(X, y, deadline=time.monotonic() + 1000).table.digest() == encode(X, y).table.digest()


def test_the_deadline_reaches_the_columns_through_encode():
    with pytest.warns(ColumnWarning, match="before 1 of 2 columns were read, 'x1'"):
        table = encode(np.arange(8).reshape(4, 2), [0, 1, 0, 1], deadline=time.monotonic()).table
    assert table.levels.tolist() == [4, 1]
