"""From the command line to an exit status: 0, 2 and a sentence for what cannot be done, 130 for Ctrl-C."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

import typer

from entropick.cli._app import app
from entropick.cli._select import InterruptionError

BROKEN_PIPE = OWN_FAULT = 1
BAD_INPUT = 2
INTERRUPTED = 130
_OPTIONS = {
    "n_features_to_select": "--n-features",
    "max_features": "--max-features",
    "max_seconds": "--time-limit",
    "n_bins": "--bins",
    "n_jobs": "--jobs",
    "target='numeric'": "--target-kind numeric",
    "target='classes'": "--target-kind classes",
}
_TRACEBACK = "ENTROPICK_TRACEBACK"  # of the environment, for those who look for a fault


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process if None.
    """
    _open_closed_streams()
    try:
        status = app(args=None if arguments is None else list(arguments), prog_name="entropick", standalone_mode=False)
        sys.stdout.flush()
        if status == INTERRUPTED:
            return _fail("interrupted.", INTERRUPTED)
        return int(status or 0)
    except InterruptionError as error:
        return _fail(str(error), INTERRUPTED)
    except typer.TyperException as error:
        sentence = error.format_message().rstrip(".")  # there is none when there are no arguments and help was shown
        return _fail(f"{sentence}: entropick --help shows what there is.", BAD_INPUT) if sentence else 0
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted.", INTERRUPTED)
    except BrokenPipeError:
        return _close_output(BROKEN_PIPE)
    except MemoryError:
        return _fail("there is not enough memory for this table: choose fewer columns with --columns.", BAD_INPUT)
    except OSError as error:
        _close_output(BAD_INPUT)
        where = f" {str(error.filename)!r}" if error.filename else ""
        return _fail(f"cannot use{where or ' a file'}: {error.strerror}." if error.strerror else str(error), BAD_INPUT)
    except ValueError as error:
        if os.environ.get(_TRACEBACK):
            raise
        return _fail(_in_options(str(error)), BAD_INPUT)
    except Exception as error:
        if os.environ.get(_TRACEBACK):
            raise
        what = f"{type(error).__name__}: {error}"
        return _fail(f"an error of entropick itself, please report it ({what}); {_TRACEBACK}=1 shows where.", OWN_FAULT)


def _in_options(sentence: str) -> str:
    """A sentence about parameters in the words of the command line."""
    for parameter, option in _OPTIONS.items():
        sentence = re.sub(rf"(?<![\w-]){parameter}(?![\w-])", option, sentence)
    return sentence.replace(", or None;", ";")


def _open_closed_streams() -> None:
    """Python has None for a standard stream that is closed; what goes there is lost then."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - for as long as the process lives


def _fail(sentence: str, status: int) -> int:
    try:
        print("entropick:", " ".join(sentence.split()), file=sys.stderr)
    except OSError:
        return status
    return status


def _close_output(status: int) -> int:
    """Leave nothing in the buffer that Python would try to write again when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status
