"""
A criterion of your own
=======================

A criterion is two lookup tables in a function of five lines, and then works with every search
and engine. This one is Akaike's: the information of the columns, minus one nat for every free
parameter.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from entropick import CrossEntropySelector
from entropick.criteria import Tables, criterion, entropy_nats, xlogx
from entropick.evaluation import size_curve
from entropick.report.figures import COLOURS


@criterion()
def akaike(class_sizes):
    free = len(class_sizes) - 1
    constant = entropy_nats(class_sizes) + free / class_sizes.sum()
    return Tables(lambda a: -xlogx(a) - free, lambda c, q: xlogx(q), constant)


X, y = load_breast_cancer(return_X_y=True, as_frame=True)
selector = CrossEntropySelector(akaike, random_state=0).fit(X, y)
print(selector.get_feature_names_out().tolist())

# %%
# Rows that agree on all selected columns form a block. The first table is the term of a block
# of ``a`` rows, the second that of the ``q`` rows of class ``c`` in a block. The constant is
# such that no columns at all score 0.
#
# The figure adds columns one by one, the best first. Plain information (``"plugin"``) rises to
# all there is to know, because in the end every row is a block of its own. A criterion that
# charges for this has a peak, and the peak says how many columns are enough.

figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
criteria = {"plugin": "plugin", "reliable": "reliable", "akaike (ours)": akaike}
for (name, rule), colour, style in zip(
    criteria.items(), (COLOURS[7], COLOURS[0], COLOURS[1]), ("--", "-", "-"), strict=True
):
    curve = size_curve(X, y, criterion=rule, further=8)
    top = int(np.argmax(curve["score"]))
    ax.plot(curve["size"], curve["score"], style, color=colour, linewidth=2, label=name)
    if rule != "plugin":
        ax.plot(top, curve["score"][top], "o", color=colour, markersize=9)
ax.axhline(selector.class_entropy_, color="dimgrey", linewidth=0.8)
ax.text(0, selector.class_entropy_, "all there is to know", va="bottom", color="dimgrey")
ax.set(xlabel="number of columns", ylabel="score (bits)", ylim=(0, 1.05))
ax.legend(frameon=False, loc="lower right")
ax.spines[["top", "right"]].set_visible(False)
plt.show()
