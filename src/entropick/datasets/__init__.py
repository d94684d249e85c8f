"""The six UCI data sets of the paper, read from this machine or downloaded once.

Each data set has a folder, such as `connect_4`, which is looked up in the directory that the environment variable
`ENTROPICK_DATA` names, then in the user's cache. If it is in neither, the data set is downloaded into the cache. A
folder holds the files of the UCI repository: as they are, compressed (`.gz`, `.Z`), or in their zip archive. The sha256
of a download is checked; that of files you put there is not.

To add a data set, write its `Spec` in a new file and add it to `DATASETS`.
"""

from entropick.datasets._folder import DatasetError
from entropick.datasets._load import fetch, find, load
from entropick.datasets._registry import DATASETS
from entropick.datasets._spec import Dataset, Spec

__all__ = ["DATASETS", "Dataset", "DatasetError", "Spec", "fetch", "find", "load"]
