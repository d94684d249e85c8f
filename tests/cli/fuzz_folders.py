"""Random folders of Parquet files: the same answer in memory, in parts and on a Dask cluster, or the same refusal.

`python tests/cli/fuzz_folders.py FIRST COUNT` tries more than the tests do.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import polars as pl
from command import Outcome, entropick

from entropick.cli import _large
from entropick.shards import _files

Rng = np.random.Generator
_HUGE = 2**60


def _numbers(rng: Rng, y: Any) -> pl.Series:
    return pl.Series(np.where(rng.random(len(y)) < 0.1, np.nan, y + rng.normal(size=len(y)))).fill_nan(None)


def _whole(rng: Rng, y: Any) -> pl.Series:
    return pl.Series(10 * y + rng.integers(0, 12, len(y)))


def _huge(rng: Rng, y: Any) -> pl.Series:
    few = rng.random() < 0.5
    values = _HUGE + y + (0 if few else rng.integers(0, 900, len(y)))
    return pl.Series([None if gone else int(v) for gone, v in zip(rng.random(len(y)) < 0.1, values, strict=True)])


def _words(rng: Rng, y: Any) -> pl.Series:
    return pl.Series([None if rng.random() < 0.1 else "abcd"[(int(v) + int(rng.integers(2))) % 4] for v in y])


def _flags(rng: Rng, y: Any) -> pl.Series:
    return pl.Series(rng.random(len(y)) < 0.3 + 0.3 * (y > 0))


# What a column holds, and in which types one file may have it and another not.
COLUMNS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "numbers": (_numbers, (pl.Float64, pl.Float32)),
    "whole": (_whole, (pl.Int64, pl.Int8, pl.UInt16, pl.Float64, pl.UInt64)),
    "huge": (_huge, (pl.Int64, pl.UInt64)),
    "words": (_words, (pl.String,)),
    "category": (_words, (pl.Categorical, "enum")),
    "flags": (_flags, (pl.Boolean,)),
}
TARGETS = ("classes", "words", "numbers", "gaps", "huge", "one")


def _target(rng: Rng, kind: str, y: Any) -> pl.Series:
    gaps = rng.random(len(y)) < 0.1
    found = {
        "classes": y,
        "words": [f"class {int(v)}" for v in y],
        "numbers": y + rng.normal(size=len(y)),
        "gaps": np.where(gaps, np.nan, y),
        "huge": [None if gone else _HUGE + int(v) for gone, v in zip(gaps, y, strict=True)],
        "one": np.zeros(len(y), dtype=np.int64),
    }
    return pl.Series(found[kind])


def _in_another_type(rng: Rng, column: pl.Series, kinds: tuple[Any, ...]) -> pl.Series:
    """As another file may have it: in another type that holds its values, or without a type if it has none."""
    if column.null_count() == len(column) and rng.random() < 0.5:
        return pl.Series(column.name, [None] * len(column))
    kind = kinds[rng.integers(len(kinds))]
    if kind == "enum":
        return column.cast(pl.Enum([*column.drop_nulls().unique().sort(), *(["z"] if rng.random() < 0.5 else [])]))
    try:
        return column.cast(kind)
    except pl.exceptions.InvalidOperationError:  # it does not hold them
        return column


def make_folder(seed: int, folder: Path) -> str:
    """Write the files; what to type for them."""
    rng = np.random.default_rng(seed)
    sizes = [int(rng.choice([0, 1, 30, 90, 160])) for _ in range(rng.integers(1, 5))]
    sizes[rng.integers(len(sizes))] = 200
    kinds = [list(COLUMNS)[k] for k in rng.integers(0, len(COLUMNS), rng.integers(2, 6))]
    target = str(rng.choice(TARGETS, p=[0.3, 0.15, 0.2, 0.15, 0.15, 0.05]))
    frames = []
    for size in sizes:
        y = rng.integers(0, 3 if target in ("classes", "words") else 2, size)
        columns = [_target(rng, target, y).alias("y")]
        for place, name in enumerate(kinds):
            make, types = COLUMNS[name]
            values = make(rng, y) if rng.random() > 0.1 else pl.Series([None] * size, dtype=make(rng, y).dtype)
            columns.append(_in_another_type(rng, values.alias(f"{name} {place}"), types))
        frames.append(pl.DataFrame(columns).select([columns[k].name for k in rng.permutation(len(columns))]))
    if len(frames) > 1 and rng.random() < 0.15:  # what must be refused
        name = frames[0].columns[0]
        frames[-1] = frames[-1].drop(name) if rng.random() < 0.5 else frames[-1].with_columns(pl.lit("odd").alias(name))
    return _write(rng, frames, folder)


def _write(rng: Rng, frames: list[pl.DataFrame], folder: Path) -> str:
    """The files under names that mean something to others, by polars or by pandas with an index."""
    style = rng.choice(["folder", "brackets", "hive", "index"])
    inside = folder / ("run[1]" if style == "brackets" else "run")
    (folder / "run1").mkdir()
    frames[0].head(0).write_parquet(folder / "run1" / "part.parquet")  # what a pattern would find
    inside.mkdir()
    for i, frame in enumerate(frames):
        name = f"part[{i}].parquet" if style == "brackets" else f"part-{i}.parquet"
        path = inside / (f"y={i}" if style == "hive" else ".") / name
        path.parent.mkdir(exist_ok=True)
        if style == "index":
            frame.to_pandas().sample(frac=1, random_state=i).to_parquet(path)
        else:
            frame.write_parquet(path)
    (inside / "_metadata.parquet").write_bytes(b"not for us")
    (inside / "._part.parquet").write_bytes(b"nor this")
    return "run/*/*.parquet" if style == "hive" else inside.name


def answer(outcome: Outcome) -> Any:
    """What was found, or the refusal."""
    if outcome.status:
        return outcome.err
    found = json.loads(outcome.out)
    notes = sorted(note["text"] for note in found["notes"] if note["code"] != "shards")
    names = [feature["name"] for feature in found["features"]]
    return names, round(found["score"], 8), found["n_rows"], found["target"], found["columns"], notes


def answers(seed: int, scheduler: str | None) -> dict[str, Any]:
    """The answers in memory, in parts, and on a cluster."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        criterion = ("auto", "reliable")[seed % 2]
        options = [make_folder(seed, folder), "-t", "y", "-c", criterion, "--no-null", "--halves", "--json", "-"]
        found = {"memory": answer(entropick("select", *options, folder=folder))}
        with mock.patch.object(_files, "_ROWS", 70):
            if scheduler is not None:
                found["dask"] = answer(entropick("select", *options, "--scheduler", scheduler, folder=folder))
            with mock.patch.object(_large, "_IN_MEMORY", 0):
                found["parts"] = answer(entropick("select", *options, folder=folder))
    return found


def main(first: int, count: int) -> None:
    """Try many folders on a cluster of two workers."""
    from distributed import LocalCluster

    refused = different = 0
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        for seed in range(first, first + count):
            found = answers(seed, cluster.scheduler_address)
            refused += isinstance(found["memory"], str)
            if any(other != found["memory"] for other in found.values()):
                different += 1
                print(seed, *(f"{home}: {value}" for home, value in found.items()), sep="\n  ")
    print(f"{count} folders: {refused} refused, {different} with different answers")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
