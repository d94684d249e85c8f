import numpy as np
import pytest

from entropick.encode._binning import _quantiles


@pytest.mark.parametrize("kind", ["normal", "ties", "integers", "tiny", "huge", "constant", "sorted"])
def test_quantiles_of_many_values_are_those_of_numpy_to_the_last_bit(kind):
    rng = np.random.default_rng(0)
    x = {
        "normal": rng.normal(size=60_001),
        "ties": np.round(rng.normal(size=60_000), 1),
        "integers": rng.integers(-3000, 9000, size=70_000).astype(float),
        "tiny": rng.normal(size=50_000) * 1e-310,
        "huge": rng.normal(size=50_000) * 1e307,
        "constant": np.full(50_000, -0.0),
        "sorted": np.arange(55_555) / 7,
    }[kind]
    shares = np.array([0.0, 0.1, 0.2, 1 / 3, 0.5, 0.9, 1.0])
    np.testing.assert_array_equal(_quantiles(x, shares), np.quantile(x, shares))
