"""Recorded: what pipelines are made of knows what it was made with, so that serialize() can write it down."""

from __future__ import annotations

import inspect
from typing import Any

MadeWith = tuple[tuple[Any, ...], dict[str, Any]]


class Recorded:
    """The base of nodes, datasets, operations and samplers."""

    made_with: MadeWith | None

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__new__(cls)
        made.__dict__["made_with"] = args, kwargs
        return made


def arguments(cls: type, made_with: MadeWith | None) -> dict[str, Any]:
    """What an object of a class was made with, by name.

    Raises:
        ValueError: it has been changed since: made_with is None.
    """
    if made_with is None:
        raise ValueError(f"a {cls.__name__} that was changed after it was made cannot be written down")
    args, kwargs = made_with
    return dict(inspect.signature(cls).bind(*args, **kwargs).arguments)
