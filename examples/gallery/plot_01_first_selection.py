"""
Three lines on a table
======================

Three lines find the columns that predict a target together, and a fourth draws what each of
them is worth. The table has thirty measurements of cell nuclei, and the target says whether the
tumour was malignant.
"""

from sklearn.datasets import load_breast_cancer

from entropick import CrossEntropySelector

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
selector = CrossEntropySelector(max_features=8, random_state=0).fit(X, y)
print(*selector.get_feature_names_out(), sep="\n")

# %%
# ``max_features`` is an upper limit. Leave it out, and as many columns are kept as are found
# useful. Use ``selector.transform(X)`` to get the smaller table, or put the selector into a
# pipeline.
#
# A blue bar shows what would be lost without a column that was kept. A grey bar shows what a
# further column would add; it points to the left if the column would do harm. The dotted line
# is what the luckiest of as many useless columns would seem to add, so bars that end before it
# prove little.

selector.plot()

# %%
# The score is in bits. It can be at most the entropy of the target, and it is measured on rows
# that the model has not seen. The p-value says how often as much was found about a shuffled
# target.

print(f"score {selector.score_:.2f} of {selector.class_entropy_:.2f} bits")
print(f"p-value {selector.p_value_:.2f}")
