"""The code of README and docs runs, and prints what they say."""

import contextlib
import io
import re
import shutil
from pathlib import Path

import pytest
from command import entropick
from sklearn.datasets import load_breast_cancer

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = [ROOT / "docs" / "reference" / name for name in ("command.md", "methods.md")]
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.all_trees
@pytest.mark.parametrize(("code", "printed"), EXAMPLES, ids=["first"])
def test_an_example_of_the_readme_runs_as_printed(code, printed):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})
    assert out.getvalue() == printed


@pytest.mark.all_trees
def test_the_command_of_the_readme_says_what_it_shows(tmp_path):
    shown = re.findall(r"```console\n\$ entropick (.*?)\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(shown) == 1
    (tmp_path / "examples").mkdir()
    shutil.copy(ROOT / "examples" / "patients.csv", tmp_path / "examples")
    for command, expected in shown:
        outcome = entropick(*command.split(), folder=tmp_path)
        assert outcome.status == 0, outcome.err
        assert without_times(outcome.out) == without_times(expected)


def without_times(text):
    text = re.sub(r"\d+\.\d+ seconds", "some seconds", text)
    text = re.sub(r" +\d\.\d{3}±\d\.\d{3}(?=  \d\.\d\d±)", " some seconds", text)
    return [line.rstrip() for line in text.splitlines()]


def test_the_table_of_the_readme_is_what_its_script_makes(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples")
    from make_patients import PATH, patients

    assert patients().write_csv() == PATH.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_code_of_a_page_runs(page):
    X, y = load_breast_cancer(return_X_y=True)
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert blocks
    for block in blocks:
        exec(block, {"X": X, "y": y})
