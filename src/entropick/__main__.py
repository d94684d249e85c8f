"""``python -m entropick`` is the command ``entropick``."""

import sys

from entropick.cli import main

if __name__ == "__main__":
    sys.exit(main())
