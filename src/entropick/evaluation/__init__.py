"""How good a selection is: model error, information loss, time and stability, with methods side by side."""

from entropick.curve import size_curve
from entropick.evaluation._compare import Comparison, Estimate, MethodResult, compare
from entropick.evaluation._held_out import HeldOut, held_out
from entropick.evaluation._measures import MEASURES
from entropick.evaluation._models import find_model
from entropick.stability import stability

__all__ = [
    "MEASURES",
    "Comparison",
    "Estimate",
    "HeldOut",
    "MethodResult",
    "compare",
    "find_model",
    "held_out",
    "size_curve",
    "stability",
]
