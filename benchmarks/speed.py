"""How fast entropick is: against plain C, against other packages, and as tables grow. Writes RESULTS.md next to it.

Ratios are between medians of repeated runs in one process. It takes less than 15 minutes:

    pip install '.[bench]'
    ENTROPICK_DATA=... python benchmarks/speed.py
"""

from __future__ import annotations

import importlib.metadata
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from plain import Plain, PlainEngine
from shapes import REAL, SETS, exactly, half, late, load, random_table

from entropick import CrossEntropySelector, SubsetScorer
from entropick.criteria import reliable
from entropick.encode import CodeTable, encode
from entropick.engine import count_threads, make_engine
from entropick.ranking import RANKINGS, Pairwise, RankProblem

HERE = Path(__file__).parent
WIDE = ("Blog Feedback", "Advertisements")


def seconds(call: Callable[..., Any], *arguments: Any, repeats: int = 5) -> float:
    """The median of some runs, after a first one that does not count."""
    call(*arguments)
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        call(*arguments)
        times.append(time.perf_counter() - began)
    return float(np.median(times))


def head(*names: str) -> str:
    return f"{row(*names)}\n|{'---|' * len(names)}"


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def times(ratio: float) -> str:
    return f"{ratio:.0f} ×" if ratio >= 10 else f"{ratio:.1f} ×"


def verdict(met: bool) -> str:
    return "yes" if met else "**no**"


def joint_scores() -> Iterator[str]:
    yield "\n## Joint scores\n"
    yield "I(U;y) of random subsets, with all threads, against the plain loop (`plain_loop.c`, one thread). Times are"
    yield "per subset. p = .5: each column with probability .5; a late step: as a search draws them near its end.\n"
    yield head("table", "subsets", "plain loop", "entropick", "ratio", "target", "met")
    kinds: dict[str, Any] = {"p = .5": half, "20 columns": exactly(20), "5 columns": exactly(5), "a late step": late}
    for name in SETS:
        table = load(name)
        plain, scorer = Plain(table), SubsetScorer(table)
        targets = {"p = .5": 100 if name in WIDE else 25, "20 columns": 20, "5 columns": 8, "a late step": 60}
        for kind, draw in kinds.items():
            masks = draw(table, 2000, np.random.default_rng(0))
            # The plain loop gets as many subsets as it can score in about a third of a second.
            few = masks[: max(4, int(1e8 / (3 * table.n_rows * masks.sum(axis=1).mean() + 1)))]
            if not np.allclose(plain.information(few[:20]), scorer(few[:20]), atol=1e-8):
                sys.exit(f"{name}, {kind}: the plain loop and entropick disagree.")
            theirs = seconds(plain.information, few, repeats=3) / len(few)
            ours = seconds(scorer, masks) / len(masks)
            yield row(
                f"{name}, {table.n_rows}×{table.n_columns}",
                kind,
                f"{1e6 * theirs:.1f} µs",
                f"{1e6 * ours:.3g} µs",
                times(theirs / ours),
                f"{targets[kind]} ×",
                verdict(theirs / ours >= targets[kind]),
            )


def rankings() -> Iterator[str]:
    yield "\n## Rankings\n"
    yield "Each pairwise ranking picks as many columns as the paper does, against the same ranking with a plain"
    yield "counting loop (`plain_pairs.c`, one thread). Columns have up to five levels. Times and ratios are medians"
    yield "over the rankings; worst is the smallest ratio.\n"
    yield head("table", "levels", "picked", "plain loop", "entropick", "ratio", "worst", "target", "met")
    for name, (_, k, _) in SETS.items():
        table = _up_to_five_levels(load(name))
        # A table counts as three-level if hardly any column has more levels.
        target = 15 if np.quantile(table.levels, 0.8) <= 3 else 4
        theirs, ours = [], []
        methods = (method for name, method in RANKINGS.items() if name != "mim")  # which uses no pairs
        for method in (method for method in methods if isinstance(method, Pairwise)):
            engines = (PlainEngine(table), make_engine("native", table))
            problems = [RankProblem(table, engine, min(k, table.n_columns)) for engine in engines]
            if not np.array_equal(method(problems[0]).order, method(problems[1]).order):
                sys.exit(f"{name}: the plain loop and entropick rank differently.")
            theirs.append(seconds(method, problems[0], repeats=1))
            ours.append(seconds(method, problems[1], repeats=3))
        ratios = np.array(theirs) / np.array(ours)
        yield row(
            f"{name}, {table.n_rows}×{table.n_columns}",
            f"{table.levels.min()} to {table.levels.max()}",
            str(min(k, table.n_columns)),
            f"{1e3 * np.median(theirs):.2f} ms",
            f"{1e3 * np.median(ours):.2f} ms",
            times(float(np.median(ratios))),
            times(ratios.min()),
            f"{target} ×",
            verdict(float(np.median(ratios)) >= target),
        )
    table = random_table(1600, 1000, 3, 2)
    plain, engine = Plain(table), make_engine("native", table)
    some = range(0, 1000, 20)
    one = seconds(lambda: [plain.pairs(s) for s in some], repeats=3)
    two = seconds(engine.pair_entropies, some)
    milliseconds = (f"{1e3 * one:.0f} ms", f"{1e3 * two:.1f} ms")
    yield row(
        "all pairs of 1600×1000", "3", "a sample", *milliseconds, times(one / two), "", "30 ×", verdict(one / two >= 30)
    )


def _up_to_five_levels(table: CodeTable) -> CodeTable:
    keep = np.flatnonzero(table.levels <= 5)
    return CodeTable(tuple(table.columns[j] for j in keep), table.levels[keep], table.classes)


def _look_up(values: NDArray[np.float64], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    return values[sizes - 1]


def whole_fits() -> Iterator[str]:
    yield "\n## Whole fits\n"
    yield "Fits by `reliable` without a null test, encoding included, against greedy forward selection in C"
    yield "(`plain_forward.c`: incremental, one thread, given the codes and the values of all blocks). Scores are"
    yield "shares of H(y); the score of cross-entropy is the mean of five seeds.\n"
    yield head("table", "greedy", "its score", "cross-entropy", "its score", "time", "at most", "met")
    for name in ("Connect-4", "Advertisements"):
        table = load(name)
        X, plain = np.stack(table.columns, axis=1), Plain(table)
        tables = reliable(table.class_sizes)
        block = tables.block(np.arange(1, table.n_rows + 1))
        known = replace(tables, block=partial(_look_up, block))
        greedy = plain.forward(known)[1]
        theirs = seconds(plain.forward, known, repeats=3)
        scores = [
            CrossEntropySelector("reliable", null=False, random_state=seed).fit(X, table.classes).score_
            for seed in range(5)
        ]
        score = float(np.mean(scores))
        ours = seconds(CrossEntropySelector("reliable", null=False, random_state=0).fit, X, table.classes, repeats=3)
        yield row(
            name,
            f"{theirs:.2f} s",
            f"{greedy / table.class_entropy:.4f}",
            f"{ours:.2f} s",
            f"{score / table.class_entropy:.4f}, worst {min(scores) / table.class_entropy:.4f}",
            times(ours / theirs),
            "8 ×, with a better score",
            verdict(ours <= 8 * theirs and score > greedy),
        )


def scaling() -> Iterator[str]:
    from matplotlib import pyplot

    yield "\n## Growth\n"
    yield "Time of one p = .5 score on random tables, with all threads, and the exponent of the fitted line.\n"
    yield head("against", "sizes", "microseconds", "exponent", "at most", "met")
    shapes: dict[str, tuple[list[int], Callable[[int], CodeTable], str]] = {
        "rows": ([10**3, 10**4, 10**5, 10**6, 10**7], lambda n: random_table(n, 30, 5, 2), "30 columns of 5 levels"),
        "columns": ([10, 100, 1000, 10_000], lambda m: random_table(3000, m, 5, 2), "3000 rows, 5 levels"),
    }
    for what, (sizes, make, fixed) in shapes.items():
        measured = []
        for size in sizes:
            table = make(size)
            n_masks = int(np.clip(2e8 / (table.n_rows * (10 + table.n_columns)), 4, 2000))
            masks = half(table, n_masks, np.random.default_rng(1))
            measured.append(seconds(SubsetScorer(table), masks, repeats=3) / n_masks)
        exponent = float(np.polyfit(np.log(sizes), np.log(measured), 1)[0])
        figure, axes = pyplot.subplots(figsize=(5, 3.6), layout="constrained")
        axes.loglog(sizes, measured, "o-", label=f"measured, exponent {exponent:.2f}")
        axes.loglog(sizes, measured[0] * np.array(sizes) / sizes[0], ":", color="grey", label="linear")
        axes.set(xlabel=f"{what} ({fixed})", ylabel="seconds of one p = .5 score")
        axes.legend(frameon=False)
        figure.savefig(HERE / f"time_against_{what}.svg", metadata={"Date": None})
        pyplot.close(figure)
        listed = (", ".join(f"{size:.0e}" for size in sizes), ", ".join(f"{1e6 * t:.3g}" for t in measured))
        yield row(f"{what}, {fixed}", *listed, f"{exponent:.2f}", "1.15", verdict(exponent <= 1.15))
    yield "\n![Time against rows](time_against_rows.svg) ![Time against columns](time_against_columns.svg)"


_MEMORY = """
import sys
import numpy as np
import entropick
from entropick import SubsetScorer
from entropick.encode import CodeTable
def peak():  # of this process alone: ru_maxrss begins with that of the parent
    status = open("/proc/self/status").read()
    return 1024 * int(status.split("VmHWM:")[1].split()[0])
before, n, m = peak(), int(sys.argv[1]), int(sys.argv[2])
rng = np.random.default_rng(0)
columns = tuple(rng.integers(5, size=n, dtype=np.uint8) for _ in range(m))
table = CodeTable(columns, np.full(m, 5), rng.integers(2, size=n))
SubsetScorer(table)(rng.random((8, m)) < 0.5)
print(peak() - before)
"""


def memory() -> Iterator[str]:
    yield "\n## Memory\n"
    if not Path("/proc/self/status").exists():
        yield "Not measured: /proc/self/status exists only on Linux."
        return
    yield "Peak resident memory of a process that makes a table of five-level columns and scores eight p = .5 subsets,"
    yield "beyond what `import entropick` takes. Allowed: 1.5 bytes per cell, 32 bytes per row and thread, and 64 MB.\n"
    yield head("table", "used", "allowed", "met")
    for n, m in ((100_000, 1000), (2_000_000, 50), (10_000_000, 30)):
        command = [sys.executable, "-c", _MEMORY, str(n), str(m)]
        used = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        allowed = 1.5 * n * m + 32 * n * count_threads(-1) + 64e6
        yield row(f"{n}×{m}", f"{used / 1e6:.0f} MB", f"{allowed / 1e6:.0f} MB", verdict(used <= allowed))


def imports() -> Iterator[str]:
    yield "\n## Import\n"
    yield head("statement", "seconds", "`import sklearn`", "ratio", "at most", "met")

    def run(statement: str) -> float:
        return seconds(partial(subprocess.run, [sys.executable, "-c", statement], check=True), repeats=9)

    theirs = run("import sklearn")
    for statement in ("import entropick", "from entropick import CrossEntropySelector"):
        ours = run(statement)
        ratio = f"{ours / theirs:.2f} ×"
        yield row(f"`{statement}`", f"{ours:.2f}", f"{theirs:.2f}", ratio, "1.2 ×", verdict(ours <= 1.2 * theirs))


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
        gaps = pl.when(pl.col("real 0") > 1).then(None).otherwise(pl.col("real 1"))
        frame = pl.DataFrame(columns).with_columns(gaps.alias("real 1"))
        frame.write_parquet(path)
        theirs = seconds(pl.read_parquet, path, repeats=9)
    ours = seconds(encode, frame, y, repeats=3)
    yield "\n## Encoding\n"
    yield "Encoding a polars frame of 10^6 rows and 50 columns (reals, integers, words, flags), against reading it.\n"
    yield head("encoding", "reading with polars", "ratio", "at most", "met")
    yield row(f"{ours:.2f} s", f"{theirs:.2f} s", times(ours / theirs), "8 ×", verdict(ours <= 8 * theirs))


def machine() -> Iterator[str]:
    information = Path("/proc/cpuinfo")
    text = information.read_text() if information.exists() else ""
    processor = next((line.split(":")[1].strip() for line in text.splitlines() if "model name" in line), "unknown")
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]
    packages = ("entropick", "numpy", "scipy", "scikit-learn", "narwhals", "polars")
    yield f"{count_threads(-1)} processors ({processor}), {platform.system()}, Python {platform.python_version()},"
    yield f"{compiler}; {', '.join(f'{name} {importlib.metadata.version(name)}' for name in packages)}."
    if not REAL:
        yield "ENTROPICK_DATA was not set: all tables except breast cancer are random, with the shapes of the paper's."


def main() -> None:
    import peers

    warnings.simplefilter("ignore")
    began = time.perf_counter()
    lines = [
        "# Speed\n",
        "Written by `make bench` (`benchmarks/speed.py`). Missed targets are marked **no**.\n",
    ]
    for section in (machine, joint_scores, rankings, whole_fits, scaling, memory, imports, encoding, peers.compare):
        for line in section():
            lines.append(line)
            print(line, flush=True)
    lines.append(f"\nThe whole run took {(time.perf_counter() - began) / 60:.0f} minutes.")
    (HERE / "RESULTS.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(lines[-1])


if __name__ == "__main__":
    main()
