"""What users should know of a run that went well."""

from __future__ import annotations

import sys
import warnings


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line of the caller's caller that is neither ours nor scikit-learn's."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back and str(frame.f_globals.get("__name__", "")).split(".")[0] in ("entropick", "sklearn"):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
