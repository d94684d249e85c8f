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
        [str(word) for word in command], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process


def compiler() -> str:
    found = shutil.which(os.environ.get("CXX", "c++"))
    if not found:
        pytest.skip("there is no C++ compiler")
    return found


@pytest.fixture(scope="session", params=["address,undefined", "thread"])
def fuzzer(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("fuzz")
    sanitize = ["-std=c++17", "-O1", "-g", f"-fsanitize={request.param}", "-fno-sanitize-recover=all", "-pthread"]
    (folder / "empty.cpp").write_text("int main() {}")
    build = [compiler(), *sanitize, str(folder / "empty.cpp"), "-o", str(folder / "empty")]
    for command in (build, [str(folder / "empty")]):
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            pytest.skip(f"there is no sanitizer {request.param} here")
    run(
        compiler(),
        *sanitize,
        "-Wall",
        "-Wextra",
        "-Werror",
        f"-I{ROOT / 'cpp'}",
        HERE / "fuzz.cpp",
        "-o",
        folder / "fuzz",
    )
    return folder / "fuzz"


@pytest.mark.parametrize("seed", range(3))
def test_kernels_agree_with_a_map_on_odd_shapes_under_sanitizers(fuzzer, seed):
    assert run(fuzzer, str(seed), "20").stdout == "all agree\n"


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
