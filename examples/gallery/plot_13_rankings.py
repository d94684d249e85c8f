"""
Error against the number of columns
===================================

With few columns it matters how they are chosen; with many of them every method gets there.
Three nearest neighbours recognise digits by 2 to 32 pixels, chosen by a search, by three
rankings and by scikit-learn's ``SelectKBest``.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

from entropick import CrossEntropySelector, RankSelector
from entropick.report.figures import COLOURS

X, y = load_digits(return_X_y=True)
X = X[:, X.std(axis=0) > 1]  # without the margin of the images, which is always white
train, test, y_train, y_test = train_test_split(X, y, stratify=y, test_size=0.5, random_state=0)
sizes = [2, 3, 4, 6, 8, 12, 16, 24, 32]

# %%
# A search looks for the best subset of each size. Its criterion here is ``"naive"``, the
# fastest of those that predict. ``SelectKBest`` scores single pixels by an F-test.


def error(selector):
    model = KNeighborsClassifier(3).fit(selector.fit_transform(train, y_train), y_train)
    return 1 - model.score(selector.transform(test), y_test)


search = CrossEntropySelector("naive", effort="low", random_state=0)
errors = {"search": [error(search.set_params(n_features_to_select=size)) for size in sizes]}
for method in ("jmi", "cmim", "mrmr"):
    errors[method] = [error(RankSelector(method, n_features_to_select=size)) for size in sizes]
errors["SelectKBest"] = [error(SelectKBest(k=size)) for size in sizes]

# %%
# The dashed line is the error with all pixels. The search is ahead while pixels are few; with
# many, JMI comes first. This is one split of one data set: the benchmarks on this site have
# many more.

model = KNeighborsClassifier(3).fit(train, y_train)
figure, ax = plt.subplots(figsize=(6, 3.8), layout="constrained")
for (name, values), colour, marker in zip(errors.items(), COLOURS, "osD^v", strict=False):
    ax.plot(sizes, values, marker=marker, color=colour, markersize=5, label=name)
ax.axhline(1 - model.score(test, y_test), color="dimgrey", linestyle="--")
ax.set(xlabel="number of pixels", ylabel="error in new images", xscale="log", yscale="log")
ax.set_xticks(sizes, sizes)
ax.set_yticks([0.02, 0.05, 0.1, 0.2, 0.5], ["2%", "5%", "10%", "20%", "50%"])
ax.minorticks_off()
ax.legend(frameon=False)
ax.grid(alpha=0.3)
ax.spines[["top", "right"]].set_visible(False)
plt.show()
