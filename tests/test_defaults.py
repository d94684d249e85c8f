"""A default or a version that is written in several places is the same in all of them."""

import re
import tomllib
from dataclasses import MISSING, fields
from inspect import signature
from pathlib import Path

import numpy as np
import pytest

from entropick import (
    CrossEntropy,
    CrossEntropySelector,
    RankSelector,
    SubsetScorer,
    SubsetSelector,
    _kernels,
    entropy,
    mutual_information,
)
from entropick.cli._compare import compare as compare_command
from entropick.cli._select import select as select_command
from entropick.encode import TableEncoder, TargetEncoder, encode
from entropick.engine import ENGINES, make_engine
from entropick.engine._fixed import UNKNOWN
from entropick.evaluation import compare

SHARED = {"n_bins": 5, "binning": "quantile", "target": "auto", "engine": "auto", "n_jobs": -1}
PLACES = {
    CrossEntropySelector: set(SHARED),
    SubsetSelector: set(SHARED),
    RankSelector: set(SHARED),
    SubsetScorer: set(SHARED),
    mutual_information: {"n_bins", "binning"},
    entropy: {"n_bins", "binning"},
    compare: {"n_bins", "binning", "target", "n_jobs"},
    encode: {"n_bins", "binning", "target"},
    make_engine: {"n_jobs"},
    TableEncoder: {"n_bins", "binning"},
    TargetEncoder: {"n_bins", "binning", "target"},
}


def defaults(thing):
    parameters = signature(thing).parameters.values()
    return {item.name: item.default for item in parameters if item.default is not item.empty}


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_tables_are_encoded_and_counted_alike_everywhere(place):
    shared = {name: value for name, value in defaults(place).items() if name in SHARED}
    assert shared == {name: SHARED[name] for name in PLACES[place]}


def test_the_selector_has_the_settings_of_its_search():
    settings = {item.name: item.default for item in fields(CrossEntropy)}
    assert MISSING not in settings.values()
    ours = defaults(CrossEntropySelector)
    assert {name: ours.get(name, MISSING) for name in settings} == settings


def test_the_selectors_agree_on_what_they_share():
    one, other = defaults(CrossEntropySelector), defaults(SubsetSelector)
    assert set(other) - set(one) == {"search"}
    assert set(one) - set(other) == {item.name for item in fields(CrossEntropy)}
    assert {name: one[name] for name in other if name in one} == {name: other[name] for name in other if name in one}


@pytest.mark.parametrize("command", [select_command, compare_command], ids=["select", "compare"])
def test_the_command_has_the_defaults_of_python(command):
    names = {"bins": "n_bins", "binning": "binning", "target_kind": "target", "jobs": "n_jobs"}
    assert {ours: defaults(command)[ours] for ours in names} == {ours: SHARED[name] for ours, name in names.items()}
    assert defaults(command)["seed"] == 0
    for name in ("n_features", "criterion", "time_limit", "columns", "drop", "json"):
        assert defaults(command)[name] is None


def test_the_comparison_has_the_defaults_of_python():
    for name in ("folds", "resamples"):
        assert defaults(compare_command)[name] == defaults(compare)[name]


def test_the_oldest_versions_that_are_tested_are_those_that_are_allowed():
    root = Path(__file__).parent.parent
    project, paper = (
        tomllib.loads((root / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for folder in (".", "paper")
    )
    extras = project["optional-dependencies"]
    named = {*project["dependencies"], *paper["dependencies"]}.union(
        *(extras[extra] for extra in ("cli", "report", "data", "test"))
    )
    named -= {"entropick[all]"}
    allowed = dict(re.findall(r"^([\w-]+)>=([\d.]+)$", "\n".join(named), re.M))
    tested = dict(re.findall(r"^([\w-]+)==([\d.]+)$", (root / "requirements" / "oldest.txt").read_text(), re.M))
    assert len(allowed) == len(named)
    for name, version in allowed.items():
        assert f"{tested[name]}.".startswith(f"{version}."), name


def test_python_and_kernels_agree_on_what_is_not_known():
    assert _kernels.UNKNOWN == UNKNOWN == np.iinfo(np.int64).min


def test_the_engines_of_old_are_there():
    assert set(ENGINES) >= {"native", "numpy"}
