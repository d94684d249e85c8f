"""What lies around the code: one version everywhere, and workflows that ask for no more than they need."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from optional import optional

yaml = optional("yaml")

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = ["docs.yml", "release.yml", "tests.yml", "wheels.yml"]
FOLDER = ROOT / ".github" / "workflows"

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="this is not a clone: an sdist has no workflows")


def workflow(name: str) -> dict[Any, Any]:
    """As GitHub reads it; `on` is True, by YAML 1.1."""
    return dict(yaml.safe_load((FOLDER / name).read_text(encoding="utf-8")))


def steps(name: str) -> list[dict[str, Any]]:
    return [step for job in workflow(name)["jobs"].values() for step in job.get("steps", [])]


def test_all_places_have_one_version() -> None:
    version = PROJECT["project"]["version"]
    releases = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert releases[0] == version
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == version


def test_there_are_no_other_workflows() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == WORKFLOWS


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_asks_for_little_and_ends(name: str) -> None:
    whole = workflow(name)
    assert whole["permissions"] == {"contents": "read"}
    assert "group" in whole["concurrency"]
    for title, job in whole["jobs"].items():
        assert "uses" in job or job["timeout-minutes"] <= 60, title
        assert job.get("permissions", {}) == ({"id-token": "write"} if title == "publish" else {}), title
    for step in steps(name):
        assert re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|release/v1)", step.get("uses", "a/a@v1")), step
        assert not step.get("uses", "").startswith("actions/checkout") or step["with"] == {"persist-credentials": False}
        assert "${{" not in step.get("run", ""), "what others may write does not belong into a script"


def test_a_release_is_what_the_wheels_workflow_built_and_nothing_else() -> None:
    jobs = workflow("release.yml")["jobs"]
    assert jobs["build"]["uses"] == "./.github/workflows/wheels.yml"
    assert "workflow_call" in workflow("wheels.yml")[True]
    assert jobs["publish"]["needs"] == "build"
    assert workflow("release.yml")[True] == {"push": {"tags": ["v*"]}}
    uploads = [step["with"]["name"] for step in steps("wheels.yml") if "upload" in step.get("uses", "")]
    assert [name for name in uploads if not name.startswith("dist-")] == ["free-threaded"]


def test_wheels_are_built_for_every_python_that_is_named() -> None:
    classifiers = "\n".join(PROJECT["project"]["classifiers"])
    named = re.findall(r"Python :: 3\.(\d+)$", classifiers, re.M)
    assert PROJECT["tool"]["cibuildwheel"]["build"].split() == [f"cp3{minor}-*" for minor in named]
    assert PROJECT["tool"]["scikit-build"]["wheel"]["py-api"] == "cp312"


@pytest.mark.parametrize("name", WORKFLOWS)
def test_shellcheck_has_nothing_to_say(name: str, tmp_path: Path) -> None:
    if not shutil.which("shellcheck"):
        pytest.skip("shellcheck is not installed")
    scripts = [step["run"] for step in steps(name) if "run" in step]
    for k, script in enumerate(scripts):
        (tmp_path / f"{k}.sh").write_text(f"#!/usr/bin/env bash\nset -eo pipefail\n{script}\n")
    if scripts:
        done = subprocess.run(["shellcheck", *tmp_path.glob("*.sh")], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_actionlint_has_nothing_to_say() -> None:
    if not shutil.which("actionlint"):
        pytest.skip("actionlint is not installed")
    done = subprocess.run(["actionlint", "-no-color"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
