"""
Three lines on a table
======================

Three lines find the columns that predict a target together, and a fourth draws what other
numbers of them predict. The table has thirty measurements of cell nuclei, and the target says
whether the tumour was malignant.
"""

from sklearn.datasets import load_breast_cancer

from entropick import CrossEntropySelector

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
selector = CrossEntropySelector(max_features=8, random_state=0).fit(X, y)
print(*selector.get_feature_names_out(), sep="\n")

# %%
# ``max_features`` is an upper limit. Leave it out, and as few columns are kept as predict 98 %
# of what any number of them predicts. Use ``selector.transform(X)`` to get the smaller table,
# or put the selector into a pipeline.
#
# The curve shows what numbers of columns predict, always of rows that they were not chosen
# from. The band is the standard error of the difference from the best number.

selector.plot()

# %%
# The score is in bits. It can be at most the entropy of the target. The p-value says how often
# as much was found about a shuffled target, and a column is sure if it comes before every copy
# that has lost the target.

print(f"score {selector.score_:.2f} of {selector.class_entropy_:.2f} bits")
print(f"p-value {selector.p_value_:.2f}")
print(*(f"{word}: {(selector.verdict_ == word).sum()} columns" for word in ("sure", "no")))
