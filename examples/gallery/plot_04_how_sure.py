"""
How sure is each column?
========================

A column is *sure* if halves of the rows put it before every copy that has lost the target. And
the halves choose again: a column that few of them choose may have a twin. Columns that say the
same take turns, so each of them is chosen less often than it deserves.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import PercentFormatter
from sklearn.datasets import load_breast_cancer

from entropick import CrossEntropySelector
from entropick.report.figures import COLOURS

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
selector = CrossEntropySelector(random_state=0).fit(X, y)
value, low, high = selector.stability_  # 1 is perfect, 0 is chance
print(f"stability {value:.2f}, 95 % interval {low:.2f} to {high:.2f}")

# %%
# The result also names the columns that replace each other from half to half: together they are
# safer than each of them looks.

groups = selector.report().result.halves.groups
print(*(" or ".join(group) for group in groups), sep="\n")

# %%
# The figure has a line for each column that is kept or that some half chose. A dark bar is a
# sure column, and a star one that is kept: many are sure, few are needed. A hatched bar belongs
# to a group of columns that replace each other.

table = selector.to_frame().assign(sure=selector.verdict_ == "sure")
table = table.query("frequency > 0 or selected").sort_values("frequency")
colours = np.where(table["sure"], COLOURS[0], COLOURS[7])
hatches = np.where(table["column"].isin(sum(groups, ())), "////", "")

figure, ax = plt.subplots(figsize=(6, 5.2), layout="constrained")
ax.barh(table["column"], table["frequency"], color=colours, edgecolor="white", hatch=hatches)
kept = table[table["selected"]]
ax.plot(kept["frequency"] + 0.02, kept["column"], "*", color=COLOURS[1])
ax.xaxis.set_major_formatter(PercentFormatter(1))
ax.set(xlabel="share of the halves that chose it", xlim=(0, 1))
ax.margins(y=0.01)
ax.tick_params(axis="y", length=0)
ax.spines[["top", "right"]].set_visible(False)
handles = [
    Patch(color=COLOURS[0], label="sure"),
    Patch(color=COLOURS[7], label="not sure"),
    Patch(
        facecolor=COLOURS[7], edgecolor="white", hatch="////", label="replaced by one another"
    ),
    Line2D([], [], color=COLOURS[1], marker="*", linestyle="", label="kept"),
]
ax.legend(handles=handles, frameon=False, loc="lower right")
plt.show()
