"""How fast entropick is, side by side with plain C, with other packages and with itself. Writes RESULTS.md beside this file.

Ratios are between medians of repeated runs in one process. Everything takes less than 15 minutes:

    pip install '.[bench]'
    ENTROPICK_DATA=... python benchmarks/speed.py
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from plain import Plain, PlainEngine
from shapes import REAL, SETS, exactly, half, late, load, random_table

from entropick import CrossEntropySelector, SubsetScorer
from entropick.criteria import find_criterion
from entropick.encode import CodeTable
from entropick.engine import make_engine
from entropick.ranking import PAIRWISE, RankProblem

HERE = Path(__file__).parent
WIDE = ("Blog Feedback", "Advertisements")


def seconds(call: Callable[[], Any], repeats: int = 5) -> float:
    """The median of some runs, after one that does not count."""
    call()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return float(np.median(times))


def met(ratio: float, target: float, at_least: bool = True) -> str:
    return f"{target:g} × | {'yes' if (ratio >= target) == at_least else '**no**'}"


def joint_scores() -> Iterator[str]:
    yield "## Joint scores\n"
    yield "I(U;y) of random subsets, all threads, against the plain loop (`plain_loop.c`, one thread). Times are per subset.\n"
    yield "| table | subsets | plain loop | entropick | ratio | target | met |\n|---|---|---|---|---|---|---|"
    kinds: dict[str, Any] = {"p = .5": half, "20 columns": exactly(20), "5 columns": exactly(5), "a late step": late}
    for name in SETS:
        table = load(name)
        plain, scorer = Plain(table), SubsetScorer(table)
        targets = {"p = .5": 100 if name in WIDE else 25, "20 columns": 20, "5 columns": 8, "a late step": 60}
        for kind, draw in kinds.items():
            masks = draw(table, 2000, np.random.default_rng(0))
            # The plain loop gets as many of them as take it about a third of a second.
            few = masks[: max(4, int(1e8 / (3 * table.n_rows * masks.sum(axis=1).mean() + 1)))]
            if not np.allclose(plain.information(few[:20]), scorer(few[:20]), atol=1e-8):
                sys.exit(f"{name}, {kind}: the plain loop and entropick disagree.")
            theirs = seconds(lambda: plain.information(few), 3) / len(few)  # noqa: B023
            ours = seconds(lambda: scorer(masks)) / len(masks)  # noqa: B023
            shape = f"{name}, {table.n_rows}×{table.n_columns}"
            yield (
                f"| {shape} | {kind} | {1e6 * theirs:.1f} µs | {1e6 * ours:.2f} µs | {theirs / ours:.0f} × | "
                f"{met(theirs / ours, targets[kind])} |"
            )


def rankings() -> Iterator[str]:
    yield "\n## Rankings\n"
    yield (
        "The paper's number of columns picked by each pairwise method, against the same method with a plain counting loop "
        "(`plain_pairs.c`, one thread); the median and the worst of the ten methods.\n"
    )
    yield "| table | picked | plain loop | entropick | ratio | worst | target | met |\n|---|---|---|---|---|---|---|---|"
    for name, (_, k, _) in SETS.items():
        table = load(name)
        keep = table.levels <= 5
        table = CodeTable(tuple(np.array(table.columns, dtype=object)[keep]), table.levels[keep], table.classes)
        target = 15 if table.levels.max() <= 3 or name in WIDE else 4
        theirs, ours = [], []
        for method in PAIRWISE.values():
            problems = [
                RankProblem(table, PlainEngine(table), min(k, table.n_columns)),
                RankProblem(table, make_engine("native", table), min(k, table.n_columns)),
            ]
            if not np.array_equal(*(method(problem).order for problem in problems)):
                sys.exit(f"{name}: the plain loop and entropick rank differently.")
            theirs.append(seconds(lambda: method(problems[0]), 1))  # noqa: B023
            ours.append(seconds(lambda: method(problems[1]), 3))  # noqa: B023
        ratios = np.array(theirs) / np.array(ours)
        yield (
            f"| {name}, up to {table.levels.max()} levels | {min(k, table.n_columns)} | {1e3 * np.median(theirs):.2f} ms | "
            f"{1e3 * np.median(ours):.2f} ms | {np.median(ratios):.1f} × | {ratios.min():.1f} × | "
            f"{met(float(np.median(ratios)), target)} |"
        )
    table = random_table(1600, 1000, 3, 2)
    plain, engine = Plain(table), make_engine("native", table)
    some = range(0, 1000, 20)
    theirs_all = seconds(lambda: [plain.pairs(s) for s in some], 3)
    ours_all = seconds(lambda: [engine.pair_entropies(s) for s in some])
    yield (
        f"| all pairs, 1600×1000, 3 levels (a sample) | | {1e3 * theirs_all:.0f} ms | {1e3 * ours_all:.1f} ms | "
        f"{theirs_all / ours_all:.0f} × | | {met(theirs_all / ours_all, 30)} |"
    )


def whole_fits() -> Iterator[str]:
    yield "\n## Whole fits\n"
    yield (
        "`CrossEntropySelector().fit`, encoding included, against greedy forward selection on the same criterion in plain C "
        "(`plain_forward.c`: incremental, one thread, given the codes and the values of all blocks).\n"
    )
    yield "| table | greedy, plain C | its score | cross-entropy | its score | time | at most | met |\n|---|---|---|---|---|---|---|---|"
    for name in ("Connect-4", "Advertisements"):
        table = load(name)
        X, plain = np.stack(table.columns, axis=1), Plain(table)
        tables = find_criterion("reliable")(table.class_sizes)  # type: ignore[operator]
        block = tables.block(np.arange(1, table.n_rows + 1))
        known = type(tables)(lambda a: block[a - 1], tables.cell, tables.constant)  # noqa: B023
        _, greedy = plain.forward(known)
        theirs = seconds(lambda: plain.forward(known), 3)  # noqa: B023
        fits = [CrossEntropySelector(random_state=seed).fit(X, table.classes) for seed in range(3)]
        ours = seconds(lambda: CrossEntropySelector(random_state=0).fit(X, table.classes), 3)  # noqa: B023
        score = min(fit.score_ for fit in fits)
        ratio = ours / theirs
        yield (
            f"| {name} | {theirs:.2f} s | {greedy / table.class_entropy:.4f} H(y) | {ours:.2f} s | "
            f"{score / table.class_entropy:.4f} H(y), the worst of 3 seeds | {ratio:.1f} × | 8 × | "
            f"{'yes' if ratio <= 8 and score > greedy else '**no**'} |"
        )


def scaling() -> Iterator[str]:
    from matplotlib import pyplot

    yield "\n## Growth\n"
    yield "Seconds of one p = .5 score on random tables, all threads, and the exponent of the line through the points.\n"
    yield "| against | sizes | microseconds | exponent | at most | met |\n|---|---|---|---|---|---|"
    shapes: dict[str, tuple[list[int], Callable[[int], CodeTable], str]] = {
        "rows": ([10**3, 10**4, 10**5, 10**6, 10**7], lambda n: random_table(n, 30, 5, 2), "30 columns of 5 levels"),
        "columns": ([10, 100, 1000, 10_000], lambda m: random_table(3000, m, 5, 2), "3000 rows, 5 levels"),
    }
    for what, (sizes, make, fixed) in shapes.items():
        times = []
        for size in sizes:
            table = make(size)
            scorer = SubsetScorer(table)
            n_masks = int(np.clip(2e8 / (table.n_rows * (10 + table.n_columns)), 4, 2000))
            masks = half(table, n_masks, np.random.default_rng(1))
            times.append(seconds(lambda: scorer(masks), 3) / n_masks)  # noqa: B023
            del table, scorer
        exponent = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
        figure, axes = pyplot.subplots(figsize=(5, 3.6), layout="constrained")
        axes.loglog(sizes, times, "o-", label=f"measured, exponent {exponent:.2f}")
        axes.loglog(sizes, times[0] * np.array(sizes) / sizes[0], ":", color="grey", label="linear")
        axes.set(xlabel=f"{what} ({fixed})", ylabel="seconds of one p = .5 score")
        axes.legend(frameon=False)
        figure.savefig(HERE / f"time_against_{what}.svg", metadata={"Date": None})
        pyplot.close(figure)
        listed = ", ".join(f"{1e6 * t:.3g}" for t in times)
        yield (
            f"| {what}, {fixed} | {', '.join(f'{size:.0e}' for size in sizes)} | {listed} | {exponent:.2f} | 1.15 | "
            f"{'yes' if exponent <= 1.15 else '**no**'} |"
        )
    yield "\n![Time against rows](time_against_rows.svg) ![Time against columns](time_against_columns.svg)"


_MEMORY = """
import resource, sys
import numpy as np
import entropick
from entropick import SubsetScorer
from entropick.encode import CodeTable
def peak(): return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before, n, m = peak(), int(sys.argv[1]), int(sys.argv[2])
rng = np.random.default_rng(0)
columns = tuple(rng.integers(5, size=n, dtype=np.uint8) for _ in range(m))
table = CodeTable(columns, np.full(m, 5), rng.integers(2, size=n))
SubsetScorer(table)(rng.random((8, m)) < 0.5)
print(peak() - before)
"""


def memory() -> Iterator[str]:
    yield "\n## Memory\n"
    yield (
        "The largest resident memory of a process that makes a table of five-level columns and scores eight p = .5 subsets, "
        "above what `import entropick` takes. Allowed: 1.5 bytes a cell, 32 bytes a row and thread, 64 MB.\n"
    )
    yield "| table | used | allowed | met |\n|---|---|---|---|"
    threads = len(os.sched_getaffinity(0))
    for n, m in ((100_000, 1000), (2_000_000, 50), (10_000_000, 30)):
        done = subprocess.run(
            [sys.executable, "-c", _MEMORY, str(n), str(m)], check=True, capture_output=True, text=True
        )
        used, allowed = int(done.stdout), 1.5 * n * m + 32 * n * threads + 64e6
        yield f"| {n}×{m} | {used / 1e6:.0f} MB | {allowed / 1e6:.0f} MB | {'yes' if used <= allowed else '**no**'} |"


def imports() -> Iterator[str]:
    yield "\n## Import\n"
    yield "| what | seconds | against | seconds | ratio | at most | met |\n|---|---|---|---|---|---|---|"

    def run(code: str) -> float:
        return seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True), 7)

    ours, theirs = run("import entropick"), run("import sklearn")
    yield (
        f"| `import entropick` | {ours:.2f} | `import sklearn` | {theirs:.2f} | {ours / theirs:.2f} × | "
        f"{met(ours / theirs, 1.2, at_least=False)} |"
    )


def encoding() -> Iterator[str]:
    import polars as pl

    n, rng = 1_000_000, np.random.default_rng(0)
    words = np.array(["red", "green", "blue", "amber", "violet"])
    columns: dict[str, NDArray[Any]] = {f"real {j}": rng.normal(size=n) for j in range(20)}
    columns |= {f"small integer {j}": rng.integers(12, size=n) for j in range(10)}
    columns |= {f"integer {j}": rng.integers(10_000, size=n) for j in range(5)}
    columns |= {f"word {j}": words[rng.integers(5, size=n)] for j in range(10)}
    columns |= {f"flag {j}": rng.random(n) < 0.3 for j in range(5)}
    y = rng.integers(3, size=n)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mixed.parquet"
        frame = pl.DataFrame(columns).with_columns(
            pl.when(pl.col("real 0") > 1).then(None).otherwise(pl.col("real 1")).alias("real 1")
        )
        frame.write_parquet(path)
        reading = seconds(lambda: pl.read_parquet(path), 9)
    work = seconds(lambda: SubsetScorer(frame, y), 3)
    yield "\n## Encoding\n"
    yield "A polars frame of 10^6 rows and 50 columns of reals, integers, words and flags, against reading it from Parquet with polars.\n"
    yield "| encoding | reading | ratio | at most | met |\n|---|---|---|---|---|"
    yield f"| {work:.2f} s | {reading:.2f} s | {work / reading:.1f} × | {met(work / reading, 8, at_least=False)} |"


def machine() -> Iterator[str]:
    processor = (
        next(
            (
                line.split(":")[1].strip()
                for line in Path("/proc/cpuinfo").read_text().splitlines()
                if "model name" in line
            ),
            platform.processor(),
        )
        if Path("/proc/cpuinfo").exists()
        else platform.processor()
    )
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]
    packages = ("numpy", "scipy", "scikit-learn", "narwhals", "polars")
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)
    yield f"{len(os.sched_getaffinity(0))} processors ({processor}, {platform.system()}), Python {platform.python_version()}, {compiler}."
    yield f"entropick {importlib.metadata.version('entropick')}, {versions}."
    if not REAL:
        yield "ENTROPICK_DATA was not set: all tables but breast cancer are random ones of the shapes of the paper's."


def main() -> None:
    import peers

    warnings.simplefilter("ignore")
    began = time.perf_counter()
    lines = [
        "# Speed\n",
        "Made by `make bench` (`benchmarks/speed.py`). Where a target is missed, the table says so.\n",
    ]
    for section in (machine, joint_scores, rankings, whole_fits, scaling, memory, imports, encoding, peers.compare):
        for line in section():
            lines.append(line)
            print(line, flush=True)
    lines.append(f"\nAll of it took {(time.perf_counter() - began) / 60:.0f} minutes.")
    (HERE / "RESULTS.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{lines[-1]} Peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f} GB.")


if __name__ == "__main__":
    main()
