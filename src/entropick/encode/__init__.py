"""From any table to small integers: levels for discrete values, bins for real ones, missing as a level."""

from entropick.encode._binning import BINNINGS
from entropick.encode._column import ColumnEncoder
from entropick.encode._encoded import Encoded, encode
from entropick.encode._encoder import TableEncoder
from entropick.encode._raw import ColumnWarning, RawColumn
from entropick.encode._source import (
    Source,
    as_array,
    as_frame,
    is_frame,
    numbers_of,
    read_source,
    take_columns,
)
from entropick.encode._table import MAX_LEVELS, CodeTable, Codes, count_entropy, joint_codes
from entropick.encode._target import TargetEncoder

__all__ = [
    "BINNINGS",
    "MAX_LEVELS",
    "CodeTable",
    "Codes",
    "ColumnEncoder",
    "ColumnWarning",
    "Encoded",
    "RawColumn",
    "Source",
    "TableEncoder",
    "TargetEncoder",
    "as_array",
    "as_frame",
    "count_entropy",
    "encode",
    "is_frame",
    "joint_codes",
    "numbers_of",
    "read_source",
    "take_columns",
]
