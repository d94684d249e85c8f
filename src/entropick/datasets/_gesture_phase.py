"""Gesture Phase Segmentation: which phase of a gesture a hand is in."""

from __future__ import annotations

from entropick.datasets._csv import read_table
from entropick.datasets._folder import Folder
from entropick.datasets._spec import Frames, Spec


def _read(folder: Folder) -> Frames:
    import polars as pl

    types = {str(number): pl.Float64 for number in range(1, 33)} | {"Phase": pl.String}
    return read_table(folder.read("c3_va3.csv"), types, header=True), None


GESTURE_PHASE = Spec(
    name="gesture_phase",
    title="Gesture Phase Segmentation",
    target="Phase",
    n_rows=1444,
    n_features=32,
    files={"c3_va3.csv": "032dd63b2a5ca1a0b21bfa3feae06cc09bb9f9cf2d4254c621f87cfff3186c42"},
    archive="302/gesture+phase+segmentation.zip",
    read=_read,
    description=(
        "A row is a frame of a video in which user c tells story 3 (the file c3_va3); the target is the phase of the "
        "gesture: rest 'D' (358 rows), preparation 'P' (338), stroke 'S' (389), hold 'H' (144) or retraction 'R' "
        "(215). The source numbers its columns, which are velocities and accelerations of hands and wrists. No values "
        "are missing. The paper does not name its file; this is the only one of the seven with its 1444 rows. It keeps "
        "29 columns."
    ),
    citation=(
        "Madeo, R., Wagner, P., & Peres, S. (2013). Gesture Phase Segmentation [Dataset]. UCI Machine Learning "
        "Repository. https://doi.org/10.24432/C5Z32C"
    ),
)
