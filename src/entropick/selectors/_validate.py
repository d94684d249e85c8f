"""Input checks that scikit-learn asks for, without losing strings, dates and missing values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import column_or_1d, validate_data

from entropick._words import did_you_mean
from entropick.encode import Source, as_array, as_frame, is_frame, read_source, take_columns

if TYPE_CHECKING:
    from entropick.selectors._base import InformationSelector


def check_table(estimator: InformationSelector, X: Any, *, reset: bool) -> Source:
    """The columns of X, after checking its shape and names; a frame is not converted.

    Named columns may come in another order than in `fit`: they are put back in that order.
    """
    if is_frame(X):
        source = read_source(X)  # duplicate names and lazy frames fail here, with our own messages
        known = None if reset else estimator._names_in
        if known is not None and source.names != known:
            _check_names(known, source.names)
            place = {name: j for j, name in enumerate(source.names)}
            X = take_columns(X, np.array([place[name] for name in known]))
            source = read_source(X)
        validate_data(estimator, as_frame(X), reset=reset, skip_check_array=True)
        if reset:
            estimator._names_in = source.names
        return source
    if reset:
        estimator._names_in = None
    checked = validate_data(
        estimator,
        X if sparse.issparse(X) else as_array(X),
        reset=reset,
        dtype=None,
        accept_sparse=("csc", "csr"),
        ensure_all_finite=False,
    )
    return read_source(checked)


def set_names(estimator: InformationSelector, names: tuple[str, ...]) -> None:
    """Set what scikit-learn's checks would, for a table that is not in memory."""
    estimator._names_in = names
    estimator.feature_names_in_ = np.array(names, dtype=object)
    estimator.n_features_in_ = len(names)


def _check_names(known: tuple[str, ...], names: tuple[str, ...]) -> None:
    """Raise scikit-learn's error about string names that do not match, for names of any kind, as text."""
    if set(names) == set(known):
        return
    message = "The feature names should match those that were passed during fit.\n"
    for what, some in (
        ("Feature names unseen at fit time", sorted(set(names) - set(known))),
        ("Feature names seen at fit time, yet now missing", sorted(set(known) - set(names))),
    ):
        if some:
            message += f"{what}:\n" + "".join(f"- {name}\n" for name in [*some[:5], "..."][: len(some)])
    raise ValueError(message)


def check_target(estimator: Any, y: Any) -> Any:
    """Y as one column."""
    if y is None:
        raise ValueError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None: "
            "information is always about a target."
        )
    shape = y.shape if hasattr(y, "shape") else as_array(y, "y").shape
    if len(shape) == 0:
        raise ValueError(f"y must be one column, with a value for every row; got {y!r}.")
    if len(shape) == 2 and shape[1] == 1:
        return column_or_1d(y, warn=True)
    if len(shape) > 1:
        raise ValueError(f"y must be one column; got an array of shape {tuple(shape)}: select one target at a time.")
    return y


def find_columns(columns: Any, names: Sequence[str], parameter: str) -> tuple[int, ...]:
    """The numbers of columns given by name or number."""
    if isinstance(columns, str | int | np.integer):
        columns = (columns,)
    if isinstance(columns, bytes) or not isinstance(columns, Iterable):
        raise ValueError(f"{parameter} must be a sequence of column names or numbers; got {columns!r}.")
    place = {name: j for j, name in enumerate(names)}
    found = []
    for column in columns:
        if isinstance(column, str):
            if column not in place:
                raise ValueError(
                    f"{parameter} must name columns of X; got {column!r}, which is not one of its {len(names)} columns."
                    f"{did_you_mean(column, names)}"
                )
            found.append(place[column])
        elif isinstance(column, int | np.integer) and not isinstance(column, bool):
            if not -len(names) <= column < len(names):
                raise ValueError(f"{parameter} must hold column numbers from 0 to {len(names) - 1}; got {column}.")
            found.append(int(column) % len(names))
        else:
            raise ValueError(f"{parameter} must hold column names or numbers; got {column!r}.")
    return tuple(sorted(set(found)))


def choose_seed(random_state: Any) -> int:
    """The seed of a run, from None, an int, a RandomState or a Generator."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, int | np.integer) and not isinstance(random_state, bool) and random_state >= 0:
        return int(random_state)
    raise ValueError(
        f"random_state must be None, an integer of at least 0, a RandomState or a Generator; got {random_state!r}."
    )
