"""The searches by name."""

from __future__ import annotations

from entropick import _names
from entropick._errors import Mention
from entropick._names import Registry, look_up
from entropick.search._run import Search

SEARCHES: Registry[type[Search]] = _names.SEARCHES


def find_search(search: str | Search) -> Search:
    """The search of that name with its default settings; a `Search` object is returned as it is."""
    if isinstance(search, type) and issubclass(search, Search):
        raise ValueError(f"search must be a name or a Search object; got the class: use {search.__name__}().")
    return search if isinstance(search, Search) else look_up(Mention("search"), search, SEARCHES)()


def search_name(search: Search) -> str:
    """The name that a search is registered by, or that of its class."""
    return next((name for name in SEARCHES if type(search) is SEARCHES[name]), type(search).__name__)
