"""A fixed sample of the rows of a large table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from entropick.criteria._tables import Ints
from entropick.encode import stratified

if TYPE_CHECKING:
    from entropick.encode import CodeTable

_LARGEST = 1 << 21  # rows × classes of a sample


def loss_rows(table: CodeTable) -> Ints:
    """The rows whose losses count while subsets are compared: all, or a sample of 1000 to 2000.

    There are more of them for few classes, and fewer where rows × classes would not fit into memory. Every class has
    its share. They are drawn by content, so that the same table gives the same rows in any order of rows.
    """
    n_classes = len(table.class_sizes)
    most = min(max(1000, min(2000, 8000 // n_classes)), max(1, _LARGEST // n_classes))
    if table.n_rows <= most:
        return np.arange(table.n_rows)
    content = table.content
    new = np.empty(n_classes, dtype=np.int64)
    new[content.classes] = np.arange(n_classes)
    places = stratified(new[table.classes[content.rows]], most, np.random.default_rng(0))
    return np.sort(content.rows[places])
