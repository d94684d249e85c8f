"""The defaults that estimators, functions and the command share."""

from __future__ import annotations

CRITERION = "auto"
ESTIMATOR = "plugin"  # information as counted, which is the paper's objective too
N_BINS = 5
BINNING = "quantile"
TARGET = "auto"
ENGINE = "auto"
N_JOBS = -1
KEEP = 0.98  # share of what the best number of columns predicts that is enough
