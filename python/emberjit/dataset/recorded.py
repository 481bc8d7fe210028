"""Recorded: objects that remember the arguments of their constructors, so that serialize() can write them."""

from __future__ import annotations

import inspect
from typing import Any

CallArguments = tuple[tuple[Any, ...], dict[str, Any]]


class Recorded:
    """The base of nodes, datasets, operations and samplers."""

    call_arguments: CallArguments | None = None

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        instance = super().__new__(cls)
        instance.__dict__["call_arguments"] = _copied(args), _copied(kwargs)
        return instance

    def __repr__(self) -> str:
        from emberjit.printing.values import call_text, not_default

        try:
            return call_text(type(self).__name__, not_default(type(self), arguments(type(self), self.call_arguments)))
        except (TypeError, ValueError):  # it was changed after it was made
            return f"{type(self).__name__}(...)"


def _copied(value: Any) -> Any:
    """A value whose lists, tuples and dicts are copied."""
    if type(value) in (list, tuple):
        return type(value)(map(_copied, value))
    return {key: _copied(item) for key, item in value.items()} if type(value) is dict else value


def arguments(cls: type, call_arguments: CallArguments | None) -> dict[str, Any]:
    """The arguments of a class's constructor, by name.

    Raises:
        ValueError: it has been changed since: call_arguments is None.
    """
    if call_arguments is None:
        raise ValueError(f"a {cls.__name__} that was changed after it was made cannot be written down")
    args, kwargs = call_arguments
    return dict(inspect.signature(cls).bind(*args, **kwargs).arguments)
