"""Writing tables, and checking that they can be written before the work begins."""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from entropick._extras import need_page
from entropick._files import PICTURES, as_path, replacing
from entropick.cli._arff import write_arff
from entropick.cli._formats import FORMATS, KINDS

if TYPE_CHECKING:
    import polars as pl


def write_table(frame: pl.DataFrame, path: str, has_header: bool = True) -> None:
    """Write a table in the format of the path's suffix; an existing file is replaced at the very end.

    Text has a line of names only if the table that it comes from had names.
    """
    kind, packed = output_kind(path)
    with replacing(path) as file:
        if packed:
            with gzip.GzipFile(filename="", mode="wb", fileobj=file) as target:
                _write(frame, kind, target, has_header)
        else:
            _write(frame, kind, file, has_header)


def check_writable(frame: pl.DataFrame, path: str) -> None:
    """Raise if the format cannot hold the columns, before time is spent on a search."""
    _write(frame.head(1), output_kind(path)[0], io.BytesIO())


def _write(frame: pl.DataFrame, kind: str, file: Any, has_header: bool = True) -> None:
    import polars as pl

    try:
        if kind in ("csv", "tsv"):
            if frame.width == 1:  # an empty line is not a row, an empty cell in quotes is
                frame = frame.cast(pl.String).fill_null("")
            frame.write_csv(file, separator="\t" if kind == "tsv" else ",", include_header=has_header)
        elif kind == "parquet":
            frame.write_parquet(file)
        elif kind == "arrow":
            frame.write_ipc(file)
        else:
            write_arff(frame, file)
    except (pl.exceptions.PolarsError, OSError) as error:
        numbers = re.findall(r"os error (\d+)", str(error))  # polars only tells it in words
        if numbers:
            raise OSError(int(numbers[0]), os.strerror(int(numbers[0]))) from error
        if isinstance(error, OSError):
            raise
        raise ValueError(f"--out cannot hold this table as {kind.upper()}: {str(error).splitlines()[0]}.") from error


def output_kind(path: str) -> tuple[str, bool]:
    """The format of a path's suffix, and whether it is gzipped.

    Examples
    --------
    >>> output_kind("few.csv.gz")
    ('csv', True)
    """
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    packed = suffixes[-1:] == [".gz"]
    kind = KINDS.get((suffixes[:-1] if packed else suffixes)[-1:][0], "") if len(suffixes) > packed else ""
    if not kind or (packed and kind in ("parquet", "arrow")):
        raise ValueError(f"--out must end in {FORMATS}; got {path!r}.")
    return kind, packed


def check_page(option: str, path: str) -> None:
    """Raise if a path is that of something else than a page or a picture."""
    if Path(path).suffix.lower() not in ("", ".html", ".htm", *(f".{kind}" for kind in PICTURES)):
        raise ValueError(f"{option} must end in .html, or in one of {', '.join(PICTURES)} for a picture; got {path!r}.")


def write_names(names: Sequence[str], path: str) -> None:
    """Write names one per line, to a file, or to standard output if the path is '-'."""
    if broken := next((name for name in names if "\n" in name or "\r" in name), None):
        raise ValueError(f"--names has one name per line; {broken!r} has a line break: use --json.")
    data = "".join(f"{name}\n" for name in names).encode("utf-8", "replace")
    if path == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    with replacing(path) as file:
        file.write(data)


def check_outputs(sources: Sequence[Path], outputs: dict[str, str | None]) -> None:
    """Raise before the work begins if an output cannot be written, or would overwrite the input or another output."""
    if outputs.get("--report") is not None:
        need_page()
    seen = {os.path.realpath(source): "the input file" for source in sources}
    for option, path in outputs.items():
        if path is None or (path == "-" and option in ("--json", "--names")):
            continue
        place = as_path(path)
        if path == "-":
            raise ValueError(f"{option} must be a file; only --json and --names may be -, for standard output.")
        if place.exists() and not place.is_file() and not place.is_dir() and option != "--checkpoint":
            continue  # a pipe or a device
        if (place.exists() and not place.is_file()) or not place.parent.is_dir():
            raise ValueError(f"{option} must be a file in an existing folder; got {path!r}.")
        if not os.access(place.parent, os.W_OK) or (place.exists() and not os.access(place, os.W_OK)):
            raise ValueError(f"{option} must be a writable file; got {path!r}: change its permissions.")
        real = os.path.realpath(place)
        if real in seen:
            raise ValueError(f"{option} must be a different file from {seen[real]}; got {path!r}.")
        seen[real] = f"that of {option}"
