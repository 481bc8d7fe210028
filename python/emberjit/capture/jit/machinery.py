"""The modules that the jit transform loads once it captures (transform.py)."""

from emberjit.capture.cache import gate  # noqa: F401
from emberjit.capture.code import decoding  # noqa: F401
from emberjit.capture.dispatch import capturing  # noqa: F401
from emberjit.capture.graph_breaks import callee_frames  # noqa: F401
