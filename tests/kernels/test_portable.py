"""The kernels in standard C++, as MSVC compiles them: their source, and the tests of the engines on such a build."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import entropick

ROOT = Path(__file__).parent.parent.parent
# What a compiler may have of its own: names with two underscores or one before a capital, intrinsics, pragmas.
EXTENSION = re.compile(r"\b(__\w+|_[A-Z]\w*|_mm\w*|asm|typeof|u?int128_t)\b|#pragma(?! once)")
# The editable install would find the package that everybody else uses; this holds for processes of the tests, too.
ISOLATED = """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if not hasattr(finder, "known_source_files")]
"""
TESTS = ["tests/engine", "tests/criteria/test_dependence.py", "tests/criteria/test_linear.py"]
SLOW = "bounded_memory or works_in_blocks or noise_shows"  # the others say the same about the kernels


def compiler() -> str:
    found = shutil.which(os.environ.get("CXX", "c++"))
    if not found:
        pytest.skip("there is no C++ compiler")
    return found


def run(*command: str | Path, **environment: str) -> str:
    """The standard output of a process that must not fail."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=ROOT,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-10_000:] + done.stderr[-10_000:]
    return done.stdout


def own_lines(source: Path, *options: str) -> list[str]:
    """What the preprocessor leaves of the files in cpp/, without what they include from elsewhere."""
    lines, is_ours = [], False
    for line in run(compiler(), "-std=c++17", "-E", *options, source).splitlines():
        if place := re.match(r'# \d+ "([^"]*)"', line):
            is_ours = Path(place[1]).parent == ROOT / "cpp"
        elif is_ours and line.strip():
            lines.append(line)
    return lines


@pytest.mark.parametrize("header", sorted(path.name for path in (ROOT / "cpp").glob("*.hpp")))
def test_the_portable_form_of_a_header_is_standard_and_complete(header: str, tmp_path: Path) -> None:
    source = tmp_path / "only.cpp"
    source.write_text(f'#include "{ROOT / "cpp" / header}"\n')
    run(compiler(), "-std=c++17", "-DENTROPICK_PORTABLE", "-pedantic-errors", "-fsyntax-only", source)
    lines = own_lines(source, "-DENTROPICK_PORTABLE")
    assert lines
    assert [line for line in lines if EXTENSION.search(line)] == []


def test_the_other_form_would_be_noticed(tmp_path: Path) -> None:
    source = tmp_path / "only.cpp"
    source.write_text(f'#include "{ROOT / "cpp" / "machine.hpp"}"\n')
    assert any(EXTENSION.search(line) for line in own_lines(source))


def build(folder: Path) -> Path:
    """A copy of the package with kernels in their portable form."""
    nanobind = pytest.importorskip("nanobind", reason="nanobind is not installed")
    headers = Path(sysconfig.get_path("include"))
    if not (headers / "Python.h").exists():
        pytest.skip("the headers of Python are not installed")
    nested = Path(nanobind.__file__).parent
    includes = [headers, nested / "include", nested / "ext" / "robin_map" / "include"]
    options = ["-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-DNB_COMPACT_ASSERTIONS"]
    options += [word for include in includes for word in ("-isystem", str(include))]
    if sys.platform == "darwin":
        options += ["-undefined", "dynamic_lookup"]
    copy = folder / "entropick"
    shutil.copytree(Path(entropick.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__", "_kernels.*so"))
    kernels = copy / f"_kernels{sysconfig.get_config_var('EXT_SUFFIX')}"
    rest = folder / "nanobind.o"
    run(compiler(), *options, "-fno-strict-aliasing", "-c", nested / "src" / "nb_combined.cpp", "-o", rest)
    ours = ["-DENTROPICK_PORTABLE", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
    run(compiler(), *options, *ours, "-shared", "-pthread", ROOT / "cpp" / "bindings.cpp", rest, "-o", kernels)
    (folder / "sitecustomize.py").write_text(ISOLATED)
    return kernels


def test_the_engine_tests_pass_on_portable_kernels(tmp_path: Path) -> None:
    kernels = build(tmp_path)
    place = {"PYTHONPATH": str(tmp_path)}
    loaded = run(sys.executable, "-c", "from entropick import _kernels; print(_kernels.__file__)", **place)
    assert Path(loaded.strip()) == kernels
    options = ["-q", "-p", "no:cacheprovider", "-k", f"not ({SLOW})"]
    told = run(sys.executable, "-m", "pytest", *options, *TESTS, **place)
    passed = re.search(r"(\d+) passed", told)
    assert passed is not None
    assert int(passed[1]) > 100, told
