"""A result in sentences, the same on screen and on the page."""

from __future__ import annotations

from typing import Any

from entropick._words import counted, percent, shortened

_REASONS = {
    "tolerance": "the threshold no longer rose",
    "no_gain": "nothing better was found",
    "size": "the size asked for was reached",
    "n_features": "the number of columns asked for was reached",
    "exhausted": "every subset was looked at or ruled out",
    "found": "the target is determined",
    "not_found": "no subset determines the target",
    "n_samples": "all samples were drawn",
    "max_steps": "the limit of steps was reached",
    "max_seconds": "the time limit was reached",
    "max_evaluations": "the limit of evaluations was reached",
    "interrupted": "it was interrupted",
    "callback": "it was told to",
}


def summary(result: dict[str, Any]) -> str:
    """What was found, in a sentence.

    Examples
    --------
    >>> summary({"n_features": 0, "n_columns": 3, "target": {"name": "y"}, "class_entropy_bits": 1.0, "features": []})
    "None of the 3 columns is worth keeping for 'y', about which there are 1.000 bits to know."
    """
    k, m, target = result["n_features"], result["n_columns"], shortened(result["target"]["name"])
    entropy = result["class_entropy_bits"]
    if not k:
        of_all = f"None of the {m} columns" if m > 1 else "The only column"
        not_worth = "is worth keeping" if m > 1 else "is not worth keeping"
        return f"{of_all} {not_worth} for {target!r}, about which there are {entropy:.3f} bits to know."
    information, corrected = result["information_bits"], result["corrected_information_bits"]
    which = "The only column" if m == 1 else f"{k} of {m} columns"
    known = (
        f"{which} {'tells' if k == 1 else 'tell'} {information:.3f} of the {entropy:.3f} bits "
        f"({percent(information, entropy)}) that there are to know about {target!r}"
    )
    if result["criterion"] == "usable":
        usable = result["criterion_value"]
        return f"{known}; a naive Bayes model can use {usable:.3f} of them ({percent(usable, entropy)})."
    left = max(corrected, 0.0)
    return f"{known}; {left:.3f} ({percent(left, entropy)}) if what chance alone would show is taken off."


def effort(result: dict[str, Any]) -> str:
    """How much was looked at, how long that took and why it ended, in a sentence.

    Examples
    --------
    >>> effort({"method": "forward", "evaluations": 1200, "steps": 9, "seconds": 0.25, "stop": {"no_gain": 0.0}})
    'forward scored 1 200 subsets in 9 steps, taking 0.25 seconds; it ended because nothing better was found.'
    """
    seconds = f"{result['seconds']:.2f} seconds"
    if result["evaluations"] is None:
        return f"The ranking {result['method']} took {seconds}."
    because = " and ".join(reason(name) for name in result["stop"] if name != "gap")
    gap = result["stop"].get("gap")
    proof = f" No subset is better by more than {gap:.4f}." if gap else " No subset is better." if gap == 0 else ""
    return (
        f"{result['method']} scored {counted(result['evaluations'], 'subset')} in {counted(result['steps'], 'step')}, "
        f"taking {seconds}; it ended because {because}.{proof}"
    )


def worth(result: dict[str, Any]) -> str:
    """What the selection is worth by its criterion and its loss of information, in sentences.

    Examples
    --------
    >>> worth({"evaluations": None, "delta_information": 0.25})
    'ΔI_r, the information missing relative to what the columns tell, is 0.250.'
    """
    delta = result["delta_information"]
    missing = (
        f"ΔI_r, the information missing relative to what the columns tell, is {delta:.3f}." if delta is not None else ""
    )
    if result["evaluations"] is None:
        return missing
    unit = " bits" if result["unit"] == "bits" else ""
    value, score = result["criterion_value"], result["score"]
    price = f", and {score:.4f} when the price of its columns is paid" if abs(score - value) > 1e-9 else ""
    return (
        f"By the criterion {result['criterion']!r} the selection is worth {value:.4f}{unit}{price}. {missing}".strip()
    )


def in_order(result: dict[str, Any]) -> str:
    """In what order and in what unit the chosen columns are listed."""
    if result["evaluations"] is None:
        return f"In the order in which {result['method']} picked them; all in bits as counted."
    return (
        f"In the order of what each adds to those before it, in {'bits' if result['unit'] == 'bits' else 'scores'} by "
        f"the criterion {result['criterion']!r}."
    )


def reason(name: str) -> str:
    """Why a search ended, in words.

    Examples
    --------
    >>> reason("max_seconds")
    'the time limit was reached'
    """
    return _REASONS.get(name, name.replace("_", " "))
