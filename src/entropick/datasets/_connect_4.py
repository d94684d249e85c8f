"""Connect-4: who wins from a position after eight moves."""

from __future__ import annotations

from entropick.datasets._csv import read_table
from entropick.datasets._folder import Folder
from entropick.datasets._spec import Frames, Spec

_SQUARES = [f"{column}{row}" for column in "abcdefg" for row in range(1, 7)]


def _read(folder: Folder) -> Frames:
    import polars as pl

    return read_table(folder.read("connect-4.data"), dict.fromkeys([*_SQUARES, "Class"], pl.String)), None


CONNECT_4 = Spec(
    name="connect_4",
    title="Connect-4",
    target="Class",
    n_rows=67_557,
    n_features=42,
    files={"connect-4.data": "063152e6eadbb424c7ef4645df76e493a43812edd9c992400983da4fa54f8cba"},
    archive="26/connect+4.zip",
    read=_read,
    description=(
        "A row is a position after eight moves in which nobody has won and the next move is not forced; the target is "
        "the result for the first player if both play perfectly: 'win' (44473 rows), 'loss' (16635) or 'draw' (6449). "
        "The columns are the squares: 'x' if taken by the first player, 'o' if taken by the second, 'b' if blank. No "
        "values are missing. The paper keeps 32 columns."
    ),
    citation="Tromp, J. (1995). Connect-4 [Dataset]. UCI Machine Learning Repository. https://doi.org/10.24432/C59P43",
)
