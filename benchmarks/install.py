"""Build entropick as others get it, install it where there is no compiler, try it and measure it; writes install.md.

python benchmarks/install.py

Needs Linux, git, make and a compiler to build with, and a package index to install from. Everything is made in a
temporary folder, from the files that git knows; about five minutes.
"""

from __future__ import annotations

import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = Path(__file__).with_suffix(".md")
AIM = 10.0  # MB of the core beyond scikit-learn's own
RUNS = 21  # of each import
# A compiler that fails, and no package that would need one.
NO_COMPILER = {"CC": "/bin/false", "CXX": "/bin/false", "PIP_ONLY_BINARY": ":all:"}
IMPORTS = {
    "nothing": "pass",
    "`import entropick`": "import entropick",
    "`import numpy`": "import numpy",
    "`import sklearn`": "import sklearn",
    "`import sklearn.feature_selection`": "import sklearn.feature_selection",
    "`import entropick; entropick.CrossEntropySelector`": "import entropick; entropick.CrossEntropySelector",
}
BY_HAND = """\
## What was tried by hand, for 0.2.0

- The stable ABI: a wheel built with Python 3.14 and GCC 16 passes `abi3audit --strict`, and `tests/installed.py` with
  Python 3.13, 3.14 and 3.15.
- ARM, in an emulator (QEMU, Cortex-A72): `tests/installed.py` and 70 engine tests pass with Python 3.14, on kernels
  compiled by Clang; the two tests of time and memory were left out. With the emulator's longer vectors (SVE) `A.T @ A`
  of float32 was wrong in NumPy alone, without entropick; whether real machines with SVE have that, we do not know.
- The fuzzer, compiled by Clang for musl (x86-64, and ARM in the emulator) and Windows (in Wine), finds the same losses
  as here to the last bit, both with and without GNU extensions. For macOS, ARM and x86-64, it compiles and links
  without a warning.
- What standard C++ costs on this machine in place of AVX2, with one thread: 1.0 times as long for subsets, 2.5 for
  pairs, 1.7 for `linear`, 3.9 for `one_dependence`. That is what MSVC gets.

## What could not be tried here

- macOS, Windows and its compiler MSVC, and a real ARM machine: the wheels for them are built and tried by the workflow
  `wheels`, which has not run yet, like the other workflows.
- cibuildwheel, which needs containers. What was checked: its settings are valid, and ask for the wheels that we want on
  all five machines.
- A wheel for musl with its Python. scikit-learn has no wheels for musl, so users there compile scikit-learn.
- A free-threaded Python.
- Publishing.
"""


@dataclass
class Environment:
    """A virtual environment in which nothing can be compiled."""

    folder: Path

    def __post_init__(self) -> None:
        run(sys.executable, "-m", "venv", self.folder)

    def python(self, *arguments: str | Path, cwd: Path | None = None) -> str:
        return run(self.folder / "bin" / "python", *arguments, cwd=cwd or self.folder)

    def install(self, *what: str | Path) -> None:
        self.python("-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what)

    def sizes(self) -> dict[str, float]:
        """MB of every package, with its compiled Python files, by its folder's name."""
        packages = next((self.folder / "lib").glob("python*")) / "site-packages"
        return {path.name: size(path) for path in packages.iterdir()}


def run(*command: str | Path, cwd: Path | None = None, **environment: str) -> str:
    """The standard output of a command that must not fail."""
    words, whole = [str(word) for word in command], {**os.environ, **NO_COMPILER, **environment}
    done = subprocess.run(words, cwd=cwd, env=whole, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def processor_seconds() -> float:
    """Of all processes that were run so far: other work on the machine hardly counts."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def size(path: Path) -> float:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file() and not file.is_symlink()) / 1e6


def copy_of_the_repository(folder: Path) -> Path:
    names = run("git", "ls-files", "-z", cwd=ROOT).split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def build(folder: Path) -> tuple[Path, Path]:
    """The sdist and the repaired wheel."""
    compilers = {name: os.environ.get(name, command) for name, command in (("CC", "cc"), ("CXX", "c++"))}
    run("make", "wheel", f"PYTHON={sys.executable}", cwd=folder, PIP_ONLY_BINARY="", **compilers)
    (sdist,), (wheel,) = (folder / "dist").glob("*.tar.gz"), (folder / "dist").glob("*.whl")
    return sdist, wheel


def check_contents(sdist: Path, wheel: Path) -> Iterator[str]:
    with tarfile.open(sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert not [name for name in names if name.startswith((".ci", ".github"))], "the sdist has files of our machines"
    assert {"LICENSE", "CMakeLists.txt", "cpp/bindings.cpp", "tests/installed.py", "PKG-INFO"} <= set(names)
    yield f"| `{sdist.name}` | {size(sdist):.2f} MB | {len(names)} files: sources, tests, docs and benchmarks |"
    with zipfile.ZipFile(wheel) as archive:
        inside = archive.namelist()
    assert {"entropick/py.typed", "entropick/report/templates/page.html.j2"} <= set(inside)
    assert any(name.endswith("licenses/LICENSE") for name in inside)
    assert all(name.startswith("entropick") for name in inside), "the wheel has more than the package"
    yield f"| `{wheel.name}` | {size(wheel):.2f} MB | {len(inside)} files: the package and its licence |"


def first_example() -> tuple[str, str]:
    """The first Python code of the README, and the output that it shows, if it does."""
    found = re.search(
        r"```python\n(.*?)```(?:\n+```text\n(.*?)```)?", (ROOT / "README.md").read_text(encoding="utf-8"), re.S
    )
    assert found is not None, "the README has no Python code"
    return found[1], found[2] or ""


def try_the_core(core: Environment) -> Iterator[str]:
    yield f"- {core.python(ROOT / 'tests' / 'installed.py').strip()}"
    code, shown = first_example()
    printed = core.python("-c", code)
    assert not shown or printed.split() == shown.split(), printed
    agrees = ", and prints what the README shows" if shown else ""
    yield f"- the first Python example of the README runs{agrees}"
    done = subprocess.run([core.folder / "bin" / "entropick"], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done
    assert re.fullmatch(r"entropick: the command needs \w+: pip install 'entropick\[cli\]'\.\n", done.stderr), done
    yield f"- `entropick` ends with status 2 and says: {done.stderr.strip()}"


def try_the_command(everything: Environment) -> str:
    folder = everything.folder / "demo"
    folder.mkdir()
    run(everything.folder / "bin" / "entropick", "demo", cwd=folder)
    (page,) = folder.glob("*.html")
    return f"- with `[all]`, `entropick demo` works, and writes a page of {size(page) * 1000:.0f} kB"


def import_times(core: Environment) -> Iterator[str]:
    """The quickest of many processes each, in turn, so that a busy machine is one for all."""
    times: dict[str, list[float]] = {name: [] for name in IMPORTS}
    for _ in range(RUNS):
        for name, code in IMPORTS.items():
            before = processor_seconds()
            core.python("-c", code)
            times[name].append(processor_seconds() - before)
    nothing = min(times["nothing"])
    for name, seconds in times.items():
        if name != "nothing":
            yield f"| {name} | {min(seconds) - nothing:.3f} |"


def what_is_built(sdist: Path, wheel: Path, seconds: float) -> Iterator[str]:
    yield from ("## What is built", "")
    yield f"`make wheel` made these, the wheel from the sdist, in {seconds:.0f} processor seconds. auditwheel repaired"
    yield from (
        "the wheel, and `twine check --strict` has nothing to say.",
        "",
        "| file | size | what |",
        "|---|---|---|",
    )
    yield from check_contents(sdist, wheel)
    yield ""


def how_large(before: dict[str, float], core: Environment, everything: Environment) -> Iterator[str]:
    """`before`: the sizes of scikit-learn and what it needs."""
    after = core.sizes()
    total = sum(after.values()) - sum(before.values())
    added = sorted(((mb, name) for name, mb in after.items() if name not in before and mb >= 0.05), reverse=True)
    kernels = next((core.folder / "lib").glob("python*/site-packages/entropick/_kernels*.so"))
    yield from ("## How large it is", "")
    yield f"Installed, with compiled Python files. Aim: below {AIM:.0f} MB beyond scikit-learn and what it needs;"
    ours = " narwhals is among that, as this scikit-learn needs it, too." if "narwhals" in before else ""
    yield from (("met." if total < AIM else "missed.") + ours, "", "| what | MB |", "|---|---|")
    yield f"| scikit-learn and what it needs, pip included | {sum(before.values()):.1f} |"
    yield f"| **entropick's core beyond that** | **{total:.1f}** |"
    yield from (f"| of that, `{name}` | {mb:.1f} |" for mb, name in added)
    yield f"| of `entropick`, the kernels | {size(kernels):.1f} |"
    yield f"| everything with `[all]`, pip included | {sum(everything.sizes().values()):.0f} |"
    yield ""


def how_long(core: Environment) -> Iterator[str]:
    yield from ("## How long it takes to import", "")
    yield f"Processor seconds beyond those of an empty process, the fewest of {RUNS} runs each, taken in turn. `import"
    yield from ("entropick` loads none of the others; its names load what they need when they are first used.", "")
    yield from ("| what | seconds |", "|---|---|", *import_times(core), "")


def measure(folder: Path) -> Iterator[str]:
    """The lines of the page."""
    sdist, wheel = build(copy_of_the_repository(folder / "copy"))
    built = processor_seconds()
    version = re.sub(r"^entropick-|\.tar\.gz$", "", sdist.name)
    machine = f"Python {platform.python_version()} on {platform.system()}, {platform.machine()}"
    yield from (f"Written by `benchmarks/install.py` with {machine}, for entropick {version}.", "")
    yield from what_is_built(sdist, wheel, built)

    core, everything = Environment(folder / "core"), Environment(folder / "all")
    core.install("scikit-learn")
    before = core.sizes()
    core.install(wheel)
    everything.install(f"{wheel}[all]")
    yield from ("## What works in an empty environment without a compiler", "")
    yield from (*try_the_core(core), try_the_command(everything), "")
    yield from how_large(before, core, everything)
    yield from how_long(core)
    yield BY_HAND.strip()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        lines = []
        for line in measure(Path(folder)):
            print(line, flush=True)
            lines.append(line)
    PAGE.write_text("\n".join(["# How it installs", "", *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
