"""What is raised when a data set cannot be had."""

from __future__ import annotations


class DatasetError(OSError):
    """A data set is not here and cannot be downloaded, or its files are not what they should be.

    Examples
    --------
    >>> issubclass(DatasetError, OSError)
    True
    """


class BadFileError(DatasetError):
    """A file is not what it should be; `reason` says why."""

    def __init__(self, where: object, reason: str) -> None:
        super().__init__(f"{where} {reason}: replace it by another copy, or delete it to have it downloaded.")
        self.reason = reason
