"""
How many columns are enough?
============================

What columns predict levels off where further ones stop helping, and so does the error of a
model in rows it has not seen. So you can read from the curve what fewer columns would cost,
before you train anything.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from entropick import CrossEntropySelector
from entropick.report.figures import COLOURS

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
selector = CrossEntropySelector(random_state=0).fit(X, y)
curve = selector.curve_
print(f"{selector.n_features_} columns are enough")

# %%
# For the error, exactly k columns are selected inside each fold, so that the model is tested on
# rows that neither it nor the selection has seen.

sizes = [1, 2, 3, 5, 8, 13, 20, 30]
folds = StratifiedKFold(4, shuffle=True, random_state=0)
errors = []
for size in sizes:
    exactly = CrossEntropySelector("linear", n_features_to_select=size, effort="low")
    model = make_pipeline(
        exactly.set_params(random_state=0), StandardScaler(), LogisticRegression()
    )
    errors.append(1 - cross_val_score(model, X, y, cv=folds).mean())

# %%
# The dotted line is the number that the selector chose: the fewest that predict 98 % of what
# the best number does. The band is one standard error of the difference from that.

figure, (above, below) = plt.subplots(2, 1, figsize=(6, 4.6), sharex=True, layout="constrained")
above.plot(curve["sizes"], curve["predicted"], "o-", color=COLOURS[0], markersize=4)
low, high = (curve["predicted"] + sign * curve["error"] for sign in (-1, 1))
above.fill_between(curve["sizes"], low, high, color=COLOURS[0], alpha=0.2)
above.set_ylabel("share predicted")
below.plot(sizes, [100 * error for error in errors], "s-", color=COLOURS[1], markersize=4)
below.set(xlabel="number of columns", ylabel="error in new rows (%)", xticks=range(0, 31, 5))
for ax in (above, below):
    ax.axvline(selector.n_features_, color=COLOURS[2], linestyle=":")
    ax.set_ylim(bottom=0)
    ax.grid(axis="y", alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)
plt.show()
