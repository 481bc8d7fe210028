"""Functions that make Tensors of other data."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core


def tensor(input_data: Any = None, dtype: Any = None, shape: Any = None, init: Any = None, const_arg: bool = False) -> Any:
    """The same as Tensor(...)."""
    return core.Tensor(input_data, dtype, shape, init, const_arg)


def from_numpy(array: Any) -> Any:
    """A Tensor over the array's memory, without a copy.

    Raises:
        TypeError: no numpy.ndarray, or a dtype that has no counterpart.
    """
    return core.from_numpy(array)


def is_tensor(obj: Any) -> bool:
    """Whether an object is a Tensor."""
    return isinstance(obj, core.Tensor)
