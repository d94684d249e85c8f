"""The tests are collected only if the paper's package is installed."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("entropick_paper") else ["*"]
