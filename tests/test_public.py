import inspect
import subprocess
import sys
from importlib.metadata import version

import pytest

import entropick


def test_what_is_public_is_sorted_and_there():
    assert entropick.__all__ == sorted(entropick.__all__)
    assert entropick.__version__ == version("entropick")


def test_the_package_loads_what_is_used_and_nothing_else():
    code = "import sys, entropick; print('sklearn' in sys.modules, entropick.RankSelector, 'sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    before, *_, after = done.stdout.split()
    assert (before, after) == ("False", "True")
    assert set(entropick.__all__) <= set(dir(entropick))
    assert entropick.search.CrossEntropy is entropick.CrossEntropy
    with pytest.raises(AttributeError, match="has no attribute 'sieve'"):
        entropick.sieve  # noqa: B018


@pytest.mark.parametrize("name", [name for name in entropick.__all__ if not name.startswith("__")])
def test_what_is_public_is_documented(name):
    thing = getattr(entropick, name)
    assert inspect.getdoc(thing)
    if inspect.isclass(thing) and not issubclass(thing, Warning):
        assert "Parameters\n----------" in inspect.getdoc(thing)
        for parameter in inspect.signature(thing).parameters:
            assert parameter in inspect.getdoc(thing), f"{name} does not speak of {parameter}"
