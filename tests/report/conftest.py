from __future__ import annotations

import pytest
from helpers import breast_cancer_frame

from entropick import CrossEntropySelector
from entropick.report import Result, describe


@pytest.fixture(scope="session")
def cancer() -> CrossEntropySelector:
    X, y = breast_cancer_frame()
    return CrossEntropySelector(random_state=0).fit(X, y)


@pytest.fixture(scope="session")
def result(cancer: CrossEntropySelector) -> Result:
    return describe(cancer)
