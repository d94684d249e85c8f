from __future__ import annotations

from typing import Any

import pytest
from sklearn.datasets import load_breast_cancer

from entropick import CrossEntropySelector
from entropick.report import describe


@pytest.fixture(scope="session")
def cancer() -> CrossEntropySelector:
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return CrossEntropySelector(random_state=0).fit(X, y)


@pytest.fixture
def result(cancer: CrossEntropySelector) -> dict[str, Any]:
    return describe(cancer)
