"""Tables in files: CSV, TSV, Parquet, Arrow, ARFF, each also gzipped, and standard input."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from entropick._arguments import did_you_mean
from entropick._files import replacing
from entropick.cli._arff import read_arff, write_arff
from entropick.cli._csv import Dialect, find_dialect, find_ragged, has_quoted_cells

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
_MISSING = ["", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "-NaN", "-nan", "null", "NULL", "None", "<NA>", "?"]
_SAMPLE = 1 << 16  # bytes that are looked at first
_GUESS_ROWS = 10_000  # that are looked at to find the types of columns
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
        self.path = None if path == "-" else Path(path).expanduser()
        self.data = None
        if self.path is None:
            self.data = _standard_input()
        else:
            _check_readable(path, self.path)
            if not self.path.is_file():  # a pipe can be read only once
                self.data = self.path.read_bytes()
        sample, whole = self._head()
        if sample.startswith(b"\x1f\x8b") or (self.path is not None and self.path.suffix == ".gz"):
            self.data = self._unpacked()
            sample, whole = self._head()
        if b"\r" in sample and b"\n" not in sample and not sample.startswith(tuple(_MAGIC)):
            self.data = self._content().replace(b"\r", b"\n")  # line ends of old
            sample, whole = self._head()
        if not sample.strip():
            raise ValueError(f"{self._called()} must hold a table with a line of names; it is empty.")
        self.kind = self._find_kind(sample)
        self.has_blank_lines = False
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

        source: Any = self.path if self.data is None else io.BytesIO(self.data)
        try:
            if self.dialect is not None:
                frame = self._read_csv(source, self.dialect, as_text, columns)
            elif self.kind == "parquet":
                frame = pl.read_parquet(source, columns=None if columns is None else list(columns))
            elif self.kind == "arff":
                frame = read_arff(self._text())
            else:
                frame = pl.read_ipc_stream(source) if self._is_stream() else pl.read_ipc(source)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise ValueError(self._broken(error)) from error
        frame = frame.select(columns) if columns is not None else frame
        if frame.height == 0 or frame.width == 0:
            raise ValueError(f"{self._called()} must have columns and rows; it has {frame.width} and {frame.height}.")
        return frame

    def _read_csv(self, source: Any, dialect: Dialect, as_text: bool, columns: Sequence[str] | None) -> pl.DataFrame:
        import polars as pl

        names = dialect.header
        place_of = {name: place for place, name in enumerate(names)}
        places = sorted(place_of[name] for name in (names if columns is None or self.has_blank_lines else columns))
        options: dict[str, Any] = {
            "separator": dialect.delimiter,
            "columns": places,
            "decimal_comma": dialect.decimal_comma and not as_text,
            "null_values": None if as_text else _MISSING,
        }
        with self._open() as file:
            if not has_quoted_cells(file, dialect.delimiter):
                options["quote_char"] = None
        if as_text:
            frame = pl.read_csv(source, infer_schema=False, **options)
        else:
            try:
                frame = pl.read_csv(source, infer_schema_length=_GUESS_ROWS, **options)
            except pl.exceptions.ComputeError:  # a later row is of another type, or the file is broken
                if hasattr(source, "seek"):
                    source.seek(0)
                frame = pl.read_csv(source, infer_schema_length=None, **options)
        frame.columns = [names[place] for place in places]  # those of polars keep their quotes
        if dialect.padded and not as_text:
            frame = _stripped(frame)
        # To polars a blank line is a row without values; only the whole row shows that.
        return frame.filter(~pl.all_horizontal(pl.all().is_null())) if self.has_blank_lines else frame

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
            raise ValueError(self._not_utf8(error.start)) from error
        dialect = find_dialect(text, whole, prefer="\t" if self.kind == "tsv" else "")
        name, times = Counter(dialect.header).most_common(1)[0]
        if times > 1:
            raise ValueError(
                f"{self._called()} must begin with a line of different names; {name!r} is there {times} times: rename "
                "them."
            )
        with self._open() as file:
            ragged, self.has_blank_lines = find_ragged(file, dialect)
        if ragged:
            raise ValueError(f"{self._called()} must have as many values in every row as names: {ragged}.")
        return dialect

    def _open(self) -> BinaryIO:
        return io.BytesIO(self.data) if self.data is not None else self.path.open("rb")  # type: ignore[union-attr]

    def _head(self) -> tuple[bytes, bool]:
        """The first bytes, with at least two lines if there are, and whether that is all."""
        with self._open() as file:
            sample = file.read(_SAMPLE)
            while sample.count(b"\n") < 2 and (more := file.read(_SAMPLE)):
                sample += more
            return sample, not file.read(1)

    def _unpacked(self) -> bytes:
        try:
            with self._open() as file, gzip.open(file) as unpacked:
                return unpacked.read()
        except (EOFError, OSError, zlib.error) as error:
            raise ValueError(
                f"{self._called()} must be a gzip file, as its name says; it cannot be unpacked: {error}."
            ) from error

    def _content(self) -> bytes:
        with self._open() as file:
            return file.read()

    def _text(self) -> str:
        try:
            return self._content().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValueError(self._not_utf8(error.start)) from error

    def _is_stream(self) -> bool:
        return not self._head()[0].startswith(b"ARROW1")

    def _called(self) -> str:
        return "standard input" if self.path is None else f"file {self.path.name!r}"

    def _not_utf8(self, place: int) -> str:
        return (
            f"{self._called()} must be UTF-8 text; byte {place + 1} is not: save it as UTF-8, such as with "
            "`iconv -f latin1 -t utf-8`."
        )

    def _broken(self, error: BaseException) -> str:
        message = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        if "utf-8" in message.lower() or "utf8" in message.lower():
            try:
                self._content().decode("utf-8")
            except UnicodeDecodeError as wrong:
                return self._not_utf8(wrong.start)
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
        place = Path(path).expanduser()
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


def _stripped(frame: pl.DataFrame) -> pl.DataFrame:
    """Text without the spaces around it, as numbers where all of it is."""
    import polars as pl

    columns = []
    for column in frame:
        if column.dtype == pl.String:
            text = column.str.strip_chars()
            text = text.set(text.is_in(_MISSING), None)
            numbers = text.cast(pl.Float64, strict=False)
            column = numbers if numbers.null_count() == text.null_count() else text
        columns.append(column)
    return pl.DataFrame(columns)
