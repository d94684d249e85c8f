"""The searches by name."""

from __future__ import annotations

from entropick._names import look_up
from entropick.search._cross_entropy import CrossEntropy
from entropick.search._run import Search

SEARCHES: dict[str, type[Search]] = {"cross_entropy": CrossEntropy}


def find_search(search: str | Search) -> Search:
    """The search of that name with its default settings; a search of your own is returned as it is."""
    return search if isinstance(search, Search) else look_up("search", search, SEARCHES)()
