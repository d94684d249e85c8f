"""`entropick reproduce`, which the package adds to the command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from command import entropick, refused


def test_help_has_examples_and_loads_nothing_heavy(tmp_path: Path) -> None:
    assert "reproduce" in entropick("--help", folder=tmp_path).out
    assert "entropick reproduce --quick" in entropick("reproduce", "--help", folder=tmp_path).out
    code = "import sys, entropick_paper.command; print({'numpy', 'sklearn', 'polars', 'matplotlib'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_reproduce_shows_verdicts_and_writes_tables(tmp_path: Path) -> None:
    outcome = entropick("reproduce", "--quick", "--dataset", "breast_cancer", "--out", "r", folder=tmp_path)
    assert outcome.status == 0, outcome.err
    assert "It finds the number of columns by itself." in outcome.out
    assert "Written: r/README.md" in outcome.out


def test_reproduce_without_data_says_what_to_put_where(tmp_path: Path) -> None:
    offline = {"ENTROPICK_DATA": "", "XDG_CACHE_HOME": str(tmp_path), "https_proxy": "http://127.0.0.1:9"}
    sentence = refused(entropick("reproduce", "--dataset", "connect_4", folder=tmp_path, **offline))
    assert "put connect+4.zip from" in sentence
    assert "ENTROPICK_DATA" in sentence
    assert not (tmp_path / "reproduction").exists()
