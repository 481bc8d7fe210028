"""Variables of functions that are captured or executed, and what stands for values that are none of Python's."""

from __future__ import annotations

import itertools
import types
from typing import Any

from emberjit import _emberjit as core
from emberjit.capture import outside


class _Null:
    """What CPython's NULL on the stack is here."""


NULL = _Null()


class Opaque:
    """Stands for a value that captured code may pass on but not look at."""


class Closure:
    """A function that is defined inside a captured one, with the frame that it sees."""

    frame: Any


class Frame(dict):  # type: ignore[type-arg]
    """Local variables, which serve compiled code as its globals, after the helpers that it uses; other names come from
    cells, then from real globals."""

    function = "<module>"  # the name that tracebacks show
    first = ""  # the name of the first parameter

    def __init__(
        self,
        cells: dict[str, Any],
        global_names: dict[str, Any],
        local_names: frozenset[str],
        helpers: dict[str, Any] | None = None,
    ):
        self.helpers = helpers or {}
        super().__init__(self.helpers)
        self.cells = cells
        self.global_names = global_names
        self.local_names = local_names
        self.unrolled: set[int] = set()  # loops that need numbers that Python knows, so that each trip is followed
        self.lost: dict[str, str] = {}  # variables that a graph cannot hold, and why

    def variables(self) -> dict[str, Any]:
        """The variables that have values."""
        return dict(itertools.islice(dict.items(self), len(self.helpers), None))

    def has(self, name: str) -> bool:
        """Whether a variable of the function has a value."""
        cell = self.cells.get(name)
        if cell is None:
            return dict.__contains__(self, name)
        try:
            return cell.has(name) if isinstance(cell, Frame) else bool((cell.cell_contents,))
        except (AttributeError, ValueError):
            return False

    def __missing__(self, name: str) -> Any:
        if name in self.lost:
            raise core.CaptureError(f"local variable '{name}' {self.lost[name]}")
        if name in self.local_names:
            raise UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value")
        cell = self.cells.get(name)
        return cell[name] if isinstance(cell, Frame) else outside.variable(name, self.cells, self.global_names)


class Inner(Frame):
    """The variables of a function within another, of which it sets some: those that it declares `nonlocal`."""

    def __init__(self, owners: dict[str, Any], *rest: Any):
        super().__init__(*rest)
        self.owners = owners

    def __setitem__(self, name: str, value: Any) -> None:
        owner = self.owners.get(name)
        if owner is None:
            dict.__setitem__(self, name, value)
        else:
            owner[name] = value

    def __delitem__(self, name: str) -> None:
        owner = self.owners.get(name)
        if owner is None:
            dict.__delitem__(self, name)
        else:
            del owner[name]


def new_frame(
    code: types.CodeType,
    cells: dict[str, Any],
    global_names: dict[str, Any],
    variables: dict[str, Any],
    own_cells: bool = False,
) -> Frame:
    """A frame with these variables set; with `own_cells` those that inner functions see are in cells, as Python has them."""
    from emberjit.capture import instructions

    decoded = instructions.decoded(code)
    shared = code.co_cellvars if own_cells else ()
    cells = {**cells, **{name: types.CellType() for name in shared}}
    frame = Frame(cells, global_names, decoded.names - set(shared) if shared else decoded.names)
    for name, value in variables.items():
        if name in shared:
            cells[name].cell_contents = value
        else:
            dict.__setitem__(frame, name, value)
    return frame
