"""Why a column was chosen, or why not, in a sentence: the same on screen and on the page."""

from __future__ import annotations

from entropick._words import percent, shortened
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
    "alone it says little; together with 'x1' it carries 0.94 bits"
    """
    if _is_asked_for(result, feature):
        return "it is kept because you asked for it"
    alone = _amount(result, feature.alone)
    if (pair := feature.partner) is not None:
        together = _amount(result, pair.together)
        if feature.alone <= _WEAK * pair.together:
            return f"alone it says little; together with {_quoted(pair.name)} it carries {together}"
        return f"alone it carries {alone}; together with {_quoted(pair.name)}, {together}, more than one by one"
    if feature.lost_without < _least(result):
        other, is_more = feature.redundant_with, feature.lost_without > 0
        if feature.alone < _least(result):
            return "it adds a little to the others" if is_more else _no_difference(result, feature)
        if other is not None and other.share >= _ALIKE and any(f.name == other.name for f in result.features):
            return f"alone it carries {alone}; {_quoted(other.name)} says much the same"
        return f"alone it carries {alone}; the others make up for {'most' if is_more else 'all'} of it"
    lost = _amount(result, feature.lost_without)
    if feature.alone < _least(result):
        return f"alone it says little; without it {lost} would be lost"
    return f"alone it carries {alone}; without it {lost} would be lost"


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
    if column.like is not None and column.like.share >= _ALIKE:
        return f"{_quoted(column.like.name)}, which is kept, says much the same"
    if not result.n_features and is_chance(result):
        return "no column is kept, because all of them together are no better than chance"
    if column.gain is None:
        return "other columns do better together"
    if column.gain <= 0:
        if column.alone is not None and column.alone >= _least(result):
            return f"alone it carries {_amount(result, column.alone)}, but beside the others predictions get no better"
        return "with it, predictions get no better"
    if result.luck is not None and column.gain <= result.luck:
        return f"it would add {_amount(result, column.gain)}, no more than a shuffled column may"
    if result.settings.get("parsimony"):
        return f"it would add {_amount(result, column.gain)}, less than its price"
    if result.settings.get("n_features_to_select") is not None or result.settings.get("max_features") is not None:
        return f"it would add {_amount(result, column.gain)}; no more columns were asked for"
    return f"it would add {_amount(result, column.gain)}, which the search did not take for enough"


def _no_difference(result: Result, feature: Feature) -> str:
    often = chosen_from(result, feature.selection_frequency)
    return f"beside the others it makes no difference{f'; {often} halves of the rows chose it' if often else ''}"


def _is_asked_for(result: Result, feature: Feature) -> bool:
    always = result.settings.get("always")  # names; results of older versions have numbers too
    return isinstance(always, list) and (feature.name in always or feature.index in always)


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
