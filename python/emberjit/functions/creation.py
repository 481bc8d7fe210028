"""Tensors of numbers, and of one value."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import DType, Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.op_table

publish_ops(
    __name__,
    """
eye: ops.eye ops.Eye()(n, m, dtype) mint.eye
full: ops.fill(dtype as type, size as shape, fill_value as value)
    ops.Fill()(dtype as type, size as shape, fill_value as value)
    ops.FillV2()(size as shape, fill_value as value) numpy.full(size as shape, fill_value, dtype)
full_like: ops.full_like(input, fill_value, *, dtype)
    mint.full_like(input, fill_value, *, dtype) Tensor.fill(fill_value as value)
ones: ops.ones(shape|size, dtype) ops.Ones()(shape, dtype) mint.ones(shape as size, *, dtype)
    numpy.ones(shape, dtype = float32)
ones_like: ops.ones_like(input, *, dtype) ops.OnesLike()(input) mint.ones_like(input, *, dtype)
zeros: ops.zeros(size|shape, dtype) ops.Zeros()(size, dtype) mint.zeros(size, *, dtype)
    numpy.zeros(size as shape, dtype = float32)
zeros_like: ops.zeros_like(input, *, dtype) ops.ZerosLike()(input) mint.zeros_like(input, *, dtype)
""",
)


@publish(
    """ops.arange(start, end, step, *, dtype) mint.arange(start, end, step, *, dtype)
    numpy.arange(start = ..., end as stop, step, dtype)""",
    numpy="np.arange(*((0, start) if end is None else (start, end)), step, dtype=dtype)",
    samples="5; 2, 9; 9, 2, -2; 0, 4, 1, float32",
    in_python=True,
)
def arange(start: Any = 0, end: Any = None, step: Any = 1, dtype: DType | None = None) -> Any:
    """Numbers from start up to, but without, end, in steps; with one argument from 0.

    Args:
        start, end, step: ints, or floats, which make the result float32.
        dtype: of the result.

    Raises:
        ValueError: step is 0, or leads away from end.
    """
    if end is None:
        start, end = 0, start
    step = 1 if step is None else step
    real = any(isinstance(value, float) for value in (start, end, step))
    return _ops["arange_float" if real else "arange"](start, end, step, dtype=dtype)


@publish(
    "ops.range ops.Range(maxlen)(start, end, step)",
    numpy="np.arange(start, end, step)",
    samples="0, 5; 2, 9, 3",
    in_python=True,
)
def bounded_range(start: Any, end: Any = None, step: Any = 1, maxlen: int = 1000000) -> Any:
    """The same as arange.

    Raises:
        ValueError: more than maxlen numbers.
    """
    result = arange(start, end, step)
    if result.shape[0] > maxlen:
        raise ValueError(f"For 'range', the result has {result.shape[0]} elements, more than maxlen={maxlen}.")
    return result


@publish(
    "ops.full(size, fill_value, *, dtype) mint.full(size, fill_value, *, dtype)",
    numpy="np.full(size, fill_value, dtype)",
    samples="(2, 3), 1.5, float32; (4,), 2, int32",
    in_python=True,
)
def full(size: Any, fill_value: Number, dtype: DType | None = None) -> Any:
    """A Tensor of one value, converted to dtype: int64 if that is None.

    Args:
        size: a tuple or list of ints.
        fill_value: a number.

    Raises:
        TypeError: size is no tuple or list.
        ValueError: a negative size.
    """
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"For 'full', the argument 'size' must be a tuple or list of ints, but got {type(size).__name__}.")
    return _ops["full"](tuple(size), fill_value, dtype)


def _new(like: Any, size: Any, value: int, dtype: Any) -> Any:
    shape = tuple(size) if isinstance(size, (tuple, list)) else (size,)
    return _ops["full"](shape, value, like.dtype if dtype is None else dtype)


@publish(
    "Tensor.new_zeros", numpy="np.zeros(size, dtype or input.dtype)", samples="f32(2), (2, 3); i32(2), 4", in_python=True
)
def new_zeros(input: Tensor, size: Ints, dtype: DType | None = None) -> Any:
    """A Tensor of zeros with this one's dtype unless another is given."""
    return _new(input, size, 0, dtype)


@publish("Tensor.new_ones", numpy="np.ones(size, dtype or input.dtype)", samples="f32(2), (2, 3); i32(2), 4", in_python=True)
def new_ones(input: Tensor, size: Ints, dtype: DType | None = None) -> Any:
    """A Tensor of ones with this one's dtype unless another is given."""
    return _new(input, size, 1, dtype)


@publish(
    "ops.scalar_to_tensor ops.ScalarToTensor()(input_x, dtype)",
    numpy="np.array(input_x, np.float32)",
    samples="1.5",
    in_python=True,
)
def scalar_to_tensor(input_x: Any, dtype: DType = core.float32) -> Any:
    """A 0-d Tensor of a number."""
    return core.Tensor(input_x, dtype)


@publish("ops.tuple_to_array ops.TupleToArray", numpy="np.array(input_x)", samples="(1.5, 2.5)", in_python=True)
def tuple_to_array(input_x: Any) -> Any:
    """A 1-d Tensor of a tuple of numbers: int32 of ints, float32 of floats."""
    return core.Tensor(list(input_x), core.int32 if all(isinstance(item, int) for item in input_x) else core.float32)
