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


def __getattr__(name: str) -> Any:
    return getattr(importlib.import_module("emberjit"), name)
