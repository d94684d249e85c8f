"""
A number as the target
======================

If the target is a number, it is predicted as a number, and R² says how much of it the columns
explain. The target is how far diabetes had progressed a year later. There are ten measurements
of 442 patients: age, sex, body mass index, blood pressure, and six values of the blood, ``s1``
to ``s6``.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from entropick import CrossEntropySelector
from entropick.report.figures import COLOURS

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
selector = CrossEntropySelector(random_state=0).fit(X, y)
result = selector.report().result
print(f"{result.n_features} of {result.n_columns} columns: R² = {result.r_squared:.2f}")

# %%
# The figure adds one column after the other, always the one that helps most. The columns below
# the line were not selected: they add nothing, or take something away.

curve = result.size_curve[1:]
kept = result.n_features
figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
before = 0.0
for place, point in enumerate(curve):
    gain, colour = point.score - before, COLOURS[0] if place < kept else COLOURS[7]
    ax.barh(place, gain, left=before, color=colour)
    ax.text(max(point.score, before) + 0.006, place, f"{gain:+.3f}", va="center", color=colour)
    before = point.score
ax.axhline(kept - 0.5, color="black", linewidth=0.8)
ax.set_yticks(range(len(curve)), [point.column for point in curve])
ax.set(xlabel="R² in rows left out", xlim=(0, 0.6))
ax.invert_yaxis()
ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# A check on rows that neither the selection nor the model has seen: linear regression does as
# well with the selected columns as with all.

everything, selected = LinearRegression(), make_pipeline(selector, LinearRegression())
print(f"all columns:      R² = {cross_val_score(everything, X, y).mean():.3f}")
print(f"selected columns: R² = {cross_val_score(selected, X, y).mean():.3f}")
