"""Locks in a process that was forked while another thread held them."""

from __future__ import annotations

import os
import sys
from functools import cached_property
from threading import RLock


def renew_locks_in_children() -> None:
    """See to it that no process that is forked from this one waits for a lock that nobody in it can release.

    Before Python 3.12 every `cached_property` has a lock, the same for all objects of its class: a thread that computes
    one while another thread forks holds it in the child for ever.
    """
    if hasattr(os, "register_at_fork") and sys.version_info < (3, 12):
        os.register_at_fork(after_in_child=_renew_locks)


def _renew_locks() -> None:
    ours = [module for name, module in list(sys.modules.items()) if name.split(".")[0] == __name__.split(".")[0]]
    for found in (thing for module in ours for thing in vars(module).values() if isinstance(thing, type)):
        for value in vars(found).values():
            if isinstance(value, cached_property):
                vars(value)["lock"] = RLock()
