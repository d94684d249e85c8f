"""The paper's tables with our numbers beside them, and what they mean, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from entropick.datasets import DATASETS
from entropick_paper.claims import judge_claims
from entropick_paper.odd import odd_entries
from entropick_paper.published import NAMES, SHAPES, TITLES, published
from entropick_paper.reasons import reasons
from entropick_paper.summary import lowest

CLAIMS = "The claims of the paper"
BEST = "Who is best on held-out rows"
_LONG = {
    "literal": "the paper's setting, as written",
    "paper": "`paper`: as written, with a penalty per column",
    "reliable": "`reliable`: explain with the fewest",
    "entropick": "`entropick`: our default, to predict",
    "all": "all columns",
}
_OURS = ("entropick", "reliable")
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
            "Means over the first seeds; the dotted line marks the number of columns selected, the cross the paper's "
            "value.",
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
        f"Information-based Feature Selection*, give one number per entry; ours are means over {runs} with their "
        "standard errors, and the paper's number is in brackets.",
        "",
        "- Nine tenths of the rows, drawn at random, are used for training and selection, the rest for testing; Blog "
        "Feedback has its own test files, so its seeds differ only in the searches. The splits overlap, so the true "
        f"errors of the means are somewhat larger.{rows}",
        f"- Real columns and numeric targets are cut into {plan['n_bins']} bins by {plan['binning']}s of the training "
        "rows; a target whose quantiles coincide has fewer classes. The error (MCE) is the share of test rows "
        "that are misclassified.",
        f"- `paper` is the paper's setting with a penalty of λ = {plan['parsimony']} of H(y) per column, the same for "
        "all data sets and never tuned on an error. The rankings keep as many columns as `paper` selected on the same "
        "rows; PSO has the same objective, starts with about 10 columns and finds its own number.",
        "- `reliable` is the criterion that explains with the fewest columns, information corrected for chance, in "
        "Algorithm 1 alone (`effort=None`). `entropick` is our default, the criterion `auto`: what a model can predict "
        "in rows left out, for classes by `blend`. What is compared is the selection, so that no method tests whether "
        "there is anything at all (`null=False`).",
        "- The predictors see standardised numbers; levels are numbered in the order of their names and missing values "
        "are replaced by the median. Diagonal naive Bayes adds a thousandth of the largest variance to every variance; "
        "otherwise columns that are constant within a class would decide everything. On Blog Feedback its errors "
        "depend on that number.",
        "- Bold marks the lowest value in a column, leaving out 'all columns' and errors that do not beat the "
        "majority-class baseline. — means not measured or undefined: a pooled covariance without an inverse in some "
        "run, or ΔI_r where nothing was selected.",
        f"- Δt is the time of one selection from the encoded table, on {results['threads']} threads.",
        f"- {', '.join(f'{name} {version}' for name, version in results['versions'].items())}; "
        f"{results['seconds'] / 60:.0f} minutes for all runs.",
        *[f"- {remark}" for remark in results["remarks"]],
    ]


def _best(found: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Who has the lowest error on each data set, with the errors of our methods beside it."""
    rows = []
    for name, summary in found.items():
        methods, cells = summary["methods"], [NAMES[name]]
        for measure in ("nb_diagonal", "knn"):
            first = lowest(summary, measure)
            cells.append(f"{TITLES[first]} {methods[first][measure].mean:.4f}" if first else "none")
            cells += [_estimate(methods[ours][measure], measure, ours == first) for ours in _OURS]
        rows.append([*cells, f"{summary['commonest_class'].mean:.4f}"])
    ours = [TITLES[name] for name in _OURS]
    heads = ["data set", "naive Bayes: lowest", *ours, "3-NN: lowest", *ours, "majority-class baseline"]
    return heads, rows


def _notes(title: str, results: dict[str, Any]) -> list[str]:
    if title == CLAIMS:
        return [
            "A claim holds if it does so on every data set; it does not hold if it fails on more than half of them. "
            "Two methods are tied if they differ by less than twice the standard error of the run-by-run difference.",
            "",
        ]
    if title == BEST:
        return [line for paragraph in reasons(results) for line in (paragraph, "")]
    if title.startswith("Table 3"):
        return [
            "Implausible entries in the paper:",
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
            best = lowest(summary, measure) == method
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
