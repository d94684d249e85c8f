"""Make a folder of Parquet files: clicks on a web site, generated.

    python examples/make_events.py events --rows 2000000 --files 8

Of 40 columns seven tell something about `clicked`: two numbers, two levels, a pair that works only together, and a copy
of one of them with errors. The rest is noise. Every file is made by itself, so that any size fits into memory.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import polars as pl

_NOISE = 33  # columns
_AT_ONCE = 1 << 18  # rows of a group in a file


def events(n_rows: int, seed: int) -> pl.DataFrame:
    """Some rows; the same seed gives the same ones."""
    rng = np.random.default_rng(seed)
    age, minutes = rng.normal(size=n_rows), rng.exponential(size=n_rows)
    device, country = rng.integers(0, 4, n_rows), rng.integers(0, 30, n_rows)
    left, right = rng.integers(0, 2, (2, n_rows))
    score = 0.8 * age - 0.6 * minutes + 0.7 * (device == 2) + 0.5 * (country % 7 == 0) + 1.2 * (left ^ right) - 0.6
    clicked = rng.random(n_rows) < 1 / (1 + np.exp(-score))
    devices, regions = np.array(["phone", "tablet", "desktop", "other"]), np.array([f"c{i:02}" for i in range(30)])
    columns = {
        "age": age.astype(np.float32),
        "minutes": minutes.astype(np.float32),
        "device": devices[device],
        "country": regions[country],
        "left": left.astype(np.int8),
        "right": right.astype(np.int8),
        "age_stated": (age + 0.4 * rng.normal(size=n_rows)).astype(np.float32),
        **{f"noise_{j:02}": rng.normal(size=n_rows).astype(np.float32) for j in range(_NOISE)},
        "clicked": np.where(clicked, "yes", "no"),
    }
    return pl.DataFrame(columns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--files", type=int, default=8)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for i, n_rows in enumerate(np.diff(np.linspace(0, given.rows, given.files + 1).astype(int)).tolist()):
        frame = events(n_rows, i)
        frame.write_parquet(given.folder / f"part-{i:03}.parquet", row_group_size=_AT_ONCE)


if __name__ == "__main__":
    main()
