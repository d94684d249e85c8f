"""How many numbers in the code can change what the default answers? Writes constants.md.

Counted from the syntax tree of the modules below: every number but −1, 0, 1 and 2, named or not, defaults and tuples
included. `--at COMMIT` adds a column for another state of the repository, whose modules may have had other names.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
DECIDING = (  # the rooms that a default fit goes through, without what only reads, counts, tells or draws
    "_defaults.py",
    "association.py",
    "criteria/_auto.py",
    "criteria/_blend.py",
    "criteria/_dependence.py",
    "criteria/_features.py",
    "criteria/_interactions.py",
    "criteria/_levels.py",
    "criteria/_linear.py",
    "criteria/_one_dependence.py",
    "criteria/_ridge.py",
    "criteria/_rows.py",
    "encode/_binning.py",
    "encode/_content.py",
    "path/*.py",
    "scorer.py",
    "search/_climb.py",
    "search/_cross_entropy.py",
    "search/_greedy.py",
    "search/_ledger.py",
    "search/_run.py",
    "search/_sampling.py",
    "search/_space.py",
    "search/_starts.py",
    "selectors/_[!bmrv]*.py",  # neither the base, the methods, records and rankings nor what is validated
)
PLAIN = {-1, 0, 1, 2}


def numbers(source: str) -> Iterator[float]:
    """Every number in a module but the plain ones; docstrings are no numbers."""
    tree = ast.parse(source)
    negated = {id(node.operand) for node in ast.walk(tree) if isinstance(node, ast.UnaryOp)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
            value = node.value * (-1 if id(node) in negated else 1)
            if value not in PLAIN:
                yield value


def modules(commit: str | None) -> dict[str, str]:
    """The deciding modules of a state of the repository, by name."""
    root = "src/entropick/"
    if commit is None:
        paths = [str(path.relative_to(HOME)) for path in (HOME / root).rglob("*.py")]
    else:
        paths = git("ls-tree", "-r", "--name-only", commit, root).splitlines()
    names = sorted(path.removeprefix(root) for path in paths)
    chosen = [name for name in names if any(fnmatch(name, pattern) for pattern in DECIDING)]
    if commit is None:
        return {name: (HOME / root / name).read_text(encoding="utf-8") for name in chosen}
    return {name: git("show", f"{commit}:{root}{name}") for name in chosen}


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=HOME, check=True, capture_output=True, text=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at", action="append", default=[], metavar="COMMIT")
    states: list[str | None] = [*parser.parse_args().at, None]
    found = [{name: list(numbers(source)) for name, source in modules(state).items()} for state in states]
    rooms = sorted({name.split("/")[0] if "/" in name else name for state in found for name in state})
    lines = ["# Numbers that can change an answer\n", f"{(__doc__ or '').splitlines()[2]}"]
    lines += ["included. Written by `benchmarks/constants.py`.\n"]
    lines.append(f"| | {' | '.join(state or 'now' for state in states)} |")
    lines.append("|---" * (1 + len(states)) + "|")
    for room in rooms:
        counts = [sum(len(own) for name, own in state.items() if name.split("/")[0] == room) for state in found]
        lines.append(f"| `{room}` | {' | '.join(map(str, counts))} |")
    lines.append(f"| all | {' | '.join(str(sum(map(len, state.values()))) for state in found)} |")
    text = "\n".join(lines) + "\n"
    print(text)
    for name, values in found[-1].items():
        print(f"{name}: {', '.join(f'{value:g}' for value in values)}")
    Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
