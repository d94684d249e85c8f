"""Any value as plain JSON."""

from __future__ import annotations

from dataclasses import asdict, is_dataclass
from math import isfinite
from typing import Any, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def as_plain(value: Any) -> Any:
    """A value as plain JSON: NaN and infinities become None, objects that JSON has no form for their repr.

    Examples
    --------
    >>> as_plain({"a": (1, float("nan")), "b": int})
    {'a': [1, None], 'b': "<class 'int'>"}
    """
    if hasattr(value, "tolist"):  # NumPy arrays and scalars
        value = value.tolist()
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, dict):
        return {str(key): as_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else repr(value)
