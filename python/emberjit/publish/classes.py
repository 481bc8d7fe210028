"""Classes of declarations, Primitives and Cells: ops.ReduceSum(keep_dims=True)(x, 1). Attributes are given when an object is
made, operands when it is called; the declaration has a list of each.
"""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit import deviations
from emberjit.publish import signature
from emberjit.publish.registry import Declaration, graph_of


class WithAttributes:
    """What has named attributes."""

    attribute_names: tuple[str, ...] = ()
    defaults: dict[str, Any] = {}
    renamed: dict[str, str] = {}

    @classmethod
    def bind(cls, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The attributes that are given, by name.

        Raises:
            TypeError: they are not those that the class has.
        """
        name, names = cls.__name__, cls.attribute_names
        if len(args) > len(names):
            raise TypeError(f"{name}() takes {len(names)} arguments, but {len(args)} were given")
        attributes = dict(zip(names, args))
        for given, value in kwargs.items():
            key = cls.renamed.get(given, given)
            if key not in names or key in attributes:
                problem = "an unexpected argument" if key not in names else "multiple values for argument"
                raise TypeError(f"{name}() got {problem} '{given if key not in names else key}'")
            attributes[key] = value
        missing = [key for key in names if key not in attributes and key not in cls.defaults]
        if missing:
            raise TypeError(f"{name}() missing required arguments: {', '.join(missing)}")
        return attributes


def _lists(declared: Declaration, definition: tuple[signature.Parameter, ...]) -> tuple[str, str]:
    """The texts of attributes and operands; without them, operands are what an op computes from."""
    if len(declared.lists) == 2:
        return declared.lists[0], declared.lists[1]
    operands = [p.name for p in definition if p.kind in (*signature.OPERANDS, "object")]
    return ", ".join(p.name for p in definition if p.name not in operands), ", ".join(operands)


def _documentation(declared: Declaration) -> str:
    import inspect

    return inspect.cleandoc(declared.target.__doc__ or "") + deviations.documentation(f"{declared.scope}.{declared.name}")


def fields(declared: Declaration) -> dict[str, Any]:
    """What the class of a declaration has: `function` takes the operands, and attributes by keyword."""
    name, module, definition = declared.name, f"emberjit.{declared.scope}", signature.definition_of(declared.target)
    attributes, operands = _lists(declared, definition)
    spelled = signature.spell(name, f"{operands}, *, {attributes}" if attributes else operands, definition)
    fixed = signature.spell(name, attributes, definition).parameters if attributes else ()
    overload = signature.overload(spelled, declared.target, definition, graph_of(declared))
    return {
        "function": staticmethod(
            core.Function(name, name, module, lambda made: made.define([overload]), lambda made: ("", None))
        ),
        "spelled": spelled,
        "target": declared.target,
        "defaults": {p.name: p.default for p in fixed if p.default is not signature.REQUIRED},
        "attribute_names": tuple(p.name for p in fixed),
        "renamed": {other: p.name for p in fixed for other in p.aliases},
        "__doc__": _documentation(declared),
        "__module__": module,
    }
