"""The classic methods that rank columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from entropick._checks import check_flag, check_number, check_size
from entropick._defaults import BINNING, ENGINE, N_BINS, N_JOBS, TARGET
from entropick._errors import Mention
from entropick._masks import nested
from entropick._names import look_up
from entropick._stages import stage
from entropick.criteria import plugin
from entropick.encode import CodeTable, Encoded
from entropick.engine import Engine, local_engine
from entropick.path import CELLS, Choices, halve, replaceable
from entropick.ranking import RANKINGS, Ranking, RankProblem
from entropick.scorer import Scorers
from entropick.selectors._base import InformationSelector
from entropick.selectors._record import Outcome

_FEWEST_ROWS = 1000  # that halves are made of, however many columns there are


@RANKINGS.listed_in
class RankSelector(InformationSelector):
    """Select the first columns that a classic method picks, one after another.

    Parameters
    ----------
    method : str, default='cmim'
        What the next column f maximises, S being the columns picked so far:

        {names}

        Ties go to the lowest column number.
    n_features_to_select : int, default=None
        How many columns; None is min(10, n_columns), or for 'cmi' as many as add information; 'cmi' never picks one
        that adds none.
    beta : float, default=1.0
        Weight of redundancy in 'mifs'.
    blanket_size : int, default=2
        Number of columns in a Markov blanket of 'koller_sahami'.
    n_bins, binning, target
        How the table is encoded; see `CrossEntropySelector`.
    halves : bool, default=False
        Whether to select again from halves of the rows, to see how often each column is selected.
    engine, n_jobs
        What does the counting, and with how many threads.

    Attributes
    ----------
    order_ : ndarray of int
        The selected columns, best first.
    scores_ : ndarray of float
        The method's score at each pick.
    information_path_ : ndarray of float
        I(U;y) in bits of the first 1, 2, ... columns of ``order_``.
    selection_frequency_ : ndarray of float, or None
        The share of the halves from which each column was selected; None without halves.
    stability_ : tuple of float, or None
        How much the selections from halves agree; see `CrossEntropySelector`.
    support_, n_features_, information_, class_entropy_, delta_information_, target_,
    feature_importances_, ranking_
        As in `CrossEntropySelector`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from entropick import RankSelector
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> selector = RankSelector("mrmr", n_features_to_select=3).fit(X, y)
    >>> selector.order_.tolist()
    [22, 24, 7]
    """

    def __init__(
        self,
        method: str = "cmim",
        n_features_to_select: int | None = None,
        beta: float = 1.0,
        *,
        blanket_size: int = 2,
        halves: bool = False,
        n_bins: int = N_BINS,
        binning: str = BINNING,
        target: str = TARGET,
        engine: str = ENGINE,
        n_jobs: int = N_JOBS,
    ) -> None:
        self.method = method
        self.n_features_to_select = n_features_to_select
        self.beta = beta
        self.blanket_size = blanket_size
        self.halves = halves
        self.n_bins = n_bins
        self.binning = binning
        self.target = target
        self.engine = engine
        self.n_jobs = n_jobs

    def _check_parameters(self) -> None:
        super()._check_parameters()
        look_up(Mention("method"), self.method, RANKINGS)
        check_number("beta", self.beta, 0)
        check_number("blanket_size", self.blanket_size, 0, integer=True)
        check_flag("halves", self.halves)

    def _select(self, encoded: Encoded, scorers: Scorers, order: NDArray[np.int64], began: float) -> Outcome:
        table = encoded.table
        check_size("n_features_to_select", self.n_features_to_select, table.n_columns)
        ranking = self._rank(table, scorers.engine)
        self.order_, self.scores_ = ranking.order, ranking.scores
        path = nested(ranking.order, table.n_columns)
        information = scorers[plugin](path)
        self.information_path_ = information[1:]
        choices = self._choices(table, len(ranking.order), scorers.engine) if self.halves else None
        return Outcome(
            mask=path[-1],
            kind="ranking",
            method=self.method,
            criterion=plugin,
            score=float(information[-1]),
            best_score=float(information[-1]),
            stop={"n_features": len(ranking.order)},
            order=ranking.order,
            choices=choices,
        )

    def _rank(self, table: CodeTable, engine: Engine) -> Ranking:
        """The columns in order; those with the same value in every row are left out, unless more are asked for."""
        rank, k = RANKINGS[self.method], self.n_features_to_select
        varied = np.setdiff1d(np.arange(table.n_columns), table.constant_columns)
        if len(varied) in (0, table.n_columns) or (k is not None and k > len(varied)):
            return rank(RankProblem(table, engine, k, self.beta, self.blanket_size))
        narrow = engine.on(table.take(varied))
        found = rank(RankProblem(narrow.table, narrow, k, self.beta, self.blanket_size))
        return replace(found, order=varied[found.order])

    def _choices(self, table: CodeTable, k: int, engine: Engine) -> Choices | None:
        """The first k columns by halves of the rows; None if there are too few rows."""
        rng = np.random.default_rng(0)
        sample, rows = table.sample(max(_FEWEST_ROWS, CELLS // table.n_columns), rng)
        halved = halve(sample, rng, rows)
        if halved is None:
            return None
        masks = []
        for i, half in enumerate(halved.tables):
            stage("choosing from halves", i, len(halved.tables))
            with Scorers(half, local_engine(self.engine), self.n_jobs) as scorers:
                masks.append(nested(self._rank(half, scorers.engine).order[:k], table.n_columns)[-1])
        return Choices(np.array(masks), replaceable(np.array(masks), engine), halved.rows, halved.in_half)
