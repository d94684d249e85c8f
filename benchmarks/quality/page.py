"""QUALITY.md, from the means in summary.json; nothing on the page is typed by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from quality.means import (
    DEAR,
    KINDS,
    TIE,
    Json,
    Tables,
    by_kind,
    columns,
    counted,
    gap,
    grid,
    label,
    loss,
    mean_loss,
    number,
    real,
    seconds,
    share,
    signed,
    stability,
    there,
)
from quality.models import LEVELS, MODELS, RARE
from quality.ranks import ranks
from quality.rivals import METHODS

HERE = Path(__file__).parent
SUMMARY = HERE / "summary.json"
AT_OUR_K = tuple(name for name, method in METHODS.items() if method.at_our_k)
MUST_BEAT = ("jmi", "mrmr", "cmim", "kbest_f", "kbest_mi")
TREES = ("forest", "boosting")
LOSERS = 3  # tables that are named because most is lost on them


def write(summary: Json, folder: Path = HERE.parent) -> None:
    """The page, and a picture of the ranks for each kind of target where matplotlib is installed."""
    text = "\n".join(page(summary, folder))
    (folder / "QUALITY.md").write_text(text.rstrip() + "\n", encoding="utf-8")


def page(summary: Json, folder: Path) -> Iterator[str]:
    mode, tables = summary["mode"], real(summary)
    yield "# What models make of the selected columns\n"
    if "remark" in summary:
        yield f"**{summary['remark']}**\n"
    yield from protocol(summary)
    yield "\n## The aims\n"
    yield from aims(summary)
    yield "\n## Where it is lost, and where the time goes\n"
    for kind, group in by_kind(tables):
        yield from losers(kind, group)
    yield from times(tables)
    yield from mean_tables(summary)
    if mode["dear"]:
        yield "\n## Against the dear methods, on the first two folds\n"
        yield f"{', '.join(label(name) for name in DEAR)}: two folds a table, everything else on the same two.\n"
        for kind, group in by_kind(tables):
            yield from mean_table(KINDS[kind], group, ("all", "ours", *DEAR), "two")
    yield "\n## At equal numbers of columns\n"
    yield "What the others lose against entropick when they are told its number of columns in every fold; below 0, they"
    yield f"are ahead. A table is a tie within {TIE} in the mean over the models.\n"
    for kind, group in by_kind(tables):
        yield from equal_k(kind, group)
    yield "\n## Ranks\n"
    yield "Of the mean over the models, table by table; 1 is best. Methods joined by a bar cannot be told apart by the"
    yield "Nemenyi test at 5 % (Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR, 2006).\n"
    for kind, group in by_kind(tables):
        yield from ranks(kind, group, folder)
    yield "\n## Wins, ties and losses of entropick, table by table\n"
    yield from wins(tables)
    yield "\n## One row a table\n"
    for kind, group in by_kind(tables):
        yield from rows(kind, group)
    yield "\n## Known answers\n"
    yield from known_answers(summary)


def protocol(summary: Json) -> Iterator[str]:
    mode, tables = summary["mode"], real(summary)
    kinds = [table["kind"] for table in tables.values()]
    held_out = sum(table["held_out"] for table in tables.values())
    rare = sum(table["measure"] == "1 − AUC" for table in tables.values())
    versions = ", ".join(f"{name} {version}" for name, version in summary["versions"].items())
    quick = " QUICK=1" if mode["name"] == "quick" else ""
    yield f"""\
{len(kinds)} real tables, {kinds.count("classes")} with classes and {kinds.count("numbers")} with a number to predict,
from packages that anyone can install. {held_out} of them were set aside before anything was run and
are reported apart. No setting was chosen by the models' errors on them. They are no longer unseen: they were measured
with each version, and p-values on ischemic_stroke and pd_speech were compared when the test against chance changed.
{len(summary["tables"]) - len(kinds)} more are generated and have known answers.

- Selection and models see one half of the rows and are judged on the other, both ways; repeats: {mode["repeats"]}.
  Tables have at most {mode["most_rows"]} rows, drawn once.
- Missing numbers are medians, strings are indicators of their {LEVELS} commonest levels, both learned on the half that
  is fitted. entropick sees the table as it is.
- Models: a random forest and boosting of {mode["trees"]} trees, logistic or ridge regression and three nearest
  neighbours on standardised columns. Without any column: the commonest class or the mean.
- Classes are judged by the error, or by 1 − AUC where the smaller of two has less than {RARE:.0%} of the rows
  ({rare} tables); numbers by R².
- Seconds: processor time of one selection on one half, one thread. Stability: Nogueira's, over all fits; 1 means the
  same columns every time.
- {", ".join(label(name) for name in DEAR)} run on the first two folds only; no half has more than 2000 rows.
- L1 and F see the models' columns, and keep a column of strings if they keep one of its indicators; the other packages
  see strings as ranks by frequency. L1: the penalty by three folds. Boruta: at most 50 rounds, trees of depth 7. RFECV:
  a forest of 50 trees, three folds, a tenth of the columns less at each step. Forest importance: above the mean.
- nci60 has every third of its genes. Methods that are missing or failed: {absent(summary)}.

Written by `make quality{quick}` with {versions}; states of entropick's code in the results: {len(summary["codes"])}.\
{others(summary)}"""


def others(summary: Json) -> str:
    """Where the numbers of methods that entropick has no part in come from, if not from the same run."""
    if "others" not in summary:
        return ""
    kept = [name for name, method in METHODS.items() if not method.depends_on_us and name != "all"]
    names = ", ".join(map(label, kept))
    return f" {names}: from a run beside entropick {summary['others']}, on the same folds and with the same packages."


def absent(summary: Json) -> str:
    """Method and tables, of every method that ran on some tables only."""
    tables = real(summary)
    ran = [name for name in METHODS if any(name in table["methods"] for table in tables.values())]
    lacking = {name: [t for t, table in tables.items() if name not in table["methods"]] for name in ran}
    found = [f"{label(name)} ({', '.join(names)})" for name, names in lacking.items() if names]
    return ", ".join(found) or "none"


def aims(summary: Json) -> Iterator[str]:
    """Every aim: what was measured over all tables and over those set aside, and by how much it was missed."""
    lines = []
    for kind, group in by_kind(real(summary)):
        apart = {name: table for name, table in group.items() if table["held_out"]}
        again = {words: signed(value) for words, value, _, _ in aims_of(kind, apart)} if apart else {}
        for words, value, most, ahead in aims_of(kind, group):
            lines.append([kind, *verdict(words, value, most, ahead), again.get(words, "–")])
    if "redundant" in summary["tables"]:
        methods = summary["tables"]["redundant"]["methods"]
        lines.append(["generated", *verdict("noise columns kept of 480", methods["ours"]["noise"], 5), "–"])
        more = methods["ours"]["losses"]["forest"] - methods["bayes"]["losses"]["forest"]
        lines.append(["generated", *verdict("forest error above that of `bayes`", more, 0), "–"])
    yield from grid(("", "aim", "", "measured", "missed by", "tables set aside"), lines)
    if (HERE.parent / "noise.md").exists():
        yield "Noise and weak signals: [noise.md](noise.md)."


def verdict(words: str, value: float, most: float, ahead: bool = False) -> list[str]:
    met = value < most if ahead else value <= most
    return [
        words,
        f"{'below' if ahead else 'at most'} {most:g}",
        signed(value),
        "met" if met else f"**{value - most:.3f}**",
    ]


def aims_of(kind: str, tables: Tables) -> Iterator[tuple[str, float, float, bool]]:
    """What, the value, the most that it may be, and whether that is too much already."""
    lost = "error" if kind == "classes" else "R²"
    near, linear = (0.005, 0.01) if kind == "classes" else (0.02, 0.02)
    for model, most in {"forest": near, "boosting": near, "linear": linear, "neighbours": 0.0}.items():
        yield f"{lost} lost against all columns, {MODELS[model]}", gap(tables, "ours", "all", model), most, False
    yield "share of columns kept", share(tables, "ours"), 0.5, False
    for rival in there(tables, MUST_BEAT):
        for model in ("", *TREES):
            words = f"{lost} lost against {label(rival)} at equal k, {MODELS.get(model, 'mean of the models')}"
            yield words, gap(tables, "ours", rival, model), 0.0, True
    for rival in there(tables, ("boruta", "rfecv")):
        yield f"{lost} lost against {label(rival)}", gap(tables, "ours", rival), 0.005, False
        more = columns(tables, "ours", "two") - columns(tables, rival, "two")
        yield f"columns more than {label(rival)} keeps", more, 0.0, False
        ratio = seconds(tables, "ours", "two") / seconds(tables, rival, "two")
        yield f"time, as a share of {label(rival)}'s", ratio, 0.1, False


def losers(kind: str, tables: Tables) -> Iterator[str]:
    """The tables on which trees lose most against all columns, and what is lost without these."""

    def lost(name: str) -> float:
        return float(np.mean([gap({name: tables[name]}, "ours", "all", model) for model in TREES]))

    def line(words: str, rows: list[str], some: Tables) -> list[str]:
        kept = (number(columns(some, name), 1) for name in ("all", "ours"))
        return [words, *rows, *kept, *(signed(gap(some, "ours", "all", model)) for model in TREES)]

    about = ["rows fitted"] + ["of the rarest class"] * (kind == "classes")
    worst = sorted(tables, key=lost, reverse=True)[:LOSERS]
    lines = []
    for name in worst:
        rows = tables[name]["rows"] // 2
        counts = [rows] if kind == "numbers" else [rows, round(rows * tables[name]["rarest"])]
        lines.append(line(name, list(map(str, counts)), {name: tables[name]}))
    rest = {name: table for name, table in tables.items() if name not in worst}
    if rest:
        lines.append(line(f"the other {len(rest)}", [""] * len(about), rest))
    yield f"{KINDS[kind]}: {'R²' if kind == 'numbers' else 'error or 1 − AUC'} lost against all columns\n"
    yield from grid(("table", *about, "columns", "entropick keeps", *(MODELS[model] for model in TREES)), lines)


def times(tables: Tables) -> Iterator[str]:
    """Seconds of the default and of its search alone, beside those of the methods that cost most."""
    names = there(tables, ("ours", "search", "boruta", "rfecv"))
    lines = [
        [KINDS[kind], *(number(seconds(group, name, "two"), 1) for name in names)] for kind, group in by_kind(tables)
    ]
    yield "Seconds, on the first two folds. Besides searching, entropick compares what it finds with chance and repeats"
    yield "the choice in halves of the rows, which says how many columns are enough.\n"
    yield from grid(("", *map(label, names)), lines)


def mean_tables(summary: Json) -> Iterator[str]:
    """For classes and for numbers: all tables, those for tuning and those set aside."""
    methods = [
        name for name in dict.fromkeys(m for t in real(summary).values() for m in t["methods"]) if name not in DEAR
    ]
    order = [*(name for name in METHODS if name in methods), *(name for name in methods if name not in METHODS)]
    for kind, group in by_kind(real(summary)):
        yield f"\n## {KINDS[kind]}: means over the tables\n"
        parts = {
            "All tables": group,
            "Tables for tuning": {name: table for name, table in group.items() if not table["held_out"]},
            "Tables set aside": {name: table for name, table in group.items() if table["held_out"]},
        }
        for title, part in parts.items():
            if part and (title == "All tables" or len(part) < len(group)):
                yield from mean_table(title, part, order)


def mean_table(title: str, tables: Tables, methods: Iterable[str], part: str = "methods") -> Iterator[str]:
    """One line a method; in brackets the difference from all columns."""
    numbers = all(table["kind"] == "numbers" for table in tables.values())
    yield f"{title} ({len(tables)}): {'R²' if numbers else 'error or 1 − AUC'}\n"
    lines = []
    for name in there(tables, methods):
        line = [f"**{label(name)}**" if name == "ours" else label(name)]
        line += [number(columns(tables, name, part), 1), f"{share(tables, name, part):.0%}"]
        for model in (*MODELS, ""):
            found = mean_loss(tables, name, model, part)
            more = gap(tables, name, "all", model, part)
            shown = number(1 - found if numbers else found)
            line.append(shown if name == "all" else f"{shown} ({signed(-more if numbers else more)})")
        line.append(number(seconds(tables, name, part), 2))
        line.append(number(stability(tables, name, part), 2))
        lines.append(line)
    yield from grid(("", "columns", "share", *MODELS.values(), "mean", "seconds", "stability"), lines)


def equal_k(kind: str, tables: Tables) -> Iterator[str]:
    lines = []
    for name in there(tables, AT_OUR_K):
        gaps = [signed(gap(tables, name, "ours", model)) for model in (*MODELS, "")]
        lines.append([label(name), *gaps, counted(tables, name)])
    yield f"{KINDS[kind]}, {len(tables)} tables\n"
    yield from grid(("", *MODELS.values(), "mean", "entropick wins, ties, loses"), lines)


def wins(tables: Tables) -> Iterator[str]:
    groups = {
        f"{KINDS[kind].lower()}, {words}": {
            name: table for name, table in group.items() if table["held_out"] == held_out
        }
        for kind, group in by_kind(tables)
        for words, held_out in (("tuning", False), ("set aside", True))
    }
    groups = {title: group for title, group in groups.items() if group}
    lines = []
    for name in METHODS:
        if name != "ours" and there(tables, (name,)):
            lines.append([label(name), *(counted(group, name) for group in groups.values())])
    yield from grid(("against", *groups), lines)


def rows(kind: str, tables: Tables) -> Iterator[str]:
    """Facts of a table, then the mean over the models with each method."""
    names = there(tables, ("all", "ours", "reliable", "jmi", "mrmr", "kbest_f", "l1", "importance"))
    dear = there(tables, DEAR)
    lines = []
    for name, table in tables.items():
        drawn = "" if table["rows"] == table["rows_there"] else f" of {table['rows_there']}"
        about = (
            ["strings"] * bool(table["strings"])
            + ["missing"] * table["missing"]
            + ["AUC"] * ("AUC" in table["measure"])
        )
        if kind == "classes":
            about.insert(0, f"{table['classes']} classes, rarest {table['rarest']:.0%}")
        flip = kind == "numbers"
        found = [loss(table, method) for method in names] + [loss(table, method, "", "two") for method in dear]
        kept = table["methods"]["ours"]["columns"]
        lines.append(
            [
                f"{name}{' (set aside)' if table['held_out'] else ''}",
                table["package"],
                f"{table['rows']}{drawn} × {table['columns']}",
                ", ".join(about) or "–",
                number(kept, 1),
                *(number(1 - value if flip else value) for value in found),
            ]
        )
    yield f"{KINDS[kind]}: the mean over the models of {'R²' if kind == 'numbers' else 'the error, or 1 − AUC'}\n"
    yield from grid(("table", "from", "size", "", "entropick keeps", *map(label, (*names, *dear))), lines)


def readme(summary: Json) -> Iterator[str]:
    """The means in short, for the README: in each cell classes, then numbers."""
    lines = []
    for name in ("all", "ours", "jmi", "mrmr", "kbest_f", "l1", "importance", "boruta", "rfecv"):
        part = "two" if name in DEAR else "methods"
        halves = [list(_short(kind, group, name, part)) for kind, group in by_kind(real(summary))]
        cells = [" / ".join(both) for both in zip(*halves, strict=True)]
        line = [label(name), *cells[:-1], "–" if name == "all" else cells[-1]]
        lines.append([f"**{cell}**" for cell in line] if name == "ours" else line)
    yield from grid(("", "columns", *MODELS.values(), "seconds"), lines)


def _short(kind: str, group: Tables, name: str, part: str) -> Iterator[str]:
    """The share of columns kept, what each model makes of them compared with all columns, and the seconds."""
    sign = -1 if kind == "numbers" else 1
    yield "100%" if name == "all" else f"{share(group, name, part):.0%}"
    for model in MODELS:
        if name == "all":
            value = mean_loss(group, "all", model)
            yield number(1 - value if kind == "numbers" else value)
        else:
            yield signed(sign * gap(group, name, "all", model, part))
    yield number(seconds(group, name, part), 1)


def known_answers(summary: Json) -> Iterator[str]:
    tables = {name: table for name, table in summary["tables"].items() if "generated" in table}
    yield "Exact: all relevant columns and no noise. The forest is judged on fresh rows, by error or 1 − R².\n"
    lines = []
    for name, table in tables.items():
        for method in METHODS:
            if method in table["methods"] and method != "all":
                found = table["methods"][method]
                lines.append(
                    [
                        f"{name}: {table['words']}" if method == "ours" else "",
                        label(method),
                        number(found["columns"], 1),
                        f"{found['found']:.1f} of {table['relevant']}" if table["relevant"] else "–",
                        number(found["noise"], 1),
                        f"{found['exact']:.0%}" if table["relevant"] or "noise" in name else "–",
                        f"{found['losses']['forest']:.3f} (all {table['methods']['all']['losses']['forest']:.3f})",
                    ]
                )
    yield from grid(("table", "method", "columns", "relevant found", "noise kept", "exact", "forest"), lines)
