"""Dtypes and shapes of arrays together: what they promote and broadcast to, and arrays converted.

Source: the Python array API standard, "Data Type Functions".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.array_api.array import Array, tensor_in
from emberjit.array_api.dtypes import SCALARS, DType, checked, level_of, promoted_all
from emberjit.tensors.functions import check_device

__all__ = ["astype", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "result_type"]

_ops = core.ops


def astype(x: Array, dtype: DType, /, *, copy: bool = True, device: str | None = None) -> Array:
    """x in a dtype. Floats become integers by truncation, real numbers complex ones, and != 0 makes bools.

    Args:
        copy: whether an array of this dtype already is copied.
        device: None or "CPU".

    Raises:
        TypeError: dtype is none of the standard's, or x is complex and dtype real: take real() or imag().
        ValueError: device is another.
    """
    check_device("astype", device)
    tensor = tensor_in("astype", x)
    checked("astype", dtype)
    if 0 < level_of(dtype) < level_of(tensor.dtype) == 3:
        raise TypeError(f"For 'astype', complex numbers do not become {dtype}: take real(x), imag(x) or abs(x).")
    if tensor.dtype == dtype:
        return Array(_ops.identity(tensor)) if copy else x
    return Array(_ops.cast(tensor, dtype))


def result_type(*arrays_and_dtypes: Any) -> Any:
    """The dtype to which arrays, dtypes and Python's numbers promote.

    Raises:
        TypeError: there are only numbers, or no dtype holds all: uint64 and a signed one.
    """
    operands = [x.dtype if isinstance(x, Array) else x for x in arrays_and_dtypes]
    for dtype in operands:
        if not isinstance(dtype, SCALARS):
            checked("result_type", dtype)
    return promoted_all("result_type", operands)


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that shapes broadcast to.

    Raises:
        ValueError: they do not.
    """
    rank = max((len(shape) for shape in shapes), default=0)
    result = []
    for axis in range(-rank, 0):
        sizes = {shape[axis] for shape in shapes if len(shape) >= -axis} - {1}
        if len(sizes) > 1:
            raise ValueError(f"For 'broadcast_shapes', shapes do not broadcast: {shapes}.")
        result.append(sizes.pop() if sizes else 1)
    return tuple(result)


def broadcast_to(x: Array, /, shape: Sequence[int]) -> Array:
    """x with axes of size 1 stretched, and axes added in front. A view, into which nothing is written (ValueError) while x
    is there, for its elements stand at several indices.

    Raises:
        ValueError: x does not broadcast to the shape.
    """
    return Array(_ops.broadcast_to(tensor_in("broadcast_to", x), tuple(shape)))


def broadcast_arrays(*arrays: Array) -> tuple[Array, ...]:
    """Arrays broadcast against each other.

    Raises:
        ValueError: they do not broadcast.
    """
    shape = broadcast_shapes(*(tensor_in("broadcast_arrays", x).shape for x in arrays))
    return tuple(broadcast_to(x, shape) for x in arrays)
