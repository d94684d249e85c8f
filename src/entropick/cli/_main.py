"""From the command line to an exit status: 0, 2 with a sentence for bad input, 130 for Ctrl-C."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Mapping, Sequence

import typer

from entropick._errors import Mention, ParameterError
from entropick._extras import MissingExtraError
from entropick.cli._app import app
from entropick.cli._errors import DescriptionError, InterruptionError, OutputError
from entropick.cli._signals import received, recorded_signals

BROKEN_PIPE = OWN_FAULT = 1
BAD_INPUT = 2
INTERRUPTED = 128 + signal.SIGINT
_OPTIONS = {
    "n_features": "--n-features",
    "n_features_to_select": "--n-features",
    "max_features": "--max-features",
    "max_seconds": "--time-limit",
    "n_bins": "--bins",
    "n_jobs": "--jobs",
    "random_state": "--seed",
    "target": "--target-kind",
    "always": "--always",
    "binning": "--binning",
    "checkpoint": "--checkpoint",
    "groups": "--groups",
    "metric": "--metric",
    "models": "--models",
    "criterion": "--criterion",
    "effort": "--effort",
    "folds": "--folds",
    "halves": "--halves",
    "keep": "--keep",
    "decoys": "--decoys",
    "methods": "--methods",
    "null": "--no-null",
    "method": "--method",
    "search": "--method",
    "time": "--time",
    "parsimony": "--parsimony",
    "resamples": "--resamples",
}
_OF_COMPARE = {"method": "--methods", "search": "--methods"}
_TRACEBACK = "ENTROPICK_TRACEBACK"  # environment variable, for debugging
_NO_MEMORY = "there is not enough memory for this table: choose fewer columns with --columns."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process by default.
    """
    _prepare_streams()
    given = sys.argv[1:] if arguments is None else list(arguments)
    with recorded_signals():
        try:
            return _run(given)
        except InterruptionError as error:
            return _fail(str(error), INTERRUPTED)
        except BaseException as error:
            number = received()  # if there was one, the error is a consequence of it
            if number is None and not isinstance(error, KeyboardInterrupt | typer.Abort):
                if isinstance(error, Exception) or type(error).__name__ == "PanicException":  # of polars
                    return _explain(error, {**_OPTIONS, **(_OF_COMPARE if "compare" in given[:1] else {})})
                raise
            _close_output()
            if number in (None, signal.SIGINT):
                return _fail("interrupted.", INTERRUPTED)
            return _fail(f"ended by {signal.Signals(number).name}.", 128 + number)


def _run(arguments: list[str]) -> int:
    status = app(args=arguments, prog_name="entropick", standalone_mode=False)
    sys.stdout.flush()
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    return int(status or 0)


def _explain(error: BaseException, options: Mapping[str, str]) -> int:
    """Print a sentence for an error, in which parameters are options, and return its status."""

    def option(mention: Mention) -> str:
        name = options.get(mention.parameter, mention.parameter)
        return name if mention.value is None else f"{name} {mention.value}"

    traced = bool(os.environ.get(_TRACEBACK))
    match error:
        case typer.TyperException():
            sentence = error.format_message().rstrip(".")  # empty if there were no arguments and help was shown
            return _fail(f"{sentence}: see entropick --help.", BAD_INPUT) if sentence else 0
        case BrokenPipeError():
            _close_output()
            return BROKEN_PIPE
        case OutputError():
            _close_output()
            return max(_fail(sentence, BAD_INPUT) for sentence in error.sentences)
        case DescriptionError(cause=MemoryError()):
            return _fail(f"there is not enough memory to describe the result. {error}", BAD_INPUT)
        case MemoryError():
            return _fail(_NO_MEMORY, BAD_INPUT)
        case OSError():
            _close_output()
            where = f" {str(error.filename)!r}" if error.filename else " a file"
            return _fail(f"cannot use{where}: {error.strerror}." if error.strerror else str(error), BAD_INPUT)
        case MissingExtraError():
            return _fail(str(error), BAD_INPUT)
        case ParameterError() if not traced:
            return _fail(error.sentence(option, none=""), BAD_INPUT)
        case ValueError() if not traced:
            return _fail(str(error), BAD_INPUT)
    if traced:
        raise error
    cause, chosen = (error.cause, f" {error}") if isinstance(error, DescriptionError) else (error, "")
    what = f"{type(cause).__name__}: {cause}"
    return _fail(f"internal error, please report it ({what}); {_TRACEBACK}=1 shows where.{chosen}", OWN_FAULT)


def _prepare_streams() -> None:
    """Make standard output and standard error safe to write to.

    Python has None for a closed stream: what goes there is lost. Characters that a stream cannot encode become question
    marks.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - for as long as the process lives
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _fail(sentence: str, status: int) -> int:
    try:
        print("entropick:", " ".join(sentence.split()), file=sys.stderr)
    except OSError:
        return status
    return status


def _close_output() -> None:
    """Leave nothing in the buffer that Python would try to write again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
