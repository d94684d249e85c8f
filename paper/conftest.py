"""Where the paper's package is not installed its tests are not collected."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("entropick_paper") else ["*"]
