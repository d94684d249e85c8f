"""Entropy and mutual information in bits, of single columns or of several taken jointly.

Values are taken as they are: every distinct string, date or integer is a level, up to 65,535 of them, and so is a
missing value. Only real columns (numbers with fractions) are cut into bins.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._defaults import BINNING, ESTIMATOR, N_BINS
from entropick.criteria import CriterionLike
from entropick.encode import CodeTable, TableEncoder, count_entropy, joint_codes, read_source
from entropick.scorer import Scorers


def entropy(X: Any, *, n_bins: int = N_BINS, binning: str = BINNING) -> float:
    """H(X) in bits, of one column or of several taken jointly.

    Parameters
    ----------
    X : column or table
        Any series, array, list, data frame or sparse matrix.
    n_bins, binning : int, {'quantile', 'uniform', 'floor'}
        How numbers with fractions are cut.

    Examples
    --------
    >>> entropy(["a", "b", "a", "b"])
    1.0
    >>> entropy([["a", 0], ["a", 1], ["b", 0], ["b", 1]])
    2.0
    """
    if binning == "mdlp":
        raise ValueError("binning='mdlp' needs a target, and entropy has none: use 'quantile' or 'uniform'.")
    table = _encode_as_is(X, "X", None, n_bins, binning)
    return count_entropy(np.bincount(joint_codes(table.columns, table.n_rows)))


def mutual_information(
    X: Any,
    y: Any,
    given: Any = None,
    estimator: CriterionLike = ESTIMATOR,
    *,
    n_bins: int = N_BINS,
    binning: str = BINNING,
) -> float:
    """I(X;y), or I(X;y|given), in bits; each is one column or several taken jointly.

    Parameters
    ----------
    X, y, given : column or table
        Any series, arrays, lists, data frames or sparse matrices with the same number of rows.
    estimator : str or criterion
        A name from `entropick.criteria.CRITERIA`, or a criterion of your own.
        I(X;y|given) is I(X,given;y) − I(given;y), both by this estimator.
    n_bins, binning : int, {'quantile', 'uniform', 'floor'}
        How numbers with fractions are cut.

    Examples
    --------
    >>> x0, x1 = [0, 0, 1, 1], [0, 1, 0, 1]
    >>> xor = [0, 1, 1, 0]
    >>> mutual_information(x0, xor)
    0.0
    >>> mutual_information(x0, xor, given=x1)
    1.0
    """
    targets = _encode_as_is(y, "y", None, n_bins, "quantile" if binning == "mdlp" else binning)
    classes = joint_codes(targets.columns, targets.n_rows)
    parts = [
        _encode_as_is(part, name, classes, n_bins, binning)
        for name, part in (("X", X), ("given", given))
        if part is not None
    ]
    columns = tuple(column for part in parts for column in part.columns)
    levels = np.concatenate([part.levels for part in parts])
    score = Scorers(CodeTable(columns, levels, classes))[estimator]
    condition = np.arange(len(columns)) >= parts[0].n_columns
    both, alone = score([np.ones(len(columns), dtype=np.bool_), condition])
    return float(both) if given is None else float(both - alone)


def _encode_as_is(X: Any, name: str, classes: NDArray[np.int64] | None, n_bins: int, binning: str) -> CodeTable:
    source = read_source(X, name)
    classes = np.zeros(source.n_rows, dtype=np.int64) if classes is None else classes
    return TableEncoder(n_bins, binning, as_is=True).fit_transform(source, classes)


def relative_loss(information: float, class_entropy: float) -> float:
    """ΔI_r = |I(U;y) − H(y)| / I(U;y): 0 if y is a function of U, infinite if U carries no information.

    Examples
    --------
    >>> relative_loss(0.5, 1.0)
    1.0
    """
    return abs(information - class_entropy) / information if information > 0 else float("inf")
