"""How long describing a selection takes beside selecting it, on the paper's data sets; writes describing.md.

ENTROPICK_DATA=... python benchmarks/describing.py
"""

from __future__ import annotations

import time
from pathlib import Path

from entropick import CrossEntropySelector
from entropick.datasets import DATASETS, load
from entropick.notes import listening
from entropick.report import describe

PAGE = Path(__file__).with_suffix(".md")


def measure(name: str) -> tuple[float, float, float]:
    """Seconds of encoding, of selecting and of describing; the best of three runs of each."""
    data = load(name)
    lines = []
    for _ in range(3):
        with listening(lambda note: None):
            selector = CrossEntropySelector(random_state=0).fit(data.X, data.y)
        began = time.perf_counter()
        describe(selector)
        described = time.perf_counter() - began
        record = selector.record_
        lines.append((record.seconds - record.selection_seconds, record.selection_seconds, described))
    encoding, selecting, describing = map(min, zip(*lines, strict=True))
    return encoding, selecting, describing


def main() -> None:
    """Measure and write the page."""
    rows = []
    for name in DATASETS:
        encoding, selecting, describing = measure(name)
        ratio = describing / selecting
        verdict = "" if ratio <= 1 else " (missed)"
        rows.append(f"| {name} | {encoding:.2f} | {selecting:.2f} | {describing:.2f} | {ratio:.2f}{verdict} |")
        print(rows[-1])
    text = [
        "# Describing beside selecting",
        "",
        "Seconds of `CrossEntropySelector(random_state=0)` on two threads, best of three runs of each part. Target:",
        "describing takes no longer than selecting. Written by `benchmarks/describing.py`.",
        "",
        "| data set | encoding | selecting | describing | describing / selecting |",
        "|---|---|---|---|---|",
        *rows,
        "",
    ]
    PAGE.write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
