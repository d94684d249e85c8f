"""The data sets by name."""

from __future__ import annotations

from entropick import _names
from entropick._names import Registry
from entropick.datasets._spec import Spec

DATASETS: Registry[Spec] = _names.DATASETS
