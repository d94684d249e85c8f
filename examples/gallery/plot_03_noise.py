"""
Nothing is there, so nothing is selected
========================================

If there is nothing to be found, nothing is selected: every fit is compared with what is found
about shuffled targets. Two tables of 150 rows and 20 columns show how that goes: one is noise,
in the other a single column is real.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np

from entropick import CrossEntropySelector
from entropick.report.figures import COLOURS

rng = np.random.default_rng(0)
X = rng.normal(size=(150, 20))
coin = rng.integers(0, 2, 150)
tables = {"noise": coin, "one real column": (X[:, 0] + rng.normal(0, 1, 150) > 0).astype(int)}

for name, y in tables.items():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        selector = CrossEntropySelector(random_state=0).fit(X, y)
    print(f"{name}: {selector.n_features_} columns, p = {selector.p_value_:.2f}")
    print(*(f"  {warning.message}" for warning in caught))

# %%
# The test tells whether there is anything at all. It does not say that every column that was
# kept is real.
#
# Now the same by hand. The best of many subsets has a positive score even if the target is
# shuffled and there is nothing to be found (grey). A real target counts for something only if
# its best subset scores higher than these.

best = CrossEntropySelector(effort="low", null=False, halves=False, random_state=0)
figure, axes = plt.subplots(2, 1, figsize=(6, 4), sharex=True, layout="constrained")
for ax, (name, y) in zip(axes, tables.items(), strict=True):
    shuffled = [best.fit(X, rng.permutation(y)).best_score_ for _ in range(20)]
    found = best.fit(X, y).best_score_
    ax.hist(
        shuffled, bins=np.linspace(0, 0.3, 31), color=COLOURS[7], label="20 shuffled targets"
    )
    ax.axvline(found, color=COLOURS[1], linewidth=2.5, label="the real target")
    ax.set(title=name, ylabel="targets", yticks=[0, 5, 10])
    ax.spines[["top", "right"]].set_visible(False)
axes[0].legend(frameon=False)
axes[1].set_xlabel("score of the best subset found (bits)")
plt.show()
