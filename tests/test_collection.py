"""Workers that collect different tests run none of them: what is collected depends on the source alone."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

from signals import running

ROOT = Path(__file__).parent.parent
COLLECT = """
import sys, time
now, later = time.time, float(sys.argv[1])
time.time = lambda: now() + later
import pytest
sys.exit(pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "tests"]))
"""


def collecting(later: float, hash_seed: str, data: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """A process that collects the tests as if so many seconds later."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "ENTROPICK_DATA": data}
    environment = {name: value for name, value in environment.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-c", COLLECT, str(later)]
    return running(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def test_names_and_order_depend_on_neither_clock_nor_hash_seed_nor_data_at_hand(tmp_path: Path) -> None:
    with collecting(0, "1", "") as one, collecting(1e7 + 1.5, "2", str(tmp_path)) as other:
        first, second = (process.communicate(timeout=300)[0].splitlines() for process in (one, other))
    assert (one.returncode, other.returncode) == (0, 0), (first[-20:], second[-20:])
    names, others = ([line for line in lines if "::" in line] for lines in (first, second))
    assert len(names) > 1000
    assert len(set(names)) == len(names)
    assert names == others
