"""A result in sentences, the same on screen and on the page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from entropick._words import counted, percent, shortened
from entropick.criteria import CRITERIA, RowCriterion
from entropick.evaluation import HeldOut, Tested
from entropick.notes import Note
from entropick.report._result import Column, Curve, Result

_NAMED = 6  # columns, up to which a sentence names them
_SMALL = 0.005  # of R²: what is below 0 by less is 0
_MOST = 5  # groups of columns, and columns of a group, in a sentence; columns that are not needed
_ALL_JUDGED = 1000  # rows: of more, a sample may judge how many columns are enough
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
_MEASURES = {
    "error": "Error of a random forest",
    "auc": "AUC of a random forest",
    "r_squared": "R² of a random forest",
}


def answer(result: Result) -> str:
    """Which columns are kept, and how many are enough, in a sentence."""
    k, m, target = result.n_features, result.n_columns, shortened(result.target.name)
    if k and is_chance(result):
        return _only_asked_for(result)
    if not k:
        what = "better than chance" if is_chance(result) else "worth keeping"
        none = f"None of the {m} columns is {what}" if m > 1 else f"The only column is not {what}"
        return f"{none} for {target!r}."
    if result.curve is not None and m > 1:
        return _enough(result, result.curve)
    which = f": {_joined([_name(feature.name) for feature in result.features])}" if k <= _NAMED else ""
    who = "The only column" if m == 1 else f"{k} of {m} columns"
    return f"{who} {_are(k)} worth keeping for {target!r}{which}."


def _only_asked_for(result: Result) -> str:
    """That nothing is kept but what was to be kept in any case."""
    k, others, target = result.n_features, result.n_columns - result.n_features, shortened(result.target.name)
    who = _name(result.features[0].name) if k == 1 else f"{k} columns"
    kept = f"{who} {_are(k)} kept because you asked for {'it' if k == 1 else 'them'}."
    if not others:
        return f"{kept[:1].upper()}{kept[1:]}"
    none = f"None of the other {others} columns is" if others > 1 else "The other column is not"
    return f"{none} better than chance for {target!r}; {kept}"


def _enough(result: Result, curve: Curve) -> str:
    """How many columns are enough, and how near to the best number they come."""
    k, m, target = result.n_features, result.n_columns, shortened(result.target.name)
    who = f"All {m} columns" if k == m else f"{k} of {m} columns"
    if max(curve.predicted) <= 0:
        kept = f"{who} {_are(k)} kept for {target!r}"
        return f"{kept}, but no number of columns predicts anything of rows that they were not chosen from."
    if k == curve.enough == m:
        return f"All {m} columns are needed for {target!r}: fewer predict {_too_little(result)}."
    if k == curve.enough:
        alike = _alike(result, curve)
        return f"{who} {_are(k)} enough for {target!r}: {_kept(result, curve)}{f' ({alike})' if alike else ''}."
    asked = _bound(result, curve)
    return f"{who} {_are(k)} kept for {target!r}{asked}: {_kept(result, curve)}; {curve.enough} would be enough."


def _bound(result: Result, curve: Curve) -> str:
    """Why it is not the number that is enough."""
    k, most, fewest = result.n_features, result.settings.get("max_features"), result.settings.get("min_features")
    if k < curve.enough and most == k:
        return ", the most that you allow"
    return ", the fewest that you allow" if k > curve.enough and fewest == k else ""


def _too_little(result: Result) -> str:
    keep = result.settings.get("keep")
    if not isinstance(keep, int | float):
        return "clearly less"
    return "less" if keep == 1 else f"less than {keep:.0%} of what they do"


def _kept(result: Result, curve: Curve) -> str:
    """What share of the best number's prediction the selection keeps."""
    value, is_judged = predicted(result, curve)
    share, they = value / max(curve.predicted), "it keeps" if result.n_features == 1 else "they keep"
    if is_judged and share == 1:
        return "no other number of them predicts more"
    return f"{they} {'' if is_judged else 'about '}{_floored(share)} of what any number of them predicts"


def _alike(result: Result, curve: Curve) -> str:
    """How the number stands to the best one, within the error of the curve."""
    rows = f"with {counted(result.n_rows, 'row')}" if result.n_rows <= _ALL_JUDGED else "with these rows"
    k, least, is_best = result.n_features, curve.fewest_alike, predicted(result, curve)[0] == max(curve.predicted)
    if least < k:
        return f"as few as {least} cannot be told from {'them' if is_best else 'the best number'} {rows}"
    if least > k:
        return f"it takes {least} to be indistinguishable from the best number {rows}"
    if is_best:
        return f"any fewer predict clearly less {rows}" if k > 1 else ""
    return f"{rows}, {'it' if k == 1 else 'they'} cannot be told from the best number"


def predicted(result: Result, curve: Curve) -> tuple[float, bool]:
    """What as many columns as are selected predict, and whether just this number was judged."""
    found = float(np.interp(result.n_features, curve.sizes, curve.predicted))
    return found, result.n_features in curve.sizes


def as_share(value: float) -> str:
    """A share that may be negative, as people say it."""
    return "<0%" if value < -_SMALL else f"{max(0.0, value):.0%}"


def _floored(share: float) -> str:
    return f"{int(100 * share + 1e-9)}%"


def of_what(result: Result) -> str:
    """What the curve shows, and on which rows."""
    target = shortened(result.target.name, 30)
    whole = repr(target) if result.class_entropy_bits is not None else f"the variance of {target!r}"
    return f"of {whole}, on rows that the columns were not chosen from"


def sure(result: Result) -> str:
    """Which of the chosen columns are sure, in a sentence; empty if that was not tried."""
    if result.decoys is None or not result.features:
        return ""
    names, k = [feature.name for feature in result.features if feature.verdict == "sure"], result.n_features
    if not names:
        none = "It is not sure" if k == 1 else f"None of the {k} is sure"
        return f"{none}: copies of columns that have lost the target come out as strong."
    risk = f"a useless column gets among the sure ones in at most 1 of {result.decoys + 1} tables"
    who = {1: "It is", 2: "Both are"}.get(k, f"All {k} are")
    who = f"{len(names)} of the {k} {_are(len(names))}" if len(names) < k else who
    return f"{who} sure ({risk}): {_some(names, _NAMED)}."


def not_needed(result: Result) -> str:
    """Which columns are sure, though not selected, in a sentence; empty if none are."""
    names = [c.name for c in sorted(result.columns, key=_by_place) if c.verdict == "sure" and not c.is_chosen]
    return f"Sure, but not needed: {_some(names, _MOST)}." if names else ""


def _by_place(column: Column) -> float:
    return 0.0 if column.place is None else column.place


def _some(names: Sequence[str], most: int) -> str:
    """The first names, and how many more there are."""
    shown = ", ".join(shortened(name, 40) for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def loss(result: Result) -> str:
    """What a model reaches with as many columns, with all and with none, in a sentence; empty if that was not tried."""
    if (found := result.held_out) is None:
        return ""
    return f"{_MEASURES[found.measure]} on new rows: {_compared(result, found, so_many(found.n_columns))}."


def how_tested(result: Result) -> str:
    """How that was measured, in a sentence."""
    if (found := result.held_out) is None:
        return ""
    error = found.difference_error or 0.0
    apart = f"; the difference between the first two has a standard error of {_told(found.measure, error)}"
    return (
        f"Columns were chosen from one half of the rows, and the forest was tested on the other, {found.n_runs} times"
        f"{apart if result.n_features < result.n_columns else ''}."
    )


def tested(result: Result) -> str:
    """What a model reaches on another table, in a sentence; empty if there was none."""
    if (found := result.tested) is None:
        return ""
    where = f"{shortened(found.table)!r} ({counted(found.n_rows, 'row')})"
    return f"{_MEASURES[found.measure]} on {where}: {_compared(result, found, f'the {result.n_features}')}."


def _compared(result: Result, found: HeldOut | Tested, chosen: str) -> str:
    """With chosen columns, with all and without any."""
    some, everything, nothing = (measured(found.measure, value) for value in values(found))
    without = f"{nothing} for {'the mean' if found.measure == 'r_squared' else 'the commonest class'}"
    first = f"{some} with {chosen}, " if result.n_features < result.n_columns else ""
    return f"{first}{everything} with all {result.n_columns}, {without}"


def so_many(value: float) -> str:
    """A mean number of columns, as people say it."""
    whole = abs(value - round(value)) < 0.05
    return counted(round(value), "column") if whole else f"{value:.1f} columns"


def values(found: HeldOut | Tested) -> tuple[float, float, float]:
    """With the chosen columns, with all, and with none."""
    return found.chosen, found.everything, found.nothing


def measured(measure: str, value: float) -> str:
    """An error, an AUC or R² as people say it."""
    return "less than 0%" if measure == "r_squared" and value < -_SMALL else _told(measure, value)


def _told(measure: str, value: float) -> str:
    return f"{value:.2f}" if measure == "auc" else f"{max(0.0, value):.1%}"


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _joined(names: Sequence[str], last: str = "and") -> str:
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else names[0]


def _name(name: str) -> str:
    return repr(shortened(name, 40))


def information(result: Result) -> str:
    """How much the chosen columns say, in a sentence."""
    k, target = result.n_features, shortened(result.target.name)
    entropy, corrected = result.class_entropy_bits, max(result.corrected_information_bits or 0.0, 0.0)
    them = "it" if k == 1 else "them"
    if not k:
        return "" if entropy is None else f"The entropy of {target!r} is {entropy:.3f} bits."
    if entropy is None:
        claim = result.criterion_claim or f"R² is {result.r_squared or 0.0:.3f}"
        return f"With {them}, {claim}{_flattered(result)}."
    if _predicts(result):
        share = f"{percent(result.criterion_value, entropy)} of the entropy of {target!r}"
        return f"With {them}, the score by {result.criterion!r} is {share}{_flattered(result)}."
    return (
        f"{'It carries' if k == 1 else 'They carry'} {result.information_bits:.3f} of the {entropy:.3f} bits of "
        f"information about {target!r} ({percent(result.information_bits, entropy)}) as counted, {corrected:.3f} "
        f"({percent(corrected, entropy)}) after correction for chance"
        f"{f'; {result.criterion_claim}' if result.criterion_claim else ''}."
    )


def _predicts(result: Result) -> bool:
    """Whether the criterion is what a model predicts, so that counting adds nothing."""
    return result.criterion in CRITERIA and isinstance(CRITERIA[result.criterion], RowCriterion)


def _flattered(result: Result) -> str:
    if not _predicts(result):
        return ""
    return ", in rows left out one by one; that flatters columns chosen from the same rows"


def is_chance(result: Result) -> bool:
    """Whether nothing is kept because nothing is better than chance."""
    return any(note.code == "nothing_there" for note in result.notes)


def certainty(result: Result) -> str:
    """How what was found compares with chance, in a sentence; empty if there is nothing to say."""
    if (chance := result.chance) is None:
        return _untested(result)
    if not (n := chance.n_shuffles):
        return ""
    as_much = round(chance.p_value * (n + 1)) - 1
    approximate = ", approximate" if chance.is_approximate else ""
    how = " between rows alike in the columns that are always kept" if chance.is_approximate else ""
    shuffled = f"{n} targets shuffled{how}" if how else f"{n} shuffled target{'' if n == 1 else 's'}"
    return f"p = {chance.p_value:.2g}{approximate}: {as_much or 'none'} of {shuffled} scored as high."


def _untested(result: Result) -> str:
    if not result.features:
        return ""
    if any(note.code == "untested" for note in result.notes):
        return "Untested: there was no time to compare this with shuffled targets."
    return "Untested: this was not compared with shuffled targets."


def further_notes(result: Result) -> list[Note]:
    """The notes that say what no sentence here says."""
    return [note for note in result.notes if note.code != "untested"]


def agreement(result: Result) -> str:
    """How much the choices from halves of the rows agree, in a sentence; empty if that was not tried."""
    if (halves := result.halves) is None:
        return ""
    value, ends = halves.stability, halves.interval
    if value is None:
        what = "all columns were" if halves.names else "no column was"
        return f"From each of {halves.n_halves} halves of the rows, {what} chosen."
    between = f" ({ends[0]:.2f} to {ends[1]:.2f})" if ends else ""
    return (
        f"Stability over {halves.n_halves} halves of the rows: {value:.2f}{between}; 1 means always the same columns, "
        "0 no better than chance."
    )


def replacements(result: Result) -> list[str]:
    """Groups of columns that replace each other from half to half, one of which at least is chosen."""
    chosen = {feature.name for feature in result.features}
    groups = [] if result.halves is None else [group for group in result.halves.groups if chosen & {*group}]
    lines = [_joined([_name(name) for name in group[:_MOST]], "or") for group in groups[:_MOST]]
    more = [f" and {len(group) - _MOST} more" if len(group) > _MOST else "" for group in groups]
    lines = [line + rest for line, rest in zip(lines, more, strict=False)]
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
    if is_chance(result):
        return f"No search followed the comparison with chance. All in all it took {seconds}."
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
    return f"The selection {scores.get(result.unit, f'scores {value:.4f}')} by {result.criterion!r}{price}."


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
