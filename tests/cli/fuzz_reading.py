"""Odd CSV files and odd columns of numbers, read by the command's reader and by the plainest code there is.

python tests/cli/fuzz_reading.py 5000
"""

from __future__ import annotations

import csv
import io
import random
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

import polars as pl

from entropick.cli import _scan
from entropick.cli._input import TableFile

CHUNKS = [5, 17, 60, _scan._CHUNK]  # bytes that are read at a time: rows and quotes are cut anywhere

SANE = ["", "a", "b c", "7", "x^2", "é", '"q"', '"a,b"', '"two\nlines"', '"in""side"']
CELLS = [*SANE, '6"', '"', '""', '"a;b"', '"5"" x"', '"r\rs"', ' "s"', '"e" ', 'a"b"c', "''", " "]
MISSING = ["", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "-NaN", "-nan", "null", "NULL", "None", "<NA>", "?"]


def odd_file(rng: random.Random) -> bytes:
    """A small CSV file with quotes anywhere, blank lines, and line ends of all kinds."""
    width, end = rng.randint(1, 4), rng.choice(["\n", "\n", "\r\n", "\r"])
    oddity = rng.choice([0.0, 0.02, 0.2, 1.0])
    lines = [",".join(rng.choice(["x^2", "name", '"quoted"', '"a, b"']) + str(j) * (j > 0) for j in range(width))]
    if '"' in lines[0]:
        lines = [",".join(f'"c, {j}"' if rng.random() < 0.5 else f"c{j}" for j in range(width))]
    for _ in range(rng.randint(1, 12)):
        cells = [rng.choice(CELLS if rng.random() < oddity else SANE) for _ in range(width)]
        lines.append(",".join(cells))
        if rng.random() < 0.05:
            lines.append("")
    if rng.random() < 0.1:
        place = rng.randrange(1, len(lines))
        lines[place] += rng.choice([",", '"', ",x", '\r"'])
    text = end.join(lines) + rng.choice(["", end])
    return (b"\xef\xbb\xbf" if rng.random() < 0.1 else b"") + text.encode()


def by_csv(data: bytes, delimiter: str) -> list[list[str]] | None:
    """The rows by Python's csv; None if they are not of one length or a quote is open."""
    text = data.decode("utf-8-sig")
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    closed = [row for row in csv.reader(io.StringIO(text + "\n.", newline=""), delimiter=delimiter) if row]
    return rows if closed[-1] == ["."] and len({len(row) for row in rows}) == 1 else None


def try_file(data: bytes, path: Path) -> str:
    """'same', 'refused', or what is wrong."""
    path.write_bytes(data)
    table = TableFile(str(path))
    assert table.dialect is not None
    expected = by_csv(data, table.dialect.delimiter)
    try:
        frame = table.read(as_text=True)
    except ValueError as error:
        if expected is not None and len(expected) > 1:
            return f"refused without reason: {error}"
        return "refused" if re.search(r"line \d+|it has \d+ and 0", str(error)) else f"refused without a line: {error}"
    if expected is None:
        return "read what should be refused"
    strip = str.strip if table.dialect.padded else str
    got = [frame.columns, *([cell or "" for cell in row] for row in frame.rows())]
    return "same" if got == [[strip(name) for name in expected[0]], *expected[1:]] else f"{got} for {expected}"


ODD = ["-", "n.a.", "unknown", "#DIV/0!", "NAN", " NA", "--", "k. A.", "not measured", "x"]


def odd_column(rng: random.Random) -> tuple[list[str], str]:
    """The cells of a column of numbers with odd ones among them, and the delimiter of the file."""
    delimiter = rng.choice([",", ";"])
    n, n_different = rng.randint(25, 120), rng.choice([3, 15, 40, 1000])
    pool = [
        rng.choice([rng.uniform(-5, 5), rng.uniform(0, 9e6), float(rng.randint(0, 99))]) for _ in range(n_different)
    ]
    style = rng.choice(["plain", "plain", "comma", "us", "de", "%", "$", "€", "mixed", "integers", "blanks"])
    cells = [written(rng.choice(pool), style, rng) for _ in range(n)]
    share = rng.choice([0.0, 0.0, 0.03, 0.15, 0.4, 0.7])
    words = [*rng.sample(ODD, rng.randint(1, len(ODD))), *(f"w{i}" for i in range(rng.choice([0, 0, 9])))]
    cells = [rng.choice(words) if rng.random() < share else cell for cell in cells]
    return [rng.choice(["", "NA", "?"]) if rng.random() < 0.05 else cell for cell in cells], delimiter


def written(value: float, style: str, rng: random.Random) -> str:
    """A number as people write it."""
    if style in ("us", "de"):
        text = f"{value:,.2f}" if rng.random() < 0.8 else f"{int(value):,}"
        return text.translate(str.maketrans(",.", ".,")) if style == "de" else text
    text = str(int(value)) if style == "integers" else f"{value:.{rng.randint(1, 4)}f}"
    if style in ("%", "€"):
        return f"{text} {style}" if rng.random() < 0.5 else text + style
    if style == "$":
        return f"-${text[1:]}" if text.startswith("-") else f"${text}"
    if style == "mixed":
        return text + rng.choice(["", "%"])
    if style == "blanks":
        return " " * rng.randint(0, 2) + text + " " * rng.randint(0, 2)
    return text.replace(".", ",") if style == "comma" else text


def reading(cell: str, decimal: str) -> tuple[float, str] | None:
    """The number and the sign of a cell by one decimal sign, letter by letter."""
    cell, unit = cell.strip(), ""
    minus = cell[:1] == "-"
    cell = cell[1:] if cell[:1] in ("-", "+") else cell
    if cell[:1] in ("$", "€", "£", "¥"):
        unit, cell = cell[0], cell[1:].strip()
    elif cell[-1:] in ("$", "€", "£", "¥", "%"):
        unit, cell = cell[-1], cell[:-1].strip()
    whole, point, rest = cell.partition(decimal)
    groups = whole.split("." if decimal == "," else ",")
    if len(groups) > 1 and (
        groups[0][:1] == "0" or not 1 <= len(groups[0]) <= 3 or any(len(g) != 3 for g in groups[1:])
    ):
        return None
    digits = "".join(groups)
    if not (digits + rest).isascii() or not (digits + rest).isdigit() or (point and rest and not rest.isdigit()):
        return None
    return float(f"{'-' * minus}{digits or '0'}.{rest or '0'}"), unit


def plain_reading(cells: list[str], delimiter: str) -> list[float | None] | None:
    """The numbers of a column, None for those missing; None for a column that stays text."""
    present = [cell for cell in cells if cell not in MISSING and cell.strip() not in MISSING]
    by = {sign: {cell: found for cell in present if (found := reading(cell, sign))} for sign in ".,"}
    n_point, n_comma = (sum(cell in by[sign] for cell in present) for sign in ".,")
    commas = any("," in cell for cell in by[","])
    comma = n_comma > n_point or (n_comma == n_point and delimiter != "," and commas)
    numbers, others = (by[","], by["."]) if comma else (by["."], by[","])
    odd = [cell for cell in present if cell not in numbers]
    units = {unit for _, unit in numbers.values()}
    has_groups = any(("." if comma else ",") in cell for cell in numbers)
    plain = not odd and units == {""} and not has_groups and not (comma and delimiter == ",")
    many = len({value for value, _ in numbers.values()}) > 20
    few_odd = len(odd) <= 0.2 * len(present) and len({cell.strip() for cell in odd}) <= 10
    if len(units) != 1 or not (plain or many) or not few_odd or any(cell in others for cell in odd):
        return None
    return [numbers[cell][0] if cell in numbers else None for cell in cells]


def try_column(cells: list[str], delimiter: str, path: Path) -> str:
    """'numbers', 'text', or what is wrong."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=delimiter).writerows([["x", "y"], *([cell, "k"] for cell in cells)])
    path.write_text(buffer.getvalue(), encoding="utf-8", newline="")
    table = TableFile(str(path))
    column = table.read()["x"]
    expected = plain_reading(cells, delimiter)
    if expected is None:
        kept = [None if cell in MISSING else cell for cell in cells]
        return "text" if column.to_list() == kept else f"{column.to_list()} for text {kept}"
    if column.dtype == pl.String or column.to_list() != expected:
        return f"{column.to_list()} for {expected} of {cells} with {delimiter}"
    n_odd = sum(value is None for value in expected) - sum(cell.strip() in MISSING for cell in cells)
    note = table.notes.get("x", "0 of")
    return "numbers" if f"{n_odd} of" in note else f"{note} for {n_odd} odd cells"


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        files: Counter[str] = Counter()
        for seed in range(count):
            _scan._CHUNK = CHUNKS[seed % len(CHUNKS)]
            files[try_file(odd_file(random.Random(seed)), path)] += 1
        columns = Counter(try_column(*odd_column(random.Random(seed)), path) for seed in range(count))
    for found in (files, columns):
        right = {key: found.pop(key, 0) for key in ("same", "refused", "numbers", "text")}
        print(right, "wrong:", found.total())
        for key, n in list(found.items())[:5]:
            print(n, key[:600])


if __name__ == "__main__":
    main(int(sys.argv[1]))
