"""The rankings compared: what they pick first, how much information the picks carry, and how long it takes.

Writes rankings.md next to this file. The UCI tables are read from ENTROPICK_DATA:

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
from entropick.ranking import RANKINGS

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from uci import advertisements_binary, connect_4

K = 20


def main() -> None:
    tables: dict[str, Any] = {"breast cancer": lambda: load_breast_cancer(return_X_y=True)}
    if os.environ.get("ENTROPICK_DATA"):
        tables |= {"Connect-4": connect_4, "Advertisements": advertisements_binary}
    lines = [f"| table | ranking | first five of {K} | I(U;y) / H(y) at {K} | seconds |", "|" + "---|" * 5]
    print("\n".join(lines))
    for name, load in tables.items():
        X, y = load()
        for method in RANKINGS:
            began = time.perf_counter()
            selector = RankSelector(method, n_features_to_select=K).fit(X, y)
            seconds = time.perf_counter() - began
            share = 1 / (1 + selector.delta_information_)
            lines.append(f"| {name} | `{method}` | {selector.order_[:5].tolist()} | {share:.3f} | {seconds:.2f} |")
            print(lines[-1], flush=True)
    text = [
        "# Rankings compared",
        "",
        f"The first {K} columns picked by each ranking, the information they carry together (the plug-in estimate),",
        "and the seconds of the whole fit. `cmi` maximises this information, so it leads; on held-out rows it may not.",
        "",
        *lines,
    ]
    Path(__file__).with_suffix(".md").write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
