"""Classes of declarations, Primitives and Cells: ops.ReduceSum(keep_dims=True)(x, 1). Attributes are given when an object is
made, operands when it is called; the declaration has a list of each.
"""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish import signature
from emberjit.publish.registry import Declaration, details, graph_of


def lists(declared: Declaration, definition: tuple[signature.Parameter, ...]) -> tuple[str, str]:
    """The texts of attributes and operands; without them, operands are what an op computes from."""
    if len(declared.lists) == 2:
        return declared.lists[0], declared.lists[1]
    operands = [p.name for p in definition if p.kind in (*signature.OPERANDS, "object")]
    return ", ".join(p.name for p in definition if p.name not in operands), ", ".join(operands)


def _initialiser(name: str, module: str, attributes: tuple[signature.Parameter, ...]) -> Any:
    """The method __init__ that checks attributes, and gives them by name to the method `fix`."""
    own = signature.Parameter("self", "object", source="self")
    names = tuple(p.name for p in attributes)

    def fix(self: Any, *values: Any) -> None:
        self.fix(dict(zip(names, values)))

    parameters = (own, *(p._replace(source=p.name) for p in attributes))
    spelled = signature.Spelled(name, parameters, {})
    overload = signature.overload(spelled, fix, parameters, None)

    def tell(_: core.Function) -> Any:
        return details(f"{module}.{name}", [(spelled, fix)])

    return core.Function(name, f"{name}.__init__", module, lambda function: function.define([overload]), tell, True)


class Told:
    """An attribute of a class that is computed when somebody asks for it; subclasses that are made otherwise have none."""

    def __init__(self, tell: Any):
        self.tell = tell
        self.owner: Any = None

    def __set_name__(self, owner: type, name: str) -> None:
        self.owner, self.name = owner, name

    def __get__(self, _: Any, owner: type) -> Any:
        if owner.__init__ is not self.owner.__init__:  # type: ignore[misc]
            raise AttributeError(f"type object '{owner.__name__}' has no attribute '{self.name}'")
        return self.tell()


def _documentation(declared: Declaration) -> str:
    from emberjit.publish import describe

    path, target = f"{declared.scope}.{declared.name}", declared.target
    return describe.of_class(path, target, *lists(declared, signature.definition_of(target)))


def without_arguments() -> Any:
    """The signature of a class that takes none."""
    import inspect

    return inspect.Signature()


def fields(declared: Declaration) -> dict[str, Any]:
    """What the class of a declaration has: `function` takes the operands, and attributes by keyword."""
    name, module, definition = declared.name, f"emberjit.{declared.scope}", signature.definition_of(declared.target)
    attributes, operands = lists(declared, definition)
    spelled = signature.spell(name, f"{operands}, *, {attributes}" if attributes else operands, definition)
    fixed = signature.spell(name, attributes, definition).parameters if attributes else ()
    overload = signature.overload(spelled, declared.target, definition, graph_of(declared))
    return {
        "function": staticmethod(
            core.Function(name, name, module, lambda function: function.define([overload]), lambda function: ("", None))
        ),
        "spelled": spelled,
        "target": declared.target,
        "attribute_names": tuple(p.name for p in fixed),
        "__init__": _initialiser(name, module, fixed),
        "__doc__": Told(lambda: _documentation(declared)),
        "__module__": module,
    }
