"""Encoding a table that is never whole in memory, in passes over its chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import add
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from entropick._defaults import BINNING, N_BINS, TARGET
from entropick._errors import ParameterError
from entropick._stages import stage
from entropick.encode import (
    MAX_INTEGER_LEVELS,
    MAX_LEVELS,
    CodeTable,
    ColumnEncoder,
    ColumnWarning,
    Edges,
    Encoded,
    EqualWidth,
    RawColumn,
    Source,
    TargetEncoder,
    binned,
    fit_column,
    fit_values,
    may_number_rows,
    narrow,
    notes_together,
    read_source,
    row_numbers,
    without_values,
)
from entropick.notes import Note, tell
from entropick.shards._chunks import Chunk, Chunks
from entropick.shards._quantiles import quantile_bins
from entropick.shards._summary import Summary, summarise
from entropick.shards._table import ShardedTable

_PASSES = 4  # that are told of: looking, counting, encoding the target, encoding


@dataclass(frozen=True)
class ShardedSource(Source):
    """The columns of a table in chunks; one that is asked for is read whole."""

    chunks: Any = None

    def _read(self, j: int) -> RawColumn:
        return whole_column(self.chunks, self.names[j])


@dataclass(frozen=True)
class ShardedEncoded(Encoded):
    """A table in shards, and all that it came from."""

    def shown(self, most: int) -> Encoded:
        """At most so many of its rows, in memory: a fixed sample; classes keep their numbers."""
        n = self.table.n_rows
        rows = np.arange(n) if n <= most else np.sort(np.random.default_rng(0).choice(n, most, replace=False))
        table, _ = self.table.locate(rows)
        notes = self.notes
        if n > most:
            text = f"warnings, and what columns say about the target, are from a sample of {most} rows."
            notes = (*notes, Note("sample", text))
        return replace(self, table=table, source=self._rows(rows), notes=notes)

    def _rows(self, rows: NDArray[np.int64]) -> Source:
        """Some rows as they came; they must rise."""
        table, source = self.table, self.source
        if not isinstance(table, ShardedTable) or not isinstance(source, ShardedSource):
            return source
        frames = source.chunks.each(partial(_some_rows, names=source.names), table.local(rows))
        known = [nw.from_native(frame, eager_only=True) for frame in frames if len(frame)]
        return read_source(nw.concat(known, how="vertical").to_native())


def _some_rows(chunk: Chunk, rows: NDArray[np.int64], names: Sequence[str]) -> Any:
    return chunk.rows(names, rows)


def encode_chunks(
    chunks: Chunks,
    names: Sequence[str],
    y: str,
    n_bins: int = N_BINS,
    binning: str = BINNING,
    target: str = TARGET,
) -> Encoded:
    """Encode a table in chunks, with the codes that it would have in memory.

    Numbers are cut at exact quantiles, found by counting. Columns of whole numbers beyond 2⁵³, and all numbers if they
    are cut in another way than by quantiles or equal widths, are read whole, one at a time. The binning 'mdlp', which
    would have to be repeated for shuffled targets, is refused.

    Parameters
    ----------
    chunks : Chunks
        The rows.
    names : sequence of str
        The columns to choose from.
    y : str
        The column that is the target.
    n_bins, binning, target
        As of a selector.
    """
    target_encoder = TargetEncoder(target, n_bins, binning)
    if binning == "mdlp":
        raise ParameterError("binning", "must not look at the target of a table that is not in memory", binning)
    stage("looking at the columns", 0, _PASSES)
    if not names:
        raise ValueError("X must have at least one column; got a table with 0 feature(s).")
    found: list[Summary] = []
    for part in chunks.each(partial(summarise, names=[*names, y])):
        found = list(map(add, found, part)) if found else part
    if not found or not found[-1].n_rows:
        raise ValueError("X must have at least one row; got a table with 0 sample(s).")
    of_columns, of_target = found[:-1], found[-1]
    if of_target.n_missing:
        raise ValueError(
            f"y must not have missing values (NaN or None); got {of_target.n_missing} in {of_target.n_rows} rows: drop "
            "those rows."
        )
    stage("counting", 1, _PASSES)
    bins = _quantile_bins(chunks, of_columns, of_target, target_encoder, n_bins, binning)
    stage("encoding the target", 2, _PASSES)
    _fit_target(target_encoder, chunks, of_target, bins.get(y))
    numbering = _numbering(chunks, of_columns)
    columns = [
        _fit_column(chunks, summary, bins.get(summary.name), summary.name in numbering, n_bins, binning)
        for summary in of_columns
    ]
    notes = notes_together(
        [note for s, column in zip(of_columns, columns, strict=True) for note in (*s.notes, *column.notes)]
    )
    for note in notes:
        tell(note, ColumnWarning)
    stage("encoding", 3, _PASSES)
    levels = np.array(list(map(_n_codes, columns, of_columns)), dtype=np.int64)
    code = partial(_codes, columns=tuple(columns), levels=levels, target=target_encoder, summaries=found)
    shards = chunks.keep(code)
    sizes = np.array(list(shards.each(_n_rows)), dtype=np.int64)
    labels = target_encoder.labels if target_encoder.kind == "classes" else None
    table = ShardedTable.of(
        shards,
        sizes,
        levels,
        np.concatenate(list(shards.each(partial(_compact, n_classes=len(target_encoder.labels))))),
        ordered=np.array([column.n_ordered for column in columns], dtype=np.int64),
        labels=labels,
        is_numeric=target_encoder.kind == "numeric",
    )
    source = ShardedSource(tuple(names), int(sizes.sum()), None, None, chunks=chunks)
    return ShardedEncoded(table, tuple(columns), target_encoder, source, (*target_encoder.notes, *notes))


def _quantile_bins(
    chunks: Chunks,
    columns: list[Summary],
    of_target: Summary,
    target: TargetEncoder,
    n_bins: int,
    binning: str,
) -> dict[str, Edges]:
    """The bins of the columns, and of the target, that are cut at quantiles."""
    wanted = [summary for summary in columns if binning == "quantile" and _is_binned(summary)]
    if target.binning == "quantile" and _is_numeric(target, of_target):
        wanted.append(of_target)
    wanted = [s for s in wanted if not s.are_large]
    few = [s for s in wanted if s.rows is not None and len(s.rows) <= n_bins]
    many = {s.name: s.n_present for s in wanted if s not in few}
    return {
        **{s.name: Edges(np.array(sorted(s.rows or ()), dtype=np.float64)[1:]) for s in few},
        **quantile_bins(chunks, many, n_bins),
    }


def _is_binned(summary: Summary) -> bool:
    """Whether a column has numbers that are not levels."""
    has_few = summary.are_whole and summary.rows is not None and len(summary.rows) <= MAX_INTEGER_LEVELS
    return summary.are_numbers and not has_few


def _is_numeric(target: TargetEncoder, summary: Summary) -> bool:
    return summary.are_numbers and (target.target == "numeric" or (target.target == "auto" and _is_binned(summary)))


def _fit_target(target: TargetEncoder, chunks: Chunks, summary: Summary, bins: Edges | None) -> None:
    """Learn what the classes are."""
    if summary.are_large:
        target.fit_column(whole_column(chunks, summary.name), summary.n_rows)
    elif not _is_numeric(target, summary):
        values = list(summary.rows) if summary.rows is not None else None
        column = RawColumn.of_values("y", values) if values is not None and not summary.are_numbers else None
        if values is None:  # more classes than are kept
            column = whole_column(chunks, summary.name)
        elif column is None:
            column = RawColumn("y", numbers=np.array(values, dtype=np.float64))
        target.fit_column(column, summary.n_rows)
    elif bins is None:
        target.fit_column(whole_column(chunks, summary.name), summary.n_rows)
    else:
        ends = np.array(list(chunks.each(partial(_bin_ends, y=summary.name, bins=bins))))
        low, high = ends[..., 0].min(axis=0), ends[..., 1].max(axis=0)
        target.fit_bins(
            bins,
            [None if np.isinf(least) else float(least) for least in low],
            high.tolist(),
            None if summary.rows is None else len(summary.rows),
            summary.n_rows,
            summary.are_whole,
        )
    target.name, target.numbers = summary.name, None
    for note in target.notes:
        tell(note, ColumnWarning)


def _bin_ends(chunk: Chunk, y: str, bins: Edges) -> NDArray[np.float64]:
    """The least and the largest number in each bin; infinite, the wrong way round, if there is none."""
    ends = np.full((len(bins.edges) + 1, 2), [np.inf, -np.inf])
    (column,) = chunk.source([y])
    if len(column):
        numbers = column.present
        found = bins(numbers)
        for b in range(len(ends)):
            own = numbers[found == b]
            ends[b] = own.min(initial=np.inf), own.max(initial=-np.inf)
    return ends


def _numbering(chunks: Chunks, columns: list[Summary]) -> set[str]:
    """The columns that number the rows: small whole numbers that are all different."""
    may = {
        s.name: int(s.high) + 1
        for s in columns
        if _is_binned(s)
        and s.are_whole
        and s.are_different
        and not s.n_missing
        and not s.are_large
        and may_number_rows(s.n_rows, s.low, s.high)
    }
    seen = {name: np.zeros(size, dtype=np.bool_) for name, size in may.items()}
    n_rows = {s.name: s.n_rows for s in columns}
    for part in chunks.each(partial(_whole_numbers, names=list(may))) if may else ():
        for name, numbers in part.items():
            seen[name][numbers] = True
    return {name for name, were in seen.items() if int(were.sum()) == n_rows[name]}


def _whole_numbers(chunk: Chunk, names: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    return {column.name: column.present.astype(np.int64) for column in chunk.source(names)}


def _fit_column(
    chunks: Chunks,
    summary: Summary,
    bins: Edges | None,
    numbers_rows: bool,
    n_bins: int,
    binning: str,
) -> ColumnEncoder:
    """Decide how to encode a column."""
    name, has_missing = summary.name, summary.n_missing > 0
    if not summary.are_numbers:
        if summary.rows is not None:
            return fit_values(name, summary.rows, summary.n_rows, summary.are_text)
        if summary.are_different:
            return without_values(name, "id", summary.n_present, has_missing)
        return without_values(name, "crowded", MAX_LEVELS + 1, has_missing, at_least=True)
    if not _is_binned(summary):
        levels = tuple(sorted(summary.rows or ()))
        return ColumnEncoder(name, "levels", levels=levels, n_codes=len(levels))
    if numbers_rows:
        return row_numbers(name, summary.low, summary.high)
    if bins is not None:
        return binned(name, bins, np.array([summary.high]), has_missing)
    if binning == "uniform" and not summary.are_large:
        width = EqualWidth(summary.low, summary.high, n_bins)
        return binned(name, width, np.array([summary.high]), has_missing)
    column = whole_column(chunks, summary.name)
    return fit_column(column, np.zeros(len(column), dtype=np.int64), n_bins, binning, as_is=False)


def _n_codes(column: ColumnEncoder, summary: Summary) -> int:
    """How many codes a column has, with one for missing values if there are any."""
    if column.kind == "presence":
        return 2
    return column.n_codes + (column.kind in ("levels", "bins") and summary.n_missing > 0)


def _codes(
    chunk: Chunk,
    columns: tuple[ColumnEncoder, ...],
    levels: NDArray[np.int64],
    target: TargetEncoder,
    summaries: Sequence[Summary],
) -> CodeTable:
    """The codes of a chunk, its classes and its numbers; the last of the summaries is that of the target."""
    found = chunk.source([summary.name for summary in summaries])
    *raw, of_target = [column.exactly(summary.are_exact) for column, summary in zip(found, summaries, strict=True)]
    codes = tuple(
        narrow(column.encode(values)[0], int(n)) for column, values, n in zip(columns, raw, levels, strict=True)
    )
    return CodeTable(
        codes,
        levels,
        target.transform_column(of_target),
        values=chunk.numbers(raw, [summary.are_numbers for summary in summaries[:-1]]),
        numbers=of_target.numbers if target.kind == "numeric" else None,
    )


def _n_rows(shard: CodeTable) -> int:
    return shard.n_rows


def _compact(shard: CodeTable, n_classes: int) -> NDArray[np.integer]:
    """The classes in the smallest type that fits."""
    kind = next(kind for kind in (np.uint8, np.uint16, np.int64) if n_classes <= np.iinfo(kind).max)
    return shard.classes.astype(kind)


def whole_column(chunks: Chunks, name: str) -> RawColumn:
    """A column of all rows, in memory."""
    parts = [column for (column,) in chunks.each(partial(_read, names=[name]))]
    some = [part for part in parts if not part.missing.all()] or parts[:1]
    if some[0].numbers is None:
        distinct = list(dict.fromkeys(value for part in some for value in part.distinct))
        place_of = {value: place for place, value in enumerate(distinct)}
        places = [
            np.take([*(place_of[value] for value in part.distinct), -1], part.places)
            if part.numbers is None
            else np.full(len(part), -1)
            for part in parts
        ]
        return RawColumn(name, distinct=distinct, places=np.concatenate(places), is_text=some[0].is_text)
    are_exact = any(part.exact is not None for part in parts) and all(map(_is_whole, parts))
    parts = [part.exactly(are_exact) for part in parts]
    return RawColumn(
        name,
        numbers=np.concatenate([part.as_numbers() for part in parts]),
        exact=np.concatenate([part.exact for part in parts if part.exact is not None]) if are_exact else None,
    )


def _is_whole(part: RawColumn) -> bool:
    """Whether all numbers are whole, or there are none."""
    numbers = part.as_numbers()[~part.missing]
    return bool((numbers == np.floor(numbers)).all())


def _read(chunk: Chunk, names: Sequence[str]) -> list[RawColumn]:
    return list(chunk.source(names))
