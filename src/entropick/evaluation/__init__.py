"""How good a selection is: error of models, lost information, time, stability, and many methods side by side."""

from entropick.evaluation._compare import Comparison, compare
from entropick.evaluation._models import MODELS, find_model
from entropick.evaluation._size_curve import size_curve
from entropick.evaluation._stability import stability

__all__ = ["MODELS", "Comparison", "compare", "find_model", "size_curve", "stability"]
