"""The six UCI data sets of the paper: found on this machine, or downloaded once.

A data set is looked for in its folder (`connect_4`) of the directory that the environment variable `ENTROPICK_DATA`
names, then of the user's cache, and is else downloaded into the cache. A folder holds the files of the UCI repository
as they are, compressed (`.gz`, `.Z`), or in the zip archive they come in. Downloads are held to their sha256; what
lies in a folder is trusted.

To add a data set, write its `Spec` in its own file and name it in `DATASETS`.
"""

from entropick.datasets._dataset import Dataset
from entropick.datasets._error import DatasetError
from entropick.datasets._load import fetch, find, load
from entropick.datasets._registry import DATASETS
from entropick.datasets._spec import Spec

__all__ = ["DATASETS", "Dataset", "DatasetError", "Spec", "fetch", "find", "load"]
