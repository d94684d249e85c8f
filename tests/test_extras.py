"""The core needs the core's packages only, and a package of an extra that is missing gets a sentence."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from entropick._extras import MissingExtraError, need

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "entropick"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {"cli", "report", "data"}
DRAWING = {"_drawing.py", "_plot.py"}  # of the extra `report`, wherever they are
ABSENT = (
    "jinja2",
    "jsonschema",
    "matplotlib",
    "pandas",
    "polars",
    "pooch",
    "pyarrow",
    "requests",
    "rich",
    "typer",
)
CORE = """
import numpy as np
from entropick import CrossEntropySelector, RankSelector, SubsetScorer, SubsetSelector, entropy, mutual_information
from entropick.evaluation import compare
from entropick.report import describe

X = np.random.default_rng(0).integers(0, 2, (200, 5))
y = X[:, 0] ^ X[:, 1]
for selector in (CrossEntropySelector(random_state=0), SubsetSelector("forward"), RankSelector("jmi", 2)):
    assert selector.fit(X, y).transform(X).shape[0] == 200
    assert describe(selector).n_columns == 5
assert CrossEntropySelector(random_state=0).fit(X, y).get_support().tolist() == [True, True, False, False, False]
assert mutual_information(X[:, :2], y) > 0.9 > entropy(y) - 0.9
assert SubsetScorer(X, y)(np.ones((1, 5), dtype=bool)).shape == (1,)
assert compare(X, y, folds=3, resamples=2).methods
"""


HIDDEN = """
import sys
from importlib.machinery import PathFinder

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in {absent!r} else PathFinder.find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = Without
"""


def without(*absent: str, code: str) -> subprocess.CompletedProcess[str]:
    """What a process does in which some packages are not installed."""
    whole = [sys.executable, "-c", HIDDEN.format(absent=absent) + code]
    return subprocess.run(whole, capture_output=True, text=True, timeout=120, check=False)


def command(*arguments: str) -> str:
    return f"from entropick.cli import main\nsys.exit(main({list(arguments)!r}))"


def test_the_core_works_without_the_extras() -> None:
    done = without(*ABSENT, code=CORE)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("package", ["typer", "rich", "polars"])
def test_the_command_names_its_extra(package: str) -> None:
    done = without(package, code=command("--version"))
    assert done.returncode == 2
    assert done.stderr == f"entropick: the command needs {package}: pip install 'entropick[cli]'.\n"


def test_the_command_as_a_module_names_its_extra() -> None:
    done = without("typer", code="import runpy; runpy.run_module('entropick', run_name='__main__')")
    assert done.returncode == 2
    assert done.stderr == "entropick: the command needs typer: pip install 'entropick[cli]'.\n"


def test_a_report_names_its_extra() -> None:
    done = without("matplotlib", code=f"{CORE}\nselector.report()")
    assert done.returncode == 1
    assert done.stderr.endswith("MissingExtraError: the page needs matplotlib: pip install 'entropick[report]'.\n")


@pytest.mark.parametrize(
    "arguments", [("select", "t.csv", "-t", "y", "--report", "r.html"), ("demo",), ("report", "r.json")]
)
def test_a_command_that_writes_a_page_refuses_before_it_works(arguments: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("x,y\n" + "1,1\n0,0\n" * 20)
    (tmp_path / "r.json").write_text("{}")
    before = sorted(tmp_path.iterdir())
    place = f"import os\nos.chdir({str(tmp_path)!r})\n"
    done = without("matplotlib", code=place + command(*arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "entropick: the page needs matplotlib: pip install 'entropick[report]'.\n"
    assert sorted(tmp_path.iterdir()) == before
    assert not arguments[5:] or without("matplotlib", code=place + command(*arguments[:4])).returncode == 0


def test_a_command_of_another_package_that_does_not_load_says_so_and_breaks_no_other() -> None:
    broken = (
        "import importlib.metadata as m\n"
        "entry = m.EntryPoint('reproduce', 'no_such_package:reproduce', 'entropick.commands')\n"
        "m.entry_points = lambda group: [entry]\n"
    )
    done = without(code=broken + command("reproduce", "--quick"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "entropick: the package that adds 'reproduce' does not load (ModuleNotFoundError: No module named "
        "'no_such_package'): install it again.\n"
    )
    assert without(code=broken + command("--version")).returncode == 0


def test_reproduce_says_that_it_is_a_package_of_its_own() -> None:
    for arguments in (("--quick", "--dataset", "connect_4"), ("--help",)):
        hidden = "import importlib.metadata\nimportlib.metadata.entry_points = lambda group: []\n"
        done = without(code=hidden + command("reproduce", *arguments))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            "entropick: 'reproduce' is a separate package: run `pip install ./paper` in a clone of entropick.\n"
        )


def test_another_package_adds_a_command(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text('def hello():\n    """Say hello."""\n    print("hello")\n')
    (tmp_path / "other-1.dist-info").mkdir()
    (tmp_path / "other-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1\n")
    (tmp_path / "other-1.dist-info" / "entry_points.txt").write_text("[entropick.commands]\nhello = other:hello\n")
    place = f"sys.path.insert(0, {str(tmp_path)!r})\n"
    assert without(code=place + command("hello")).stdout == "hello\n"
    assert "Say hello." in without(code=place + command("--help")).stdout


def test_a_fault_inside_a_package_is_not_taken_for_its_absence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_package.py").write_text("import no_such_package")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_package") as caught:
        need("broken_package", "all", "this")
    assert not isinstance(caught.value, MissingExtraError)


def packages(*extras: str) -> set[str]:
    """As they are imported: those of the core and of some extras."""
    named = [*PROJECT["dependencies"], *(item for extra in extras for item in PROJECT["optional-dependencies"][extra])]
    found = {re.split(r"[\[>]", item)[0] for item in named} - {"entropick"}
    return {"sklearn" if name == "scikit-learn" else name for name in found}


def imported(node: ast.AST, *, in_functions: bool) -> Iterator[str]:
    """The packages of other people that a module imports, except for the type checker."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        if isinstance(child, ast.FunctionDef) and not in_functions:
            continue
        if isinstance(child, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            yield (child.module or "").partition(".")[0]
        yield from imported(child, in_functions=in_functions)


def test_what_is_imported_is_declared() -> None:
    ours = {"entropick", *sys.stdlib_module_names}
    for path in SOURCE.rglob("*.py"):
        tree, folder = ast.parse(path.read_text(encoding="utf-8")), path.relative_to(SOURCE).parts[0]
        at_once = set(imported(tree, in_functions=False)) - ours
        extras = {"report"} if path.name in DRAWING else {folder} & EXTRAS
        assert at_once <= packages(*extras), f"{path} loads what neither the core nor its extra has"
        assert set(imported(tree, in_functions=True)) - ours <= packages(*EXTRAS, "test"), path


def test_all_is_all() -> None:
    extras = PROJECT["optional-dependencies"]
    assert extras["all"] == ["entropick[cli,dask,data,excel,report]"]
    assert "entropick[all]" in extras["test"]
    assert "entropick[docs,test]" in extras["dev"]
