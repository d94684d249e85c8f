"""The site: `make docs` builds it from these pages, the docstrings and the gallery, and runs every example in it."""

from __future__ import annotations

import ast
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from sphinx_gallery.scrapers import figure_rst
from sphinx_gallery.sorting import ExplicitOrder

from entropick import __version__
from entropick._drawing import Drawing

HERE = Path(__file__).parent

project = "entropick"
author = "The entropick developers"
project_copyright = author
version = release = __version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
if os.environ.get("QUICK"):  # a quick look at the pages: no gallery, no pages of single names
    extensions.remove("sphinx_gallery.gen_gallery")
exclude_patterns = ["gallery/*.ipynb", "gallery/**/*.ipynb", "gallery/*.py.md5"]
templates_path = ["_templates"]
nitpicky = False  # types in docstrings are words for people: "array-like of shape (n_rows, n_columns)"
suppress_warnings = ["config.cache"]

# Pages with a line `jupytext` at their top are notebooks: their cells run, and what they print stands below them.
nb_execution_mode = "cache"
nb_execution_cache_path = str(HERE.parent / "build" / "docs-cache")
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_execution_show_tb = True
nb_merge_streams = True
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "substitution"]
myst_heading_anchors = 3
myst_substitutions = {"version": __version__}

autosummary_generate = not os.environ.get("QUICK")
autodoc_typehints = "none"  # numpydoc's sections say them
toc_object_entries_show_parents = "hide"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False


def drawings(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """The figure that a cell of an example ends with: pyplot does not know ours, so no other scraper finds them."""
    shown, last = block_vars["example_globals"].get("___"), ast.parse(block[1]).body[-1:]
    if not isinstance(shown, Drawing) or not last or not isinstance(last[0], ast.Expr):
        return ""
    path = Path(next(block_vars["image_path_iterator"]))
    sharp = path.with_stem(f"{path.stem}_2_00x")
    shown.savefig(path, dpi=100)
    shown.savefig(sharp, dpi=200)
    return str(figure_rst([path], gallery_conf["src_dir"], srcsetpaths=[{0: path, 2.0: sharp}]))


sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "subsection_order": ExplicitOrder(["../examples/gallery"]),
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_memory": False,
    "write_computation_times": False,
    "show_signature": False,
    "remove_config_comments": True,
    "plot_gallery": True,
    "abort_on_example_error": True,
    "image_scrapers": (drawings, "matplotlib"),
    "image_srcset": ["2x"],
    "ignore_repr_types": r"Drawing|matplotlib",
    "matplotlib_animations": False,
}
copybutton_prompt_text = r"\$ |>>> "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = f"entropick {__version__}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "entropick"},
    "navigation_depth": 3,
    "show_nav_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
    "navbar_align": "left",
    "pygments_light_style": "tango",
    "pygments_dark_style": "monokai",
}
html_sidebars: dict[str, list[str]] = {"index": [], "ten_minutes": []}

# Commands on pages are those of this environment, and print for 100 columns without colours, whoever builds the site.
_startup = HERE.parent / "build" / "ipython" / "profile_default" / "startup"
_startup.mkdir(parents=True, exist_ok=True)
shutil.copy(HERE / "plain_shell.py", _startup)
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
os.environ.update(IPYTHONDIR=str(_startup.parents[1]), COLUMNS="100", NO_COLOR="1", TERM="dumb")
linkcheck_anchors = False
