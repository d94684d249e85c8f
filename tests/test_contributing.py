"""What CONTRIBUTING.md shows, pasted into a copy of the package, passes the tests that it promises."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import entropick
from entropick import _kernels

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = re.findall(r"```python\n# src/entropick/(\w+/_\w+\.py)\n(.*?)```", TEXT, flags=re.DOTALL)
LINES = re.findall(r"```python\n# src/entropick/_names\.py, in (\w+)\n(.*?)```", TEXT, flags=re.DOTALL)
CONTRACTS = {  # name, and the tests that take it by its name
    "akaike": ["tests/test_scorer.py", "tests/test_information.py", "tests/engine/test_engines.py"],
    "coin": ["tests/search/test_drive.py", "tests/search/test_checkpoint.py", "tests/search/test_searches.py"],
    "gain_ratio": ["tests/ranking/test_methods.py"],
    "sorted": ["tests/engine/test_engines.py"],
}
# The editable install would find the package that everybody else uses.
ISOLATED = """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if not hasattr(finder, "known_source_files")]
sys.path.insert(0, {copy!r})
sys.argv = ["-"]
import entropick
assert entropick.__file__.startswith({copy!r}), entropick.__file__
"""
USED = """
import json, sys
sys.path.insert(0, {docs!r})
import names
import numpy as np
from entropick import RankSelector, SubsetSelector, datasets
from entropick.cli import main
from entropick.criteria import akaike
from entropick.search import Coin

X = np.random.default_rng(0).integers(2, size=(200, 4))
pages = [
    selector.fit(X, X[:, 0] ^ X[:, 1]).report()
    for selector in (
        SubsetSelector("coin", "akaike", engine="sorted", random_state=0),
        RankSelector("gain_ratio", n_features_to_select=2),
    )
]
assert Coin().threshold_label in pages[0].html and "gain_ratio" in pages[1].html and akaike.name == "akaike"
tosses = datasets.load("tosses")
facts = dict(page=names.page(), title=tosses.title, rows=tosses.frame.height, criterion=pages[0].result.criterion_label)
print(json.dumps(facts))
try:
    SubsetSelector("coyn").fit(X, X[:, 0])
except ValueError as error:
    print(error)
main(["select", "--help"])
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with every recipe pasted in: one file and one line each."""
    folder = tmp_path_factory.mktemp("copy")
    source = Path(entropick.__file__).parent
    shutil.copytree(source, folder / "entropick", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(str(_kernels.__file__), folder / "entropick")
    for name, code in FILES:
        (folder / "entropick" / name).write_text(code, encoding="utf-8")
    names = folder / "entropick" / "_names.py"
    text = names.read_text(encoding="utf-8")
    for registry, line in LINES:
        start = text.index(f"\n{registry}: Registry")
        end = text.index("\n    },\n", start)
        text = f"{text[:end]}\n        {line.strip()}{text[end:]}"
    names.write_text(text, encoding="utf-8")
    return folder


def run(copy: Path, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-c", ISOLATED.format(copy=str(copy)) + code],
        cwd=ROOT,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_every_recipe_is_one_file_and_one_line() -> None:
    assert TEXT.count("```python") == len(FILES) + len(LINES)
    assert len(FILES) == len(LINES) == len({registry for registry, _ in LINES}) == len(CONTRACTS) + 1
    assert all(line.count("\n") == 1 and len(line) < 112 for _, line in LINES)


@pytest.mark.parametrize("name", CONTRACTS)
def test_a_recipe_passes_the_tests_of_its_kind(name: str, copy: Path) -> None:
    # A killed run is a process of its own, which has the package of everybody else; large tables would take long.
    which = f"{name} and not killed and not 70000 and not 150000"
    options = ["-q", "-p", "no:cacheprovider", "-k", which, *CONTRACTS[name]]
    done = run(copy, f"import pytest\nsys.exit(pytest.main({options!r}))")
    assert done.returncode == 0, done.stdout
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) >= 2, done.stdout


def test_help_page_docs_and_errors_know_the_recipes(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "tosses").mkdir()
    (tmp_path / "tosses" / "tosses.data").write_text("left,1,heads\nleft,2,tails\nright,1,tails\nright,2,heads\n")
    done = run(copy, USED.format(docs=str(ROOT / "docs")), ENTROPICK_DATA=str(tmp_path), COLUMNS="300")
    assert done.returncode == 0, done.stderr
    facts, error, *shown = done.stdout.splitlines()
    told = json.loads(facts)
    assert (told["title"], told["rows"], told["criterion"]) == ("Tosses", 4, "Akaike")
    assert "'coin'. Did you mean 'coin'?" in error
    for name in (*CONTRACTS, "tosses"):
        assert f"| `{name}` |" in told["page"]
    for name in ("akaike", "coin", "gain_ratio"):
        assert name in " ".join(shown)
