"""BlogFeedback: how many comments a blog post gets in a day."""

from __future__ import annotations

from entropick.datasets._csv import read_table
from entropick.datasets._folder import Folder
from entropick.datasets._spec import Frames, Spec

_TRAIN, _TEST = "blogData_train.csv", "blogData_test-*.csv"


def _read(folder: Folder) -> Frames:
    """Every value is written with a decimal point, the number of comments too."""
    import polars as pl

    types = {str(number): pl.Float64 for number in range(1, 281)} | {"comments": pl.Float64}
    count = pl.col("comments").cast(pl.Int64)
    days = [read_table(folder.read(name), types) for name in folder.names(_TEST)]
    return read_table(folder.read(_TRAIN), types).with_columns(count), pl.concat(days).with_columns(count)


BLOG_FEEDBACK = Spec(
    name="blog_feedback",
    title="BlogFeedback",
    target="comments",
    n_rows=52_397,
    n_features=280,
    files={
        _TRAIN: "f3cc953ea9913361be6d3bae2c393eef73eab57b1cb8e5bf8a22f1e5eb5dd05f",
        _TEST: "b8143cca9c76597c0ab8b433e2dd3a547c20276771e1fc24f8804349d85160c9",
    },
    archive="304/blogfeedback.zip",
    read=_read,
    description=(
        "A row is a blog post at some hour; the target is the number of comments it gets in the next 24 hours, 0 to "
        "1424, 0 in 33559 rows. The source numbers its columns: 1-50 are average, standard deviation, minimum, "
        "maximum and median of 51-60 over the blog; 51-60 count comments and links; 61 is the age of the post in "
        "hours, 62 its length; 63-262 say whether a word occurs; 263-269 are the weekday of the hour, 270-276 that of "
        "the post; 277-280 are about parent pages. No values are missing. `test` has the source's 60 test files, one "
        "per day, 7624 rows in the order of the days. The paper selects 93 columns on the training rows, tests on "
        "these files, and does not say how it split the target into classes."
    ),
    citation=(
        "Buza, K. (2014). BlogFeedback [Dataset]. UCI Machine Learning Repository. https://doi.org/10.24432/C58S3F"
    ),
)
