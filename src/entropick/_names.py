"""Names that users choose from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from entropick._errors import Mention, UnknownNameError

T = TypeVar("T")


def look_up(kind: str | Mention, name: object, registry: Mapping[str, T]) -> T:
    """Entry ``name`` of a registry, or an `UnknownNameError` that lists the known names.

    Examples
    --------
    >>> look_up("criterion", "plugin", {"plugin": 1})
    1
    """
    if isinstance(name, str) and name in registry:
        return registry[name]
    raise UnknownNameError(kind, name, list(registry))
