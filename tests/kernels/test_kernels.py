"""The C++ kernels on their own: under sanitizers, and by the instructions they take."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The finished process, its output in what an assertion shows."""
    process = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
        timeout=300,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process


def compiler() -> str:
    found = shutil.which(os.environ.get("CXX", "c++"))
    if not found:
        pytest.skip("there is no C++ compiler")
    return found


WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wold-style-cast", "-Wundef", "-Werror"]
STRICT = ["-std=c++17", *WARNINGS, "-pthread", f"-I{ROOT / 'cpp'}"]
# For GCC and Clang on x86 (if this is one), on other machines, and for all other compilers; see cpp/machine.hpp.
FORMS = {"for this machine": [], "plain": ["-DENTROPICK_PLAIN"], "portable": ["-DENTROPICK_PORTABLE"]}
SANITIZE = ["-O1", "-g", "-fno-sanitize-recover=all"]
SANITIZERS = {"address,undefined": 6, "thread": 3}


@pytest.mark.parametrize("sanitizer", SANITIZERS)
def test_kernels_agree_with_a_map_on_odd_shapes(sanitizer, tmp_path):
    options = [*SANITIZE, f"-fsanitize={sanitizer}"]
    (tmp_path / "empty.cpp").write_text("int main() {}")
    build = [compiler(), *options, str(tmp_path / "empty.cpp"), "-o", str(tmp_path / "empty")]
    for command in (build, [str(tmp_path / "empty")]):
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            pytest.skip(f"there is no sanitizer {sanitizer} here")
    run(compiler(), *STRICT, *options, HERE / "fuzz.cpp", "-o", tmp_path / "fuzz")
    for seed in range(3):
        assert run(tmp_path / "fuzz", str(seed), str(SANITIZERS[sanitizer])).stdout.startswith("all agree")


def test_all_forms_agree_with_the_map_and_exactly_with_each_other(tmp_path):
    found = {}
    for name, options in FORMS.items():
        program = tmp_path / name
        run(compiler(), *STRICT, "-O1", *options, HERE / "fuzz.cpp", "-o", program)
        found[name] = [run(program, str(seed), "8").stdout for seed in range(3)]
    assert all(line.startswith("all agree, losses ") for line in found["portable"])
    assert found["for this machine"] == found["plain"] == found["portable"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["g++", "clang++"])
def test_no_compiler_has_a_warning_to_give(name, form):
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    run(name, *STRICT, *FORMS[form], "-fsyntax-only", HERE / "fuzz.cpp")


def test_an_evaluation_takes_no_more_instructions_than_it_did(tmp_path):
    """As a ratio to the plain loop, built in the same run: no noise, and little of the compiler, is in it.

    After a change for the better, or one that is worth its cost, write the new ratio into instructions.json.
    """
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed")
    plain, program = tmp_path / "plain.o", tmp_path / "instructions"
    run(compiler(), "-x", "c", "-O3", "-c", ROOT / "benchmarks" / "plain_loop.c", "-o", plain)
    run(
        compiler(),
        "-std=c++17",
        "-O3",
        f"-I{ROOT / 'cpp'}",
        HERE / "instructions.cpp",
        plain,
        "-o",
        program,
        "-pthread",
    )
    counts = {}
    for function in ("ours", "plain"):
        arguments = ("--tool=callgrind", "--callgrind-out-file=/dev/null", f"--toggle-collect={function}")
        found = re.search(r"Collected : (\d+)", run("valgrind", *arguments, program).stderr)
        assert found is not None
        counts[function] = int(found[1])
    ratio = counts["plain"] / counts["ours"]
    expected = json.loads((HERE / "instructions.json").read_text())["plain loop / kernel"]
    assert ratio > expected / 1.2, f"the plain loop takes {ratio:.2f} times as many instructions; it was {expected}"
