"""
A wrapper selects what its model can use
========================================

Score subsets by the accuracy of your own model, and you get the columns that this model can
use. The class depends on the sum of ``a`` and ``b``, and on the distance of ``(c, d)`` from the
centre, which a linear model cannot see. Eight more columns are noise.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from entropick import ClassifierScore, CrossEntropySelector, SubsetSelector
from entropick.report.figures import COLOURS

rng = np.random.default_rng(0)
names = ["a", "b", "c", "d", *(f"noise {i}" for i in range(1, 9))]
X = pd.DataFrame(rng.normal(size=(400, 12)), columns=names)
y = X["a"] + X["b"] + X["c"] ** 2 + X["d"] ** 2 > 2

# %%
# ``ClassifierScore`` turns any classifier of scikit-learn into a criterion. It fits the model
# to every subset that is tried, so a greedy search and a fast model are a good choice.

models = {
    "logistic regression": LogisticRegression(),
    "naive Bayes": GaussianNB(),
    "10 nearest neighbours": KNeighborsClassifier(10),
}
selectors = {
    name: SubsetSelector("forward", ClassifierScore(model, cv=3), null=False)
    for name, model in models.items()
}
selectors["default, no wrapper"] = CrossEntropySelector(decoys=0, random_state=0)
masks = np.array([selector.fit(X, y).support_ for selector in selectors.values()])

# %%
# A mark is a column that was selected. Logistic regression leaves out ``c`` and ``d``, though
# they matter. The default criterion has models of its own, which see curves and pairs of
# columns. Noise can slip in.

figure, ax = plt.subplots(figsize=(6.5, 2.8), layout="constrained")
rows, columns = np.nonzero(masks)
real = columns < 4
ax.scatter(
    columns[real], rows[real], color=COLOURS[0], marker="s", s=110, zorder=3, label="real"
)
ax.scatter(
    columns[~real], rows[~real], color=COLOURS[1], marker="X", s=110, zorder=3, label="noise"
)
ax.set(yticks=range(4), yticklabels=selectors, ylim=(3.5, -0.5), xlim=(-0.5, 11.5))
ax.set_xticks(range(12), names, rotation=90)
ax.tick_params(length=0)
ax.grid(alpha=0.3)
ax.spines[:].set_visible(False)
figure.legend(loc="outside upper right", ncols=2, frameon=False)
plt.show()
