from __future__ import annotations

import pytest
from helpers import breast_cancer_frame, quick

from entropick import CrossEntropySelector
from entropick.report import Result, describe


@pytest.fixture(scope="session")
def cancer() -> CrossEntropySelector:
    X, y = breast_cancer_frame()
    return quick().fit(X, y)


@pytest.fixture(scope="session")
def result(cancer: CrossEntropySelector) -> Result:
    return describe(cancer)
