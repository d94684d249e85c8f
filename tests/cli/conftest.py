from __future__ import annotations

from pathlib import Path

import pytest
from command import patients


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "patients.csv"
    patients().write_csv(path)
    return path
