"""Why a column was chosen, or why not, in a sentence: the same on screen and on the page."""

from __future__ import annotations

from entropick._words import counted, percent, shortened
from entropick.report._result import Column, Feature, Result
from entropick.report.words import chosen_from, is_chance

_LITTLE = 0.01  # of H(y), or of R²: less is little
_ALIKE = 0.5  # share that two columns have in common, from which one can stand in for the other
_WEAK = 0.2  # share of what a pair says: a column that says less alone says little


def why(result: Result, feature: Feature) -> str:
    """Why a chosen column was chosen.

    Examples
    --------
    >>> from entropick import CrossEntropySelector
    >>> from entropick.report import describe
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 9, [0, 1, 1, 0] * 9
    >>> result = describe(CrossEntropySelector("reliable", null=False).fit(X, y))
    >>> why(result, result.features[0])
    "says little alone, but 0.94 bits together with 'x1'"
    """
    if _is_asked_for(result, feature):
        return "kept because you asked for it"
    alone = f"{_amount(result, feature.alone)} alone"
    if (pair := feature.partner) is not None:
        together = f"{_amount(result, pair.together)} together with {_quoted(pair.name)}"
        if feature.alone <= _WEAK * pair.together:
            return f"says little alone, but {together}"
        return f"{alone}; {together}, more than the sum of both"
    if feature.lost_without < _least(result):
        other, is_more = feature.redundant_with, feature.lost_without > 0
        if feature.alone < _least(result):
            return "adds a little to the others" if is_more else _no_difference(result, feature)
        if other is not None and other.share >= _ALIKE and any(f.name == other.name for f in result.features):
            return f"{alone}; {_quoted(other.name)} says much the same"
        return f"{alone}, {'little' if is_more else 'nothing'} beyond the other columns"
    lost = _amount(result, feature.lost_without)
    if feature.alone < _least(result):
        return f"says little alone; {lost} lost without it"
    return f"{alone}; {lost.partition(' ')[0]} lost without it"


def why_not(result: Result, column: Column) -> str:
    """Why a column was not chosen; empty if it was."""
    if column.is_chosen:
        return ""
    state = {
        "constant": "it has the same value in every row",
        "id": "it names or numbers the rows",
        "unread": "there was no time to read it",
        "screened": "others say more about the target, alone and in pairs, and the model cannot hold all",
    }
    if column.state in state:
        return state[column.state]
    if is_chance(result):
        return "no column is better than chance"
    if column.like is not None and column.like.share >= _ALIKE:
        return f"{_quoted(column.like.name)}, which is kept, says much the same"
    if column.gain is None:
        return "other columns do better together"
    if column.gain <= 0:
        if column.alone is not None and column.alone >= _least(result):
            return f"{_amount(result, column.alone)} alone, but nothing beyond the columns that are kept"
        return "with it, predictions get no better"
    return f"would add {_amount(result, column.gain)}{_limit(result)}"


def _limit(result: Result) -> str:
    """Why a column that would add something is not among the chosen ones all the same."""
    curve, k = result.curve, result.n_features
    if result.settings.get("parsimony") and curve is None:
        return ", less than its price"
    if result.settings.get("n_features_to_select") is not None:
        return ", but no more columns were asked for"
    if result.settings.get("max_features") is not None and (curve is None or k < curve.enough):
        return ", but no more columns were asked for"
    return (
        ", less than it takes to be kept"
        if curve is None
        else f", but {counted(k, 'column')} {'is' if k == 1 else 'are'} enough"
    )


def _no_difference(result: Result, feature: Feature) -> str:
    often = chosen_from(result, feature.selection_frequency)
    return f"makes no difference beside the others{f'; chosen from {often} halves of the rows' if often else ''}"


def _is_asked_for(result: Result, feature: Feature) -> bool:
    always = result.settings.get("always")
    return isinstance(always, list) and feature.name in always


def _least(result: Result) -> float:
    return _LITTLE * (result.class_entropy_bits if result.unit == "bits" and result.class_entropy_bits else 1.0)


def _amount(result: Result, value: float) -> str:
    """A score as people say it."""
    if result.unit == "r_squared":
        return f"{percent(value, 1)} of the variance"
    digits = 2 if value >= 0.005 else 4
    return f"{max(value, 0.0):.{digits}f}{' bits' if result.unit == 'bits' else ''}"


def _quoted(name: str) -> str:
    return repr(shortened(name, 40))
