"""Run at the start of every page that is executed: `!command` shows what the command prints where no terminal is."""

# mypy: ignore-errors
from __future__ import annotations

import os
import subprocess

for _name in ("FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"):  # the kernel asks for colours
    os.environ.pop(_name, None)


def _plain(command: str) -> None:
    shell = get_ipython()  # noqa: F821 - IPython's
    line = shell.var_expand(command, depth=1)
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr, end="")
    shell.user_ns["_exit_code"] = done.returncode


get_ipython().system = _plain  # noqa: F821
