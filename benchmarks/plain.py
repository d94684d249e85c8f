"""The baselines: loops in plain C, one thread, compiled here with -O3."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick.criteria import Tables
from entropick.encode import CodeTable
from entropick.engine import Engine, make_engine

Floats = NDArray[np.float64]


def _build() -> ctypes.CDLL:
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if not compiler:
        sys.exit("the benchmarks compare with plain C and need a C compiler; none was found.")
    library = Path(tempfile.mkdtemp()) / "plain.so"
    sources = [str(path) for path in sorted(Path(__file__).parent.glob("plain_*.c"))]
    subprocess.run([compiler, "-O3", "-shared", "-fPIC", *sources, "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


_C = _build()


def _pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


def xlogx(n: int) -> Floats:
    counts = np.arange(n + 1, dtype=np.float64)
    return np.asarray(counts * np.log(np.maximum(counts, 1)))


class Plain:
    """A table as the loops take it: one byte per cell."""

    def __init__(self, table: CodeTable) -> None:
        self.table = table
        self.codes = np.ascontiguousarray(np.stack([column.astype(np.uint8) for column in table.columns]))
        self.levels = table.levels.astype(np.int32)
        self.classes = table.classes.astype(np.uint8)

    @property
    def _arguments(self) -> tuple[Any, ...]:
        m, n = self.codes.shape
        return _pointer(self.codes), m, n, _pointer(self.levels), _pointer(self.classes), len(self.table.class_sizes)

    def information(self, masks: NDArray[np.bool_]) -> Floats:
        """I(U;y) in bits: plain_loop.c."""
        value = xlogx(self.table.n_rows)
        minus, out = -value, np.empty(len(masks))
        flags = np.ascontiguousarray(masks, dtype=np.uint8)
        _C.plain(*self._arguments, _pointer(flags), len(flags), _pointer(minus), _pointer(value), _pointer(out))
        return np.asarray(out / np.log(2) + self.table.class_entropy)

    def pairs(self, s: int) -> tuple[Floats, Floats]:
        """H(f, s) and H(f, s, y) in bits for every column f: plain_pairs.c."""
        m, n = self.codes.shape
        joint, with_classes = np.empty(m), np.empty(m)
        value = xlogx(n)
        _C.plain_pairs(*self._arguments, s, _pointer(value), _pointer(joint), _pointer(with_classes))
        return (np.log(n) - joint) / np.log(2), (np.log(n) - with_classes) / np.log(2)

    def forward(self, tables: Tables) -> tuple[list[int], float]:
        """Greedy forward selection and its score in bits: plain_forward.c."""
        m, n = self.codes.shape
        t1 = np.concatenate([[0.0], tables.block(np.arange(1, n + 1))])
        t2 = xlogx(n)
        chosen, best = np.zeros(m, dtype=np.int32), ctypes.c_double()
        k = _C.plain_forward(*self._arguments, _pointer(t1), _pointer(t2), _pointer(chosen), ctypes.byref(best))
        return chosen[:k].tolist(), (best.value + tables.constant) / np.log(2)


class PlainEngine(Engine):
    """An engine for rankings that counts pairs by the plain loop."""

    def __init__(self, table: CodeTable) -> None:
        super().__init__(table, 1)
        self._plain = Plain(table)
        self._native = make_engine("native", table, 1)

    def sums(self, masks: NDArray[np.bool_], tables: Any) -> NDArray[np.int64]:
        return self._native.sums(masks, tables)

    def pair_entropies(self, columns: Sequence[int] | NDArray[np.int64]) -> tuple[Floats, Floats]:
        joint, with_classes = zip(*(self._plain.pairs(s) for s in columns), strict=True)
        return np.array(joint), np.array(with_classes)
