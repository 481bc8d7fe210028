"""What programs reach of MindSpore's extension module: the names of this package, and some of the extension's own."""

from __future__ import annotations

import importlib
from typing import Any

from emberjit import mint, runtime
from emberjit._emberjit import Tensor
from emberjit.nn.cell import precision

MixedPrecisionType = precision.MixedPrecisionType
TensorPy = Tensor
_empty_instance = mint.empty
_ms_memory_recycle = runtime.ms_memory_recycle


def disable_multi_thread() -> None:
    """Does nothing: what a fork leaves of emberjit's threads starts anew in the child."""


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
