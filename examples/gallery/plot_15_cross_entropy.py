"""
The cross-entropy search, step by step
======================================

The search draws subsets by the probabilities of the columns, and moves these towards the
subsets that score best. At first every column is as likely as any other. After a few steps the
probabilities are close to 0 or 1, and the columns that are left are good together.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from entropick import CrossEntropySelector
from entropick.report.figures import COLOURS

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
selector = CrossEntropySelector(
    effort=None,
    min_samples=200,
    smoothing=0.5,
    patience=5,
    null=False,
    halves=False,
    random_state=0,
).fit(X, y)
trace = selector.trace_
print(f"{selector.n_evaluations_} subsets in {selector.n_steps_} steps")

# %%
# ``effort=None`` is the plain algorithm; by default greedy searches and restarts surround it.
# Each line below is the probability of a column. The threshold is the score that a subset needs
# to be among the best of its step, the elite.

steps = range(1, selector.n_steps_ + 1)
figure = plt.figure(figsize=(6, 5), layout="constrained")
above, below = figure.subplots(2, 1, sharex=True, height_ratios=[3, 2])
for line, is_kept in zip(trace["probabilities"].T, selector.support_, strict=True):
    style = (
        {"color": COLOURS[0], "linewidth": 2}
        if is_kept
        else {"color": COLOURS[7], "linewidth": 0.8}
    )
    above.plot(steps, line, **style)
above.plot([], [], color=COLOURS[0], linewidth=2, label="selected in the end")
above.plot([], [], color=COLOURS[7], linewidth=0.8, label="not selected")
above.set(ylabel="probability", ylim=(-0.02, 1.02))
below.plot(steps, trace["best"], color=COLOURS[1], label="best subset so far")
below.plot(steps, trace["threshold"], "--", color=COLOURS[2], label="threshold of the elite")
below.set(xlabel="step", ylabel="score (bits)")
for ax in (above, below):
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
plt.show()
