"""The code of README and docs runs, and prints what they say."""

import contextlib
import io
import re
from pathlib import Path

import pytest
from sklearn.datasets import load_breast_cancer

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = [ROOT / "docs" / "guide.md", ROOT / "docs" / "methods.md"]
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize(("code", "printed"), EXAMPLES, ids=["first", "pipeline"])
def test_an_example_of_the_readme_runs_as_printed(code, printed):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})
    assert out.getvalue() == printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_code_of_a_page_runs(page):
    X, y = load_breast_cancer(return_X_y=True)
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert blocks
    for block in blocks:
        exec(block, {"X": X, "y": y})
