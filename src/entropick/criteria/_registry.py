"""The criteria by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from entropick import _names
from entropick._errors import Mention
from entropick._names import Registry, look_up
from entropick.criteria._criterion import Bindable, Criterion, as_criterion
from entropick.criteria._tables import Ints, Tables

CRITERIA: Registry[Criterion] = _names.CRITERIA

CriterionLike: TypeAlias = str | Criterion | Callable[[Ints], Tables] | Bindable


def find_criterion(criterion: CriterionLike) -> Criterion:
    """The criterion of that name, or one of your own: a function from class sizes to `Tables`, or a model."""
    if isinstance(criterion, type):
        raise ValueError(
            f"criterion must be a name, a function or an object; got the class: use {criterion.__name__}(...)."
        )
    found = as_criterion(criterion) or as_criterion(look_up(Mention("criterion"), criterion, CRITERIA))
    if found is None:
        raise ValueError(f"criterion {criterion!r} is registered as something that is not a criterion.")
    return found
