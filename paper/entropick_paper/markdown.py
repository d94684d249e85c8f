"""The paper's tables with ours beside them, and what to make of it, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from entropick.datasets import DATASETS
from entropick_paper.claims import judge_claims
from entropick_paper.odd import odd_entries
from entropick_paper.published import NAMES, SHAPES, TITLES, published

CLAIMS = "The claims of the paper"
BEST = "Who is best on rows left out"
_LONG = {
    "literal": "the paper's setting, literally",
    "paper": "`paper`: literally, with a price for each column",
    "entropick": "`entropick`: our default, `reliable`",
    "all": "all columns",
}
_REASONS = [
    "Connect-4 with naive Bayes and Forest Fires with either are hardly better, or worse, than always saying the "
    "commonest class: there the errors say little about the columns.",
    "",
    "Where a ranking wins with naive Bayes: that model takes columns as independent within a class, and cannot use "
    "what columns tell only together, which is what the joint information looks for. `usable` is made for naive Bayes "
    "on bins, not for its Gaussian form: where columns are many and far from normal, as in Advertisements and Blog "
    "Feedback, the two differ.",
    "",
    "Where `paper` loses on rows left out: information as counted includes what is memorised. `reliable` takes that "
    "off and keeps fewer columns, so its ΔI_r is larger on purpose. On small sets it keeps so few that a model which "
    "could use more is better off with more.",
    "",
]
_THEIRS = {"nb_diagonal": "nb", "knn": "knn", "delta_information": "delta", "seconds": "seconds"}
_HEADS = {
    "nb_diagonal": "MCE, naive Bayes, diagonal",
    "nb_pooled": "MCE, naive Bayes, pooled",
    "knn": "MCE, 3-NN",
    "delta_information": "ΔI_r",
    "seconds": "Δt in seconds",
}


def sections(results: dict[str, Any]) -> list[tuple[str, list[str], list[list[str]]]]:
    """All tables: title, heads, rows of text."""
    found = results["summary"]
    tables = [("Table 1: the data sets", *_data_sets(found))]
    tables += [(f"Table 2: {NAMES[name]}", *_performance(name, summary)) for name, summary in found.items()]
    tables.append(("Table 3: against particle swarm optimisation", *_swarm(found)))
    claims = [[claim.claim, claim.verdict, claim.because] for claim in judge_claims(found)]
    return [(CLAIMS, ["claim", "verdict", "because"], claims), (BEST, *_best(found)), *tables]


def markdown(results: dict[str, Any], pictures: Mapping[str, str] | None = None) -> str:
    """The whole page.

    Parameters
    ----------
    results : dict
        As `reproduce` returns it.
    pictures : mapping of str to str, optional
        Titles of figures and their files, relative to the page.
    """
    parts = ["# The paper, reproduced", "", *_intro(results), ""]
    for title, heads, rows in sections(results):
        parts += [f"## {title}", "", _row(heads), _row(["---"] * len(heads)), *map(_row, rows), ""]
        parts += _notes(title, results)
    if pictures:
        parts += [
            "## Figures",
            "",
            "Means over the first seeds; the dotted line is the number of columns found, the cross the paper's.",
            "",
        ]
        for title, name in pictures.items():
            parts += [f"![{title}]({name})", ""]
    return "\n".join(parts)


def _intro(results: dict[str, Any]) -> list[str]:
    plan, seeds = results["plan"], results["seeds"]
    runs = f"{len(seeds)} seeds ({seeds[0]} to {seeds[-1]})" if len(seeds) > 1 else "one seed"
    rows = "" if plan["most_rows"] is None else f" The predictors see at most {plan['most_rows']} rows of each part."
    return [
        "Written by `entropick reproduce`. P. Cassarà, A. Rozza and M. Nanni, *A Cross-Entropy-based Method to Perform "
        f"Information-based Feature Selection*, give one number for each entry; ours are means over {runs} with their "
        "standard errors, the paper's in brackets.",
        "",
        "- Nine tenths of the rows, drawn at random, are for training and selection, the rest for the errors; Blog "
        "Feedback has test files of its own, and its seeds differ in the searches only. Splits overlap, so the true "
        f"errors of the means are somewhat larger.{rows}",
        f"- Real columns and numeric targets are cut into {plan['n_bins']} bins by {plan['binning']}s of the training "
        "rows; a target whose quantiles coincide has fewer classes. An error is the share of test rows put into a "
        "wrong class.",
        f"- `paper` is the setting of the paper with a price of λ = {plan['parsimony']} of H(y) for each column, the "
        "same for all sets and never chosen by an error. The rankings keep as many columns as `paper` found on the "
        "same rows; PSO has the same objective, starts with about 10 columns and finds its own number.",
        "- The predictors see standardised numbers; levels are numbered in the order of their names and missing values "
        "replaced by the median. Diagonal naive Bayes has a thousandth of the largest variance added to all, without "
        "which columns that are constant in a class would decide everything; on Blog Feedback its errors depend on "
        "that number.",
        "- Bold is the lowest of a column, all columns not counted and only if it is lower than always saying the "
        "commonest class. — is what was not measured, or cannot be: a pooled covariance without an inverse in some "
        "run, a ΔI_r where nothing was selected.",
        f"- Δt is the time of a selection from the encoded table, on {results['threads']} threads.",
        f"- {', '.join(f'{name} {version}' for name, version in results['versions'].items())}; "
        f"{results['seconds'] / 60:.0f} minutes for the runs.",
    ]


def _best(found: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Who has the lowest error on each data set, and by how much ours are behind."""
    rows = []
    for name, summary in found.items():
        methods, cells = summary["methods"], [NAMES[name]]
        for measure in ("nb_diagonal", "knn"):
            first = _lowest(summary, measure)
            cells.append(f"{TITLES[first]} {methods[first][measure].mean:.4f}" if first else "none")
            cells += [_estimate(methods[ours][measure], measure, ours == first) for ours in ("entropick", "usable")]
        rows.append([*cells, f"{summary['commonest_class'].mean:.4f}"])
    ours = ["`entropick`", "`usable`"]
    heads = ["data set", "naive Bayes: lowest", *ours, "3-NN: lowest", *ours, "the commonest class"]
    return heads, rows


def _notes(title: str, results: dict[str, Any]) -> list[str]:
    if title == CLAIMS:
        return [
            "A claim holds if it does so on every data set, and with a condition if on at least half of them. Two "
            "methods are level if they differ by less than twice the standard error of the difference, run by run.",
            "",
        ]
    if title == BEST and len(results["summary"]) == len(NAMES):
        return _REASONS
    if title.startswith("Table 3"):
        return [
            "Entries of the paper that cannot be what they say:",
            "",
            *[f"- {line}" for line in odd_entries(results)],
            "",
        ]
    return []


def _data_sets(found: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    rows = []
    for name, summary in found.items():
        spec = DATASETS[name]
        classes = summary["classes"]
        rows.append(
            [
                NAMES[name],
                f"{spec.n_rows} × {spec.n_features} ({' × '.join(map(str, SHAPES[name]))})",
                f"{summary['n_train']} + {summary['n_test']}",
                f"{spec.target}: {', '.join(classes)}",
                f"{summary['class_entropy_bits']:.3f}",
            ]
        )
    return ["data set", "rows × columns", "training + test", "classes", "H(y) in bits"], rows


def _performance(name: str, summary: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    methods = summary["methods"]
    rows = []
    for method, title in {**TITLES, **_LONG}.items():
        found, theirs = methods[method], published(name, method)
        cells = [title, _size(found["k"]) + _bracket(theirs.k)]
        for measure in _HEADS:
            best = _lowest(summary, measure) == method
            number = getattr(theirs, _THEIRS[measure]) if measure in _THEIRS else None
            cells.append(_estimate(found[measure], measure, best) + _bracket(number))
        rows.append(cells)
    return ["", "k", *_HEADS.values()], rows


def _swarm(found: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    rows = []
    for name, summary in found.items():
        for method in ("paper", "pso"):
            one, theirs = summary["methods"][method], published(name, method)
            cells = [NAMES[name], "`paper`" if method == "paper" else "PSO"]
            cells.append(_estimate(one["nb_diagonal"], "nb_diagonal") + _bracket(theirs.nb))
            cells.append(_estimate(one["delta_information"], "delta_information") + _bracket(theirs.delta))
            cells.append(_estimate(one["seconds"], "seconds") + _bracket(theirs.seconds))
            cells.append(_size(one["k"]) + _bracket(theirs.k))
            rows.append(cells)
    return ["data set", "method", "MCE, naive Bayes", "ΔI_r", "Δt in seconds", "k"], rows


def _lowest(summary: dict[str, Any], measure: str) -> str:
    """The method with the lowest mean, but no error that always saying the commonest class would not have."""
    is_error = measure in ("nb_diagonal", "nb_pooled", "knn")
    limit = summary["commonest_class"].mean if is_error else float("inf")
    known = {
        name: found[measure].mean
        for name, found in summary["methods"].items()
        if name not in ("literal", "all") and found[measure] is not None and found[measure].mean < limit
    }
    return min(known, key=lambda name: known[name]) if known else ""


def _estimate(estimate: Any, measure: str, best: bool = False) -> str:
    if estimate is None or estimate.mean is None:
        return "—"
    digits = 2 if measure == "seconds" else 4
    text = f"{estimate.mean:.{digits}f}" + ("" if estimate.error is None else f" ± {estimate.error:.{digits}f}")
    return f"**{text}**" if best else text


def _size(k: dict[str, float]) -> str:
    return f"{k['median']:g}" + (f", {k['least']} to {k['most']}" if k["least"] < k["most"] else "")


def _bracket(number: float | None) -> str:
    return "" if number is None else f" ({number:g})"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
