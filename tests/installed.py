"""What an installed wheel must do: its kernels load, and a small selection finds what is there.

A script, for cibuildwheel and benchmarks/install.py; it needs nothing but the wheel. Where scikit-learn is missing, as
on musl, for which it has no wheels, the kernels alone are tried.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

import numpy as np


def try_kernels() -> None:
    from entropick import _kernels

    x = np.random.default_rng(0).normal(size=1000)
    found = np.empty(3)
    _kernels.order_statistics(x, [0, 500, 999], found)
    np.testing.assert_array_equal(found, np.sort(x)[[0, 500, 999]])


def try_a_selection() -> None:
    from entropick import CrossEntropySelector, SubsetScorer

    rng = np.random.default_rng(0)
    X = rng.integers(3, size=(600, 12))
    y = (X[:, 2] + X[:, 7]) % 3  # neither column tells anything alone
    selector = CrossEntropySelector(random_state=0).fit(X, y)
    assert np.flatnonzero(selector.get_support()).tolist() == [2, 7], selector.get_support()
    masks = rng.random((50, 12)) < 0.4
    native, twin = (SubsetScorer(X, y, criterion="reliable", engine=name)(masks) for name in ("native", "numpy"))
    np.testing.assert_array_equal(native, twin)


def main() -> None:
    import entropick

    try_kernels()
    has_all = find_spec("sklearn") is not None
    if has_all:
        try_a_selection()
    tried = "the kernels and a selection" if has_all else "the kernels, without scikit-learn"
    sys.stdout.write(f"entropick {entropick.__version__} on Python {sys.version.split()[0]}: {tried} work\n")


if __name__ == "__main__":
    main()
