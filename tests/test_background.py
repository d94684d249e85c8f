"""The tests pass in jobs that ignore signals, such as one in the background or under nohup."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from signals import DEFAULTS

ROOT = Path(__file__).parent.parent
IGNORED = f"""
import os, signal, sys
for name in {sorted(DEFAULTS)}:
    if hasattr(signal, name):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs signals that processes inherit")
def test_signals_reach_their_tests_where_the_job_ignores_them() -> None:
    tests = sorted(str(path) for path in (ROOT / "tests").rglob("test_*.py") if "mark.signals" in path.read_text())
    command = [sys.executable, "-c", IGNORED, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "signals", *tests]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
