"""A criterion: how a subset of columns is scored, in what unit, and how to put the score into words."""

from __future__ import annotations

import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from entropick._names import CRITERIA as NAMES
from entropick.criteria._tables import Floats, Ints, Tables

if TYPE_CHECKING:
    from entropick.encode import CodeTable
    from entropick.engine import Engine

Score = Callable[[NDArray[np.bool_]], Floats]


class Criterion(ABC):
    """Base of all criteria, whether they are two tables or a model.

    Attributes
    ----------
    name : str
        Its name.
    unit : 'bits' or 'score'
        The unit of its scores.
    rewards_luck : bool
        Whether useless columns raise the score, so that a selection may need a warning.
    """

    name: str
    unit: Literal["bits", "score"] = "bits"
    rewards_luck: bool = False

    def __init_subclass__(cls) -> None:
        """A criterion of your own that has no name goes by that of its class."""
        super().__init_subclass__()
        if "name" not in vars(cls):
            cls.name = cls.__name__

    @property
    def label(self) -> str:
        """Its name in prose and on plots."""
        return NAMES.label(self.name) if self.name in NAMES else self.name

    def on(self, table: CodeTable) -> Criterion:
        """The criterion to use on a table: itself, unless it stands for several."""
        return self

    @property
    def quick(self) -> Criterion:
        """What to look at if many shuffled targets are to be looked at, too."""
        return self

    def keeps_numbers(self, table: CodeTable) -> bool:
        """Whether y is a number for it, and not cut into classes: scores are then ½ log2(1/(1 − R²))."""
        return False

    def scale(self, table: CodeTable) -> float:
        """Roughly the largest score on a table; parsimony and tolerances are shares of it."""
        return table.class_entropy

    def identity(self, table: CodeTable) -> str:
        """What its scores depend on besides codes and classes; a checkpoint with another identity is refused."""
        return self.name

    def claim(self, value: float, class_entropy: float | None) -> str | None:
        """What a score means, as the end of a sentence about a selection, if anything; no entropy if y is a number."""
        return None

    def nothing(self) -> str:
        """Why no column was chosen, as a sentence in lower case."""
        return f"none is worth keeping by the criterion {self.name!r}."


class TableCriterion(Criterion):
    """A criterion given by two tables over the sizes of blocks and cells; see `Tables`.

    Parameters
    ----------
    tables : callable
        Function from class sizes to tables.
    rewards_luck : bool
        See `Criterion`.
    nothing : str, optional
        Why no column was chosen, if there is more to say than that none is worth keeping.
    """

    def __init__(self, tables: Callable[..., Tables], *, rewards_luck: bool = False, nothing: str = "") -> None:
        update_wrapper(self, tables)
        self.tables = tables
        self.name = tables.__name__ if hasattr(tables, "__name__") else type(tables).__name__
        self.rewards_luck = rewards_luck
        self._nothing = nothing

    def __call__(self, class_sizes: Ints, **settings: float) -> Tables:
        """The tables for classes of these sizes."""
        return self.tables(class_sizes, **settings)

    def identity(self, table: CodeTable) -> str:
        """The function that makes the tables; the tables themselves are compared too."""
        if self.name in NAMES:
            return self.name
        is_function = hasattr(self.tables, "__qualname__")
        return f"{self.tables.__module__}.{self.tables.__qualname__}" if is_function else _without_address(self.tables)

    def nothing(self) -> str:
        """Why no column was chosen."""
        return self._nothing or super().nothing()

    def __reduce__(self) -> str | tuple[type[TableCriterion], tuple[Callable[..., Tables]]]:
        """Pickled by name where that is its own, as a function is, and else as what it was made from."""
        is_named = vars(sys.modules[self.tables.__module__]).get(self.name) is self
        return self.name if is_named else (TableCriterion, (self.tables,))


def criterion(*, rewards_luck: bool = False, nothing: str = "") -> Callable[[Callable[..., Tables]], TableCriterion]:
    """Decorate a function from class sizes to `Tables` to make it a criterion.

    Examples
    --------
    >>> @criterion()
    ... def nothing_counts(class_sizes):
    ...     return Tables(lambda a: np.zeros(len(a)), lambda c, q: np.zeros(len(q)), 0.0)
    >>> nothing_counts.name, nothing_counts.unit
    ('nothing_counts', 'bits')
    """
    return lambda tables: TableCriterion(tables, rewards_luck=rewards_luck, nothing=nothing)


class ModelCriterion(Criterion):
    """A criterion that scores subsets with a model: derive from it and write `bind`."""

    @abstractmethod
    def bind(self, table: CodeTable) -> Score:
        """The function from masks, shape (n_masks, n_columns), to scores on this table."""


class RowModel(ABC):
    """A model on one table whose score is a mean over rows, so that two subsets can be compared row by row.

    Attributes
    ----------
    rows : ndarray of int
        The rows whose losses count while subsets are compared: all, or a fixed sample of a large table.
    """

    rows: Ints

    @abstractmethod
    def __call__(self, masks: NDArray[np.bool_]) -> Floats:
        """Scores of masks, for comparing subsets."""

    def near(self, masks: NDArray[np.bool_], center: NDArray[np.bool_]) -> Floats:
        """Scores of masks that differ little from one, shape (n_columns,): the same, but for rounding errors."""
        return self(masks)

    @abstractmethod
    def losses(self, masks: NDArray[np.bool_]) -> Floats:
        """The leave-one-out loss of each of ``rows``, shape (n_masks, n_rows), every mask at its best setting."""

    @abstractmethod
    def final(self, masks: NDArray[np.bool_]) -> Floats:
        """Scores of masks as they are reported: exactly, and on all rows."""


class RowCriterion(ModelCriterion):
    """A criterion that scores subsets by what a model loses on each row, left out; engines speed it up."""

    @abstractmethod
    def most_columns(self, table: CodeTable) -> int:
        """The largest number of columns like those of this table that the model can hold in memory."""

    def check_columns(self, table: CodeTable) -> None:
        """Raise a ValueError if the table has more columns than the model can hold."""
        most = self.most_columns(table)
        if table.n_columns > most:
            raise ValueError(
                f"criterion {self.name!r} holds at most {most} columns like these in memory; got {table.n_columns}: "
                "leave some out, or cut them into fewer levels."
            )

    @abstractmethod
    def bind(self, table: CodeTable, engine: Engine | None = None) -> RowModel:
        """The model on this table; without an engine, by the NumPy code that defines it."""


@runtime_checkable
class Bindable(Protocol):
    """The minimum that a model of your own needs to be a criterion; scores are in bits."""

    def bind(self, table: CodeTable) -> Score:
        """The function from masks to scores on this table."""


class OwnModel(ModelCriterion):
    """A criterion made from an object with a ``bind`` method."""

    def __init__(self, model: Bindable) -> None:
        self.model = model
        self.name = type(model).__name__

    def bind(self, table: CodeTable) -> Score:
        """The function from masks to scores on this table."""
        return self.model.bind(table)

    def identity(self, table: CodeTable) -> str:
        """Its repr without memory addresses, which change from session to session."""
        return _without_address(self.model)


def _without_address(thing: object) -> str:
    return re.sub(r" at 0x[0-9a-f]+", "", repr(thing))


def as_criterion(thing: Any) -> Criterion | None:
    """A criterion, a function from class sizes to tables or an object with ``bind`` as a criterion; else None."""
    if isinstance(thing, Criterion):
        return thing
    if isinstance(thing, Bindable):
        return OwnModel(thing)
    return TableCriterion(thing) if callable(thing) else None
