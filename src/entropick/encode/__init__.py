"""From any table to small integers: levels for discrete values, bins for real ones, missing as a level."""

from entropick.encode._binning import BINNINGS, Edges, EqualWidth, quantile_edges, quantile_places
from entropick.encode._column import (
    MAX_INTEGER_LEVELS,
    ColumnEncoder,
    binned,
    fit_column,
    fit_values,
    may_number_rows,
    row_numbers,
    without_values,
)
from entropick.encode._content import Content, bits, mixed, stratified
from entropick.encode._encoded import Encoded, encode
from entropick.encode._encoder import TableEncoder, notes_together
from entropick.encode._raw import ColumnWarning, RawColumn
from entropick.encode._source import (
    Source,
    as_array,
    as_frame,
    is_frame,
    numbers_of,
    read_source,
    take_columns,
    take_rows,
)
from entropick.encode._table import MAX_LEVELS, Codes, CodeTable, count_entropy, joint_codes, narrow
from entropick.encode._target import TargetEncoder

__all__ = [
    "BINNINGS",
    "MAX_INTEGER_LEVELS",
    "MAX_LEVELS",
    "CodeTable",
    "Codes",
    "ColumnEncoder",
    "ColumnWarning",
    "Content",
    "Edges",
    "Encoded",
    "EqualWidth",
    "RawColumn",
    "Source",
    "TableEncoder",
    "TargetEncoder",
    "as_array",
    "as_frame",
    "binned",
    "bits",
    "count_entropy",
    "encode",
    "fit_column",
    "fit_values",
    "is_frame",
    "joint_codes",
    "may_number_rows",
    "mixed",
    "narrow",
    "notes_together",
    "numbers_of",
    "quantile_edges",
    "quantile_places",
    "read_source",
    "row_numbers",
    "stratified",
    "take_columns",
    "take_rows",
    "without_values",
]
