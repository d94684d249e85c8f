"""The ranking methods against each other: what they pick first, what the picks tell, and how long that takes.

ENTROPICK_DATA=... python benchmarks/rankings.py
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from sklearn.datasets import load_breast_cancer

from entropick import RankSelector
from entropick.ranking import METHODS

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from uci import advertisements_binary, connect_4

K = 20


def main() -> None:
    tables: dict[str, Any] = {"breast cancer": lambda: load_breast_cancer(return_X_y=True)}
    if os.environ.get("ENTROPICK_DATA"):
        tables |= {"Connect-4": connect_4, "Advertisements": advertisements_binary}
    print(f"| table | method | first five of {K} | I(U;y) / H(y) at {K} | seconds |\n|---|---|---|---|---|")
    for name, load in tables.items():
        X, y = load()
        for method in METHODS:
            began = time.perf_counter()
            selector = RankSelector(method, n_features_to_select=K).fit(X, y)
            seconds = time.perf_counter() - began
            share = selector.information_ / selector.class_entropy_
            print(f"| {name} | `{method}` | {selector.order_[:5].tolist()} | {share:.3f} | {seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
