"""Checks of parameters that are numbers or flags."""

from __future__ import annotations

from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

from entropick._errors import ParameterError


def check_number(
    name: str,
    value: Any,
    low: float = -inf,
    high: float = inf,
    *,
    integer: bool = False,
    above: bool = False,
    optional: bool = False,
) -> None:
    """Raise a ParameterError unless the value is a finite number between ``low`` and ``high``.

    ``above`` excludes ``low`` itself; ``optional`` allows None.

    Examples
    --------
    >>> check_number("n_bins", 5, 2, integer=True)
    >>> check_number("n_bins", "5", 2, integer=True)
    Traceback (most recent call last):
    entropick._errors.ParameterError: n_bins must be an integer of at least 2; got '5'.
    """
    if value is None and optional:
        return
    is_number = isinstance(value, Integral if integer else Real) and not isinstance(value, bool)
    is_finite = is_number and (integer or _is_finite(value))
    if is_finite and value <= high and (value > low if above else value >= low):
        return
    least = f"greater than {low}" if above else f"of at least {low}"
    within = f"{least} and at most {high}" if above else f"between {low} and {high}"
    limits = f" {within}" if isfinite(high) else f" {least}" if isfinite(low) else ""
    kind = "an integer" if integer else "a finite number" if is_number and not is_finite else "a number"
    raise ParameterError(name, f"must be {kind}{limits}", value, optional=optional)


def _is_finite(value: Any) -> bool:
    """Whether a number is finite as a float."""
    try:
        return isfinite(value)
    except OverflowError:  # an integer or a fraction too large for a float
        return False


def check_size(name: str, value: Any, m: int) -> None:
    """Raise a ParameterError unless the value is None or between 1 and m, the number of columns."""
    if value is not None and (not isinstance(value, Integral) or isinstance(value, bool) or not 1 <= int(value) <= m):
        raise ParameterError(name, f"must be between 1 and {m}, the number of columns", value)


def check_flag(name: str, value: Any) -> None:
    """Raise a ParameterError unless the value is True or False.

    Examples
    --------
    >>> check_flag("polish", "no")
    Traceback (most recent call last):
    entropick._errors.ParameterError: polish must be True or False; got 'no'.
    """
    import numpy as np  # not at the top: --help does not need it

    if not isinstance(value, bool | np.bool_):
        raise ParameterError(name, "must be True or False", value)
