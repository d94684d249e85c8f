"""How good a selection is: model error, information loss, time and stability, with methods side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from entropick.curve import size_curve
from entropick.evaluation._held_out import HeldOut, held_out
from entropick.evaluation._tested import Tested, try_on
from entropick.stability import stability

if TYPE_CHECKING:
    from entropick.evaluation._compare import compare
    from entropick.evaluation._comparison import Comparison, Estimate, MethodResult
    from entropick.evaluation._measures import MEASURES
    from entropick.evaluation._models import find_model

__all__ = [
    "MEASURES",
    "Comparison",
    "Estimate",
    "HeldOut",
    "MethodResult",
    "Tested",
    "compare",
    "find_model",
    "held_out",
    "size_curve",
    "stability",
    "try_on",
]
_LATER = {  # loaded when first used: all the models take as long to import as a small selection
    "Comparison": "_comparison",
    "Estimate": "_comparison",
    "MethodResult": "_comparison",
    "compare": "_compare",
    "MEASURES": "_measures",
    "find_model": "_models",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(f"entropick.evaluation.{_LATER[name]}"), name)
    raise AttributeError(f"module 'entropick.evaluation' has no attribute {name!r}")
