"""Columns of numbers with other things in them: units, decimal commas, and a few words for missing values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from entropick.cli._rows import MISSING

if TYPE_CHECKING:
    import polars as pl

_FEW = 20  # up to this many different numbers, text is as good
MOST_ODD = 0.2  # largest share of other values in a column of numbers, or of dates
ODD_WORDS = 10  # most different words among them
_SHOWN = 3  # of them in a note
_LONGEST = 40  # characters of one
_SIGN = r"[$€£¥]"
_PARTS = rf"^([+-]?)({_SIGN}?)\s*([+-]?)(\S+?)\s*(%|{_SIGN}|)$"
_GROUPS = r"[1-9][0-9]{0,2}(?:,[0-9]{3})+"
_NUMBER = rf"^(?:(?:[0-9]+|{_GROUPS})(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"
_LIKELY = r"^[-+$€£¥\s]*(?:[.,]?[0-9][0-9.,eE+-]*[\s%$€£¥]*|(?i:inf).*)$"  # all numbers, and some texts that are not
_INFINITE = r"^(?i:inf|infinity)$"


def find_numbers(text: pl.Series, delimiter: str) -> tuple[pl.Series, str | None]:
    """A column of text as numbers if that is what it holds, and a note about it or None.

    A column holds numbers if all its values are numbers without units or thousands separators. It also does if it has
    more than 20 different numbers, all written the same way, and the other values are at most a fifth of all and at
    most 10 different ones; those count as missing.

    Parameters
    ----------
    text : Series of String
        The column, all rows.
    delimiter : str
        The delimiter of the file; if it is not a comma, the comma in ``1,234`` may be decimal.

    Examples
    --------
    >>> import polars as pl
    >>> find_numbers(pl.Series("x", ["1,5", "2,25", None]), ";")[0].to_list()
    [1.5, 2.25, None]
    >>> numbers, note = find_numbers(pl.Series("x", ["-", *(f"{i}.5%" for i in range(30))]), ",")
    >>> numbers.to_list()[:3], note
    ([None, 0.5, 1.5], "column 'x': 1 of 31 values is not a number ('-') and counts as missing.")
    """
    if not text.str.contains(_LIKELY).any():
        return text, None
    values = _Values(text, delimiter)
    is_many = values.n_different > _FEW
    if not (values.are_plain or is_many) or values.n_likely <= values.n_present / 2:
        return text, None
    if len(values.units) > 1:
        units = ", ".join(repr(unit) if unit else "none" for unit in sorted(values.units))
        return text, f"column {text.name!r}: its numbers have different units ({units}), so it is read as text."
    if values.other:
        return text, (
            f"column {text.name!r}: some numbers have a decimal comma, others a decimal point ({_cut(values.other)}), "
            "so it is read as text."
        )
    is_odd = len(values.odd) > ODD_WORDS or values.n_odd > MOST_ODD * values.n_present
    if is_odd or (values.odd and values.has_codes):
        return text, (
            f"column {text.name!r}: only {values.n_numbers} of {values.n_present} values are numbers "
            f"({_cut(values.odd[0])} is not), so it is read as text."
        )
    numbers = _exact(values.written)
    if numbers is None:
        return text, None
    return text.replace_strict(values.raw, numbers, default=None, return_dtype=numbers.dtype), values.told_as_missing()


class _Values:
    """The different values of a column, taken apart, and how often each occurs."""

    def __init__(self, text: pl.Series, delimiter: str) -> None:
        import polars as pl

        counts = text.alias("raw").value_counts(name="n").drop_nulls().sort(["n", "raw"], descending=[True, False])
        counts = counts.with_columns(core=pl.col("raw").str.strip_chars())
        counts = counts.filter(~pl.col("core").is_in(list(MISSING)))
        parts = counts["core"].str.extract_groups(_PARTS).struct.unnest()
        sign, unit, body = parts["1"] + parts["3"], parts["2"] + parts["5"], parts["4"]
        swapped = body.str.replace_many([",", "."], [".", ","])
        whole = (sign.str.len_chars() <= 1) & (unit.str.len_chars() <= 1)
        by_point, by_comma = (
            (whole & body.str.contains(rf"{_NUMBER}|{_INFINITE}")).fill_null(False) for body in (body, swapped)
        )
        n = counts["n"]
        gain = int(n.filter(by_comma).sum()) - int(n.filter(by_point).sum())
        commas = body.filter(by_comma).str.contains(",", literal=True).any()
        is_comma = gain > 0 or (gain == 0 and delimiter != "," and commas)
        numbers, others = (by_comma, by_point) if is_comma else (by_point, by_comma)
        body = (swapped if is_comma else body).filter(numbers)
        self.name = text.name
        self.raw = counts["raw"].filter(numbers)
        self.written = sign.filter(numbers) + body.str.replace_all(",", "", literal=True)
        self.odd = counts["core"].filter(~numbers).to_list()
        self.other = next(iter(counts["core"].filter(others & ~numbers)), None)  # a number with the other decimal sign
        self.units = set(unit.filter(numbers))
        self.n_present, self.n_numbers = int(n.sum()), int(n.filter(numbers).sum())
        self.n_likely = int(n.filter(numbers | others).sum())
        self.n_odd = self.n_present - self.n_numbers
        self.n_different = self.written.cast(pl.Float64).n_unique()
        self.has_codes = body.str.contains("^0[0-9]").any()
        has_groups = body.str.contains(",", literal=True).any() or (is_comma and delimiter == ",")
        self.are_plain = not self.odd and self.units == {""} and not has_groups

    def told_as_missing(self) -> str | None:
        return told_as_missing(self.name, "number", self.odd, self.n_odd, self.n_present) if self.odd else None


def told_as_missing(name: str, what: str, odd: Sequence[str], n_odd: int, n_present: int) -> str:
    """A sentence about values that count as missing, because they are not what the others of the column are.

    Examples
    --------
    >>> told_as_missing("when", "date", ["soon"], 3, 90)
    "column 'when': 3 of 90 values are not dates ('soon') and count as missing."
    """
    shown = ", ".join(map(_cut, odd[:_SHOWN])) + (", ..." if len(odd) > _SHOWN else "")
    are, count = (f"is not a {what}", "counts") if n_odd == 1 else (f"are not {what}s", "count")
    return f"column {name!r}: {n_odd} of {n_present} values {are} ({shown}) and {count} as missing."


def _cut(word: str) -> str:
    return repr(word if len(word) <= _LONGEST else word[:_LONGEST] + "…")


def _exact(written: pl.Series) -> pl.Series | None:
    """Numbers that keep every digit written, or None where no type has that many."""
    import polars as pl

    for dtype in (pl.Int64, pl.Int128):
        numbers = written.cast(dtype, strict=False)
        if not numbers.null_count():
            return numbers
    return None if written.str.contains("^[+-]?[0-9]+$").all() else written.cast(pl.Float64)
