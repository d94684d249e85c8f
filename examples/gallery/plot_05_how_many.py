"""
How many columns are enough?
============================

The score levels off where further columns stop helping, and so does the error of a model in
rows it has not seen. So you can read from the curve what fewer columns would cost, before you
train anything.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from entropick import CrossEntropySelector
from entropick.evaluation import size_curve
from entropick.report.figures import COLOURS

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
selector = CrossEntropySelector(half_samples=0, random_state=0).fit(X, y)
curve = size_curve(X, y, selector.support_, further=7)

# %%
# For the error, exactly k columns are selected inside each fold, so that the model is tested on
# rows that neither it nor the selection has seen.

sizes = [1, 2, 3, 5, 8, 13, 20]
folds = StratifiedKFold(4, shuffle=True, random_state=0)
errors = []
for size in sizes:
    exactly = CrossEntropySelector("linear", n_features_to_select=size, effort="low")
    model = make_pipeline(
        exactly.set_params(random_state=0), StandardScaler(), LogisticRegression()
    )
    errors.append(1 - cross_val_score(model, X, y, cv=folds).mean())

# %%
# The dotted line is the number that the selector chose.

figure, (above, below) = plt.subplots(2, 1, figsize=(6, 4.6), sharex=True, layout="constrained")
above.plot(curve["size"], curve["score"], "o-", color=COLOURS[0], markersize=4)
above.set_ylabel("score (bits)")
most = selector.class_entropy_
above.axhline(most, color=COLOURS[7], linestyle="--")
above.text(20, most - 0.02, "all there is to know", color="dimgrey", ha="right", va="top")
below.plot(sizes, [100 * error for error in errors], "s-", color=COLOURS[1], markersize=4)
below.set(xlabel="number of columns", ylabel="error in new rows (%)", xticks=range(0, 21, 2))
for ax in (above, below):
    ax.axvline(selector.n_features_, color=COLOURS[2], linestyle=":")
    ax.set_ylim(bottom=0)
    ax.grid(axis="y", alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)
plt.show()
