"""Tables in CSV, TSV, Parquet, Arrow or ARFF files, optionally gzipped, or from standard input."""

from __future__ import annotations

import codecs
import io
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from entropick._files import FileState, as_path
from entropick._words import did_you_mean
from entropick.cli._arff import read_arff
from entropick.cli._arrow import arrow_names
from entropick.cli._csv import Dialect, find_dialect, named
from entropick.cli._formats import FORMATS, KINDS, SHEETS, TABLE
from entropick.cli._rows import stripped, text_parts
from entropick.cli._scan import LONGEST, RowError
from entropick.cli._sheets import Sheet
from entropick.cli._types import typed_columns
from entropick.cli._unpack import Unpacked
from entropick.shards import ParquetFiles

if TYPE_CHECKING:
    import polars as pl

_SAMPLE = 1 << 16  # bytes looked at first
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow stream"}


class TableFile:
    """A table in a file or from standard input, read on request.

    Parameters
    ----------
    path : str
        The file; '-' is standard input, whose format is detected from its content.
    has_header : bool
        Whether the first line of text has the names of the columns; else they are called by their numbers, from 1.
    """

    def __init__(self, path: str, has_header: bool = True) -> None:
        self.has_header = has_header
        self.name = "standard input" if path == "-" else Path(path).name
        self.path = None if path == "-" else as_path(path)
        self.paths = () if self.path is None else (self.path,)
        self.notes: dict[str, str] = {}  # by column, about how it was read
        self.data = self.state = None
        if self.path is None:
            self.data = _standard_input()
        else:
            _check_readable(path, self.path)
            if self.path.is_file():
                self.state = FileState.of(self.path)
            else:  # a pipe can be read only once
                self.data = self.path.read_bytes()
        self.is_packed = self.path is not None and self.path.suffix == ".gz"
        self.is_packed = self.is_packed or self._head()[0].startswith(b"\x1f\x8b")
        sample, whole = self._head()
        if not sample.strip():
            raise ValueError(f"{self._called()} must hold a table with a header line; it is empty.")
        self.kind = self._find_kind(sample)
        if not has_header and self.kind not in ("csv", "tsv", "sheet"):
            raise ValueError(f"--no-header is for text and sheets; {self._called()} has names of its own.")
        self.dialect = self._find_dialect(sample, whole) if self.kind in ("csv", "tsv") else None

    @cached_property
    def parquet(self) -> ParquetFiles | None:
        """The file, looked at, if it is one of Parquet that can be read in parts."""
        if self.kind != "parquet" or self.path is None or self.state is None or self.is_packed:
            return None
        return ParquetFiles([self.path])

    def read(self, *, as_text: bool = False, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """The table, or some of its columns.

        Parameters
        ----------
        as_text : bool
            Keep the values of a CSV file as they are written.
        columns : sequence of str, optional
            Which ones, in this order.
        """
        import polars as pl

        try:
            if self.dialect is not None:
                frame = self._read_csv(self.dialect, as_text, columns)
            elif self.kind == "arff":
                frame = read_arff(self._text())
            elif self.kind == "sheet":
                frame = self._read_sheet()
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
        if self.state is not None and self.path is not None:
            self.state.check(self.path, self._called())
        frame = frame.select(columns) if columns is not None else frame
        if frame.height == 0 or frame.width == 0:
            raise ValueError(
                f"{self._called()} must have columns and rows; it has {frame.width} columns and {frame.height} rows."
            )
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
            found.append(stripped(column) if dialect.padded and column.dtype == pl.String else column)
            if note is not None:
                self.notes[column.name] = note
        return pl.DataFrame(found)

    def _read_sheet(self) -> pl.DataFrame:
        """The first visible sheet of a workbook."""
        sheet = Sheet(self._content(), self._called(), self.has_header)
        self._check_names(sheet.names)
        frame = sheet.read()
        self.notes.update(sheet.notes)
        return frame

    def _read_binary(self, columns: Sequence[str] | None) -> pl.DataFrame:
        """Parquet or Arrow, from the open file: polars takes some characters of a path for a pattern."""
        import polars as pl

        if self.parquet is not None:
            frame = self.parquet.read(columns)
            if self.parquet.told:
                self.notes[TABLE] = self.parquet.told
            return frame
        with self._open() as file:
            self._check_names(arrow_names(file) if self.kind == "arrow" else [])
        with self._open() as file:
            source = io.BytesIO(self._content()) if self.is_packed else file
            if self.kind == "parquet":
                return pl.read_parquet(source, columns=None if columns is None else list(columns))
            return pl.read_ipc_stream(source) if self._is_stream() else pl.read_ipc(source)

    def _find_kind(self, sample: bytes) -> str:
        suffixes = [] if self.path is None else [suffix.lower() for suffix in self.path.suffixes if suffix != ".gz"]
        if suffixes and suffixes[-1] in SHEETS:
            return "sheet"
        named = KINDS.get(suffixes[-1], "") if suffixes else ""
        inside = next((kind for magic, kind in _MAGIC.items() if sample.startswith(magic)), "")
        if named in ("parquet", "arrow") or (inside and not named):
            if not inside.startswith(named or inside):
                raise ValueError(f"{self._called()} must be {named.title()}, as its suffix says; its content is not.")
            return named or inside.split()[0]
        if inside:
            raise ValueError(
                f"{self._called()} must be text; it is {inside.title()}: give it the suffix .{inside.split()[0]}."
            )
        if sample.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise ValueError(f"{self._called()} must be UTF-8 text; it is UTF-16: save it as UTF-8.")
        if b"\0" in sample:
            raise ValueError(f"{self._called()} must be text; it is binary: supported formats are {FORMATS}.")
        if named:
            return named
        words = next((line for line in sample.splitlines() if line.strip() and not line.startswith(b"%")), b"")
        return "arff" if words.strip().lower().startswith(b"@relation") else "csv"

    def _find_dialect(self, sample: bytes, whole: bool) -> Dialect:
        try:
            text = (sample if whole else sample.rpartition(b"\n")[0] or sample).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValueError(self._not_utf8()) from error
        dialect = find_dialect(text, whole, prefer="\t" if self.kind == "tsv" else "", has_header=self.has_header)
        self._check_names(dialect.header)
        return replace(dialect, header=tuple(named(dialect.header)))

    def _check_names(self, names: Sequence[str]) -> None:
        name, times = Counter(names).most_common(1)[0] if names else ("", 0)
        if times > 1:
            raise ValueError(
                f"{self._called()} must have unique column names; {name!r} occurs {times} times: rename them."
            )

    def _open(self) -> BinaryIO:
        file = io.BytesIO(self.data) if self.data is not None else self.path.open("rb")  # type: ignore[union-attr]
        return Unpacked(file, self._called()) if self.is_packed else file  # type: ignore[return-value]

    def _head(self) -> tuple[bytes, bool]:
        """The first bytes, at least two lines if there are any, and whether that is the whole file."""
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
        return text if "\n" in text else text.replace("\r", "\n")  # line ends of old Macs

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
            f"{self._called()} must be UTF-8 text; byte {place + 1} is not: save it as UTF-8, for example with "
            "`iconv -f latin1 -t utf-8`."
        )

    def _broken(self, error: BaseException) -> str:
        message = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        kind = {"parquet": "Parquet", "arrow": "Arrow"}.get(self.kind, self.kind.upper())
        return f"{self._called()} must be {kind}; it cannot be read: {message}."


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise ValueError("- means standard input, which is closed.")
    return sys.stdin.buffer.read()


def _check_readable(given: str, path: Path) -> None:
    if not given.strip():
        raise ValueError("the table must be a file; got an empty name.")
    if path.is_dir():
        raise ValueError(f"the table must be a file; {given!r} is a folder.")
    check_link(given, path)
    if not path.exists():
        near = did_you_mean(path.name, [other.name for other in path.parent.glob("*")] if path.parent.is_dir() else [])
        raise ValueError(f"there is no file {given!r}.{near}")
    if path.is_char_device() or path.is_block_device():
        raise ValueError(f"the table must be a file; {given!r} is a device.")
    if not os.access(path, os.R_OK):
        raise ValueError(f"file {given!r} cannot be read: change its permissions.")


def check_link(given: str, path: Path) -> None:
    """Raise a ValueError if a path is a link that leads nowhere."""
    if path.is_symlink() and not path.exists():
        raise ValueError(f"there is no file {given!r}: it is a link to {os.readlink(path)!r}, which is not there.")


def _settle_interrupt() -> None:
    """On Ctrl-C polars raises, and Python raises again for the same one as soon as it resumes, which is here."""
    try:
        time.sleep(0)
    except KeyboardInterrupt:
        return
