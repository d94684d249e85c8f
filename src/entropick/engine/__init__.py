"""Masks in, scores out: the native engine and its readable twin.

An engine is a class with the signature of `Engine`. To add one, write it in its own file, derive it from
`Engine`, and name it in `ENGINES`.
"""

from entropick.engine._base import BoundEngine, Engine, count_threads
from entropick.engine._registry import ENGINES, make_engine

__all__ = ["ENGINES", "BoundEngine", "Engine", "count_threads", "make_engine"]
