"""The answer first, then the files one by one: a file that fails does not stop the others."""

from __future__ import annotations

import sys
from collections.abc import Callable

from entropick.cli._errors import OutputError
from entropick.cli._signals import raise_received
from entropick.cli.progress import ProgressBar


class Outputs:
    """The outputs of a command, in the order in which they are requested.

    Parameters
    ----------
    quiet : bool
        Never show a progress bar.
    tells : bool
        Whether standard output says what was written.
    """

    def __init__(self, quiet: bool = False, tells: bool = True) -> None:
        self._quiet = quiet
        self._tells = tells
        self._sentences: list[str] = []
        self._broken: BrokenPipeError | None = None

    def show(self, show: Callable[[], object]) -> None:
        """Put the answer on standard output; if that fails, the files may still have it."""
        raise_received()
        try:
            show()
            sys.stdout.flush()
        except BrokenPipeError as error:
            self._broken = error
        except OSError as error:
            self._sentences.append(f"the result could not be shown: {error.strerror or error}.")
            self._tells = False

    def write(self, option: str, path: str | None, write: Callable[[str], object], after: str = "") -> None:
        """Write a file if one was asked for, and say so; or remember why it could not be written."""
        if path is None:
            return
        raise_received()
        try:
            with ProgressBar(self._quiet) as bar:
                bar.phase(f"writing {option.lstrip('-')}")
                write(path)
        except OSError as error:
            self._sentences.append(f"{option} {path!r} could not be written: {error.strerror or error}.")
        except MemoryError:
            self._sentences.append(f"{option} {path!r} could not be written: there is not enough memory.")
        except ValueError as error:
            self._sentences.append(str(error))
        else:
            self.tell(f"Written: {path}{after}")

    def tell(self, line: str) -> None:
        """Put a line on standard output, unless that has something else."""
        if self._tells and self._broken is None:
            try:
                print(line, flush=True)
            except BrokenPipeError as error:
                self._broken = error

    def end(self) -> None:
        """Raise what was remembered."""
        if self._sentences:
            raise OutputError(self._sentences)
        if self._broken is not None:
            raise self._broken
