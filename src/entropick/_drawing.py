"""How all figures look: matplotlib figures that a notebook shows, a file keeps and a page takes in."""

from __future__ import annotations

import functools
import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ParamSpec

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from entropick._words import shortened

_Given = ParamSpec("_Given")

# Safe for colour-blind readers (Okabe and Ito), and readable on white and on black.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#7f7f7f"]
TEXT = "#1d232b"
FAINT = "#80808066"
WIDTH = 400  # pixels: no wider than a phone, so that letters stay readable there
_LETTERS = 22  # of a name
_UPRIGHT = 32  # of a name that stands upright
_BESIDE = 62  # letters in a line
_DOTS = 96  # pixels of a page in an inch
_STYLE: dict[Any, Any] = {
    "axes.edgecolor": TEXT,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "axes.axisbelow": True,
    "axes.labelcolor": TEXT,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.h_pad": 0.05,
    "figure.dpi": _DOTS,
    "font.size": 8.5,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "savefig.dpi": 2 * _DOTS,
    "svg.fonttype": "none",
    "svg.hashsalt": "entropick",
    "text.color": TEXT,
    "text.parse_math": False,  # a name may have dollars in it
    "xtick.color": TEXT,
    "ytick.color": TEXT,
}


class Drawing(Figure):
    """A matplotlib figure of the height given, in pixels, that looks the same wherever it is drawn."""

    def __init__(self, height: float) -> None:
        super().__init__(figsize=(WIDTH / _DOTS, height / _DOTS), layout="constrained")

    def savefig(self, *args: Any, **kwargs: Any) -> None:
        """Write the figure; see `matplotlib.figure.Figure.savefig`."""
        with _style():
            super().savefig(*args, **kwargs)

    def svg(self, **kwargs: Any) -> str:
        """The figure as SVG, without a word about when and by what it was made."""
        drawn = io.StringIO()
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        self.savefig(drawn, format="svg", metadata=nothing, **kwargs)
        return drawn.getvalue()

    def inline(self, name: str) -> str:
        """The figure as a part of a page, in the colour of its text; ``name`` tells its ids from those of others."""
        svg = self.svg(transparent=True)
        svg = re.sub(r'<!--.*?-->| xmlns(?::\w+)?="[^"]*"', "", svg[svg.index("<svg") :], flags=re.DOTALL)
        svg = re.sub(rf"(fill|stroke): {TEXT}", r"\1: currentColor", re.sub(r"font-family: [^;\"]+(; )?", "", svg))
        used = set(re.findall(r' id="([\w.-]+)"', svg)) & set(re.findall(r"#([\w.-]+)", svg))
        return re.sub(r' id="([\w.-]+)"|(?<=#)([\w.-]+)(?=[")])', functools.partial(_renamed, name, used), svg)

    def _repr_svg_(self) -> str:
        return self.svg()


def drawing(draw: Callable[_Given, Drawing]) -> Callable[_Given, Drawing]:
    """A function that draws, in our style, with everything laid out."""

    @functools.wraps(draw)
    def styled(*args: _Given.args, **kwargs: _Given.kwargs) -> Drawing:
        with _style():
            figure = draw(*args, **kwargs)
            figure.draw_without_rendering()
            return figure

    return styled


@contextmanager
def _style() -> Iterator[None]:
    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # browsers have letters that matplotlib has not
        yield


def _renamed(name: str, used: set[str], found: re.Match[str]) -> str:
    """An id with the name of its figure, or nothing if it is never used."""
    defined, wanted = found.groups()
    if wanted is not None:
        return f"{name}-{wanted}" if wanted in used else str(wanted)
    return f' id="{name}-{defined}"' if defined in used else ""


def names_on(axes: Axes, names: Sequence[str], which: str = "y") -> None:
    """Names along an axis, placed by number because shortened names may look the same; the first is on top."""
    labels = [shortened(name, _LETTERS if which == "y" else _UPRIGHT) for name in names]
    if which == "x":
        axes.set_xticks(range(len(names)), labels, rotation=90)
        return
    axes.set_yticks(range(len(names)), labels)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def legend_above(figure: Figure, handles: Sequence[Any], labels: Sequence[str]) -> None:
    """A legend above all axes, never over what is drawn, with as many columns as the labels leave room for."""
    shown = [shortened(label, 2 * _LETTERS) for label in labels]
    columns = max(1, _BESIDE // (max(map(len, shown)) + 6))
    figure.legend(handles, shown, loc="outside upper left", ncols=columns, borderaxespad=0)
