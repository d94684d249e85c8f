import inspect
from importlib.metadata import version

import pytest

import entropick


def test_what_is_public_is_sorted_and_there():
    assert entropick.__all__ == sorted(entropick.__all__)
    assert entropick.__version__ == version("entropick")


@pytest.mark.parametrize("name", [name for name in entropick.__all__ if not name.startswith("__")])
def test_what_is_public_is_documented(name):
    thing = getattr(entropick, name)
    assert inspect.getdoc(thing)
    if inspect.isclass(thing) and not issubclass(thing, Warning):
        assert "Parameters\n----------" in inspect.getdoc(thing)
        for parameter in inspect.signature(thing).parameters:
            assert parameter in inspect.getdoc(thing), f"{name} does not speak of {parameter}"
