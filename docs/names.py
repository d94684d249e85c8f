"""Write docs/reference/names.md: every name that you can choose, from the registry."""

from __future__ import annotations

from pathlib import Path

from entropick import _names

PAGE = Path(__file__).parent / "reference" / "names.md"
SECTIONS = {
    "Criteria": (
        _names.CRITERIA,
        'How a subset U is scored: `CrossEntropySelector("reliable")`, `--criterion reliable`.',
    ),
    "Searches": (_names.SEARCHES, 'How subsets are tried: `SubsetSelector("forward")`, `--method forward`.'),
    "Rankings": (
        _names.RANKINGS,
        'Methods that pick one column f after another; S are the columns picked so far: `RankSelector("cmim")`, '
        "`--method cmim`.",
    ),
    "Binnings": (_names.BINNINGS, 'How columns of numbers are binned: `binning="quantile"`, `--binning quantile`.'),
    "Engines": (_names.ENGINES, 'The code that counts; all give the same scores: `engine="native"`.'),
    "Data sets": (_names.DATASETS, 'Tables to try things on: `entropick.datasets.load("connect_4")`.'),
}


def page() -> str:
    """The whole page."""
    lines = ["# Every name", "", "Made from `src/entropick/_names.py` by `docs/names.py`; do not edit.", ""]
    for title, (names, words) in SECTIONS.items():
        lines += [f"## {title}", "", words, "", "| name | called | in a line |", "|---|---|---|"]
        lines += [
            f"| `{name}` | {names.label(name)} | {names.help(name).replace('|', chr(92) + '|')} |" for name in names
        ]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
