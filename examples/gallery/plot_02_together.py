"""
A pair that only works together
===============================

Two columns can say nothing alone and everything together; a search finds such a pair, a ranking
only by accident. Here the class depends on the signs of two columns: it is 1 if they are the
same. Ten more columns are noise.
"""

import matplotlib.pyplot as plt
import numpy as np

from entropick import CrossEntropySelector, RankSelector, mutual_information
from entropick.report.figures import COLOURS

rng = np.random.default_rng(0)
X = rng.uniform(-1, 1, (400, 12))
y = X[:, 3] * X[:, 8] > 0
y ^= rng.random(400) < 0.05  # one class in twenty is wrong

selector = CrossEntropySelector(random_state=0).fit(X, y)
print("selected:", selector.get_support(indices=True))
for method in ("mim", "mrmr", "cmim", "jmi"):
    order = RankSelector(method, n_features_to_select=12).fit(X, y).order_.tolist()
    print(
        f"{method}: columns 3 and 8 are numbers {1 + order.index(3)} and {1 + order.index(8)}"
    )

# %%
# JMI scores a column together with those picked before it, so it finds the second column of the
# pair once the first happens to be in.
#
# The left panel shows why single columns are no help: from left to right, or from bottom to
# top, there is as much of one class as of the other. The right panel shows the information in
# every pair of columns, and in single columns on the diagonal, corrected for chance. One pair
# stands out.

bits = np.zeros((12, 12))
for i, j in np.ndindex(bits.shape):
    bits[i, j] = mutual_information(X[:, [i, j]] > 0, y, estimator="reliable")

figure, (left, right) = plt.subplots(1, 2, figsize=(6, 3), layout="constrained")
left.scatter(X[~y, 3], X[~y, 8], s=12, color=COLOURS[0], marker="o", label="class 0")
left.scatter(X[y, 3], X[y, 8], s=12, color=COLOURS[1], marker="^", label="class 1")
left.set(
    xlabel="column 3", ylabel="column 8", aspect="equal", xticks=[-1, 0, 1], yticks=[-1, 0, 1]
)
figure.legend(loc="outside upper left", ncols=2, frameon=False)
shown = right.imshow(np.maximum(bits, 0), cmap="Blues", origin="lower")
right.set(xlabel="column", ylabel="column", xticks=range(0, 12, 2), yticks=range(0, 12, 2))
figure.colorbar(shown, ax=right, label="information (bits)", shrink=0.7)
plt.show()
