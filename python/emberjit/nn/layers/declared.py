"""Cells that are one op or composition with its attributes fixed: nn.Softmax(axis=1)(x)."""

from __future__ import annotations

from typing import Any

from emberjit.nn.cell import Cell
from emberjit.publish import classes
from emberjit.publish.registry import Declaration


class DeclaredCell(Cell):
    """A Cell that is declared, without Parameters."""

    _stateless = True
    function: Any
    attribute_names: tuple[str, ...]

    def fix(self, attributes: dict[str, Any]) -> None:
        """Sets the attributes, by name."""
        Cell.__init__(self)
        for name, value in attributes.items():
            setattr(self, name, value)

    def construct(self, *operands: Any, **keywords: Any) -> Any:
        """The op of the operands."""
        return self.function(*operands, **keywords, **{name: getattr(self, name) for name in self.attribute_names})

    def extend_repr(self) -> str:
        """The attributes."""
        return ", ".join(f"{name}={getattr(self, name)}" for name in self.attribute_names)


def cell(declared: Declaration) -> type[DeclaredCell]:
    """The class of a declaration; one without attributes takes what every Cell does."""
    fields = classes.fields(declared)
    if not fields["attribute_names"]:
        del fields["__init__"]
        fields["__signature__"] = classes.Told(classes.without_arguments)
    return type(declared.name, (DeclaredCell,), fields)
