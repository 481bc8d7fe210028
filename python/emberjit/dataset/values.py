"""Conversions of rows' values: NumPy arrays within a pipeline, Tensors at its end."""

from __future__ import annotations

from typing import Any

import numpy as np

from emberjit import _emberjit as core

Row = tuple[Any, ...]
Array = np.ndarray[Any, Any]
Floating = type[np.floating[Any]]


def is_pil(value: Any) -> bool:
    """Whether a value is an image of Pillow's."""
    return not isinstance(value, np.ndarray) and any(
        base.__module__.partition(".")[0] == "PIL" for base in type(value).__mro__
    )


def to_array(value: Any) -> Any:
    """A value of a row: an array of numbers, bools, strings or bytes, or a dict of whatever there is.

    Raises:
        TypeError: there is no array of it.
    """
    if isinstance(value, np.ndarray):
        array = value
    elif isinstance(value, core.Tensor):
        array = value.asnumpy()
    elif isinstance(value, dict):
        return value
    else:
        try:
            array = np.asarray(value)
        except ValueError as error:
            raise TypeError(f"there is no array of {value!r:.200}: {error}") from None
    if array.dtype.kind not in "biufSU" and array.dtype.name != "bfloat16":
        raise TypeError(f"a row may hold numbers, bools and strings, but got {value!r:.200}, an array of {array.dtype}")
    return array


def to_row(values: Any) -> Row:
    """What a function or a source gave, as a row: of a tuple one column for each."""
    return tuple(map(to_array, values)) if isinstance(values, tuple) else (to_array(values),)


def packed(value: Any) -> Any:
    """A value; if it is an array that is a view, a contiguous copy."""
    if not isinstance(value, np.ndarray) or (value.flags.c_contiguous and value.flags.writeable):
        return value
    if value.dtype != np.uint8 or value.ndim != 3 or value.strides[2] != 1 or not value.size:
        return value.copy()
    copied = np.empty(value.shape, np.uint8)
    core.copy_pixels(value, copied)
    return copied


def to_tensor(value: Any, copied: bool) -> Any:
    """A Tensor of an array, which shares its memory if nobody else has it; an array of strings itself."""
    if value.dtype.kind in "SU":
        return value
    shares = not copied and value.flags.c_contiguous and value.flags.writeable
    return core.Tensor.from_numpy(value) if shares else core.Tensor(value)


def to_output(value: Any, output_numpy: bool, copied: bool) -> Any:
    """A value of a row as iterators give it: a Tensor or an array; or a dict, list or tuple of these."""
    if isinstance(value, np.ndarray):
        return value if output_numpy else to_tensor(value, copied)
    if isinstance(value, dict):
        return {key: to_output(item, output_numpy, True) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(to_output(item, output_numpy, True) for item in value)
    return to_output(to_array(value), output_numpy, True)
