"""`entropick datasets`: the paper's data sets, where they are, and how to get them."""

from __future__ import annotations

from typing import Annotated

import typer

from entropick._names import DATASETS, look_up
from entropick.cli.options import complete


def datasets(
    fetch: Annotated[
        list[str] | None,
        typer.Option(
            "--fetch",
            metavar="NAME",
            help="Download a data set unless it is already here; 'all' for all of them.",
            autocompletion=complete([*DATASETS, "all"]),
        ),
    ] = None,
) -> None:
    """List the paper's data sets and where they are, or download them.

    They are looked for in the folder named by the environment variable ENTROPICK_DATA, then in your cache.

    [bold]Examples[/bold]

    entropick datasets

    entropick datasets --fetch connect_4
    """
    from entropick.cli.screen import make_table, screen
    from entropick.datasets import fetch as fetch_one
    from entropick.datasets import find

    console = screen()
    if fetch:
        names = list(DATASETS) if "all" in fetch else fetch
        for name in names:
            look_up("data set", name, DATASETS)
        for name in names:
            console.print(f"{name}: {fetch_one(name)}", markup=False, soft_wrap=True)
        return
    rows = []
    for name, spec in DATASETS.items():
        place = find(name)
        where = "with scikit-learn" if not spec.archive else "not here" if place is None else str(place)
        rows.append((name, str(spec.n_rows), str(spec.n_features), spec.target, where))
    console.print(make_table(("name", "rows", "columns", "target", "where"), rows, left=(0, 3, 4)))
    if any(row[-1] == "not here" for row in rows):
        console.print("\nTo get one: entropick datasets --fetch NAME, or put its folder where ENTROPICK_DATA points.")
    console.print("\nIn Python: entropick.datasets.load(NAME)")
