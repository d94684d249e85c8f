"""Masks of subsets, made from other masks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
MASK_BYTES = 1 << 24  # held at once


def with_each(mask: Mask, columns: NDArray[np.int64]) -> Mask:
    """The mask plus one of the columns, a row per column.

    Examples
    --------
    >>> with_each(np.array([True, False, False]), np.array([0, 2])).astype(int)
    array([[1, 0, 0],
           [1, 0, 1]])
    """
    masks = np.repeat(mask[None], len(columns), axis=0)
    masks[np.arange(len(columns)), columns] = True
    return masks


def flip_each(mask: Mask, columns: NDArray[np.int64]) -> Mask:
    """The mask with one of the columns flipped, a row per column."""
    masks = np.repeat(mask[None], len(columns), axis=0)
    masks[np.arange(len(columns)), columns] ^= True
    return masks


def nested(order: Sequence[int] | NDArray[np.int64], n_columns: int) -> Mask:
    """The first 0, 1, 2, ... columns of an order, a row per size.

    Examples
    --------
    >>> nested([2, 0], 3).astype(int)
    array([[0, 0, 0],
           [0, 0, 1],
           [1, 0, 1]])
    """
    masks = np.zeros((len(order) + 1, n_columns), dtype=np.bool_)
    masks[:, order] = np.tri(len(order) + 1, len(order), -1, dtype=np.bool_)
    return masks


def in_parts(columns: NDArray[np.int64], row_bytes: int) -> Iterator[NDArray[np.int64]]:
    """The columns in parts, small enough to hold a row of that many bytes for each column of a part."""
    most = max(1, MASK_BYTES // row_bytes)
    return (columns[start : start + most] for start in range(0, len(columns), most))
