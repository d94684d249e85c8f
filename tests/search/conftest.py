import pytest


@pytest.fixture
def small_calls(monkeypatch):
    """Scores are asked for one at a time, as if they were slow."""
    monkeypatch.setattr("entropick.search._ledger._CALL_SECONDS", 0.0)
