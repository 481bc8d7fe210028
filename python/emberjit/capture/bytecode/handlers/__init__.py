"""What executes each canonical instruction, a file for each subject."""

from emberjit.capture.bytecode.handlers import calls, containers, errors, jumps, matching, operators, variables
from emberjit.capture.bytecode.handlers.table import HANDLERS
from emberjit.capture.code.instructions import INSTRUCTIONS

__all__ = ["HANDLERS", "calls", "containers", "errors", "jumps", "matching", "operators", "variables"]

assert HANDLERS.keys() == INSTRUCTIONS.keys()
