"""mutable: marks arguments whose values may change without a new capture."""

from __future__ import annotations

from typing import Any


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """Answers the data itself: numbers and Tensors, also within tuples, lists and dicts, are run-time values of jitted
    functions anyway; only what decides a shape or a branch of Python is fixed at capture.

    Args:
        input_data: a number, Tensor, tuple, list or dict.
        dynamic_len: accepted; a sequence of another length is captured anew.

    Raises:
        TypeError: input_data is of another type.
    """
    from emberjit import _emberjit as core

    if not isinstance(input_data, (int, float, bool, tuple, list, dict, core.Tensor)):
        raise TypeError(
            "For 'mutable', the 'input_data' should be one of (bool, int, float, tuple, list, dict, Tensor), but got "
            f"{type(input_data)}."
        )
    if dynamic_len and not isinstance(input_data, (tuple, list)):
        raise TypeError("For 'mutable', 'dynamic_len' needs a tuple or a list.")
    return input_data
