"""Primitive classes: one op with its attributes fixed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit.publish import classes
from emberjit.publish.registry import Declaration


class Primitive:
    """One op with its attributes fixed. Subclasses define __init__ and __call__.

    Args:
        name: its name; by default the class's.
    """

    def __init__(self, name: str | None = None):
        self.fix({})
        if name is not None:
            self.name = name

    def fix(self, attributes: dict[str, Any]) -> None:
        """Sets the attributes, which are also the primitive's by their names."""
        self.__dict__.update((name, value) for name, value in attributes.items() if not hasattr(type(self), name))
        self.attributes = attributes
        self.name = type(self).__name__

    @property
    def attrs(self) -> dict[str, Any]:
        """The attributes, by name."""
        return self.attributes

    def add_prim_attr(self, name: str, value: Any) -> Primitive:
        """Gives the primitive an attribute, which changes nothing of what a declared one computes; returns the primitive."""
        self.__dict__[name] = value
        return self

    def del_prim_attr(self, name: str) -> Primitive:
        """Removes what add_prim_attr gave; returns the primitive."""
        self.__dict__.pop(name, None)
        return self

    def init_prim_io_names(self, inputs: list[str], outputs: list[str]) -> None:
        """Names operands and results, of which graphs here show the definition's names.

        Raises:
            TypeError: inputs or outputs is no list or tuple.
        """
        for name, value in (("inputs", inputs), ("outputs", outputs)):
            if not isinstance(value, (list, tuple)):
                raise TypeError(
                    f"For '{self.name}', the type of '{name}' should be one of 'list' and 'tuple', but got "
                    f"{type(value).__name__}."
                )

    def __call__(self, *args: Any) -> Any:
        raise NotImplementedError

    def __repr__(self) -> str:
        inner = ", ".join(f"{key}={value}" for key, value in self.attributes.items())
        return f"Prim[{self.name}]<{inner}>" if inner else f"Prim[{self.name}]"


def prim_attr_register(fn: Callable[..., None]) -> Callable[..., None]:
    """Decorates the __init__ of a Primitive: its arguments become attributes, by name."""
    import functools
    import inspect

    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def initialise(self: Any, *args: Any, **kwargs: Any) -> None:
        given = signature.bind(self, *args, **kwargs)
        given.apply_defaults()
        attributes = dict(list(given.arguments.items())[1:])
        self.fix(attributes)
        self.__dict__.update(attributes)
        fn(self, *args, **kwargs)

    return initialise


class DeclaredPrimitive(Primitive):
    """A primitive that is declared."""

    function: Any

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs, **self.attributes)


def primitive(declared: Declaration) -> type[DeclaredPrimitive]:
    """The class of a declaration."""
    return type(declared.name, (DeclaredPrimitive,), classes.fields(declared))
