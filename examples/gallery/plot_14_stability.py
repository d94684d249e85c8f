"""
How many rows does a stable selection need?
===========================================

With few rows, different samples give different columns; with more rows the selections begin to
agree. The target depends on five of twenty columns, on some more than on others. For each
number of rows, columns are selected from ten fresh samples.
"""

import matplotlib.pyplot as plt
import numpy as np

from entropick import CrossEntropySelector
from entropick.evaluation import stability
from entropick.report.figures import COLOURS

rng = np.random.default_rng(0)
weights = np.array([1.0, 0.8, 0.6, 0.4, 0.2] + [0.0] * 15)
selector = CrossEntropySelector(effort="low", null=False, decoys=0, random_state=0)
sizes = [50, 100, 200, 400, 800, 1600]
agreement, often = [], []
for n_rows in sizes:
    masks = []
    for _ in range(10):
        X = rng.normal(size=(n_rows, 20))
        y = X @ weights + rng.normal(size=n_rows)
        masks.append(selector.fit(X, y).support_)
    agreement.append(stability(masks))
    often.append(np.mean(masks, axis=0))

# %%
# Stability is 1 if always the same columns are selected, and 0 if the selections agree no more
# than random ones. The panel below shows how often each column was selected: first the strong
# columns are found every time, then weaker ones, and useless ones no longer slip in. The
# weakest tells about as little as the default gives up, so it comes and goes.

figure = plt.figure(figsize=(6, 5), layout="constrained")
above, below = figure.subplots(2, 1, sharex=True, height_ratios=[2, 3])
values, errors = np.transpose(agreement)
above.errorbar(range(6), values, yerr=errors, fmt="o-", color=COLOURS[0], capsize=3)
above.set(ylabel="stability", ylim=(0, 1))
above.grid(axis="y", alpha=0.3)
above.spines[["top", "right"]].set_visible(False)
shown = below.imshow(np.transpose(often), cmap="Blues", vmin=0, vmax=1, aspect="auto")
below.axhline(4.5, color="black", linewidth=0.8)
below.set_xticks(range(6), sizes)
below.set_yticks([2, 12], ["real", "useless"])
below.set_xlabel("number of rows")
below.tick_params(length=0)
figure.colorbar(shown, ax=below, label="selected")
plt.show()
