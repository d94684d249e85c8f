"""Property tests on a shared machine: the same examples in every CI run, and no clock. Packages that are not there."""

import os
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings
from optional import Absent
from signals import default_signals, no_signals

settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("shared"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "shared")


def pytest_runtest_setup(item):
    """A test of something that is not installed."""
    if hasattr(item, "callspec"):
        for value in item.callspec.params.values():
            if isinstance(value, Absent):
                value.skip()


def pytest_collection_modifyitems(items):
    """Examples that load a data set as a pandas frame need pandas."""
    if find_spec("pandas"):
        return
    for item in items:
        if isinstance(item, pytest.DoctestItem) and any("as_frame" in line.source for line in item.dtest.examples):
            item.add_marker(pytest.mark.skip(reason="pandas is not installed"))


@pytest.fixture(autouse=True)
def signals_by_default(request):
    """Tests marked so, and no others, may send signals, and send them to the default handlers."""
    with default_signals() if request.node.get_closest_marker("signals") else no_signals():
        yield


@pytest.fixture(autouse=True)
def few_trees(request, monkeypatch):
    """Tests of other things test a model of a few trees."""
    if not request.node.get_closest_marker("all_trees"):
        monkeypatch.setattr("entropick.evaluation._held_out._TREES", 5)
