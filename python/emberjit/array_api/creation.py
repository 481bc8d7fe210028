"""Functions that make arrays: of sizes, of Python's numbers, and of other libraries' arrays.

Without a dtype numbers are of the defaults: int64, float32 and complex64. Source: the Python array API standard, "Creation
Functions".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from emberjit import _emberjit as core
from emberjit.array_api.array import Array, tensor_in
from emberjit.array_api.dtypes import (
    DEFAULTS,
    FLOATS,
    INTEGERS,
    REAL,
    SCALARS,
    DType,
    as_numpy,
    checked,
    default_of,
    level_of,
    with_scalar,
)
from emberjit.array_api.elements import tensor_of
from emberjit.tensors.functions import check_device
from emberjit.tensors.limits import least, most

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]

_ops = core.ops
Shape = int | Sequence[int]


def asarray(obj: Any, /, *, dtype: DType | None = None, device: str | None = None, copy: bool | None = None) -> Array:
    """An array of numbers, or of another array.

    Args:
        obj: an Array, a Tensor, a number, nested sequences of numbers, or what NumPy makes an array of.
        dtype: of the result. None: that of an array; the default of the highest kind of numbers.
        device: None or "CPU".
        copy: True: the memory is the result's own. False: it is shared. None: shared where it can be.

    Raises:
        TypeError: the dtype is none of the standard's, or numbers are of a higher kind than it.
        OverflowError: an int is beyond the dtype.
        ValueError: device is another, copy is False where memory cannot be shared, or the sequences' lengths do not fit.
    """
    check_device("asarray", device)
    if dtype is not None:
        checked("asarray", dtype)
    tensor, shared = _tensor_and_whether_shared(obj, dtype)
    if dtype is not None and tensor.dtype != dtype:
        tensor, shared = _ops.cast(tensor, dtype), False
    if copy is False and not shared:
        raise ValueError(f"For 'asarray', 'copy' must not be False: a {type(obj).__name__} has to be copied or converted.")
    return Array(_ops.identity(tensor) if copy and shared else tensor)


def _tensor_and_whether_shared(obj: Any, dtype: DType | None) -> tuple[Any, bool]:
    """A Tensor of an object's numbers, and whether its memory is the object's."""
    if isinstance(obj, (Array, core.Tensor)):
        return obj.tensor if isinstance(obj, Array) else obj, True
    import numpy as np

    if isinstance(obj, (*SCALARS, list, tuple)):
        numbers = list(_leaves(obj))
        if all(type(number) in DEFAULTS for number in numbers):
            with np.errstate(over="ignore"):
                return core.Tensor(np.asarray(obj, as_numpy(_dtype_for(numbers, dtype)))), False
    array = np.asarray(obj)
    return (core.from_numpy(array), True) if array.flags.behaved else (core.Tensor(array), False)


def _leaves(obj: Any) -> Iterator[Any]:
    if isinstance(obj, (list, tuple)):
        for item in obj:
            yield from _leaves(item)
    else:
        yield obj


def _dtype_for(numbers: list[Any], dtype: DType | None) -> Any:
    """The dtype asked for, or the default of the highest kind of numbers; of none float32."""
    kinds = list(DEFAULTS)
    kind = max(map(type, numbers), key=kinds.index) if numbers else float
    target = DEFAULTS[kind] if dtype is None else dtype
    if numbers and level_of(DEFAULTS[kind]) > level_of(target):
        raise TypeError(f"For 'asarray', numbers of Python's {kind.__name__} do not fit {target}.")
    if target in INTEGERS and numbers and not (least(target) <= min(numbers) and max(numbers) <= most(target)):
        raise OverflowError(f"For 'asarray', an int is beyond {target}: give a wider 'dtype'.")
    return target


def from_dlpack(x: Array, /, *, device: str | None = None, copy: bool | None = None) -> Array:
    """An array over the memory of another library's, by DLPack.

    Args:
        x: an object with __dlpack__.
        device: None or "CPU".
        copy: True: the memory is the result's own. False or None: it is shared.

    Raises:
        TypeError: its dtype is none of the standard's, or it has more than 8 axes.
        BufferError: the memory is not the CPU's.
        ValueError: device is another.
    """
    check_device("from_dlpack", device)
    tensor = core.from_dlpack(x.tensor if isinstance(x, Array) else x)
    return Array(_ops.identity(tensor) if copy else tensor)


def _filled(name: str, shape: Shape, value: complex, dtype: DType | None, device: str | None) -> Array:
    check_device(name, device)
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    target = checked(name, default_of(value) if dtype is None else dtype)
    if with_scalar(target, value) != target:
        raise TypeError(f"For '{name}', {value!r} does not fit {target}.")
    return Array(_ops.full(sizes, tensor_of(name, value, target), target))


def full(shape: Shape, fill_value: complex, *, dtype: DType | None = None, device: str | None = None) -> Array:
    """An array of one number.

    Args:
        shape: an int or a tuple of ints.
        fill_value: a number.
        dtype: of the result; None: the default of the number's kind.
        device: None or "CPU".

    Raises:
        TypeError: the number is of a higher kind than dtype.
        OverflowError: an int is beyond the dtype.
        ValueError: a size is negative, or device is another.
    """
    return _filled("full", shape, fill_value, dtype, device)


def zeros(shape: Shape, *, dtype: DType | None = None, device: str | None = None) -> Array:
    """An array of zeros, float32 without a dtype. See full."""
    return _filled("zeros", shape, False, DEFAULTS[float] if dtype is None else dtype, device)


def ones(shape: Shape, *, dtype: DType | None = None, device: str | None = None) -> Array:
    """An array of ones, float32 without a dtype. See full."""
    return _filled("ones", shape, True, DEFAULTS[float] if dtype is None else dtype, device)


def empty(shape: Shape, *, dtype: DType | None = None, device: str | None = None) -> Array:
    """An array of which no element is promised; they are zeros. See full."""
    return zeros(shape, dtype=dtype, device=device)


def full_like(x: Array, /, fill_value: complex, *, dtype: DType | None = None, device: str | None = None) -> Array:
    """An array of one number, of the shape of x, and its dtype unless one is given. See full."""
    like = tensor_in("full_like", x)
    return _filled("full_like", like.shape, fill_value, like.dtype if dtype is None else dtype, device)


def zeros_like(x: Array, /, *, dtype: DType | None = None, device: str | None = None) -> Array:
    """An array of zeros, of the shape of x, and its dtype unless one is given. See full."""
    return full_like(x, False, dtype=dtype, device=device)


def ones_like(x: Array, /, *, dtype: DType | None = None, device: str | None = None) -> Array:
    """An array of ones, of the shape of x, and its dtype unless one is given. See full."""
    return full_like(x, True, dtype=dtype, device=device)


def empty_like(x: Array, /, *, dtype: DType | None = None, device: str | None = None) -> Array:
    """An array of which no element is promised, of the shape of x, and its dtype unless one is given. See empty."""
    return zeros_like(x, dtype=dtype, device=device)


def arange(
    start: float, /, stop: float | None = None, step: float = 1, *, dtype: DType | None = None, device: str | None = None
) -> Array:
    """The numbers start, start + step, ... before stop, on one axis; with one number those from 0 before it.

    Args:
        start, stop, step: numbers; step is not 0.
        dtype: of the result. None: int64 of ints, float32 if one is a float.
        device: None or "CPU".

    Raises:
        TypeError: dtype is not of real numbers.
        ValueError: step is 0, or device is another.
    """
    check_device("arange", device)
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ValueError("For 'arange', 'step' must not be 0.")
    default = DEFAULTS[float if any(isinstance(number, float) for number in (start, stop, step)) else int]
    target = checked("arange", default if dtype is None else dtype, REAL)
    count = max(math.ceil((stop - start) / step), 0)
    return Array(_ops.cast(_steps(start, step, count), target))


def _steps(start: float, step: float, count: int) -> Any:
    """start + i * step for each i below count, in float64 or int64."""
    kind = core.int64 if isinstance(start, int) and isinstance(step, int) else core.float64
    at = _ops.cast(_ops.arange(0, count, 1), kind)
    return _ops.add(_ops.mul(at, core.Tensor(step, kind)), core.Tensor(start, kind))


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: DType | None = None,
    device: str | None = None,
    endpoint: bool = True,
) -> Array:
    """num numbers at equal distances from start to stop.

    Args:
        start, stop: numbers.
        num: how many, not negative.
        dtype: a floating-point one. None: float32, or complex64 if a number is complex.
        device: None or "CPU".
        endpoint: whether stop is the last number; else it would be the one after the last.

    Raises:
        TypeError: dtype is not of floating point.
        ValueError: num is negative, or device is another.
    """
    check_device("linspace", device)
    if num < 0:
        raise ValueError(f"For 'linspace', 'num' must not be negative, but got {num}.")
    has_complex = isinstance(start, complex) or isinstance(stop, complex)
    target = checked("linspace", DEFAULTS[complex if has_complex else float] if dtype is None else dtype, FLOATS)
    kind = core.complex128 if level_of(target) == level_of(core.complex128) else core.float64
    parts = max(num - 1 if endpoint else num, 1)
    share = _ops.div(_ops.cast(_ops.arange(0, num, 1), kind), core.Tensor(parts, kind))
    rest = _ops.sub(core.Tensor(1, kind), share)
    ends = (core.Tensor(stop, kind), core.Tensor(start, kind))
    result = _ops.add(_ops.mul(share, ends[0]), _ops.mul(rest, ends[1]))
    return Array(_ops.cast(result, target))


def eye(
    n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: DType | None = None, device: str | None = None
) -> Array:
    """A matrix with ones on its k-th diagonal and zeros elsewhere.

    Args:
        n_rows, n_cols: its sizes; without n_cols it is square.
        k: how far the diagonal is to the right of the main one.
        dtype: of the result; float32 without.
        device: None or "CPU".

    Raises:
        ValueError: a size is negative, or device is another.
    """
    check_device("eye", device)
    target = checked("eye", DEFAULTS[float] if dtype is None else dtype)
    width = n_rows if n_cols is None else n_cols
    rows = _ops.expand_dims(_ops.arange(0, n_rows, 1), 1)
    shift = core.Tensor(max(-n_rows, min(k, width)), rows.dtype)
    return Array(_ops.cast(_ops.equal(_ops.add(rows, shift), _ops.arange(0, width, 1)), target))


def _triangle(op: str, x: Array, k: int) -> Array:
    tensor = tensor_in(op, x)
    if tensor.ndim < 2:
        raise ValueError(f"For '{op}', 'x' must have two axes at least, but its shape is {tuple(tensor.shape)}.")
    return Array(core.op_table[op](tensor, k))


def tril(x: Array, /, *, k: int = 0) -> Array:
    """Matrices with zeros above the k-th diagonal.

    Raises:
        ValueError: x has fewer than two axes.
    """
    return _triangle("tril", x, k)


def triu(x: Array, /, *, k: int = 0) -> Array:
    """Matrices with zeros below the k-th diagonal. See tril."""
    return _triangle("triu", x, k)


def meshgrid(*arrays: Array, indexing: str = "xy") -> tuple[Array, ...]:
    """The coordinates of a grid whose axes are arrays of one axis each.

    Args:
        arrays: of one dtype, of one axis each.
        indexing: "xy": the first two axes of the result are exchanged; "ij": they are not.

    Raises:
        ValueError: an array has not one axis, their dtypes differ, or indexing is something else.
    """
    tensors = [tensor_in("meshgrid", x) for x in arrays]
    if indexing not in ("xy", "ij"):
        raise ValueError(f"For 'meshgrid', 'indexing' must be 'xy' or 'ij', but got {indexing!r}.")
    if any(tensor.ndim != 1 for tensor in tensors) or len({tensor.dtype for tensor in tensors}) > 1:
        raise ValueError(
            f"For 'meshgrid', arrays must be of one axis and dtype, but got {[(x.shape, x.dtype) for x in arrays]}."
        )
    order = list(range(len(tensors)))
    if indexing == "xy" and len(order) > 1:
        order[:2] = [1, 0]
    shape = tuple(tensors[i].shape[0] for i in order)
    coordinates = []
    for i, tensor in enumerate(tensors):
        own = [1] * len(order)
        own[order.index(i)] = -1
        coordinates.append(Array(_ops.broadcast_to(_ops.reshape(tensor, tuple(own)), shape).copy()))
    return tuple(coordinates)
