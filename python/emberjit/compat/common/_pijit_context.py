"""What programs reach of MindSpore's capture by bytecode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit.capture.jit.transform import jit


class PIJitCaptureContext:
    """Jits functions, captured by their bytecode.

    Args:
        fullgraph: whether what cannot be captured is an error.
        jit_config: options, a JitConfig.
    """

    def __init__(self, fullgraph: bool = False, jit_config: Any = None):
        self.fullgraph, self.jit_config = fullgraph, jit_config

    def __call__(self, fn: Callable[..., Any]) -> Any:
        """The function, jitted."""
        return jit(fn, capture_mode="bytecode", fullgraph=self.fullgraph, jit_config=self.jit_config)
