"""The paper's method as an estimator."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Self

from entropick._defaults import BINNING, CRITERION, ENGINE, ESTIMATOR, N_BINS, N_JOBS, TARGET
from entropick.criteria import CRITERIA, CriterionLike
from entropick.search import CrossEntropy, Search, StepLine
from entropick.selectors._subset import SearchingSelector


@CRITERIA.listed_in
class CrossEntropySelector(SearchingSelector):
    """Find the few columns that carry the information about y, and how many that is.

    Every column is kept with a probability; subsets are drawn, scored by the joint information that they carry
    about y, and the probabilities move towards the best of them.

    Parameters
    ----------
    criterion : str or criterion, default='reliable'
        What a subset U is worth, in bits:

        {names}
        - a criterion of your own: see `entropick.criteria`
    n_features_to_select : int, default=None
        Exactly this many columns; None lets the search find how many.
    max_features : int, default=None
        At most this many columns.
    always : sequence of str or int, default=()
        Columns, by name or number, that are in every subset.
    parsimony : float, default=0.0
        Price of a column as a share λ of H(y): the objective is criterion − λ·H(y)·|U|. (Of 1 for `ClassifierScore`.)
    n_bins : int, default=5
        Bins of a real column. Integer columns with at most 20 distinct values, strings, categories, booleans and
        dates are levels; a missing value is a level of its own.
    binning : {'quantile', 'uniform', 'mdlp', 'floor'}, default='quantile'
        How real columns are cut.
    target : {'auto', 'classes', 'numeric'}, default='auto'
        Whether y is classes or a number to be binned like the columns; 'auto' takes numbers with fractions or
        with more than 20 distinct values as numeric.
    initial_features : float, default=10
        Expected size of the first subsets: p⁰ = min(.5, initial_features / m) for m columns.
    initial_probability : float, default=None
        p⁰ itself, in place of ``initial_features``.
    min_samples, max_samples : int or float, default=400, 2000
        Subsets in a batch, and at most in a step; a float is a multiple of m.
    elite, min_elite : float, int, default=0.05, 20
        Share of a batch that moves the probabilities, and the least number of subsets.
    smoothing : float, default=0.5
        Weight of the elite against the probabilities before.
    tolerance, patience : float, int, default=0.0005, 5
        The search ends when the threshold of the elite has changed by at most ``tolerance``·H(y) over ``patience``
        steps.
    max_steps : int, default=100
        Most steps.
    final : {'best', 'most_probable', 'sample'}, default='best'
        The answer: the best subset seen, the columns with p ≥ ½, or a last draw.
    polish : bool, default=True
        Whether single changes are tried on the answer until none helps.
    restarts : int, default=0
        Further starts; the best answer counts.
    max_evaluations, max_seconds : int, float, default=None
        Budget; the best subset so far is the answer when it is used up. Half of the seconds are for reading the
        columns: those that are not read by then cannot be selected, and a warning says so. (With a checkpoint all are
        read, for the run may go on later.) A model of your own may exceed the limit by the subset that it is busy
        with, and a warning says that too.
    checkpoint : path, default=None
        File from which an interrupted run goes on to the same answer. It is refused with other data or settings, and
        if a sample of its scores no longer holds.
    on_interrupt : {'raise', 'best'}, default='raise'
        What Ctrl-C does: raise KeyboardInterrupt as everywhere, or end the search with the best subset so far and a
        warning.
    engine : {'auto', 'native', 'numpy'}, default='auto'
        What counts; the answers are the same.
    n_jobs : int, default=-1
        Threads; the answer does not depend on it.
    random_state : None, int, RandomState or Generator, default=None
        Seed; the one used is kept in ``seed_``.
    callback : callable, default=None
        Called after each step with a dict (step, evaluations, threshold, best, size, samples, elite, seconds,
        probabilities); return True to stop.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_columns,)
        The selected columns.
    n_features_ : int
        How many they are.
    information_ : float
        I(U;y) of the selection as counted, in bits, whatever the criterion.
    class_entropy_ : float
        H(y), in bits: the most that any selection can tell.
    delta_information_ : float
        |I(U;y) − H(y)| / I(U;y): 0 if y is a function of the selection, inf if nothing is selected.
    score_ : float
        The objective of the selection.
    probabilities_ : ndarray of shape (n_columns,)
        The last probabilities.
    trace_ : dict of arrays
        One entry a step: threshold, best, size, samples, elite, seconds, probabilities.
    stop_ : dict
        Why it ended, with the value: 'tolerance', 'max_steps', 'max_evaluations', 'max_seconds', 'callback' or
        'interrupted'.
    n_steps_, n_evaluations_ : int
        Steps, and subsets that were scored.
    seed_ : int
        The seed of the run.
    target_ : dict
        How y was taken: its kind, its labels (classes or intervals), and the binning if it is numeric.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    There is no ``sample_weight``: the criteria are functions of counts. Repeat rows, or draw them by weight.

    Select inside a cross-validation, as a step of a `Pipeline`, not before it: a selection that has seen the test
    rows flatters the model.

    References
    ----------
    P. Cassarà, A. Rozza, M. Nanni, A cross-entropy-based method to perform information-based feature selection.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from entropick import CrossEntropySelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> selector = CrossEntropySelector(random_state=0).fit(X, y)
    >>> selector.get_feature_names_out().tolist()
    ['worst area', 'worst concave points']
    >>> round(selector.information_, 3), round(selector.class_entropy_, 3)  # bits, of bits
    (0.748, 0.953)
    """

    def __init__(
        self,
        criterion: CriterionLike = CRITERION,
        *,
        n_features_to_select: int | None = None,
        max_features: int | None = None,
        always: Any = (),
        parsimony: float = 0.0,
        n_bins: int = N_BINS,
        binning: str = BINNING,
        target: str = TARGET,
        initial_features: float = CrossEntropy.initial_features,
        initial_probability: float | None = CrossEntropy.initial_probability,
        min_samples: int | float = CrossEntropy.min_samples,
        max_samples: int | float = CrossEntropy.max_samples,
        elite: float = CrossEntropy.elite,
        min_elite: int = CrossEntropy.min_elite,
        smoothing: float = CrossEntropy.smoothing,
        tolerance: float = CrossEntropy.tolerance,
        patience: int = CrossEntropy.patience,
        max_steps: int = CrossEntropy.max_steps,
        final: str = CrossEntropy.final,
        polish: bool = CrossEntropy.polish,
        restarts: int = CrossEntropy.restarts,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        on_interrupt: str = "raise",
        engine: str = ENGINE,
        n_jobs: int = N_JOBS,
        random_state: Any = None,
        callback: Callable[[StepLine], object] | None = None,
    ) -> None:
        self.criterion = criterion
        self.n_features_to_select = n_features_to_select
        self.max_features = max_features
        self.always = always
        self.parsimony = parsimony
        self.n_bins = n_bins
        self.binning = binning
        self.target = target
        self.initial_features = initial_features
        self.initial_probability = initial_probability
        self.min_samples = min_samples
        self.max_samples = max_samples
        self.elite = elite
        self.min_elite = min_elite
        self.smoothing = smoothing
        self.tolerance = tolerance
        self.patience = patience
        self.max_steps = max_steps
        self.final = final
        self.polish = polish
        self.restarts = restarts
        self.max_evaluations = max_evaluations
        self.max_seconds = max_seconds
        self.checkpoint = checkpoint
        self.on_interrupt = on_interrupt
        self.engine = engine
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.callback = callback

    @classmethod
    def paper(cls, **overrides: Any) -> Self:
        """The setting of the paper: plug-in information, no smoothing, no floor, no polish, no parsimony.

        p⁰ = ½, between m and 20 m samples a step, an elite of .05 m, d = 5, ε = .05, and a last draw as the answer.

        Parameters
        ----------
        **overrides
            Parameters that are to differ from it.

        Examples
        --------
        >>> CrossEntropySelector.paper(random_state=0).smoothing
        1.0
        """
        setting: dict[str, Any] = {
            "criterion": ESTIMATOR,
            "initial_probability": 0.5,
            "min_samples": 1.0,
            "max_samples": 20.0,
            "elite": 0.05,
            "min_elite": 1,
            "smoothing": 1.0,
            "tolerance": 0.05,
            "patience": 5,
            "final": "sample",
            "polish": False,
        }
        return cls(**{**setting, **overrides})

    def _make_search(self) -> Search:
        return CrossEntropy(**{item.name: getattr(self, item.name) for item in fields(CrossEntropy)})
