"""
A wide table: what chance looks like
====================================

Of a thousand useless columns the best looks useful, all the more if there are few rows. So
a high score is no evidence by itself. Ask how high it would be if there were nothing to be
found.
"""

import matplotlib.pyplot as plt
import numpy as np

from entropick import SubsetScorer
from entropick.report.figures import COLOURS

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 1000))
y = X[:, :3].sum(axis=1) + rng.normal(0, 0.3, 60) > 0  # three columns are real, 997 useless

alone = np.eye(1000, dtype=bool)
scores = SubsetScorer(X, y, "reliable")(alone)
shuffled = SubsetScorer(X, rng.permutation(y), "reliable")(alone)

# %%
# The left panel has the hundred columns that say most alone. One of the real ones leads, the
# other two are lost among useless ones. With a shuffled target, where everything is chance, the
# scores are nearly as high.
#
# The right panel has nothing but useless columns. The best of them gets better with the
# number of columns to choose from, and worse with the number of rows.

order = np.argsort(-scores)
places = np.flatnonzero(order < 3)
figure, (left, right) = plt.subplots(1, 2, figsize=(6, 3.4), sharey=True, layout="constrained")
left.plot(range(1, 101), scores[order][:100], ".", color=COLOURS[7], label="useless columns")
left.plot(places + 1, scores[order][places], "D", color=COLOURS[1], label="the three real ones")
left.plot(range(1, 101), np.sort(shuffled)[:-101:-1], color=COLOURS[0], label="target shuffled")
left.set(xlabel="rank of the column", ylabel="score of a single column (bits)", ylim=(0, None))

counts = np.arange(1, 1001)
for n_rows, style, colour in zip((60, 240, 960), ("-", "--", ":"), COLOURS, strict=False):
    best = []
    for _ in range(4):
        table, coin = rng.normal(size=(n_rows, 1000)), rng.integers(0, 2, n_rows)
        best.append(np.maximum.accumulate(SubsetScorer(table, coin, "reliable")(alone)))
    right.plot(counts, np.mean(best, axis=0), style, color=colour, label=f"{n_rows} rows")
right.set(xlabel="number of useless columns", xscale="log")
for ax in (left, right):
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# The selectors allow for this in three ways. What is found is compared with what is found about
# shuffled targets (``p_value_``). How many columns are enough is judged by rows that they were
# not chosen from (``curve_``). And a column is sure only if halves of the rows put it before
# every copy of all columns that has lost the target (``verdict_``).
