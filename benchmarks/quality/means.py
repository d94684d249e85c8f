"""Means over tables of what was measured, as the page needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from quality.rivals import METHODS

KINDS = {"classes": "Classes", "numbers": "Numbers"}
DEAR = tuple(name for name, method in METHODS.items() if method.dear)
TIE = 0.005  # in error, 1 − AUC or R²

Json = dict[str, Any]
Tables = dict[str, Json]


def real(summary: Json) -> Tables:
    return {name: table for name, table in summary["tables"].items() if "generated" not in table}


def by_kind(tables: Tables) -> Iterator[tuple[str, Tables]]:
    for kind in KINDS:
        if group := {name: table for name, table in tables.items() if table["kind"] == kind}:
            yield kind, group


def there(tables: Tables, names: Iterable[str]) -> list[str]:
    """The methods that ran on all of these tables."""
    return [name for name in names if all(name in table["methods"] for table in tables.values())]


def part_of(rival: str) -> str:
    """Where a method is to be compared: on all folds, or on the two on which the dear ones ran."""
    return "two" if rival in DEAR else "methods"


def loss(table: Json, method: str, model: str = "", part: str = "methods") -> float:
    """The loss with one model, or the mean over the models."""
    losses = table[part][method]["losses"]
    return float(losses[model] if model else np.mean(list(losses.values())))


def mean(tables: Tables, value: Callable[[Json], float | None]) -> float:
    values = [found for table in tables.values() if (found := value(table)) is not None]
    return float(np.mean(values)) if values else float("nan")


def mean_loss(tables: Tables, method: str, model: str = "", part: str = "methods") -> float:
    return mean(tables, lambda table: loss(table, method, model, part))


def stability(tables: Tables, method: str, part: str = "methods") -> float:
    return mean(tables, lambda table: table[part][method]["stability"])


def gap(tables: Tables, one: str, other: str, model: str = "", part: str = "") -> float:
    """How much more `one` loses than `other`, on average, on the folds that both ran on."""
    part = part or ("two" if "two" in (part_of(one), part_of(other)) else "methods")
    return mean(tables, lambda table: loss(table, one, model, part) - loss(table, other, model, part))


def columns(tables: Tables, method: str, part: str = "methods") -> float:
    return mean(tables, lambda table: table[part][method]["columns"])


def seconds(tables: Tables, method: str, part: str = "methods") -> float:
    return mean(tables, lambda table: table[part][method]["seconds"])


def share(tables: Tables, method: str, part: str = "methods") -> float:
    return mean(tables, lambda table: table[part][method]["columns"] / table["columns"])


def counted(tables: Tables, rival: str) -> str:
    """Tables on which entropick wins, ties and loses, by the mean over the models."""
    part = part_of(rival)
    gaps = np.array([loss(table, rival, "", part) - loss(table, "ours", "", part) for table in tables.values()])
    return f"{(gaps > TIE).sum()}, {(abs(gaps) <= TIE).sum()}, {(gaps < -TIE).sum()}"


def label(name: str) -> str:
    return METHODS[name].label if name in METHODS else name


def signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


def number(value: float, digits: int = 3) -> str:
    return "–" if np.isnan(value) else f"{value:.{digits}f}".replace("-", "−")


def grid(head: Iterable[str], lines: Iterable[Iterable[str]]) -> Iterator[str]:
    names = list(head)
    yield f"| {' | '.join(names)} |"
    yield "|" + "---|" * len(names)
    for cells in lines:
        yield f"| {' | '.join(cells)} |"
    yield ""
