"""
Strings, missing values and dates in one table
==============================================

Strings and missing values go into a selector as they are, and dates after one call: there is
nothing to encode or to impute. The table is a made-up list of customers. Who leaves depends on
the plan, on the season of joining, and on whether a customer told us an age.
"""

import numpy as np
import pandas as pd

from entropick import CrossEntropySelector, date_parts
from entropick.report import figures

rng = np.random.default_rng(0)
n = 1500
days = rng.integers(0, 3 * 365, n)
customers = pd.DataFrame(
    {
        "plan": rng.choice(["basic", "plus", "family"], n, p=[0.5, 0.3, 0.2]),
        "city": rng.choice(["Bern", "Lyon", "Porto", "Turin", "Ulm", None], n),
        "age": np.where(rng.random(n) < 0.3, np.nan, rng.integers(18, 80, n)),
        "joined": pd.Timestamp("2022-01-01") + pd.to_timedelta(days, unit="D"),
        "visits": rng.poisson(6, n),
    }
)
risk = 0.15 + 0.3 * (customers["plan"] == "basic") + 0.25 * customers["age"].isna()
risk += 0.25 * (customers["joined"].dt.month > 10)
outcome = np.where(rng.random(n) < risk, "left", "stayed")
print(customers.head(4))

# %%
# A whole date has too many different values to be of use. ``date_parts`` splits it into year,
# month, weekday and days.

X = date_parts(customers)
selector = CrossEntropySelector(random_state=0).fit(X, outcome)
print(*selector.get_feature_names_out(), sep="\n")

# %%
# For each value of a selected column, a bar shows how many of the rows left. The thicker the
# bar, the more rows. First the strings.

result = selector.report().result
place = {column.name: i for i, column in enumerate(result.target_by_column)}
figures.target_by_column(result, place["plan"])

# %%
# Then the numbers with gaps: a missing value is a value like any other, and here it is the one
# that matters.

figures.target_by_column(result, place["age"])

# %%
# And the part of the date.

figures.target_by_column(result, place["joined: month"])
