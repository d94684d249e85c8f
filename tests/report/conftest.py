from __future__ import annotations

from typing import Any

import pytest
from helpers import breast_cancer_frame

from entropick import CrossEntropySelector
from entropick.report import describe


@pytest.fixture(scope="session")
def cancer() -> CrossEntropySelector:
    X, y = breast_cancer_frame()
    return CrossEntropySelector(random_state=0).fit(X, y)


@pytest.fixture
def result(cancer: CrossEntropySelector) -> dict[str, Any]:
    return describe(cancer)
