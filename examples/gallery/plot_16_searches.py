"""
Many ways to search
===================

All searches maximise the same score, but some get stuck on the way, and some need far more
subsets than others. The target has a trap for greedy searches: it depends on two columns that
say something alone, and on two more that only say something together.
"""

import matplotlib.pyplot as plt
import numpy as np

from entropick import SubsetSelector
from entropick.report.figures import COLOURS

rng = np.random.default_rng(0)
X = rng.integers(0, 2, (1000, 24))
y = 2 * (X[:, 11] & X[:, 17]) + (X[:, 4] ^ X[:, 9])

# %%
# ``branch_and_bound`` proves that nothing is better, and ``random`` shows what chance can do.
# The others may stop short of the best.

searches = ["floating", "forward", "backward", "particle_swarm"]
searches += ["genetic", "cross_entropy", "random", "branch_and_bound"]
traces = {}
for search in searches:
    steps = []
    selector = SubsetSelector(search, "reliable", null=False, random_state=0)
    selector.set_params(callback=steps.append).fit(X, y)
    traces[search] = [(step["evaluations"], step["best"]) for step in steps]
    traces[search].append((selector.n_evaluations_, selector.score_))
    print(
        f"{search:>16}: {selector.score_:.3f} bits from {selector.n_evaluations_:>6,} subsets"
    )

# %%
# A dot is where a search ended. ``forward`` never sees a reason to add one column of the pair
# without the other. ``backward`` starts from all columns, in which hardly two rows are alike,
# and loses its way. ``cross_entropy`` begins with greedy searches and pairs, so its line begins
# at the top.

figure, ax = plt.subplots(figsize=(6, 4.6), layout="constrained")
for (name, line), colour, style in zip(traces.items(), COLOURS, ["-", "--"] * 4, strict=True):
    evaluations, best = zip(*line, strict=True)
    ax.plot(evaluations, best, style, color=colour, drawstyle="steps-post", label=name)
    ax.plot(evaluations[-1], best[-1], "o", color=colour)
ax.set(xlabel="subsets scored", xscale="log", xlim=(10, None))
ax.set(ylabel="best score so far (bits)", ylim=(0, 1.9))
ax.spines[["top", "right"]].set_visible(False)
figure.legend(loc="outside lower center", ncols=3, frameon=False)
plt.show()
