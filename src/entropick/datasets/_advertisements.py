"""Internet Advertisements: which images on web pages are advertisements."""

from __future__ import annotations

from entropick.datasets._csv import read_table
from entropick.datasets._folder import Folder
from entropick.datasets._spec import Frames, Spec

_NUMBERS = {"height", "width", "aratio"}


def _read(folder: Folder) -> Frames:
    """Fields are padded with blanks, and the class ends in a full stop."""
    import polars as pl

    lines = folder.read("ad.names").decode("latin-1").splitlines()
    names = [name for name, colon, _ in (line.partition(":") for line in lines) if colon and not name.startswith("|")]
    types = {name: pl.Float64 if name in _NUMBERS else pl.Int8 for name in names} | {"class": pl.String}
    frame = read_table(folder.read("ad.data").replace(b" ", b""), types)
    return frame.with_columns(pl.col("class").str.strip_suffix(".")), None


ADVERTISEMENTS = Spec(
    name="advertisements",
    title="Internet Advertisements",
    target="class",
    n_rows=3279,
    n_features=1558,
    files={
        "ad.data": "4841bab145e0b2df2bc17893ecd9d62f8fbeac2c389b41ca59d77da682c0c4eb",
        "ad.names": None,  # copies differ between mirrors; ad.data must have as many columns as it has names
    },
    archive="51/internet+advertisements.zip",
    read=_read,
    description=(
        "A row is an image on a web page; the target says whether it is an advertisement: 'ad' (459 rows) or 'nonad' "
        "(2820). The columns are its height, width and aspect ratio, whether it is local, and 1554 that say whether a "
        "term occurs in the address of the image, of its page or of its link, in its alternative text or in its "
        "caption. Height, width, ratio and local are missing in 903, 901, 910 and 15 rows. The paper keeps 39 columns "
        "and does not say how it treated missing values."
    ),
    citation=(
        "Kushmerick, N. (1998). Internet Advertisements [Dataset]. UCI Machine Learning Repository. "
        "https://doi.org/10.24432/C5V011"
    ),
)
