"""From the command line to an exit status: 0, 2 and a sentence for what cannot be done, 130 for Ctrl-C."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer

from entropick.cli._app import app
from entropick.cli._select import InterruptionError

BROKEN_PIPE = OWN_FAULT = 1
BAD_INPUT = 2
INTERRUPTED = 130
_TRACEBACK = "ENTROPICK_TRACEBACK"  # of the environment, for those who look for a fault


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process if None.
    """
    try:
        status = app(args=None if arguments is None else list(arguments), prog_name="entropick", standalone_mode=False)
        sys.stdout.flush()
        if status == INTERRUPTED:
            return _fail("interrupted.", INTERRUPTED)
        return int(status or 0)
    except InterruptionError as error:
        return _fail(str(error), INTERRUPTED)
    except typer.TyperException as error:
        hint = "entropick --help shows what there is"
        return _fail(f"{error.format_message().rstrip('.')}: {hint}.", BAD_INPUT)
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
        return _fail(str(error), BAD_INPUT)
    except Exception as error:
        if os.environ.get(_TRACEBACK):
            raise
        what = f"{type(error).__name__}: {error}"
        return _fail(f"an error of entropick itself, please report it ({what}); {_TRACEBACK}=1 shows where.", OWN_FAULT)


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
