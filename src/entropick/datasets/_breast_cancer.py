"""Breast Cancer Wisconsin (Diagnostic): which tumours are malignant. The data come with scikit-learn."""

from __future__ import annotations

from entropick.datasets._folder import Folder
from entropick.datasets._spec import Frames, Spec


def _read(folder: Folder) -> Frames:
    import polars as pl
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    frame = pl.DataFrame(data.data, schema=data.feature_names.tolist())
    return frame.with_columns(pl.Series("diagnosis", data.target_names[data.target].tolist())), None


BREAST_CANCER = Spec(
    name="breast_cancer",
    title="Breast Cancer Wisconsin (Diagnostic)",
    target="diagnosis",
    n_rows=569,
    n_features=30,
    files={},
    archive="",
    read=_read,
    description=(
        "A row is a tumour; the target is its diagnosis, 'malignant' (212 rows) or 'benign' (357). The columns are the "
        "mean, standard error and worst value of ten measures of its cell nuclei. No values are missing. The paper "
        "counts 32 features, which are these 30, the patient's number and the diagnosis, and keeps 20."
    ),
    citation=(
        "Wolberg, W., Mangasarian, O., Street, N., & Street, W. (1993). Breast Cancer Wisconsin (Diagnostic) "
        "[Dataset]. UCI Machine Learning Repository. https://doi.org/10.24432/C5DW2B"
    ),
)
