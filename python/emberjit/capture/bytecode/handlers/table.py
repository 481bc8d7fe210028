"""What executes each canonical instruction."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from emberjit.capture.bytecode.frame import Frame
from emberjit.capture.code.instructions import Instruction
from emberjit.capture.graph.conditions import End

Execute = Callable[[Frame, Instruction], End]
HANDLERS: dict[str, Execute] = {}

_Handler = TypeVar("_Handler", bound=Execute)


def handles(*names: str) -> Callable[[_Handler], _Handler]:
    """Declares what executes the instructions of these names."""

    def declare(execute: _Handler) -> _Handler:
        HANDLERS.update(dict.fromkeys(names, execute))
        return execute

    return declare
