"""Numbers in a row: in steps, or evenly spaced on a linear or logarithmic scale."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import int_of, named_dtype
from emberjit.publish.kinds import COMPLEXES, FLOATS, DType, Number
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import checked_axis
from emberjit.tensors.operands import as_tensor

_ops = core.ops


@publish(
    """ops.arange(start, end, step, *, dtype) mint.arange(start, end, step, *, dtype)
    ops.tensor_range(start = ..., end = ..., step = ...)""",
    numpy="np.arange(*((0, start) if end is None else (start, end)), step, dtype=dtype)",
    samples="5; 2, 9; 9, 2, -2; 0, 4, 1, float32",
    in_python=True,
)
def arange(start: Any = 0, end: Any = None, step: Any = 1, dtype: DType | None = None) -> Any:
    """Numbers from start up to, but without, end, in steps; with one argument from 0.

    Args:
        start, end, step: ints, or floats, which make the result float32; or Tensors of one.
        dtype: of the result.

    Raises:
        ValueError: step is 0, or leads away from end.
    """
    if end is None:
        start, end = 0, start
    start, end, step = (value.item() if isinstance(value, core.Tensor) else value for value in (start, end, step))
    step = 1 if step is None else step
    real = any(isinstance(value, float) for value in (start, end, step))
    return (_ops.arange_float if real else _ops.arange)(start, end, step, dtype=dtype)


@publish(
    "numpy.arange(start = ..., end as stop, step, dtype: object)",
    numpy="""np.arange(*((0, start) if end is None else (start, end)), step, dtype=dtype or np.result_type(
    *(np.float32 if isinstance(x, float) else np.int32 for x in (start, end, step))))""",
    samples="5; 2, 9; 9, 2, -2; 0, 4, 1, float32; 0, 3, 0.5; 0.0, 3",
    in_python=True,
)
def numpy_arange(start: Any = 0, end: Any = None, step: Any = None, dtype: Any = None) -> Any:
    """Numbers from start up to, but without, end, in steps; with one argument from 0.

    Args:
        start, end, step: ints, which make the result int32, or floats, which make it float32.
        dtype: of the result.

    Raises:
        ValueError: step is 0, or leads away from end.
    """
    values = arange(start, end, 1 if step is None else step)
    kind = core.int32 if values.dtype == core.int64 else values.dtype
    return _ops.cast(values, kind if dtype is None else named_dtype("arange", dtype))


@publish(
    "ops.range ops.Range(maxlen)(start, end, step) nn.Range(start, end as limit, step as delta)()",
    numpy="np.arange(start, end, step)",
    samples="0, 5; 2, 9, 3",
    in_python=True,
)
def bounded_range(start: Any, end: Any = None, step: Any = 1, maxlen: int = 1000000) -> Any:
    """The same as arange.

    Args:
        start: the first number, a number or a Tensor of one.
        end: what the numbers do not reach.
        step: between the numbers.
        maxlen: how many numbers there are at most.

    Raises:
        ValueError: more than maxlen numbers.
    """
    result = arange(start, end, step)
    if result.shape[0] > maxlen:
        raise ValueError(f"For 'range', the result has {result.shape[0]} elements, more than maxlen={maxlen}.")
    return result


def _float_type(*values: Any) -> Any:
    """The dtype of floats between values: that of Tensors of floats, else float32, of complex numbers complex64."""
    kinds = [x.dtype for x in values if isinstance(x, core.Tensor) and x.dtype in FLOATS + COMPLEXES]
    kinds += [core.complex64 for x in values if isinstance(x, complex)]
    return max(kinds, key=(*FLOATS, *COMPLEXES).index) if kinds else core.float32


def _wide(value: Number) -> Any:
    x = as_tensor(value)
    return _ops.cast(x, core.complex128 if x.dtype in COMPLEXES else core.float64)


def _shares(num: int, endpoint: bool, rank: int) -> Any:
    """How far on the way each of num numbers is, from 0 to 1, along a new first axis."""
    steps = max(num - 1 if endpoint else num, 1)
    return _ops.reshape(_ops.arange(num, dtype=core.float64) / (steps * 1.0), (num, *[1] * rank))


def _ended(x: Any, stop: Any, shares: Any) -> Any:
    return _ops.select(_ops.equal(shares, 1.0), stop, x)


def _linear(start: Any, stop: Any, num: int, endpoint: bool = True) -> Any:
    """num numbers from start on, evenly spaced, in double precision along a new first axis."""
    first, last = _wide(start), _wide(stop)
    change = last - first
    shares = _shares(num, endpoint, change.ndim)
    return _ended(first + change * shares, last, shares)


def _placed(function: str, x: core.Tensor, dtype: DType, axis: int) -> Any:
    """In a dtype, the first axis at another place."""
    order = [*range(1, x.ndim)]
    order.insert(checked_axis(function, x, axis), 0)
    return _ops.cast(_ops.transpose(x, tuple(order)), dtype)


@publish(
    """ops.linspace(start, end, steps) ops.LinSpace()(start, end as stop, steps as num)
    mint.linspace(start, end, steps, *, dtype)""",
    numpy="np.linspace(start, end, steps, dtype=dtype or np.float32)",
    samples="0, 5, 6; 1.5, -2, 4; 2.0, 3.0, 1; 0, 1, 4, float64",
    in_python=True,
)
def linspace(start: Number, end: Number, steps: Any, dtype: DType | None = None) -> Any:
    """Numbers from start to end, both included, evenly spaced: computed in double precision, then of the dtype of start and
    end if they are floating Tensors, else float32.

    Args:
        start: a number or 0-d Tensor.
        end: likewise.
        steps: how many.
        dtype: another of the result.

    Raises:
        TypeError: steps is no int.
        ValueError: steps is not positive.
    """
    count = int_of("linspace", "steps", steps, 1)
    return _placed("linspace", _linear(start, end, count), dtype or _float_type(start, end), 0)


@publish(
    "ops.logspace(start, end, steps, base, *, dtype) ops.LogSpace(steps = 10, base, dtype)(start, end)",
    numpy="np.logspace(start, end, steps, base=base, dtype=np.float32)",
    samples="0, 2, 5; 1.5, -2, 4, 2; f32() + 1, f32() + 3, 3",
    in_python=True,
)
def logspace(start: Number, end: Number, steps: Any, base: Number = 10, dtype: DType = core.float32) -> Any:
    """base ** x for x from start to end, both included, evenly spaced; computed in double precision.

    Args:
        start: a number or 0-d Tensor.
        end: likewise.
        steps: how many.
        base: a number.
        dtype: of the result.

    Raises:
        TypeError: steps is no int.
        ValueError: steps is negative.
    """
    count = int_of("logspace", "steps", steps, 0)
    return _placed("logspace", _ops.pow(_wide(base), _linear(start, end, count)), dtype, 0)


@publish(
    "numpy.linspace",
    numpy="np.linspace(start, stop, num, endpoint, retstep, np.float32 if dtype is None else dtype, axis)",
    samples="""0, 5, 6; 1.5, -2, 4, False; f32(2, 3), f32(3), 5, True, False, None, -1; 0, 1, 1; 3, 4, 0;
    0, 9, 4, True, False, int32; 0, 4, 5, False, True; f32() + 1, f32(2), 3, True, False, None, 1""",
    in_python=True,
)
def numpy_linspace(
    start: Number,
    stop: Number,
    num: Any = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DType | None = None,
    axis: int = 0,
) -> Any:
    """Numbers from start to stop, evenly spaced along a new axis; computed in double precision.

    Args:
        start: a number, Tensor or list.
        stop: likewise; they broadcast.
        num: how many.
        endpoint: whether stop is the last of them, or would follow.
        retstep: whether to give (numbers, step) instead.
        dtype: of the result; None for that of floating Tensors, else float32.
        axis: where the new axis is in the result.

    Raises:
        TypeError: num is no int.
        ValueError: num is negative, axis out of range, or start and stop do not broadcast.
    """
    count = int_of("linspace", "num", num, 0)
    kind = _float_type(start, stop) if dtype is None else dtype
    numbers = _placed("linspace", _linear(start, stop, count, endpoint), kind, axis)
    if not retstep:
        return numbers
    gaps = count - endpoint
    step = (_wide(stop) - _wide(start)) * (1.0 / gaps if gaps > 0 else math.nan)
    return numbers, _ops.cast(step, _float_type(start, stop))


@publish(
    "numpy.logspace",
    numpy="np.logspace(start, stop, num, endpoint, base, np.float32 if dtype is None else dtype, axis)",
    samples="0, 2, 5; 1.5, -2, 4, False, 2.0; f32(2, 3), f32(3), 5, True, 3, None, 1; 0, 3, 4, True, 10.0, int32",
    in_python=True,
)
def numpy_logspace(
    start: Number,
    stop: Number,
    num: Any = 50,
    endpoint: bool = True,
    base: Number = 10.0,
    dtype: DType | None = None,
    axis: int = 0,
) -> Any:
    """base ** x for x from start to stop, evenly spaced along a new axis; computed in double precision. See numpy.linspace.

    Args:
        num: how many numbers, an int.

    Raises:
        TypeError: num is no int.
        ValueError: num is negative, axis out of range, or start and stop do not broadcast.
    """
    count = int_of("logspace", "num", num, 0)
    powers = _ops.pow(_wide(base), _linear(start, stop, count, endpoint))
    return _placed("logspace", powers, _float_type(start, stop) if dtype is None else dtype, axis)


@publish(
    "numpy.geomspace",
    numpy="np.geomspace(start, stop, num, endpoint, np.float32 if dtype is None else dtype, axis)",
    samples="1, 256, 9; 1, 256, 8, False; -1000.0, -1, 4; f32(2, 3) ** 2 + 1, f32(3) ** 2 + 2, 5, True, None, -1; 5, 9, 1",
    in_python=True,
)
def geomspace(
    start: Number, stop: Number, num: Any = 50, endpoint: bool = True, dtype: DType | None = None, axis: int = 0
) -> Any:
    """Numbers from start to stop along a new axis, each the same multiple of the one before; computed in double precision.
    See numpy.linspace.

    Args:
        num: how many numbers, an int.

    Raises:
        TypeError: num is no int.
        ValueError: start or stop is the number 0, num is negative, axis out of range, or start and stop do not broadcast.
    """
    count = int_of("geomspace", "num", num, 0)
    if any(isinstance(end, (int, float)) and end == 0 for end in (start, stop)):
        raise ValueError(f"For 'geomspace', neither 'start' nor 'stop' can be 0, but got {start} and {stop}.")
    first, last = _wide(start), _wide(stop)
    ratio = last / first
    shares = _shares(count, endpoint, ratio.ndim)
    numbers = _ended(first * _ops.pow(ratio, shares), last, shares)
    return _placed("geomspace", numbers, _float_type(start, stop) if dtype is None else dtype, axis)
