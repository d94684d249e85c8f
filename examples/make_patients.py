"""The made-up table patients.csv: a treatment that only helps patients whose marker it fits.

Neither treatment nor marker alone says anything about the outcome; together they say most of it, and age adds a little.
Run python examples/make_patients.py to write it again.
"""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl

PATH = Path(__file__).with_name("patients.csv")


def patients(n: int = 1000, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    treatment = rng.choice(["A", "B"], n)
    marker = rng.choice(["positive", "negative"], n)
    fits = (treatment == "A") == (marker == "positive")
    recovered = rng.random(n) < np.where(fits, 0.93, 0.08) - np.where(age > 72, 0.3, 0.0) * fits
    pressure = (105 + 0.45 * age + rng.normal(0, 12, n)).round()
    bmi = rng.normal(26, 4, n).round(1)
    admitted = [date(2024, 1, 1) + timedelta(days=int(day)) for day in rng.integers(0, 366, n)]
    return pl.DataFrame(
        {
            "patient": [f"P{i:04d}" for i in range(n)],
            "admitted": admitted,
            "hospital": ["St. Anna"] * n,
            "age": age,
            "sex": rng.choice(["f", "m"], n),
            "bmi": [None if gone else value for gone, value in zip(rng.random(n) < 0.06, bmi.tolist(), strict=True)],
            "smoker": rng.choice(["never", "former", "daily"], n, p=[0.5, 0.3, 0.2]),
            "blood_pressure": pressure.astype(int),
            "glucose": rng.normal(95, 14, n).round(),
            "treatment": treatment,
            "marker": marker,
            "outcome": np.where(recovered, "recovered", "ill"),
        }
    )


if __name__ == "__main__":
    patients().write_csv(PATH)
