"""
A rare class: judge by AUC, not by error
========================================

If one row in twenty is of the class that matters, the error hardly tells one method from
another; AUC does. Calling every row common is wrong in one row of twenty, and models that have
learnt something about the rare class are often wrong just as often. ``compare`` selects inside
each fold of a cross-validation and keeps both measures.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification

from entropick.evaluation import compare
from entropick.report.figures import COLOURS

X, y = make_classification(
    n_samples=800,
    n_features=25,
    n_informative=5,
    n_redundant=5,
    n_clusters_per_class=3,
    weights=[0.95],
    flip_y=0,
    random_state=0,
)
print(f"{y.mean():.1%} of the rows are of the rare class")

# %%
# The rankings keep as many columns as the search found on the same rows. ``all`` and ``none``
# are there to compare with: every column, and no column.

methods, model = ["cross_entropy", "cmim", "mrmr"], "LogisticRegression"
settings = {"folds": 5, "resamples": 0, "decoys": 0}
comparison = compare(X, y, methods, models=[model], metric="auc", **settings)
comparison.to_frame()[["method", "n_features", "error", "auc"]].round(3)

# %%
# The bars are standard errors over the folds. ``comparison.plot()`` draws the right panel in
# one line.

names = [method.method for method in comparison.methods]
figure, axes = plt.subplots(1, 2, figsize=(6, 2.6), sharey=True, layout="constrained")
for ax, metric, colour in zip(axes, ("error", "auc"), COLOURS, strict=False):
    values = [method.measures[model][metric] for method in comparison.methods]
    means, errors = [value.mean for value in values], [value.error for value in values]
    ax.errorbar(means, names, xerr=errors, fmt="o", color=colour, capsize=3)
    ax.grid(axis="x", alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)
axes[0].set(xlabel="error of the model", xlim=(0, 0.5))
axes[1].set(xlabel="AUC of the model", xlim=(0.45, 0.95))
axes[0].invert_yaxis()
plt.show()
