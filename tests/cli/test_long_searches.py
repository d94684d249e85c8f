"""Searches that take minutes: Ctrl-C and time limits end them in order."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path

import polars as pl
import pytest
from command import QUICK, entropick, has_scores, wait_until
from optional import optional
from signals import running

pytestmark = pytest.mark.signals

LONG = ("select", *QUICK, "t.csv", "-t", "y", "-m", "exhaustive", "--json", "r.json")


@pytest.fixture
def long_search(tmp_path: Path) -> Path:
    """A folder where LONG takes minutes, with an output that is there before."""
    pl.DataFrame({f"x{j}": [(i * (j + 3) // 7) % 5 for i in range(3000)] for j in range(24)}).with_columns(
        pl.Series("y", [i % 3 for i in range(3000)])
    ).write_csv(tmp_path / "t.csv")
    (tmp_path / "r.json").write_text("before")
    return tmp_path


def begin(folder: Path, *options: str) -> AbstractContextManager[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "entropick", *LONG, *options]
    return running(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def is_left(group: int) -> bool:
    """Whether any process of a group is."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_ctrl_c_ends_with_130_and_a_sentence_and_writes_nothing(long_search: Path) -> None:
    with begin(long_search, "--checkpoint", "c.npz") as process:
        wait_until(lambda: has_scores(long_search / "c.npz"), process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b""
    assert err.decode().startswith("entropick: interrupted after ")
    assert "resume from 'c.npz'" in err.decode()
    assert err.count(b"\n") == 1
    assert (long_search / "r.json").read_text() == "before"
    assert sorted(os.listdir(long_search)) == ["c.npz", "r.json", "t.csv"]


def test_ctrl_c_while_the_table_is_read_is_a_sentence_too(long_search: Path) -> None:
    (long_search / "t.csv").unlink()
    os.mkfifo(long_search / "t.csv")
    # The file opens when the command opens its end, which then waits for what we write.
    with begin(long_search) as process, (long_search / "t.csv").open("wb"):
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"entropick: interrupted.\n")
    assert (long_search / "r.json").read_text() == "before"


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs signals that wait")
def test_ctrl_c_in_a_terminal_ends_the_workers_too_and_is_one_sentence(long_search: Path) -> None:
    """The terminal sends it to all processes of the group."""
    optional("distributed").LocalCluster  # noqa: B018 - skipped without it
    pl.read_csv(long_search / "t.csv").write_parquet(long_search / "t.parquet")
    command = [sys.executable, "-m", "entropick", *LONG, "--workers", "2", "--checkpoint", "c.npz"]
    command[command.index("t.csv")] = "t.parquet"
    how = {"cwd": long_search, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "start_new_session": True}
    with running(command, **how) as process:
        wait_until(lambda: has_scores(long_search / "c.npz"), process)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert err.decode().startswith("entropick: interrupted after ")
    assert err.count(b"\n") == 1
    deadline = time.monotonic() + 30
    while is_left(process.pid):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_time_limit_gives_the_best_so_far_and_says_so(long_search: Path) -> None:
    assert entropick(*LONG, "--time-limit", "1", folder=long_search).status == 0
    result = json.loads((long_search / "r.json").read_text())
    assert "max_seconds" in result["stop"]
    assert any("time limit" in note["text"] for note in result["notes"])
