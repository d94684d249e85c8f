"""A comparison as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import MaxNLocator

from entropick._drawing import COLOURS, Drawing, drawing, legend_above, names_on

if TYPE_CHECKING:
    from entropick.evaluation._comparison import Estimate


@drawing
def dots(methods: Sequence[str], found: Mapping[str, Sequence[Estimate]], label: str) -> Drawing:
    """The values of every model, a line for each method, with their standard errors."""
    figure = Drawing(95 + (12 + 6 * len(found)) * len(methods))
    axes = figure.subplots()
    handles = []
    for i, values in enumerate(found.values()):
        places = [place + (i - (len(found) - 1) / 2) * 0.7 / len(found) for place in range(len(methods))]
        handles.append(
            axes.errorbar(
                [np.nan if value.mean is None else value.mean for value in values],
                places,
                xerr=[value.error or 0.0 for value in values],
                fmt="os^Dv"[i // len(COLOURS) % 5],
                color=COLOURS[i % len(COLOURS)],
                markersize=4,
            )
        )
    names_on(axes, methods)
    axes.set_xlabel(label)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    legend_above(figure, handles, list(found))
    return figure
