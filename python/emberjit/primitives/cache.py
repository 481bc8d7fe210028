"""Primitives that are made once for equal attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit.primitives.primitive import Primitive

__all__ = ["_get_cache_prim"]
_primitives: dict[Any, Primitive] = {}


def _get_cache_prim(cls: type[Primitive]) -> Callable[..., Primitive]:
    """What makes an object of a primitive's class, or gives the one that was made of equal attributes before."""

    def get(*args: Any, **kwargs: Any) -> Primitive:
        values = (*args, *kwargs.items())
        key = (cls, values, tuple(map(type, values)), tuple(map(type, kwargs.values())))
        try:
            primitive = _primitives.get(key)
        except TypeError:  # an attribute that has no hash
            return cls(*args, **kwargs)
        return primitive if primitive is not None else _primitives.setdefault(key, cls(*args, **kwargs))

    return get
