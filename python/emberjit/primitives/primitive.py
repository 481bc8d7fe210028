"""Primitive classes: one op with its attributes fixed."""

from __future__ import annotations

from typing import Any

from emberjit.publish import classes
from emberjit.publish.registry import Declaration


class Primitive(classes.WithAttributes):
    """One op with its attributes fixed."""

    def __init__(self, *args: Any, **kwargs: Any):
        self.attributes = self.bind(args, kwargs)

    @property
    def name(self) -> str:
        """The name in graphs."""
        return type(self).__name__

    def __call__(self, *args: Any) -> Any:
        raise NotImplementedError

    def __repr__(self) -> str:
        inner = ", ".join(f"{key}={value}" for key, value in self.attributes.items())
        return f"Prim[{self.name}]<{inner}>" if inner else f"Prim[{self.name}]"


class DeclaredPrimitive(Primitive):
    """A primitive that is declared."""

    function: Any

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs, **self.attributes)


def primitive(declared: Declaration) -> type[DeclaredPrimitive]:
    """The class of a declaration."""
    return type(declared.name, (DeclaredPrimitive,), classes.fields(declared))
