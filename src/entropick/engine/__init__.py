"""Masks in, scores out: the native engine and its readable twin.

To add an engine, derive a class from `Engine` in a file of its own, and add it to ``entropick/_names.py``.
"""

from entropick.engine._base import Engine, EngineScore, count_threads
from entropick.engine._registry import ENGINES, check_engine, local_engine, make_engine

__all__ = ["ENGINES", "Engine", "EngineScore", "check_engine", "count_threads", "local_engine", "make_engine"]
