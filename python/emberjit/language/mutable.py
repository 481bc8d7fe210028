"""mutable: marks arguments whose values may change without a new capture."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.values import tree


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """Marks values that may change without a new capture. In Python it returns the data itself: numbers and Tensors, also
    within tuples, lists and dicts, are run-time values of jitted functions anyway, up to where Python needs the value of a
    number, such as a branch, a shape or a divisor, which a graph depends on from then on. Of the number that a captured
    function marks by mutable(n) a graph never depends: branches and loops that it decides are part of the graph, and what
    needs its value in Python does not enter one.

    Args:
        input_data: a number, Tensor, tuple, list or dict.
        dynamic_len: whether a tuple or list may have another length in later calls; each length is captured once.

    Raises:
        TypeError: input_data is of another type or contains itself, dynamic_len is no bool, or is True without a tuple
            or list.

    Returns:
        input_data itself; in a graph, what stands for it.

    Examples:
        >>> @ms.jit
        ... def power(x, n):
        ...     for _ in range(ms.mutable(n)):
        ...         x = x * 2
        ...     return x
        >>> print(power(Tensor([1.0]), 3), power(Tensor([1.0]), 5))
        [8.] [32.]
    """
    if not _consists_of_values(input_data, set()):
        raise TypeError(
            "For 'mutable', the 'input_data' should be one of (bool, int, float, complex, Tensor, tuple, list, dict) or "
            f"their nested structures with no self-reference, but got {type(input_data).__name__}: {input_data}."
        )
    if not isinstance(dynamic_len, bool):
        raise TypeError(f"For 'mutable', the second input should be bool, but got: {type(dynamic_len).__name__}")
    if dynamic_len and not isinstance(input_data, (tuple, list)):
        raise TypeError(
            "For 'mutable', when the variable_len is True, the first input should be list or tuple, but got: "
            f"{type(input_data).__name__}"
        )
    return input_data if core.current_capture() is None else tree.rebuild(input_data, _at_run_time)


def _at_run_time(value: Any) -> Any:
    return value.run_time() if isinstance(value, core.Number) else value


def _consists_of_values(value: Any, within: set[int]) -> bool:
    if not isinstance(value, (tuple, list, dict)):
        return isinstance(value, (int, float, complex, core.Tensor))
    if id(value) in within:
        return False
    items = value.values() if isinstance(value, dict) else value
    return all(_consists_of_values(item, {*within, id(value)}) for item in items)
