"""What holds between the packages, besides the direction of imports: no reaching into another's private parts."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted([*(ROOT / "src" / "entropick").rglob("*.py"), *(ROOT / "paper" / "entropick_paper").rglob("*.py")])
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}
OF_PYTHON = {"_asdict", "_replace", "_fields", "_getframe"}


def package(path):
    """The package that a file belongs to: a folder of entropick, entropick itself, or that of the paper."""
    inside = path.relative_to(ROOT).parts
    return inside[2] if inside[0] == "src" and len(inside) > 3 else inside[1]


def is_private(name):
    return name.startswith("_") and not name.startswith("__")


def private_names():
    """By package, the private names that it defines."""
    names = defaultdict(set)
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names[package(path)].add(node.name)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                names[package(path)].add(node.attr)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names[package(path)].add(node.id)
    return names


def test_no_package_imports_a_private_module_of_another():
    found = []
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            modules = [node.module] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for module in modules:
                parts = (module or "").split(".")
                if parts[0] == "entropick" and len(parts) > 2 and is_private(parts[2]) and parts[1] != package(path):
                    found.append(f"{path.relative_to(ROOT)}: {module}")
    assert found == []


def test_no_package_uses_a_private_name_of_another():
    names = private_names()
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.attr}"
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and is_private(node.attr)
        if node.attr not in names[package(path)] | OF_PYTHON
        if not (isinstance(node.value, ast.Name) and node.value.id in ("np", "nw", "pl"))
    ]
    assert found == []


@pytest.mark.parametrize("name", ["report", "evaluation", "cli"])
def test_what_is_public_has_types_that_say_something(name):
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}"
        for path, tree in TREES.items()
        if package(path) == name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and not is_private(node.name)
        for annotation in [node.returns, *(a.annotation for a in (*node.args.args, *node.args.kwonlyargs))]
        if annotation is not None and "dict[str, Any]" in ast.unparse(annotation)
    ]
    assert found == []


def test_nobody_asks_an_object_what_it_may_not_have():
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id == "getattr" and len(node.args) == 3
    ]
    assert found == []


def test_no_module_but_their_own_knows_criteria_by_name():
    known = {"plugin", "reliable", "bayes", "predictive"}
    known |= {"one_dependence", "naive"}  # "auto" and "linear" are words for other things too
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.value}"
        for path, tree in TREES.items()
        if package(path) not in ("criteria", "entropick_paper") and path.name not in ("_names.py", "_defaults.py")
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value in known
    ]
    assert found == []
