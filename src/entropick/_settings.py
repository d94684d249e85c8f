"""Settings that scikit-learn can read and change."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Self

from entropick._words import did_you_mean


class Settings:
    """For dataclasses: exposes the fields as parameters for scikit-learn's `clone` and grid searches."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Settings by name; those of a nested setting as ``name__inner``."""
        params = {item.name: getattr(self, item.name) for item in fields(self)}  # type: ignore[arg-type]
        for name, value in list(params.items()) if deep else ():
            if hasattr(value, "get_params") and not isinstance(value, type):
                params.update({f"{name}__{inner}": setting for inner, setting in value.get_params().items()})
        return params

    def set_params(self, **settings: Any) -> Self:
        """Change settings by name."""
        known = self.get_params(deep=False)
        for name, value in settings.items():
            outer, _, inner = name.partition("__")
            if outer not in known:
                raise ValueError(
                    f"unknown setting {outer!r} of {type(self).__name__}. Known: {', '.join(known)}."
                    f"{did_you_mean(outer, known)}"
                )
            if inner:
                getattr(self, outer).set_params(**{inner: value})
            else:
                setattr(self, outer, value)
        return self
