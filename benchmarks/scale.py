"""Tables that do not fit into memory, or on one machine: time, memory and what is moved. Writes scale.md.

Every measurement is a process of its own. `--quick` has a tenth of the rows and writes nothing. With `--data FOLDER`
tables and results are kept there, and a run that was stopped goes on; `--known` writes the page of those alone. `python
benchmarks/scale.py one files 2000000` measures one case and prints it as JSON. Linux only: it reads the peak of memory
from /proc.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from entropick import CrossEntropySelector, SubsetScorer, __version__
from entropick.encode import CodeTable
from entropick.shards import DaskShards, LocalShards

N_COLUMNS = 50
TOLD = 5  # columns that tell something of y
LIMIT = 800  # MB above the import, out of core
FILE_ROWS = 1_000_000
SUBSETS = 200  # that `reliable` scores: all rows count for each, and the same subsets are scored everywhere


def some_rows(n_rows: int, seed: int) -> pl.DataFrame:
    """Normal numbers, five of which have to do with two classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, N_COLUMNS)).astype(np.float32)
    score = X[:, :3].sum(axis=1) + 2 * ((X[:, 3] > 0) ^ (X[:, 4] > 0)) - 1
    y = rng.random(n_rows) < 1 / (1 + np.exp(-score))
    return pl.DataFrame({**{f"x{j:02}": X[:, j] for j in range(N_COLUMNS)}, "y": np.where(y, "yes", "no")})


def make(folder: Path, n_rows: int) -> None:
    """A folder of Parquet files."""
    folder.mkdir(parents=True, exist_ok=True)
    for i, first in enumerate(range(0, n_rows, FILE_ROWS)):
        some_rows(min(FILE_ROWS, n_rows - first), i).write_parquet(folder / f"{i:04}.parquet", row_group_size=1 << 18)


def peak() -> float:
    """The most memory that this process has had, in MB; what its parent had at its start does not count."""
    (line,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024


@contextmanager
def counted_rounds() -> Iterator[dict[str, int]]:
    """Count how often all shards are asked for something: rows as they came, or codes."""
    rounds = {"rows": 0, "codes": 0}

    def counting(each: Callable[..., Any]) -> Callable[..., Any]:
        def count(shards: Any, *arguments: Any) -> Any:
            rounds["rows" if hasattr(shards, "keep") else "codes"] += 1
            return each(shards, *arguments)

        return count

    whole = {kind: kind.each for kind in (LocalShards, DaskShards)}
    for kind, each in whole.items():
        kind.each = counting(each)  # type: ignore[method-assign]
    try:
        yield rounds
    finally:
        for kind, each in whole.items():
            kind.each = each  # type: ignore[method-assign]


def fitted(X: Any, y: Any, criterion: str, **settings: Any) -> dict[str, Any]:
    """A default fit, how long it took and what it chose."""
    began, before = time.monotonic(), peak()
    with warnings.catch_warnings(), counted_rounds() as rounds:
        warnings.simplefilter("ignore")
        budget = SUBSETS if criterion == "reliable" else None
        selector = CrossEntropySelector(criterion, random_state=0, max_evaluations=budget, **settings).fit(X, y)
    return {
        "rounds": rounds,
        "seconds": time.monotonic() - began,
        "MB": peak() - before,
        "columns": selector.get_feature_names_out().tolist(),
        "score": selector.score_,
        "encoding": selector.record_.seconds - selector.record_.selection_seconds,
    }


def files(folder: Path, criterion: str = "auto") -> dict[str, Any]:
    """Out of core, in one process."""
    frame = pl.scan_parquet(folder / "*.parquet")
    frame.head(1).collect()
    return fitted(frame, "y", criterion)


def native(folder: Path, criterion: str = "auto") -> dict[str, Any]:
    """In memory, in one process."""
    began = time.monotonic()
    frame = pl.read_parquet(folder / "*.parquet")
    read = time.monotonic() - began
    return {**fitted(frame.drop("y"), frame["y"], criterion), "reading": read}


@contextmanager
def two_workers() -> Iterator[Any]:
    """A cluster of two worker processes."""
    distributed: Any = importlib.import_module("distributed")
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        yield client


def dask(folder: Path, criterion: str = "auto") -> dict[str, Any]:
    """On two worker processes."""
    import dask.dataframe as dd

    with two_workers():
        return fitted(dd.read_parquet(folder), "y", criterion, n_jobs=1)


def moved(n_rows: int) -> dict[str, Any]:
    """Joint scores with rows that stay in shards: seconds and bytes moved a subset."""
    from entropick.engine import _dask

    _dask._SHARE = 0.0  # by force
    rng = np.random.default_rng(0)
    codes = tuple(rng.integers(0, 5, n_rows).astype(np.uint8) for _ in range(30))
    table = CodeTable(codes, np.full(30, 5), rng.integers(0, 2, n_rows))
    found: dict[str, Any] = {}
    with two_workers() as client:
        for k in (3, 8, 15):
            masks = rng.random((4, 30)).argsort(axis=1) < k
            scorer = SubsetScorer(table, criterion="reliable", engine="dask", n_jobs=1)
            before = sum(client.run(_received).values())
            began = time.monotonic()
            scores = scorer(masks)
            seconds = (time.monotonic() - began) / len(masks)
            bytes_moved = (sum(client.run(_received).values()) - before) / len(masks)
            equal = bool((scores == SubsetScorer(table, criterion="reliable", n_jobs=2)(masks)).all())
            found[str(k)] = {"seconds": seconds, "bytes": bytes_moved, "equal": equal}
    return found


def _received(dask_worker: Any) -> int:
    """Bytes that a worker has got from others."""
    return sum(line["total"] for line in dask_worker.transfer_incoming_log)


CASES: dict[str, Callable[..., dict[str, Any]]] = {"files": files, "native": native, "dask": dask}


def measure(case: str, n_rows: int, criterion: str, data: Path, known: bool = False) -> dict[str, Any]:
    """One case in a process of its own; what is in the folder of the data already is not measured again."""
    done = data / f"{case}-{n_rows}-{criterion}.json"
    if known and not done.exists():
        raise NotMeasuredError(f"{case}, {n_rows:,} rows, {criterion}")
    if not done.exists():
        folder = data / str(n_rows)
        if case != "moved" and not folder.exists():
            make(folder, n_rows)
        command = [sys.executable, __file__, "one", case, str(n_rows), "--criterion", criterion, "--data", str(data)]
        environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
        run = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        done.write_text(run.stdout.splitlines()[-1], encoding="utf-8")
    found: dict[str, Any] = json.loads(done.read_text(encoding="utf-8"))
    print(case, n_rows, criterion, json.dumps(found), flush=True)
    return found


def exponent(rows: Sequence[int], seconds: Sequence[float]) -> float:
    """The slope of the logarithm of time over that of rows."""
    return float(np.polyfit(np.log(rows), np.log(seconds), 1)[0])


def cost_model(case: str, rows: Sequence[int], runs: Sequence[dict[str, Any]]) -> list[str]:
    """What a default fit costs by a straight line through some sizes, and what that says for more."""
    slope, fixed = np.polyfit(rows, [run["seconds"] for run in runs], 1)
    workers = 2 if case == "dask" else 1
    a_million, rounds = slope * 1e6 * workers, runs[-1]["rounds"]
    lines = [
        f"A straight line through these: {fixed:.0f} s that do not depend on the rows (the search, halves and the test "
        f"against chance look at samples), and {a_million:.1f} s of a worker for a million rows. All shards were asked "
        f"{rounds['rows']} times for rows as they came, which reads the files, and {rounds['codes']} times for codes. "
        f"The largest run took {runs[-1]['MB']:.0f} MB above the import in this process.",
    ]
    if case == "dask":
        lines.append(
            f"\nFor 10⁹ rows on 100 such workers that says {fixed + a_million * 1e3 / 100:.0f} s, if all of them can "
            "read files at once and the network is no narrower than the disks: what moves are counts and Gram "
            "matrices, a few MB a round and worker. The classes of all rows, a byte each, are in the client: 1 GB."
        )
    return lines


class NotMeasuredError(Exception):
    """A case that is not among the results in the folder of the data."""


Measure = Callable[[str, int, str], dict[str, Any]]


def out_of_core(run: Measure, scale: float) -> list[str]:
    n_rows = int(2e7 * scale)
    out = run("files", n_rows, "auto")
    met = "met" if out["MB"] <= LIMIT else "missed"
    return [
        f"{n_rows:,} rows from Parquet files: {out['seconds']:.0f} s, of which {out['encoding']:.0f} s for encoding; "
        f"at most {out['MB']:.0f} MB above the import ({LIMIT} MB asked for: {met}). Chosen: "
        f"{', '.join(out['columns'])}.",
    ]


def against_native(run: Measure, scale: float, criterion: str = "auto", aim: int = 2) -> list[str]:
    n_rows = int(1e7 * scale)
    one, two = (run(case, n_rows, criterion) for case in ("native", "dask"))
    seconds = one["seconds"] + one["reading"]
    same = "yes" if one["columns"] == two["columns"] else "no"
    times = f"{seconds:.0f} s | {two['seconds']:.0f} s | {two['seconds'] / seconds:.1f}"
    return [
        *([f"A search of {SUBSETS} subsets.\n"] if criterion == "reliable" else []),
        "| rows | criterion | in memory, one process | two Dask workers | times as long | aim | same columns |",
        "|---|---|---|---|---|---|---|",
        f"| {n_rows:,} | {criterion} | {times} | {aim} | {same} |",
    ]


def rows_in_shards(run: Measure, scale: float) -> list[str]:
    n_rows = int(1e6 * scale)
    lines = [f"{n_rows:,} rows, 30 columns of five levels, criterion `reliable`.\n"]
    lines += ["| columns | seconds a subset | MB moved | equal to the last bit |", "|---|---|---|---|"]
    for k, line in run("moved", n_rows, "reliable").items():
        equal = "yes" if line["equal"] else "no"
        lines.append(f"| {k} of 30 | {line['seconds']:.2f} | {line['bytes'] / 1e6:.1f} | {equal} |")
    return lines


def growth(run: Measure, scale: float, case: str = "files") -> list[str]:
    rows = [int(n * scale) for n in (1.25e6, 2.5e6, 5e6)]
    of_case = [run(case, n, "auto") for n in rows]
    seconds = [found["seconds"] for found in of_case]
    shapes, cells = " | ".join(f"{n:,} rows" for n in rows), " | ".join(f"{found:.0f} s" for found in seconds)
    lines = [f"| {shapes} | exponent | aim |", "|---" * (len(rows) + 2) + "|"]
    return [*lines, f"| {cells} | {exponent(rows, seconds):.2f} | 1.15 |\n", *cost_model(case, rows, of_case)]


SECTIONS: dict[str, Callable[[Measure, float], list[str]]] = {
    "Out of core, one process": out_of_core,
    "Two Dask workers against one process": against_native,
    "The same, by a joint criterion": partial(against_native, criterion="reliable", aim=4),
    "Rows that stay in shards, by force": rows_in_shards,
    "Growth, out of core": growth,
    "Growth, two Dask workers": partial(growth, case="dask"),
}


def page(run: Measure, scale: float) -> str:
    """All measurements as a page."""
    how = f"entropick {__version__}, {os.cpu_count()} cores, {N_COLUMNS} columns of numbers, two classes."
    choose = "[Large tables](../docs/howto/large_tables.md) says which way to choose."
    lines = ["# Tables larger than memory, or than one machine\n", f"{how} Written by `benchmarks/scale.py`. {choose}"]
    for title, section in SECTIONS.items():
        try:
            found = section(run, scale)
        except NotMeasuredError as error:
            found = [f"Not measured yet: {error}."]
        lines += [f"\n## {title}\n", *found]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", help="one CASE ROWS, or nothing for all")
    parser.add_argument("--criterion", default="auto")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--known", action="store_true", help="measure nothing: a page of the results in the folder")
    given = parser.parse_args()
    data = given.data or Path(tempfile.mkdtemp(prefix="entropick-scale-"))
    if given.what:
        _, case, n_rows = given.what
        if case != "moved" and not (data / n_rows).exists():
            make(data / n_rows, int(n_rows))
        found = moved(int(n_rows)) if case == "moved" else CASES[case](data / n_rows, given.criterion)
        print(json.dumps(found))
        return
    try:
        text = page(partial(measure, data=data, known=given.known), 0.1 if given.quick else 1.0)
    finally:
        if given.data is None:
            shutil.rmtree(data)
    print(text)
    if not given.quick:
        Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
