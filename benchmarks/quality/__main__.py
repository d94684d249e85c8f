"""`python -m quality`, or `make quality`: measure, then write QUALITY.md; with a choice of tables or methods, print."""

from __future__ import annotations

import argparse
import json

from quality import page
from quality.rivals import METHODS
from quality.run import FULL, QUICK, RESULTS, TABLES, run, summarise, with_others
from quality.tables import Table

DEAREST_FIRST = ("grants", "nci60", "permeability", "pd_speech", "tissue_genes", "hepatic_injury", "ames", "splice")


def check(parser: argparse.ArgumentParser, what: str, names: list[str], known: list[str]) -> None:
    for name in names:
        if name not in known:
            parser.error(f"unknown {what} {name!r}. Known: {', '.join(known)}.")


def main() -> None:
    parser = argparse.ArgumentParser(prog="quality", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one repeat, at most 1000 rows, no Boruta and the like")
    parser.add_argument("--tables", default="", help="names, with commas; all of them otherwise")
    parser.add_argument("--methods", default="", help="names, with commas; all of them otherwise")
    parser.add_argument("--held-out", action="store_true", help="only the tables that were set aside")
    parser.add_argument("--tuning", action="store_true", help="only the tables that were not")
    parser.add_argument("--ours", action="append", default=[], metavar="NAME=PYTHON", help="another selector of ours")
    parser.add_argument("--keep", action="store_true", help="results of older code are as good as today's")
    parser.add_argument(
        "--ours-only", action="store_true", help="what entropick has no part in is taken from summary.json, not run"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--page", action="store_true", help="only write the page, from summary.json")
    given = parser.parse_args()
    if given.page:
        page.write(json.loads(page.SUMMARY.read_text(encoding="utf-8")))
        return
    mode = QUICK if given.quick else FULL
    variants = dict(part.split("=", 1) for part in given.ours)
    methods = list(filter(None, given.methods.split(",")))
    tables = list(filter(None, given.tables.split(","))) or sorted(TABLES, key=lambda name: name not in DEAREST_FIRST)
    check(parser, "table", tables, list(TABLES))
    check(parser, "method", methods, list(METHODS))
    if given.held_out or given.tuning:
        tables = [name for name in tables if isinstance(TABLES[name], Table)]
        tables = [name for name in tables if TABLES[name].held_out == given.held_out]  # type: ignore[union-attr]
    run(tables, methods, variants, mode, given.jobs, given.keep, given.ours_only)
    if given.tables or given.methods or given.held_out or given.tuning or variants:
        shown = [*(methods or METHODS), *variants]
        print("", *page.mean_tables(summarise(mode, tables, dict.fromkeys(["all", "ours", *shown]))), sep="\n")
    else:
        summary = summarise(mode)
        if given.ours_only:
            summary = with_others(summary, json.loads(page.SUMMARY.read_text(encoding="utf-8")))
        if given.quick:  # a look for oneself; the page in the repository is made from the whole
            page.write(summary, RESULTS)
            print(f"Written: {RESULTS / 'QUALITY.md'}")
        else:
            page.SUMMARY.write_text(json.dumps(summary, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            page.write(summary)


if __name__ == "__main__":
    main()
