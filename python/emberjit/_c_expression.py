"""What programs reach of MindSpore's extension module: the names of this package, and some of the extension's own."""

from __future__ import annotations

import importlib
from typing import Any

from emberjit._emberjit import Tensor

TensorPy = Tensor


def get_code_extra(function: Any) -> None:
    """None: what is known of a function's graphs is kept by what jit gives, and not by its code."""


def _framework_profiler_step_start() -> None:
    """Does nothing: Profiler.step() says where steps begin."""


def _framework_profiler_step_end() -> None:
    """Does nothing, likewise."""


def update_pijit_default_config(**options: Any) -> None:
    """Does nothing: what MindSpore's capture by bytecode has by default is asked of jit by its own options."""


class security:
    """Whether MindSpore was built without what writes files of graphs and data."""

    @staticmethod
    def enable_security() -> bool:
        """No: summaries and dumps may be written."""
        return False


def __getattr__(name: str) -> Any:
    return getattr(importlib.import_module("emberjit"), name)
