"""The paper's evaluation, made anew: its data sets, rivals, tables and figures, with its numbers beside ours."""

from entropick.reproduce._protocol import Plan
from entropick.reproduce._run import QUICK, missing, reproduce

__all__ = ["QUICK", "Plan", "missing", "reproduce"]
