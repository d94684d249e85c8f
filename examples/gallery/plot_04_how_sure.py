"""
How sure is each column?
========================

Select again from random halves of the rows: a column that most halves choose is safe, one that
few choose may be luck. Or it may have a twin: columns that say the same take turns, so each of
them is chosen less often than it deserves.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Patch
from matplotlib.ticker import PercentFormatter
from sklearn.datasets import load_breast_cancer

from entropick import CrossEntropySelector
from entropick.report.figures import COLOURS

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
selector = CrossEntropySelector(half_samples=12, random_state=0).fit(X, y)
value, low, high = selector.stability_  # 1 is perfect, 0 is chance
print(f"stability {value:.2f}, 95 % interval {low:.2f} to {high:.2f}")

# %%
# Six halves are the default and enough for the selection; twelve give smoother frequencies. The
# result also names the columns that replace each other from half to half: together they are
# safer than each of them looks.

groups = selector.report().result.halves.groups
print(*(" or ".join(group) for group in groups), sep="\n")

# %%
# The figure has one bar for each column that at least one half chose. A hatched bar belongs to
# such a group.

table = selector.to_frame().query("frequency > 0").sort_values("frequency")
colours = np.where(table["selected"], COLOURS[0], COLOURS[7])
hatches = np.where(table["column"].isin(sum(groups, ())), "////", "")

figure, ax = plt.subplots(figsize=(6, 5.2), layout="constrained")
ax.barh(table["column"], table["frequency"], color=colours, edgecolor="white", hatch=hatches)
ax.xaxis.set_major_formatter(PercentFormatter(1))
ax.set(xlabel="share of the halves that chose it", xlim=(0, 1))
ax.margins(y=0.01)
ax.tick_params(axis="y", length=0)
ax.spines[["top", "right"]].set_visible(False)
handles = [
    Patch(color=COLOURS[0], label="kept"),
    Patch(color=COLOURS[7], label="not kept"),
    Patch(
        facecolor=COLOURS[7], edgecolor="white", hatch="////", label="replaced by one another"
    ),
]
ax.legend(handles=handles, frameon=False, loc="lower right")
plt.show()
