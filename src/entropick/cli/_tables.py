"""Tables in files: CSV, TSV, Parquet, Arrow, ARFF, each also gzipped, and standard input."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from entropick._arguments import did_you_mean
from entropick._files import as_path, replacing
from entropick.cli._arff import read_arff, write_arff
from entropick.cli._arrow import arrow_names
from entropick.cli._csv import Dialect, find_dialect
from entropick.cli._rows import MISSING, text_parts
from entropick.cli._scan import LONGEST, RowError
from entropick.cli._types import typed_columns
from entropick.cli._unpack import Unpacked

if TYPE_CHECKING:
    import polars as pl

_KINDS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".arff": "arff",
}
_FORMATS = ".csv, .tsv, .parquet, .arrow, .feather or .arff, the text formats also with .gz"
_SAMPLE = 1 << 16  # bytes that are looked at first
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow stream"}


class TableFile:
    """A table in a file or from standard input, read when it is asked for.

    Parameters
    ----------
    path : str
        The file; '-' is standard input, whose format is found from its content.
    """

    def __init__(self, path: str) -> None:
        self.name = "standard input" if path == "-" else Path(path).name
        self.path = None if path == "-" else as_path(path)
        self.notes: dict[str, str] = {}  # by column, what should be said of how it was read
        self.data = None
        if self.path is None:
            self.data = _standard_input()
        else:
            _check_readable(path, self.path)
            if not self.path.is_file():  # a pipe can be read only once
                self.data = self.path.read_bytes()
        self.is_packed = self.path is not None and self.path.suffix == ".gz"
        self.is_packed = self.is_packed or self._head()[0].startswith(b"\x1f\x8b")
        sample, whole = self._head()
        if not sample.strip():
            raise ValueError(f"{self._called()} must hold a table with a line of names; it is empty.")
        self.kind = self._find_kind(sample)
        self.dialect = self._find_dialect(sample, whole) if self.kind in ("csv", "tsv") else None

    def read(self, *, as_text: bool = False, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """The table, or some of its columns.

        Parameters
        ----------
        as_text : bool
            Take the values of a CSV file as they are written.
        columns : sequence of str, optional
            Which ones, in this order.
        """
        import polars as pl

        try:
            if self.dialect is not None:
                frame = self._read_csv(self.dialect, as_text, columns)
            elif self.kind == "arff":
                frame = read_arff(self._text())
            else:
                frame = self._read_binary(columns)
        except KeyboardInterrupt:
            _settle_interrupt()
            raise
        except RowError as error:
            raise ValueError(f"{self._called()} {error}.") from error
        except UnicodeDecodeError as error:
            raise ValueError(self._not_utf8()) from error
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise ValueError(self._broken(error)) from error
        frame = frame.select(columns) if columns is not None else frame
        if frame.height == 0 or frame.width == 0:
            raise ValueError(f"{self._called()} must have columns and rows; it has {frame.width} and {frame.height}.")
        return frame

    def _read_csv(self, dialect: Dialect, as_text: bool, columns: Sequence[str] | None) -> pl.DataFrame:
        import polars as pl

        names = {place: name for place, name in enumerate(dialect.header) if columns is None or name in columns}

        def read(places: Sequence[int]) -> Iterator[pl.DataFrame]:
            return text_parts(self._open, dialect, places, as_text)

        if as_text:
            return pl.concat(read(list(names))).rename({str(place): name for place, name in names.items()})
        found = []
        for column, note in typed_columns(read, names, dialect.delimiter):
            found.append(_stripped(column) if dialect.padded and column.dtype == pl.String else column)
            if note is not None:
                self.notes[column.name] = note
        return pl.DataFrame(found)

    def _read_binary(self, columns: Sequence[str] | None) -> pl.DataFrame:
        """Parquet or Arrow; the open file, for polars takes some letters of a path for a pattern."""
        import polars as pl

        with self._open() as file:
            self._check_names(arrow_names(file) if self.kind == "arrow" else [])
        with self._open() as file:
            source = io.BytesIO(self._content()) if self.is_packed else file
            if self.kind == "parquet":
                return pl.read_parquet(source, columns=None if columns is None else list(columns))
            return pl.read_ipc_stream(source) if self._is_stream() else pl.read_ipc(source)

    def _find_kind(self, sample: bytes) -> str:
        suffixes = [] if self.path is None else [suffix.lower() for suffix in self.path.suffixes if suffix != ".gz"]
        named = _KINDS.get(suffixes[-1], "") if suffixes else ""
        inside = next((kind for magic, kind in _MAGIC.items() if sample.startswith(magic)), "")
        if named in ("parquet", "arrow") or (inside and not named):
            if not inside.startswith(named or inside):
                raise ValueError(f"{self._called()} must be {named.title()}, as its name says; its content is not.")
            return named or inside.split()[0]
        if inside:
            raise ValueError(f"{self._called()} must be text; it is {inside.title()}: give it the suffix .{inside}.")
        if sample.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise ValueError(f"{self._called()} must be UTF-8 text; it is UTF-16: save it as UTF-8.")
        if b"\0" in sample:
            raise ValueError(f"{self._called()} must be text; it is binary: the formats are {_FORMATS}.")
        if named:
            return named
        words = next((line for line in sample.splitlines() if line.strip() and not line.startswith(b"%")), b"")
        return "arff" if words.strip().lower().startswith(b"@relation") else "csv"

    def _find_dialect(self, sample: bytes, whole: bool) -> Dialect:
        try:
            text = (sample if whole else sample.rpartition(b"\n")[0] or sample).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValueError(self._not_utf8()) from error
        dialect = find_dialect(text, whole, prefer="\t" if self.kind == "tsv" else "")
        self._check_names(dialect.header)
        return dialect

    def _check_names(self, names: Sequence[str]) -> None:
        name, times = Counter(names).most_common(1)[0] if names else ("", 0)
        if times > 1:
            what = "columns of different names" if self.kind == "arrow" else "a line of different names"
            raise ValueError(f"{self._called()} must begin with {what}; {name!r} is there {times} times: rename them.")

    def _open(self) -> BinaryIO:
        file = io.BytesIO(self.data) if self.data is not None else self.path.open("rb")  # type: ignore[union-attr]
        return Unpacked(file, self._called()) if self.is_packed else file  # type: ignore[return-value]

    def _head(self) -> tuple[bytes, bool]:
        """The first bytes, with at least two lines if there are, and whether that is all."""
        with self._open() as file:
            sample = file.read(_SAMPLE)
            while max(sample.count(b"\n"), sample.count(b"\r")) < 2 and not sample.startswith(tuple(_MAGIC)):
                if len(sample) > LONGEST:
                    raise ValueError(f"{self._called()} must have lines of at most {LONGEST >> 20} MB; one is longer.")
                if not (more := file.read(len(sample))):
                    break
                sample += more
            return sample, not file.read(1)

    def _content(self) -> bytes:
        with self._open() as file:
            return b"".join(iter(lambda: file.read(1 << 20), b""))

    def _text(self) -> str:
        text = self._content().decode("utf-8-sig")
        return text if "\n" in text else text.replace("\r", "\n")  # line ends of old

    def _is_stream(self) -> bool:
        return not self._head()[0].startswith(b"ARROW1")

    def _called(self) -> str:
        return "standard input" if self.path is None else f"file {self.path.name!r}"

    def _not_utf8(self) -> str:
        decoder, place = codecs.getincrementaldecoder("utf-8")(), 0
        with self._open() as file:
            for piece in iter(lambda: file.read(1 << 20), b""):
                waiting = len(decoder.getstate()[0])
                try:
                    decoder.decode(piece)
                except UnicodeDecodeError as error:
                    place += error.start - waiting
                    break
                place += len(piece)
        return (
            f"{self._called()} must be UTF-8 text; byte {place + 1} is not: save it as UTF-8, such as with "
            "`iconv -f latin1 -t utf-8`."
        )

    def _broken(self, error: BaseException) -> str:
        message = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        kind = {"parquet": "Parquet", "arrow": "Arrow"}.get(self.kind, self.kind.upper())
        return f"{self._called()} must be {kind}; it cannot be read: {message}."


def write_table(frame: pl.DataFrame, path: str) -> None:
    """Write a table in the format that the suffix of the path says; what was there is replaced at the very end."""
    kind, packed = output_kind(path)
    with replacing(path) as file:
        if packed:
            with gzip.GzipFile(filename="", mode="wb", fileobj=file) as target:
                _write(frame, kind, target)
        else:
            _write(frame, kind, file)


def check_writable(frame: pl.DataFrame, path: str) -> None:
    """Raise if the format cannot hold the columns, before a search that would be for nothing."""
    _write(frame.head(1), output_kind(path)[0], io.BytesIO())


def _write(frame: pl.DataFrame, kind: str, file: Any) -> None:
    import polars as pl

    try:
        if kind in ("csv", "tsv"):
            if frame.width == 1:  # an empty line is no row, an empty cell in quotes is
                frame = frame.cast(pl.String).fill_null("")
            frame.write_csv(file, separator="\t" if kind == "tsv" else ",")
        elif kind == "parquet":
            frame.write_parquet(file)
        elif kind == "arrow":
            frame.write_ipc(file)
        else:
            write_arff(frame, file)
    except pl.exceptions.PolarsError as error:
        raise ValueError(f"--out cannot hold this table as {kind.upper()}: {str(error).splitlines()[0]}.") from error


def output_kind(path: str) -> tuple[str, bool]:
    """The format that the suffix of a path says, and whether it is gzipped.

    Examples
    --------
    >>> output_kind("few.csv.gz")
    ('csv', True)
    """
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    packed = suffixes[-1:] == [".gz"]
    kind = _KINDS.get((suffixes[:-1] if packed else suffixes)[-1:][0], "") if len(suffixes) > packed else ""
    if not kind or (packed and kind in ("parquet", "arrow")):
        raise ValueError(f"--out must end in {_FORMATS}; got {path!r}.")
    return kind, packed


def pick_columns(
    names: Sequence[str], wanted: Sequence[str], option: str, others: Mapping[str, str] | None = None
) -> list[str]:
    """Names of columns as given to an option: each one name, or several with commas between.

    Parameters
    ----------
    names : sequence of str
        Those that may be named.
    wanted : sequence of str
        What the option was given.
    option : str
        The option, for errors.
    others : mapping of str to str, optional
        Names that may not, and why.

    Examples
    --------
    >>> pick_columns(["a", "b", "c,d"], ["b,a", "c,d"], "--columns")
    ['b', 'a', 'c,d']
    """
    found: list[str] = []
    for entry in wanted:
        for name in [entry] if entry in names else [part.strip() for part in entry.split(",")]:
            if name in (others or {}):
                raise ValueError(f"{option} must name columns to choose from; {name!r} {(others or {})[name]}.")
            if name not in names:
                near = did_you_mean(name, names)
                raise ValueError(f"{option} must name columns of the table; got {name!r}, which is none of them.{near}")
            found.append(name)
    return list(dict.fromkeys(found))


def check_outputs(source: Path | None, outputs: dict[str, str | None]) -> None:
    """Raise before the work begins if an output cannot be written, or would replace what is read or another output."""
    seen = {} if source is None else {os.path.realpath(source): "the one that is read"}
    for option, path in outputs.items():
        if path is None or (path == "-" and option == "--json"):
            continue
        place = as_path(path)
        if path == "-":
            raise ValueError(f"{option} must be a file; only --json may be -, which is standard output.")
        if place.exists() and not place.is_file() and not place.is_dir() and option != "--checkpoint":
            continue  # a pipe or a device
        if (place.exists() and not place.is_file()) or not place.parent.is_dir():
            raise ValueError(f"{option} must be a file in a folder that exists; got {path!r}.")
        if not os.access(place.parent, os.W_OK) or (place.exists() and not os.access(place, os.W_OK)):
            raise ValueError(f"{option} must be a file that can be written; got {path!r}: change its permissions.")
        real = os.path.realpath(place)
        if real in seen:
            raise ValueError(f"{option} must be another file than {seen[real]}; got {path!r}.")
        seen[real] = f"that of {option}"


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise ValueError("- is standard input, which is closed.")
    return sys.stdin.buffer.read()


def _check_readable(given: str, path: Path) -> None:
    if not given.strip():
        raise ValueError("a file with a table is needed; got an empty name.")
    if path.is_dir():
        raise ValueError(f"a file with a table is needed; {given!r} is a folder.")
    if not path.exists():
        near = did_you_mean(path.name, [other.name for other in path.parent.glob("*")] if path.parent.is_dir() else [])
        raise ValueError(f"there is no file {given!r}.{near}")
    if path.is_char_device() or path.is_block_device():
        raise ValueError(f"a file with a table is needed; {given!r} is a device.")
    if not os.access(path, os.R_OK):
        raise ValueError(f"file {given!r} may not be read: change its permissions.")


def _settle_interrupt() -> None:
    """At Ctrl-C polars raises, and Python once more for the same one as soon as it goes on, which is here."""
    try:
        time.sleep(0)
    except KeyboardInterrupt:
        return


def _stripped(column: pl.Series) -> pl.Series:
    """Text without the blanks around it."""
    text = column.str.strip_chars()
    return text.set(text.is_in(list(MISSING)), None)
