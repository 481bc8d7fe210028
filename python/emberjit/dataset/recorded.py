"""Recorded: what pipelines are made of knows what it was made with, so that serialize() can write it down."""

from __future__ import annotations

import inspect
from typing import Any

MadeWith = tuple[tuple[Any, ...], dict[str, Any]]


class Recorded:
    """The base of nodes, datasets, operations and samplers."""

    made_with: MadeWith | None = None

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__new__(cls)
        made.__dict__["made_with"] = _kept(args), _kept(kwargs)
        return made


def _kept(value: Any) -> Any:
    """A value with lists, tuples and dicts of its own, which do not change with those that were given."""
    if type(value) in (list, tuple):
        return type(value)(map(_kept, value))
    return {key: _kept(each) for key, each in value.items()} if type(value) is dict else value


def arguments(cls: type, made_with: MadeWith | None) -> dict[str, Any]:
    """What an object of a class was made with, by name.

    Raises:
        ValueError: it has been changed since: made_with is None.
    """
    if made_with is None:
        raise ValueError(f"a {cls.__name__} that was changed after it was made cannot be written down")
    args, kwargs = made_with
    return dict(inspect.signature(cls).bind(*args, **kwargs).arguments)
