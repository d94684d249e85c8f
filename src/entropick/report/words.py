"""A result in sentences, the same on screen and on the page."""

from __future__ import annotations

from collections.abc import Sequence

from entropick._words import counted, percent, shortened
from entropick.evaluation import HeldOut, Tested
from entropick.report._result import Result

_NAMED = 6  # columns, up to which a sentence names them
_SMALL = 0.005  # difference of an error, an AUC or R² that nobody minds
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


UNITS = {"bits": "bits", "r_squared": "R²", "score": "scores"}


def answer(result: Result) -> str:
    """Which columns are kept, in a sentence."""
    k, m, target = result.n_features, result.n_columns, shortened(result.target.name)
    if not k:
        what = "better than chance" if is_chance(result) else "worth keeping"
        none = f"None of the {m} columns is {what}" if m > 1 else f"The only column is not {what}"
        return f"{none} for {target!r}."
    names = [_name(feature.name) for feature in result.features]
    which = f": {_joined(names)}" if k <= _NAMED else ""
    who = "The only column" if m == 1 else f"{k} of {m} columns"
    return f"{who} {'is' if k == 1 else 'are'} worth keeping for {target!r}{which}."


def loss(result: Result) -> str:
    """What a model loses with the chosen columns, in a sentence or two; empty if that was not tried."""
    if (found := result.held_out) is None:
        return ""
    if result.n_features == result.n_columns:
        return _with_all(found)
    sign = 1 if found.measure == "error" else -1
    lost, error = sign * (found.chosen - found.everything), found.difference_error or 0.0
    verdict = "You would lose nothing" if abs(lost) <= _SMALL else "You would lose nothing that chance does not explain"
    if abs(lost) > max(2 * error, _SMALL):
        verdict = "You would lose some accuracy" if lost > 0 else "You would gain accuracy"
    if max(sign * (found.nothing - value) for value in (found.chosen, found.everything)) <= _SMALL:
        verdict = "A model does no better with columns than without"
    chosen, everything, nothing = (measured(found.measure, value) for value in values(found))
    return (
        f"{verdict}: {_does(found.measure, chosen)} with chosen columns, {everything} with all {result.n_columns}, and "
        f"{nothing} with {_without(found.measure)}. (Chosen from one half of the rows, {found.n_columns:.2g} columns "
        f"on average, and tested on the other, {found.n_runs} times.)"
    )


def tested(result: Result) -> str:
    """What a model reaches on another table, in a sentence; empty if there was none."""
    if (found := result.tested) is None:
        return ""
    chosen, everything, nothing = (measured(found.measure, value) for value in values(found))
    return (
        f"On {shortened(found.table)!r} ({counted(found.n_rows, 'row')}), {_does(found.measure, chosen)} with chosen "
        f"columns, {everything} with all {result.n_columns}, and {nothing} with {_without(found.measure)}."
    )


def _with_all(found: HeldOut) -> str:
    _, everything, nothing = (measured(found.measure, value) for value in values(found))
    return (
        f"All columns are kept, so you would lose nothing: {_does(found.measure, everything)}, and {nothing} with "
        f"{_without(found.measure)}. (Fitted to one half of the rows and tested on the other, {found.n_runs} times.)"
    )


def _does(measure: str, value: str) -> str:
    """What a model does, such as getting 10 % of the rows wrong."""
    return {
        "error": f"a random forest gets {value} of new rows wrong",
        "auc": f"the AUC of a random forest on new rows is {value}",
        "r_squared": f"a random forest predicts {value} of the variance of new rows",
    }[measure]


def _without(measure: str) -> str:
    return "the mean alone" if measure == "r_squared" else "the commonest class alone"


def values(found: HeldOut | Tested) -> tuple[float, float, float]:
    """With the chosen columns, with all, and with none."""
    return found.chosen, found.everything, found.nothing


def measured(measure: str, value: float) -> str:
    """An error, an AUC or R² as people say it."""
    if measure == "r_squared" and value < -_SMALL:
        return "less than 0%"
    return f"{value:.2f}" if measure == "auc" else f"{max(0.0, value):.1%}"


def sure(result: Result) -> str:
    """How often the chosen columns were chosen from halves, in a sentence; empty if that was not tried."""
    if result.halves is None or not result.features:
        return ""
    n = result.halves.n_halves
    times = [round((feature.selection_frequency or 0.0) * n) for feature in result.features]
    every = sum(time == n for time in times)
    if every == len(times):
        which = "it was" if every == 1 else "all of them were"
        return f"Chosen again from {n} random halves of the rows, {which} chosen every time."
    return (
        f"Chosen again from {n} random halves of the rows, {every or 'none'} of the {counted(len(times), 'column')} "
        f"{'was' if every < 2 else 'were'} chosen every time; the least sure one {_times(min(times))}."
    )


def _times(n: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(n, f"{n} times")


def _joined(names: Sequence[str], last: str = "and") -> str:
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else names[0]


def _name(name: str) -> str:
    return repr(shortened(name, 40))


def information(result: Result) -> str:
    """How much the chosen columns say, in a sentence."""
    k, target = result.n_features, shortened(result.target.name)
    entropy, corrected = result.class_entropy_bits, max(result.corrected_information_bits or 0.0, 0.0)
    if not k:
        return "" if entropy is None else f"The entropy of {target!r} is {entropy:.3f} bits."
    if entropy is None:
        claim = result.criterion_claim or f"R² is {result.r_squared or 0.0:.3f}"
        return f"With {'it' if k == 1 else 'them'}, {claim}."
    return (
        f"{'It carries' if k == 1 else 'They carry'} {result.information_bits:.3f} of the {entropy:.3f} bits of "
        f"information about {target!r} ({percent(result.information_bits, entropy)}) as counted, {corrected:.3f} "
        f"({percent(corrected, entropy)}) after correction for chance"
        f"{f'; {result.criterion_claim}' if result.criterion_claim else ''}."
    )


def is_chance(result: Result) -> bool:
    """Whether nothing is kept because nothing is better than chance."""
    return any(note.code == "nothing_there" for note in result.notes)


def certainty(result: Result) -> str:
    """How what was found compares with chance, in a sentence; empty if nothing was shuffled."""
    if (chance := result.chance) is None or not chance.n_shuffles:
        return ""
    n = chance.n_shuffles
    if chance.is_fitted:
        return f"p = {chance.p_value:.2g}, by a tail fitted to {n} shuffled targets: there was no time for more."
    if chance.is_bound:
        k = f"{result.n_features} column{'s' * (result.n_features > 1)}"
        return f"p < {chance.p_value:f}: the luckiest of all subsets of up to {k} would not tell as much by chance."
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
    return f"Stability over the halves: {value:.2f}{between}; 1 is always the same columns, 0 no better than chance."


def replacements(result: Result) -> list[str]:
    """The columns that replace each other from half to half, a group a line."""
    groups = () if result.halves is None else result.halves.groups
    lines = [f"{_joined([_name(name) for name in group[:_MOST]], 'or')}: any one of them" for group in groups[:_MOST]]
    return [*lines, f"and {len(groups) - _MOST} more such groups"] if len(groups) > _MOST else lines


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
        else " Besides the best subset found, it has columns that halves of the rows chose."
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
    return f"{order}, in {UNITS[result.unit]} by the criterion {result.criterion!r}."


def reason(name: str) -> str:
    """Why a search ended, in words.

    Examples
    --------
    >>> reason("max_seconds")
    'it reached the time limit'
    """
    return _REASONS.get(name, f"it stopped ({name.replace('_', ' ')})")
