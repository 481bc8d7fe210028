"""What executes the canonical instructions, a file for each subject, but for what is done in python/src/frames/frame.cpp."""

from emberjit import _emberjit as core
from emberjit.capture.bytecode.frame import COMPUTES, HANDLERS
from emberjit.capture.bytecode.handlers import calls, containers, errors, jumps, matching, operators, variables  # noqa: F401
from emberjit.capture.code.instructions import NULL
from emberjit.capture.guards.objects import is_unobserved, observe
from emberjit.capture.state.namespace import Opaque, observe_opaque

core.provide_handlers(HANDLERS, COMPUTES, Opaque, observe_opaque, observe, NULL, is_unobserved)
