"""Every example of the gallery runs as the notebook that people download, without a warning, and draws something."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from optional import Absent, optional

GALLERY = Path(__file__).parent.parent / "examples" / "gallery"
EXAMPLES = sorted(GALLERY.glob("plot_*.py"))
each_example = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)


@pytest.fixture
def plt(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """pyplot as in a notebook: figures stay until they are looked at, and `show` opens no window."""
    for package in ("matplotlib", "pandas", "sphinx_gallery"):
        if isinstance(found := optional(package), Absent):
            found.skip()
    import matplotlib.pyplot as plt

    plt.switch_backend("Agg")
    monkeypatch.setattr(plt, "show", lambda: None)
    yield plt
    plt.close("all")


def cells_of(path: Path) -> list[str]:
    """The code cells of the notebook that sphinx-gallery makes of an example."""
    from sphinx_gallery.gen_gallery import DEFAULT_GALLERY_CONF
    from sphinx_gallery.notebook import jupyter_notebook
    from sphinx_gallery.py_source_parser import split_code_and_text_blocks

    blocks = split_code_and_text_blocks(path)[1]
    notebook = jupyter_notebook(blocks, deepcopy(DEFAULT_GALLERY_CONF), GALLERY)
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run_cell(code: str, names: dict[str, Any]) -> Any:
    """Run a cell; the value of its last line, which a notebook shows."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if isinstance(last, ast.Expr) else None


def is_drawn(figure: Any) -> bool:
    """Whether a figure has data in all its axes, and more to see than its background."""
    import matplotlib.image

    image = io.BytesIO()
    figure.savefig(image, format="png")
    image.seek(0)
    pixels = matplotlib.image.imread(image, format="png")
    return (
        all(axes.has_data() for axes in figure.axes) and len(np.unique(pixels.reshape(-1, pixels.shape[2]), axis=0)) > 9
    )


@pytest.mark.slow
@pytest.mark.all_trees
@each_example
def test_the_notebook_runs_without_a_warning_and_draws(path: Path, plt: Any) -> None:
    from matplotlib.figure import Figure

    names: dict[str, Any] = {"__name__": "__main__"}
    figures = []
    with redirect_stdout(io.StringIO()):
        for cell in cells_of(path):
            shown = run_cell(cell, names)
            figures += [plt.figure(number) for number in plt.get_fignums()]
            if isinstance(shown, Figure):
                figures.append(shown)
            for figure in figures:
                plt.close(figure)
    assert figures
    assert all(is_drawn(figure) for figure in figures)


@each_example
def test_an_example_begins_with_a_title_and_a_sentence(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring is not None
    title, line, empty, opening = docstring.split("\n", 3)
    assert set(line) == {"="}
    assert len(line) == len(title)
    assert not empty
    sentence = re.split(r"[.?](?=\s|$)", opening.replace("\n", " "))[0]
    assert 30 <= len(sentence) <= 160
    assert "\n\n" not in opening, "one paragraph"


@each_example
def test_an_example_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 80


def test_there_are_enough_examples_and_titles_differ() -> None:
    titles = {path.read_text(encoding="utf-8").splitlines()[1] for path in EXAMPLES}
    assert len(titles) == len(EXAMPLES) >= 12
    assert (GALLERY / "README.rst").read_text(encoding="utf-8").startswith("Gallery\n=======\n")
