"""
Select inside the folds, not before them
========================================

If you select columns first and cross-validate afterwards, pure noise seems to predict the toss
of a coin. The selection has then seen the rows that the model is tested on. Inside a pipeline
it has not.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from entropick import RankSelector
from entropick.report.figures import COLOURS

rng = np.random.default_rng(0)
selector = RankSelector("mim", n_features_to_select=10)
right, wrong = [], []
for _ in range(16):
    X, y = rng.normal(size=(50, 200)), rng.permutation([0, 1] * 25)
    right.append(cross_val_score(make_pipeline(selector, GaussianNB()), X, y).mean())
    wrong.append(cross_val_score(GaussianNB(), selector.fit_transform(X, y), y).mean())
print(f"selected in each fold: {np.mean(right):.0%} correct; before: {np.mean(wrong):.0%}")

# %%
# Each dot is a table of 50 rows and 200 columns of noise. Any selection leaks in this way,
# whether by ``SelectKBest`` or by hand. ``CrossEntropySelector`` would find no column at all in
# most of these tables, but that is no excuse for fitting it to rows that are meant for testing.

figure, ax = plt.subplots(figsize=(6, 2.6), layout="constrained")
for place, (values, colour) in enumerate(((wrong, COLOURS[1]), (right, COLOURS[0]))):
    ax.scatter(
        values, place + rng.uniform(-0.18, 0.18, len(values)), color=colour, s=22, alpha=0.8
    )
ax.axvline(0.5, color="dimgrey", linestyle="--")
ax.text(0.5, 1.52, "a coin", color="dimgrey", ha="center", va="bottom")
ax.set(
    yticks=[0, 1], yticklabels=["selected before", "selected in each fold"], ylim=(-0.5, 1.5)
)
ax.set(xlabel="accuracy in cross-validation", xlim=(0.25, 1))
ax.spines[["top", "right"]].set_visible(False)
plt.show()
