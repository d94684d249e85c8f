"""A result in sentences, the same on screen and on the page."""

from __future__ import annotations

from entropick._words import counted, percent, shortened
from entropick.report._result import Result

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


def summary(result: Result) -> str:
    """What was found, in a sentence."""
    k, m, target = result.n_features, result.n_columns, shortened(result.target.name)
    entropy, corrected = result.class_entropy_bits, max(result.corrected_information_bits, 0.0)
    if not k:
        none = f"None of the {m} columns is worth keeping" if m > 1 else "The only column is not worth keeping"
        return f"{none} for {target!r}, whose entropy is {entropy:.3f} bits."
    left = f"{corrected:.3f} bits ({percent(corrected, entropy)}) after correction for chance"
    return (
        f"{'The only column' if m == 1 else f'{k} of {m} columns'} {'carries' if k == 1 else 'carry'} "
        f"{result.information_bits:.3f} of the {entropy:.3f} bits of information about {target!r} "
        f"({percent(result.information_bits, entropy)}); {result.criterion_claim or left}."
    )


def effort(result: Result) -> str:
    """How many subsets were scored, how long that took and why it ended, in a sentence."""
    seconds = f"{result.seconds:.2f} seconds"
    if result.kind == "ranking":
        return f"The ranking {result.method_label} took {seconds}."
    because = " and ".join(reason(name) for name in result.stop if name != "gap")
    gap = result.stop.get("gap")
    proof = "" if not isinstance(gap, int | float) else f" by more than {gap:.4f}" if gap else ""
    name = result.method_label[:1].upper() + result.method_label[1:]
    return (
        f"{name} scored {counted(result.evaluations or 0, 'subset')} in {counted(result.steps, 'step')} and "
        f"{seconds}; {because}.{'' if gap is None else f' No subset is better{proof}.'}"
    )


def worth(result: Result) -> str:
    """What the selection scores by its criterion, in a sentence; a ranking has no such score."""
    if result.kind == "ranking":
        return ""
    value, score, unit = result.criterion_value, result.score, " bits" if result.unit == "bits" else ""
    price = f" ({score:.4f} after the parsimony penalty)" if abs(score - value) > 1e-9 else ""
    return f"The selection scores {value:.4f}{unit} by {result.criterion!r}{price}."


def in_order(result: Result) -> str:
    """In what order and in what unit the chosen columns are listed."""
    order = (
        f"In the order in which {result.method_label} picked them"
        if result.kind == "ranking"
        else "Ordered by what each adds to those before it"
    )
    return f"{order}, in {'bits' if result.unit == 'bits' else 'scores'} by the criterion {result.criterion!r}."


def reason(name: str) -> str:
    """Why a search ended, in words.

    Examples
    --------
    >>> reason("max_seconds")
    'it reached the time limit'
    """
    return _REASONS.get(name, f"it stopped ({name.replace('_', ' ')})")
