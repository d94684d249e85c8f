"""Forest Fires: how large a fire grows, given the weather."""

from __future__ import annotations

from entropick.datasets._csv import read_table
from entropick.datasets._folder import Folder
from entropick.datasets._spec import Frames, Spec


def _read(folder: Folder) -> Frames:
    import polars as pl

    whole = dict.fromkeys(["X", "Y"], pl.Int64)
    words = dict.fromkeys(["month", "day"], pl.String)
    weather = dict.fromkeys(["FFMC", "DMC", "DC", "ISI", "temp", "RH", "wind", "rain", "area"], pl.Float64)
    return read_table(folder.read("forestfires.csv"), {**whole, **words, **weather}, header=True), None


FOREST_FIRES = Spec(
    name="forest_fires",
    title="Forest Fires",
    target="area",
    n_rows=517,
    n_features=12,
    files={"forestfires.csv": "0d6586a1fa52f55bef48578aef14eb97273f1e9330e1a53423df497a77065253"},
    archive="162/forest+fires.zip",
    read=_read,
    description=(
        "A row is a fire in the Montesinho park in Portugal; the target is the burned area in hectares, 0 to 1090.84, "
        "0 in 247 rows; log(1 + area) is customary. The columns are the place in the park (X, Y), month, day, four "
        "indices of the Fire Weather Index, temperature, relative humidity, wind and rain. No values are missing. The "
        "paper keeps 5 columns and does not say how it split the area into classes."
    ),
    citation=(
        "Cortez, P., & Morais, A. (2007). Forest Fires [Dataset]. UCI Machine Learning Repository. "
        "https://doi.org/10.24432/C5D88D"
    ),
)
