"""A result in sentences, the same on screen and on the page."""

from __future__ import annotations

from entropick._words import counted, percent, shortened
from entropick.report._result import Result

_MOST = 5  # groups of columns, and columns of a group, in a sentence
_REASONS = {
    "tolerance": "it converged",
    "no_gain": "it found nothing better",
    "size": "it reached the requested size",
    "n_features": "it reached the requested number of columns",
    "exhausted": "every subset was scored or ruled out",
    "found": "it found columns that determine the target",
    "not_found": "no subset determines the target",
    "n_samples": "all samples were drawn",
    "max_steps": "it reached the step limit",
    "max_seconds": "it reached the time limit",
    "max_evaluations": "it reached the evaluation limit",
    "interrupted": "it was interrupted",
    "callback": "it was stopped by the callback",
}


_UNITS = {"bits": "bits", "r_squared": "R²", "score": "scores"}


def summary(result: Result) -> str:
    """What was found, in a sentence."""
    k, m, target = result.n_features, result.n_columns, shortened(result.target.name)
    entropy, corrected = result.class_entropy_bits, max(result.corrected_information_bits or 0.0, 0.0)
    if not k:
        what = "better than chance" if _is_chance(result) else "worth keeping"
        none = f"None of the {m} columns is {what}" if m > 1 else f"The only column is not {what}"
        return f"{none} for {target!r}{'' if entropy is None else f', whose entropy is {entropy:.3f} bits'}."
    who = "The only column" if m == 1 else f"{k} of {m} columns"
    if entropy is None:
        claim = result.criterion_claim or f"R² is {result.r_squared or 0.0:.3f}"
        return f"{who} {'is' if k == 1 else 'are'} kept for {target!r}; with {'it' if k == 1 else 'them'}, {claim}."
    left = f"{corrected:.3f} bits ({percent(corrected, entropy)}) after correction for chance"
    return (
        f"{who} {'carries' if k == 1 else 'carry'} {result.information_bits:.3f} of the {entropy:.3f} bits of "
        f"information about {target!r} ({percent(result.information_bits, entropy)}); {result.criterion_claim or left}."
    )


def _is_chance(result: Result) -> bool:
    return any(note.code == "nothing_there" for note in result.notes)


def certainty(result: Result) -> str:
    """How what was found compares with chance, in a sentence; empty if nothing was shuffled."""
    if (chance := result.chance) is None or not chance.n_shuffles:
        return ""
    n = chance.n_shuffles
    if chance.is_fitted:
        return f"p = {chance.p_value:.2g}, by a tail fitted to {n} shuffled targets: there was no time for more."
    as_much = round(chance.p_value * (n + 1)) - 1
    return f"p = {chance.p_value:.2g}: as much was found in {as_much or 'none'} of {n} shuffled targets."


def agreement(result: Result) -> str:
    """How much the choices from halves of the rows agree, in a sentence; empty if that was not tried."""
    if (halves := result.halves) is None:
        return ""
    value, ends = halves.stability, halves.interval
    if value is None:
        what = "all columns were" if halves.names else "no column was"
        return f"From each of {halves.n_halves} random halves of the rows {what} chosen."
    between = f" ({ends[0]:.2f} to {ends[1]:.2f})" if ends else ""
    return (
        f"Chosen again from {halves.n_halves} random halves of the rows: stability {value:.2f}{between}; 1 is always "
        "the same columns, 0 no better than chance."
    )


def replacements(result: Result) -> str:
    """The columns that replace each other from half to half, in a sentence; empty if there are none."""
    groups = () if result.halves is None else result.halves.groups
    if not groups:
        return ""
    shown = "; ".join(" or ".join(repr(shortened(name, 40)) for name in group[:_MOST]) for group in groups[:_MOST])
    more = f"; and {len(groups) - _MOST} more groups" if len(groups) > _MOST else ""
    return f"These say much the same, and one half or another has chosen one of them: {shown}{more}."


def chosen_from(result: Result, frequency: float | None) -> str:
    """From how many halves a column was chosen, such as '5 of 6'; empty if that was not tried."""
    if result.halves is None or frequency is None:
        return ""
    return f"{round(frequency * result.halves.n_halves)} of {result.halves.n_halves}"


def effort(result: Result) -> str:
    """How many subsets were scored, how long that took and why it ended, in a sentence."""
    seconds = f"{result.seconds:.2f} seconds"
    if result.kind == "ranking":
        return f"The ranking {result.method_label} took {seconds}."
    is_all = result.chance is None and result.halves is None
    because = " and ".join(reason(name) for name in result.stop if name != "gap")
    gap = result.stop.get("gap")
    proof = "" if not isinstance(gap, int | float) else f" by more than {gap:.4f}" if gap else ""
    name = result.method_label[:1].upper() + result.method_label[1:]
    return (
        f"{name} scored {counted(result.evaluations or 0, 'subset')} in {counted(result.steps, 'step')}"
        f"{f' and {seconds}' if is_all else ''}; {because}.{'' if gap is None else f' No subset is better{proof}.'}"
        f"{'' if is_all else f' All in all it took {seconds}.'}"
    )


def worth(result: Result) -> str:
    """What the selection scores by its criterion, in a sentence; a ranking has no such score."""
    if result.kind == "ranking":
        return ""
    value, score = result.criterion_value, result.score
    price = f" ({score:.4f} after the parsimony penalty)" if abs(score - value) > 1e-9 else ""
    scores = {"bits": f"scores {value:.4f} bits", "r_squared": f"has an R² of {value:.4f}"}
    changed = (
        " Columns of the best subset found that make no clear difference were dropped."
        if result.settings.get("within")
        else " Besides the best subset found, it has columns that halves of the rows agree on."
    )
    return (
        f"The selection {scores.get(result.unit, f'scores {value:.4f}')} by {result.criterion!r}{price}."
        f"{'' if _is_best(result) else changed}"
    )


def _is_best(result: Result) -> bool:
    """Whether the selection scores no less than the best subset found, as the search scores."""
    scores = [point.score for point in result.size_curve if point.size == result.n_features > 0]
    price = result.criterion_value - result.score
    return all(score - price >= result.best_score - 1e-9 for score in scores)


def in_order(result: Result) -> str:
    """In what order and in what unit the chosen columns are listed."""
    order = (
        f"In the order in which {result.method_label} picked them"
        if result.kind == "ranking"
        else "Ordered by what each adds to those before it"
    )
    return f"{order}, in {_UNITS[result.unit]} by the criterion {result.criterion!r}."


def reason(name: str) -> str:
    """Why a search ended, in words.

    Examples
    --------
    >>> reason("max_seconds")
    'it reached the time limit'
    """
    return _REASONS.get(name, f"it stopped ({name.replace('_', ' ')})")
