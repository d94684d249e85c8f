"""Problems with known relevant columns: how often does a selection return exactly those?

entropick works out how many columns to keep; scikit-learn's ranking of single columns is given the number. Writes
known_answers.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.feature_selection import SelectKBest, mutual_info_classif

from entropick import CrossEntropySelector

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from problems import corral, led_digits, monk_1, parity_of_three, three_of_seven

PROBLEMS = {
    "(A0 and A1) or (B0 and B1), one decoy agrees with y in 3 of 4 rows": corral,
    "at least 3 of 7 bits, 3 noise bits": three_of_seven,
    "MONK-1: a0 = a1 or a4 = 0, 3 noise columns": monk_1,
    "XOR of 3 bits, 17 noise bits": parity_of_three,
    "LED digits, 10% of the segments wrong, 17 noise bits": led_digits,
}
SEEDS = range(10)


def mutual_info(X: object, y: object) -> object:
    return mutual_info_classif(X, y, discrete_features=True)


def main() -> None:
    lines = [
        "# Known answers\n",
        f"Generated tables whose relevant columns are known, {len(SEEDS)} of each kind: how often exactly these are",
        'selected. `CrossEntropySelector("reliable")` works out how many to keep; `SelectKBest`, by mutual',
        "information, is told how many.",
        "Written by `benchmarks/known_answers.py`.\n",
        "| problem | entropick finds it | best single columns, given how many |",
        "|---|---|---|",
    ]
    for name, problem in PROBLEMS.items():
        found = ranked = 0
        for seed in SEEDS:
            X, y, relevant = problem(np.random.default_rng(seed))
            ours = CrossEntropySelector("reliable", random_state=seed).fit(X, y).get_support(indices=True)
            theirs = SelectKBest(mutual_info, k=len(relevant)).fit(X, y).get_support(indices=True)
            found += set(ours.tolist()) == relevant
            ranked += set(theirs.tolist()) == relevant
        lines.append(f"| {name} | {found} of {len(SEEDS)} | {ranked} of {len(SEEDS)} |")
    text = "\n".join(lines) + "\n"
    print(text)
    Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
