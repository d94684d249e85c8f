"""Every method, search or ranking, by name."""

from __future__ import annotations

from typing import Any

from entropick._errors import Mention, ParameterError
from entropick._names import look_up
from entropick._words import nearest
from entropick.ranking import RANKINGS
from entropick.search import SEARCHES
from entropick.selectors._base import InformationSelector
from entropick.selectors._cross_entropy import CrossEntropySelector
from entropick.selectors._rank import RankSelector
from entropick.selectors._subset import SubsetSelector


def make_selector(method: str, **settings: Any) -> InformationSelector:
    """The selector for a method, which is the name of a search or a ranking.

    Parameters
    ----------
    method : str
        'cross_entropy', 'forward', ... (searches), 'cmim', 'mrmr', ... (rankings).
    **settings
        Parameters of the selector.

    Examples
    --------
    >>> make_selector("mrmr", n_features_to_select=3)
    RankSelector(method='mrmr', n_features_to_select=3)
    >>> make_selector("forward")
    SubsetSelector(search='forward')
    """
    look_up(Mention("method"), method, dict.fromkeys((*SEARCHES, *RANKINGS)))
    if method in RANKINGS:
        selector: InformationSelector = RankSelector(method)
    elif method == "cross_entropy":
        selector = CrossEntropySelector()
    else:
        selector = SubsetSelector(method)
    known = selector.get_params(deep=False)
    for name in settings:
        if name not in known:
            kind = "ranking" if method in RANKINGS else "search"
            expected = f"is not a setting of {method!r}, which is a {kind}"
            near = nearest(name, known)
            raise ParameterError(name, expected, hint=("the nearest is ", Mention(near)) if near else "")
    selector.set_params(**settings)
    return selector
