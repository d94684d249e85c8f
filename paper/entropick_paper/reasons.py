"""Why some methods do better than others on held-out rows, in sentences made from the runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from entropick.evaluation import Estimate
from entropick_paper.claims import compare
from entropick_paper.protocol import RIVALS
from entropick_paper.published import NAMES, TITLES
from entropick_paper.summary import lowest

_MODELS = {"nb_diagonal": "naive Bayes", "knn": "3-NN"}
_BASELINE = "baseline"


def reasons(results: dict[str, Any]) -> list[str]:
    """A paragraph each about the baseline, the rankings, `reliable` and our default; none where nothing can be said."""
    evidence = _Evidence(results)
    return [text for text in (part(evidence) for part in (_hopeless, _rankings, _fewest, _default)) if text]


class _Evidence:
    """The methods by data set: who is best, how many columns each keeps, and how their errors differ run by run."""

    def __init__(self, results: dict[str, Any]) -> None:
        self.found: dict[str, Any] = results["summary"]
        self.runs = {name: [run for run in results["runs"] if run["dataset"] == name] for name in self.found}

    def best(self, name: str, measure: str) -> str:
        """The method with the lowest error on a data set, empty if none beats the baseline."""
        return lowest(self.found[name], measure)

    def versus(self, name: str, measure: str, one: str, other: str) -> str:
        """Whether the error of one method is lower than that of another or of the baseline, higher, or tied."""

        def error(run: dict[str, Any], method: str) -> float:
            return float(run["commonest_class"] if method == _BASELINE else run["methods"][method][measure])

        return compare(Estimate.of([error(run, one) - error(run, other) for run in self.runs[name]]))

    def places(self, holds: Callable[[str, str], bool], word: str) -> str:
        """With which model, on which data sets, something holds; empty if nowhere."""
        found = {model: [name for name in self.found if holds(name, measure)] for measure, model in _MODELS.items()}
        return f" {word} ".join(f"with {model} on {_listed(names)}" for model, names in found.items() if names)

    def how_many(self, holds: Callable[[dict[str, Any]], bool]) -> int:
        """On how many data sets something holds of the methods."""
        return sum(holds(summary["methods"]) for summary in self.found.values())


def _hopeless(evidence: _Evidence) -> str:
    """Where the errors say nothing, because the best of them are those of the commonest class."""

    def holds(name: str, measure: str) -> bool:
        best = evidence.best(name, measure)
        return not best or evidence.versus(name, measure, best, _BASELINE) != "lower"

    places = evidence.places(holds, "or")
    if not places:
        return ""
    return (
        f"No method clearly beats the majority-class baseline {places}: there the errors say little about the columns."
    )


def _rankings(evidence: _Evidence) -> str:
    won = [name for name in evidence.found if evidence.best(name, "nb_diagonal") in RIVALS]
    if not won:
        return ""
    return (
        f"A ranking has the lowest error with naive Bayes on {_listed(won)}. The model treats columns as independent "
        "within a class, and cannot use information that columns carry only together, which is what the joint "
        "information of `paper` and `reliable` measures."
    )


def _fewest(evidence: _Evidence) -> str:
    fewer = evidence.how_many(lambda methods: _size(methods["reliable"]) < _size(methods["paper"]))
    larger = evidence.how_many(
        lambda methods: compare(methods["reliable"]["less_paper"]["delta_information"]) == "higher"
    )
    return (
        "The plug-in estimate of information, which `paper` maximises, includes what is memorised. `reliable` corrects "
        f"for that: it keeps fewer columns on {fewer} of {len(evidence.found)} data sets, and its ΔI_r is larger on "
        f"{larger}. {_against(evidence, 'reliable', 'paper')}"
    )


def _default(evidence: _Evidence) -> str:
    more = evidence.how_many(lambda methods: _size(methods["entropick"]) > _size(methods["reliable"]))

    def loses(name: str, measure: str) -> bool:
        best = evidence.best(name, measure)
        return bool(best) and evidence.versus(name, measure, best, "entropick") == "lower"

    losses = evidence.places(loses, "and")
    return (
        "`entropick` looks for columns to predict with, not for the fewest that explain: it keeps more of them than "
        f"`reliable` on {more} of {len(evidence.found)} data sets. {_against(evidence, 'entropick', 'reliable')} "
        f"{_against(evidence, 'entropick', 'all')}"
        + (f" The method with the lowest error is clearly better than `entropick` {losses}." if losses else "")
    )


def _against(evidence: _Evidence, one: str, other: str) -> str:
    """A sentence: where the errors of one method are lower than those of another, tied with them, and higher."""
    parts = []
    for measure, model in _MODELS.items():
        said = []
        for word in ("lower", "tied", "higher"):
            names = [name for name in evidence.found if evidence.versus(name, measure, one, other) == word]
            said += [f"{word} on {_listed(names)}"] if names else []
        parts.append(f"with {model} is {', '.join(said)}")
    return f"Compared with {TITLES[other]}, its error {'; that '.join(parts)}."


def _size(method: dict[str, Any]) -> float:
    return float(method["k"]["median"])


def _listed(names: Sequence[str]) -> str:
    titles = [NAMES[name] for name in names]
    return titles[0] if len(titles) == 1 else f"{', '.join(titles[:-1])} and {titles[-1]}"
