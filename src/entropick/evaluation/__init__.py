"""How good a selection is: error of models, lost information, time, stability, and many methods side by side."""

from entropick.curve import size_curve
from entropick.evaluation._compare import Comparison, Estimate, MethodResult, compare
from entropick.evaluation._stability import stability

__all__ = ["Comparison", "Estimate", "MethodResult", "compare", "size_curve", "stability"]
