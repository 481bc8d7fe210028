"""mutable: marks arguments whose values may change without a new capture."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """Answers the data itself: numbers and Tensors, also within tuples, lists and dicts, are run-time values of jitted
    functions anyway; only what decides a shape or a branch of Python is fixed at capture.

    Args:
        input_data: a number, Tensor, tuple, list or dict.
        dynamic_len: whether a tuple or list may have another length in later calls; each length is captured once.

    Raises:
        TypeError: input_data is of another type or contains itself, dynamic_len is no bool, or is True without a tuple
            or list.
    """
    if not _consists_of_values(input_data, set()):
        raise TypeError(
            "For 'mutable', the 'input_data' should be one of (bool, int, float, Tensor, tuple, list, dict) or their "
            f"nested structures with no self-reference, but got {type(input_data).__name__}: {input_data}."
        )
    if not isinstance(dynamic_len, bool):
        raise TypeError(f"For 'mutable', the second input should be bool, but got: {type(dynamic_len).__name__}")
    if dynamic_len and not isinstance(input_data, (tuple, list)):
        raise TypeError(
            "For 'mutable', when the variable_len is True, the first input should be list or tuple, but got: "
            f"{type(input_data).__name__}"
        )
    return input_data


def _consists_of_values(value: Any, within: set[int]) -> bool:
    if not isinstance(value, (tuple, list, dict)):
        return isinstance(value, (int, float, core.Tensor))
    if id(value) in within:
        return False
    items = value.values() if isinstance(value, dict) else value
    return all(_consists_of_values(item, {*within, id(value)}) for item in items)
