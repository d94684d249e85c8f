"""What each number in cpp/tuning.hpp is worth: the kernels timed with half of it, with double, and without it.

Prints the tables of tuning.md: ENTROPICK_DATA=... python benchmarks/tuning.py. Needs a C++ compiler and ten minutes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from shapes import SETS, exactly, half, late, load, random_table

from entropick import _kernels
from entropick.encode import CodeTable, TableEncoder

HERE = Path(__file__).parent
TEXT = (HERE.parent / "cpp" / "tuning.hpp").read_text("utf-8").replace("'", "")
NUMBERS = {name: int(value) for name, value in re.findall(r"constexpr std::size_t (\w+) = (\d+);", TEXT)}
SIZES = ("LANE_BLOCKS", "MAX_SET_LEVELS")  # of arrays: each value needs its own program
# The values that switch off what the numbers are for.
OFF = dict.fromkeys(("DENSE_PERCENT", "FEW_BLOCKS_PERCENT", "THREAD_WORK", "PAIR_THREAD_WORK"), 0)
OFF |= dict.fromkeys(("LANE_BLOCKS", "UNSPLIT_BLOCKS", "MAX_SET_LEVELS"), 1)
OFF |= dict.fromkeys(("FILTER_ROWS", "SINGLETON_PERCENT", "PART_ROWS", "FEW_COLUMNS", "CONDENSE_SUBSETS"), 1 << 30)
# The workloads that matter for a number, and the threads, if not all subsets in one thread.
ABOUT = {"THREAD_WORK": ("few", 2), "CHUNK_WORK": ("half", 2), "MAX_SET_LEVELS": ("pairs", 1)}
ABOUT |= {"PAIR_THREAD_WORK": ("pairs", 2), "PAIR_CHUNK": ("pairs", 2)}


def workloads(folder: Path) -> Iterator[Path]:
    rng = np.random.default_rng(0)
    tables = {name: load(name) for name in SETS}
    tables |= {name: random_table(n, 40, 2, 2) for name, n in (("large", 400_000), ("huge", 2_000_000))}
    tables |= {f"{levels} levels": random_table(5_000, 30, levels, 2) for levels in (8, 16)}
    for name, table in tables.items():
        for kind, draw in {"half": half, "20": exactly(20), "5": exactly(5)}.items():
            yield write(folder / f"{name}, {kind}", table, draw(table, 8 if table.n_rows > 100_000 else 150, rng))
        if table.n_columns > 40:
            yield write(folder / f"{name}, late", table, late(table, 150, rng))
        yield write(folder / f"{name}, few", table, half(table, 12, rng))
        yield write(folder / f"{name}, pairs", table, half(table, 0, rng))


def write(path: Path, table: CodeTable, masks: Any) -> Path:
    """A table and masks as tuning.cpp reads them."""
    codes = np.stack(table.columns)[:, np.argsort(table.classes, kind="stable")].astype(np.uint8)
    arrays = (np.append(0, np.cumsum(table.class_sizes)), table.levels.astype(np.uint64), codes, masks)
    path.write_bytes(b"".join(np.int64(array.nbytes).tobytes() + array.tobytes() for array in arrays))
    return path


def build(temporary: str, fixed: dict[str, int]) -> Path:
    """The timing program: numbers can be set at run time, except for the sizes of arrays."""
    folder = Path(tempfile.mkdtemp(dir=temporary))
    shutil.copytree(HERE.parent / "cpp", folder, dirs_exist_ok=True)
    lines = ["#pragma once", "#include <map>", "#include <string>", "namespace entropick::tuning {"]
    lines += [f"{'constexpr' if n in SIZES else 'inline'} std::size_t {n} = {v};" for n, v in (NUMBERS | fixed).items()]
    places = ", ".join(f'{{"{name}", &{name}}}' for name in NUMBERS if name not in SIZES)
    lines.append(f"inline const std::map<std::string, std::size_t*> numbers{{{places}}};\n}}")
    (folder / "tuning.hpp").write_text("\n".join(lines))
    options = ["-std=c++17", "-O3", "-w", "-pthread", f"-I{folder}", f"{HERE}/tuning.cpp", "-o", f"{folder}/run"]
    subprocess.run([os.environ.get("CXX", "c++"), *options], check=True)
    return folder / "run"


def seconds(program: Path, threads: int, name: str, values: list[int], files: list[Path]) -> Any:
    words = [str(word) for word in (program, threads, name, ",".join(map(str, values)), *files)]
    return np.loadtxt(subprocess.check_output(words, text=True).splitlines(), ndmin=2).T


def measure(names: list[str]) -> Iterator[str]:
    yield "| number | value | half | double | off |\n|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        files, program = list(workloads(Path(folder))), build(folder, {})
        for name in names:
            values = [NUMBERS[name], NUMBERS[name] // 2, NUMBERS[name] * 2, *([OFF[name]] if name in OFF else [])]
            end, threads = ABOUT.get(name, (("half", "20", "5", "late"), 1))
            some = [file for file in files if file.name.endswith(end)]
            if name in SIZES:
                programs = [build(folder, {name: value}) for value in values]
                runs = [[seconds(p, threads, "PAIR_CHUNK", [64], some)[0] for p in programs] for _ in "ab"]
                times = np.min(runs, axis=0)
            else:
                times = seconds(program, threads, name, values, some)
            cells = [""] * 3
            for k, found in enumerate(times[1:] / times[0]):
                ends = (f"{found[i]:.2f} {some[i].name}" for i in (found.argmin(), found.argmax()))
                cells[k] = f"**{np.exp(np.log(found).mean()):.2f}** ({'; '.join(ends)})"
            yield f"| {name} | {NUMBERS[name]:_} | {' | '.join(cells)} |"


def quantiles() -> Iterator[str]:
    yield "\n| encoding of 10⁶ × 20 floats | order.hpp | np.partition | np.sort |\n|---|---|---|---|"
    X = np.random.default_rng(0).normal(size=(1_000_000, 20))
    ways: list[Any] = [_kernels.order_statistics]
    ways.append(lambda x, ranks, out: np.copyto(out, np.partition(x, sorted(set(ranks)))[ranks]))
    ways.append(lambda x, ranks, out: np.copyto(out, np.sort(x)[ranks]))
    times = np.empty((3, len(ways)))
    for name, table in {"all different": X, "one decimal": X.round(1)}.items():
        for place in np.ndindex(times.shape):
            _kernels.order_statistics = ways[place[1]]
            began = time.process_time()
            TableEncoder().fit_transform(table, np.arange(len(X)) % 2)
            times[place] = time.process_time() - began
        yield f"| {name} | {' | '.join(f'{least:.2f} s' for least in times.min(axis=0))} |"


if __name__ == "__main__":
    for line in measure(sys.argv[1:] or list(NUMBERS)):
        print(line, flush=True)
    print(*quantiles(), sep="\n")
