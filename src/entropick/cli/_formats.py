"""The file formats of tables by suffix."""

from __future__ import annotations

KINDS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".arff": "arff",
}
TABLE = "\0table"  # the key of a note on the whole table among those of its columns; none can have that name
SHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")  # only read
FORMATS = ".csv, .tsv, .parquet, .arrow, .feather or .arff, the text formats also with .gz"
