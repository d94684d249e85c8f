"""One registry of names, from which everything else comes."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import entropick
from entropick import _names
from entropick._names import Registry
from entropick.cli import options

ROOT = Path(__file__).parent.parent
REGISTRIES = {name: value for name, value in vars(_names).items() if isinstance(value, Registry)}


def test_the_names_are_read_without_numpy():
    code = "import sys, entropick._names; print(sorted({'numpy', 'scipy', 'sklearn', 'narwhals'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("registry", REGISTRIES)
def test_every_name_has_a_home_a_label_and_a_line(registry):
    names = REGISTRIES[registry]
    for name in names:
        assert names[name] is not None
        assert names.label(name)
        assert 1 < len(names.help(name)) < 80
        assert not names.help(name).endswith(".")


def test_a_criterion_and_a_data_set_have_the_names_that_they_are_registered_by():
    for names in (_names.CRITERIA, _names.DATASETS):
        assert [names[name].name for name in names] == list(names)


@pytest.mark.parametrize(("package", "registry"), [("criteria", "CRITERIA"), ("search", "SEARCHES")])
def test_a_package_offers_what_its_registry_names(package, registry):
    home, names = import_module(f"entropick.{package}"), REGISTRIES[registry]
    for public, name in names.public.items():
        assert getattr(home, public) is names[name]
        assert public in home.__all__
    with pytest.raises(AttributeError, match="has no attribute 'nothing_of_that_name'"):
        home.nothing_of_that_name  # noqa: B018


def test_the_help_and_the_completion_of_the_command_know_every_name():
    for option, registries in (
        (options.MethodOption, (_names.SEARCHES, _names.RANKINGS)),
        (options.CriterionOption, (_names.CRITERIA,)),
        (options.BinningOption, (_names.BINNINGS,)),
    ):
        (declared,) = option.__metadata__
        names = [name for registry in registries for name in registry]
        assert all(", ".join(registry) in declared.help for registry in registries)
        assert declared.autocompletion("") == names
        assert names[0] in declared.autocompletion(names[0][:2])


def test_docstrings_list_the_names():
    for thing, names in ((entropick.CrossEntropySelector, _names.CRITERIA), (entropick.RankSelector, _names.RANKINGS)):
        for name in names:
            assert f"        - {name!r}: {names.help(name)}\n" in thing.__doc__


def test_the_page_of_names_is_that_of_the_registry():
    done = subprocess.run(
        [sys.executable, "-c", "import names; print(names.page(), end='')"],
        cwd=ROOT / "docs",
        check=True,
        capture_output=True,
        text=True,
    )
    assert (ROOT / "docs" / "reference" / "names.md").read_text(encoding="utf-8") == done.stdout


def test_type_checkers_see_what_is_public():
    tree = ast.parse((ROOT / "src" / "entropick" / "__init__.py").read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {alias.name: node.module.partition(".")[2] for node in block.body for alias in node.names}
    assert seen == _names.PUBLIC


def test_something_of_your_own_can_be_registered_for_as_long_as_the_process_lives():
    names = Registry("entropick.criteria", {})
    names["mine"] = lambda class_sizes: None
    assert (list(names), "mine" in names, names.label("mine"), len(names)) == (["mine"], True, "mine", 1)
    del names["mine"]
    assert "mine" not in names
    with pytest.raises(KeyError):
        names["mine"]
