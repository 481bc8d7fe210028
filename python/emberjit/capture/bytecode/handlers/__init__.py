"""What executes each canonical instruction, a file for each subject."""

from emberjit.capture.bytecode.handlers import calls, containers, errors, jumps, matching, operators, variables  # noqa: F401
from emberjit.capture.bytecode.handlers.table import HANDLERS  # noqa: F401
