"""What CONTRIBUTING.md shows passes the tests that it promises."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"```python\n# src/entropick/\w+/(\w+)\.py\n(.*?)```", flags=re.DOTALL)
CONTRACTS = {
    "coin": ("SEARCHES", "search", "Coin", ["tests/search/test_drive.py"]),
    "akaike": (
        "CRITERIA",
        "criteria",
        "akaike",
        ["tests/test_scorer.py", "tests/test_information.py", "tests/engine/test_engines.py"],
    ),
}
REGISTERED = """
import importlib, sys
import pytest
sys.path.insert(0, sys.argv[1])
name, registry, package, what = sys.argv[2:6]
home = importlib.import_module(f"entropick.{package}")
getattr(home, registry)[name] = getattr(importlib.import_module(f"_{name}"), what)
# A killed run is a process of its own, in which nobody is registered.
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-k", f"{name} and not killed", *sys.argv[6:]]))
"""


def test_every_recipe_with_code_is_tested() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert text.count("```python") == len(BLOCK.findall(text)) == len(CONTRACTS)


@pytest.mark.parametrize("name", CONTRACTS)
def test_a_recipe_passes_the_tests_of_its_kind(name: str, tmp_path: Path) -> None:
    registry, package, what, tests = CONTRACTS[name]
    blocks = dict(BLOCK.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    (tmp_path / f"_{name}.py").write_text(blocks[f"_{name}"], encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    command = [sys.executable, "-c", REGISTERED, str(tmp_path), name, registry, package, what, *tests]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) >= 5, done.stdout
