"""
Columns that say the same
=========================

The eight best single columns mostly repeat each other; the eight that are best together do not.
A ranking by relevance looks at one column at a time and cannot know. So it spends columns on
what others have said already.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from entropick import CrossEntropySelector, RankSelector

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
selectors = {
    "best alone": RankSelector("mim", n_features_to_select=8),
    "best together": CrossEntropySelector(n_features_to_select=8, random_state=0),
}

# %%
# Each cell shows what two columns have in common, from 0, nothing, to 1, everything. The report
# has the same figure for the selected columns, ``figures.redundancy``.

figure, axes = plt.subplots(2, 1, figsize=(5.5, 5.4), layout="constrained")
for ax, (name, selector) in zip(axes, selectors.items(), strict=True):
    kept = selector.fit(X, y).report().result.redundancy
    shares = np.array(kept.shares)
    shown = ax.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    average = shares[np.triu_indices(8, 1)].mean()
    ax.set_title(f"{name}: {average:.2f} on average", loc="left")
    ax.set_yticks(range(8), kept.names)
    ax.set_xticks([])
figure.colorbar(shown, ax=axes, label="in common")
plt.show()
