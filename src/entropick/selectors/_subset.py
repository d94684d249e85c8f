"""Any search with any criterion."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from entropick._defaults import BINNING, CRITERION, ENGINE, KEEP, N_BINS, N_JOBS, TARGET
from entropick.criteria import CriterionLike
from entropick.search import SEARCHES, Search, StepLine, find_search
from entropick.selectors._searching import SearchingSelector


@SEARCHES.listed_in
class SubsetSelector(SearchingSelector):
    """Select the subset of columns that a search finds best by a criterion.

    Parameters
    ----------
    search : str or Search, default='cross_entropy'
        How subsets are tried:

        {names}
        - a search with its own settings, such as ``CrossEntropy(smoothing=.5)``; in a grid they are
          ``search__smoothing`` and so on
    criterion : str or criterion, default='auto'
        How a subset is scored; see `CrossEntropySelector`.
    keep, n_features_to_select, min_features, max_features, always, parsimony, null, halves, decoys
        Which subsets are allowed, how few columns are enough, whether there is anything at all, and how sure it is; see
        `CrossEntropySelector`.
    n_bins, binning, target
        How the table is encoded; see `CrossEntropySelector`.
    max_evaluations, max_seconds, checkpoint, on_interrupt, engine, n_jobs, random_state, callback
        How the search runs; see `CrossEntropySelector`.

    Attributes
    ----------
    support_, n_features_, information_, class_entropy_, delta_information_, score_, probabilities_, trace_, stop_,
    n_steps_, n_evaluations_, seed_, target_, feature_importances_, ranking_, curve_, verdict_, expected_false_,
    p_value_
        As in `CrossEntropySelector`; ``probabilities_`` is NaN if the search has none.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from entropick import SubsetSelector
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> selector = SubsetSelector("cross_entropy", n_features_to_select=2, random_state=0).fit(X, y)
    >>> selector.transform(X).shape
    (569, 2)
    """

    def __init__(
        self,
        search: str | Search = "cross_entropy",
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
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        on_interrupt: str = "raise",
        engine: str = ENGINE,
        n_jobs: int = N_JOBS,
        random_state: Any = None,
        callback: Callable[[StepLine], object] | None = None,
    ) -> None:
        self.search = search
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
        self.max_evaluations = max_evaluations
        self.max_seconds = max_seconds
        self.checkpoint = checkpoint
        self.on_interrupt = on_interrupt
        self.engine = engine
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.callback = callback

    def _make_search(self) -> Search:
        return find_search(self.search)
