"""What users should know about a run that succeeded."""

from __future__ import annotations

import sys
import warnings


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the nearest calling line that is neither ours nor scikit-learn's."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back and str(frame.f_globals.get("__name__", "")).split(".")[0] in ("entropick", "sklearn"):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
