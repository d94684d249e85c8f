"""The paper's method as an estimator."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Self

from entropick._defaults import BINNING, CRITERION, ENGINE, ESTIMATOR, KEEP, N_BINS, N_JOBS, TARGET
from entropick.criteria import CRITERIA, CriterionLike
from entropick.search import CrossEntropy, Search, StepLine
from entropick.selectors._searching import SearchingSelector


@CRITERIA.listed_in
class CrossEntropySelector(SearchingSelector):
    """Find the few columns that carry the information about y, and how many that is.

    Every column has a probability of being kept. Subsets are drawn by these probabilities and scored by the information
    that their columns jointly carry about y, and the probabilities move towards the best subsets.

    Parameters
    ----------
    criterion : str or criterion, default='auto'
        How a subset U is scored, in bits:

        {names}
        - a criterion of your own: see `entropick.criteria`
    keep : float or 'one_se', default=0.98
        How many columns are enough, for the criteria that predict: the fewest that predict this share of what the best
        number of columns predicts, of rows that they were not chosen from; or no clearly less than it ('one_se').
    n_features_to_select : int, default=None
        Exactly this many columns.
    min_features, max_features : int, default=0, None
        At least and at most this many columns.
    always : sequence of str or int, default=()
        Columns, by name or number, that are in every subset.
    parsimony : float, default=0.0
        Penalty per column, as a share λ of H(y) (of 1 for `ClassifierScore`): the objective is ``score − λ·H(y)·|U|``.
        If y stays a number, λ is a price in R². It decides on the number of columns where halves do not.
    null : bool, default=True
        Whether to compare what is found with what is found about shuffled targets, and to select nothing, with a
        warning, if it is no more. (Not for 'plugin', and not with ``n_features_to_select``.)
    halves : bool, default=None
        Whether halves of the rows put the columns in order. None: for the criteria that predict, if the number of
        columns is not given; without halves the search decides how many columns there are.
    decoys : int, default=None
        How many copies of the table that have lost the target say which columns are sure. With c of them, useless
        columns get among the sure ones in at most 1 of c + 1 tables. None: 4 where halves are used, in tables of up to
        2000 columns.
    n_bins : int, default=5
        Number of bins of a real column. Strings, categories, booleans, dates and integers with at most 20 distinct
        values are not binned; a missing value is a level of its own.
    binning : {'quantile', 'uniform', 'mdlp', 'floor'}, default='quantile'
        How real columns are cut.
    target : {'auto', 'classes', 'numeric'}, default='auto'
        Whether y is classes or a number to be binned like the columns; 'auto' treats numbers with fractions or more
        than 20 distinct values as numeric.
    effort : {'low', 'normal', 'high'} or None, default='normal'
        How thoroughly to search. It decides on the settings below that are None. Few subsets are all scored; otherwise
        greedy searches come first, then starts from probabilities until two starts agree; if none do, a warning says
        so. 'low' is for quick looks, 'high' for when it matters. None is Algorithm 1 of the paper and nothing else.
    initial_features : float, default=10
        Expected size of the first subsets: p⁰ = min(.5, initial_features / m) for m columns.
    initial_probability : float, default=None
        p⁰ itself, instead of ``initial_features``.
    min_samples, max_samples : int or float, default=None
        Subsets in a batch, and the most in a step; a float is a multiple of m. Normal effort has 400 and 2000, for the
        criteria that predict 100 and 400.
    elite, min_elite : float, int, default=0.05, None
        Share of a batch that moves the probabilities, and the fewest subsets in it. Normal effort has at least 20, for
        the criteria that predict 10.
    smoothing : float, default=None
        Weight of the elite against the previous probabilities. Normal effort has .5, for the criteria that predict .7.
    tolerance, patience : float, int, default=0.0005, None
        The search ends when the threshold of the elite has changed by at most ``tolerance``·H(y) over ``patience``
        steps. Normal effort has a patience of 5.
    max_steps : int, default=100
        At most this many steps.
    final : {'best', 'most_probable', 'sample'}, default='best'
        The answer: the best subset seen, the columns with p ≥ ½, or a last draw.
    polish : bool, default=True
        Whether to try changing single columns of the answer until no change helps.
    restarts : int, default=None
        How often to start again at most; the best answer is kept. Normal effort has up to 2.
    max_evaluations, max_seconds : int, float, default=None
        Budget; when it is used up, the answer is the best subset so far. At most half of the seconds go to reading the
        columns: those not read by then cannot be selected, and a warning says so. (With a checkpoint all columns are
        read, because the run may be resumed.) A model of your own finishes the subset it is scoring, even past the
        limit; a warning says that too.
    checkpoint : path, default=None
        File from which an interrupted run resumes, with the same answer. It is refused if data or settings differ, or
        if a sample of its scores comes out differently.
    on_interrupt : {'raise', 'best'}, default='raise'
        What Ctrl-C does: raise KeyboardInterrupt as usual, or end the search with the best subset so far and a warning.
    engine : {'auto', 'native', 'numpy'}, default='auto'
        What does the counting; the result is the same.
    n_jobs : int, default=-1
        Threads; the result does not depend on it.
    random_state : None, int, RandomState or Generator, default=None
        The seed; the one used is in ``seed_``.
    callback : callable, default=None
        Called after each step with a dict (step, evaluations, threshold, best, size, samples, elite, seconds,
        probabilities); return True to stop.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_columns,)
        The selected columns.
    n_features_ : int
        The number of selected columns.
    information_ : float
        Plug-in estimate of I(U;y) of the selection, in bits, whatever the criterion; ½ log2(1/(1 − R²)) if y stays a
        number.
    class_entropy_ : float or None
        H(y), in bits: the most information that a selection can carry. None if y stays a number.
    delta_information_ : float
        ``|I(U;y) − H(y)| / I(U;y)``: 0 if y is a function of the selection, inf if nothing is selected. If y stays a
        number, 1 − R².
    score_ : float
        The objective of the selection, on all rows.
    best_score_ : float
        The objective of the best subset, as the search compares subsets.
    curve_ : dict of arrays, or None
        What numbers of columns predict of rows that they were not chosen from: ``sizes``, ``predicted`` (a share of
        H(y), or R²) and ``error``, the standard error over rows of the difference from the best number.
    verdict_ : ndarray of str, or None
        Of each column 'sure', 'useful' (selected, not sure) or 'no'.
    expected_false_ : ndarray of float, or None
        How many useless columns are to be expected down to the place of each column.
    p_value_ : float, or None
        The share of the shuffled targets, and of the real one, about which as much is found; None if not tested.
    selection_frequency_ : ndarray of float, or None
        The share of the halves of the rows whose set of as many columns has each column.
    stability_ : tuple of float, or None
        How much these sets agree, from about 0 (by chance) to 1, and the ends of its 95 % interval: NaN if there are
        too few halves to tell, or if all of them agree equally.
    feature_importances_ : ndarray of shape (n_columns,)
        What would be lost without each selected column, in the unit of the scores, at least 0; 0 for the others.
    ranking_ : ndarray of int, shape (n_columns,)
        1 for the selected columns; the others from 2 up, those first that halves of the rows choose most often, then
        those that say most alone.
    probabilities_ : ndarray of shape (n_columns,)
        The probabilities after the last step; NaN if all subsets were scored.
    trace_ : dict of arrays
        One entry per step: threshold, best, size, samples, elite, seconds, probabilities.
    stop_ : dict
        Why the search ended, with the value: 'tolerance', 'exhausted' (all subsets were scored), 'max_steps',
        'max_evaluations', 'max_seconds', 'callback' or 'interrupted'.
    n_steps_, n_evaluations_ : int
        The number of steps, and of subsets scored.
    seed_ : int
        The seed of the run.
    target_ : dict
        How y was treated: its kind, its labels (classes or intervals), and the binning if it is numeric.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    There is no ``sample_weight``, because criteria count rows: sample rows by weight, without repeating any. (Of a
    repeated row that is left out there is a copy among the others, and any column seems to predict it.)

    Select inside the cross-validation, as a step of a `Pipeline`, not before it: a selection that has seen the test
    rows makes the model look better than it is.

    References
    ----------
    P. Cassarà, A. Rozza, M. Nanni, A cross-entropy-based method to perform information-based feature selection.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from entropick import CrossEntropySelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> selector = CrossEntropySelector("reliable", null=False, random_state=0).fit(X, y)
    >>> selector.get_feature_names_out().tolist()
    ['worst area', 'worst concave points']
    >>> round(selector.information_, 3), round(selector.class_entropy_, 3)  # bits, of bits
    (0.748, 0.953)
    """

    def __init__(
        self,
        criterion: CriterionLike = CRITERION,
        *,
        keep: float | str = KEEP,
        n_features_to_select: int | None = None,
        min_features: int = 0,
        max_features: int | None = None,
        always: Any = (),
        parsimony: float = 0.0,
        null: bool = True,
        halves: bool | None = None,
        decoys: int | None = None,
        n_bins: int = N_BINS,
        binning: str = BINNING,
        target: str = TARGET,
        effort: str | None = CrossEntropy.effort,
        initial_features: float = CrossEntropy.initial_features,
        initial_probability: float | None = CrossEntropy.initial_probability,
        min_samples: int | float | None = CrossEntropy.min_samples,
        max_samples: int | float | None = CrossEntropy.max_samples,
        elite: float = CrossEntropy.elite,
        min_elite: int | None = CrossEntropy.min_elite,
        smoothing: float | None = CrossEntropy.smoothing,
        tolerance: float = CrossEntropy.tolerance,
        patience: int | None = CrossEntropy.patience,
        max_steps: int = CrossEntropy.max_steps,
        final: str = CrossEntropy.final,
        polish: bool = CrossEntropy.polish,
        restarts: int | None = CrossEntropy.restarts,
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
        self.keep = keep
        self.n_features_to_select = n_features_to_select
        self.min_features = min_features
        self.max_features = max_features
        self.always = always
        self.parsimony = parsimony
        self.null = null
        self.halves = halves
        self.decoys = decoys
        self.n_bins = n_bins
        self.binning = binning
        self.target = target
        self.effort = effort
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
        """The settings of the paper: plug-in information, no smoothing, no floor, no polish, no parsimony.

        p⁰ = ½, between m and 20 m samples per step, an elite of .05 m, d = 5, ε = .05, and a last draw as the answer.

        Parameters
        ----------
        **overrides
            Parameters to set differently.

        Examples
        --------
        >>> CrossEntropySelector.paper(random_state=0).smoothing
        1.0
        """
        setting: dict[str, Any] = {
            "criterion": ESTIMATOR,
            "null": False,
            "effort": None,
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
