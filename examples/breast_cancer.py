"""Selection on data that comes with scikit-learn: which measurements of a cell indicate a malignant tumour?"""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from entropick import CrossEntropySelector, mutual_information


def main() -> None:
    data = load_breast_cancer()
    X, y, names = data.data, data.target, data.feature_names
    print(f"Breast cancer: {X.shape[0]} rows, {X.shape[1]} columns; the target is malignant or benign.\n")

    for criterion in ("reliable", "auto"):
        selector = CrossEntropySelector(criterion, random_state=0).fit(X, y)
        chosen = selector.get_support(indices=True)
        print(f"criterion {criterion!r} keeps {selector.n_features_} of {X.shape[1]} columns:")
        for j in chosen:
            alone = mutual_information(X[:, j], y, estimator=criterion)
            rest = [other for other in chosen if other != j]
            adds = mutual_information(X[:, j], y, given=X[:, rest], estimator=criterion) if rest else alone
            print(f"  {names[j]:<26} {alone:6.3f} bits alone, adds {adds:.3f} to the others")
        error = 1 - cross_val_score(make_pipeline(selector, GaussianNB()), X, y, cv=10).mean()
        print(f"  together I(U;y) = {selector.information_:.3f} of H(y) = {selector.class_entropy_:.3f} bits,", end=" ")
        print(f"score {selector.score_:.3f} bits")
        print(f"  {selector.n_evaluations_:,} subsets in {selector.n_steps_} steps; stopped by {selector.stop_}")
        print(f"  naive Bayes on these, selected inside each of 10 folds: {error:.1%} wrong\n")

    error = 1 - cross_val_score(GaussianNB(), X, y, cv=10).mean()
    print(f"naive Bayes on all {X.shape[1]} columns: {error:.1%} wrong")


if __name__ == "__main__":
    main()
