"""Numbers in a row: evenly spaced, on a linear or logarithmic scale, and windows of signals."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import int_of
from emberjit.publish.kinds import COMPLEXES, FLOATS, DType, Number
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import checked_axis
from emberjit.tensors.operands import as_tensor

_ops = core.op_table


def _float_type(*values: Any) -> Any:
    """The dtype of floats between values: that of Tensors of floats, else float32, of complex numbers complex64."""
    kinds = [x.dtype for x in values if isinstance(x, core.Tensor) and x.dtype in FLOATS + COMPLEXES]
    kinds += [core.complex64 for x in values if isinstance(x, complex)]
    return max(kinds, key=(*FLOATS, *COMPLEXES).index) if kinds else core.float32


def _wide(value: Any) -> Any:
    x = as_tensor(value)
    return _ops["cast"](x, core.complex128 if x.dtype in COMPLEXES else core.float64)


def _shares(num: int, endpoint: bool, rank: int) -> Any:
    """How far on the way each of num numbers is, from 0 to 1, along a new first axis."""
    steps = max(num - 1 if endpoint else num, 1)
    return _ops["reshape"](_ops["arange"](num, dtype=core.float64) / (steps * 1.0), (num, *[1] * rank))


def _ended(x: Any, stop: Any, shares: Any) -> Any:
    return _ops["select"](_ops["equal"](shares, 1.0), stop, x)


def _linear(start: Any, stop: Any, num: int, endpoint: bool = True) -> Any:
    """num numbers from start on, evenly spaced, in double precision along a new first axis."""
    first, last = _wide(start), _wide(stop)
    change = last - first
    shares = _shares(num, endpoint, change.ndim)
    return _ended(first + change * shares, last, shares)


def _placed(function: str, x: Any, dtype: Any, axis: int) -> Any:
    """In a dtype, the first axis at another place."""
    order = [*range(1, x.ndim)]
    order.insert(checked_axis(function, x, axis), 0)
    return _ops["cast"](_ops["transpose"](x, tuple(order)), dtype)


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
    return _placed("logspace", _ops["pow"](_wide(base), _linear(start, end, count)), dtype, 0)


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
    return numbers, _ops["cast"](step, _float_type(start, stop))


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

    Raises:
        TypeError: num is no int.
        ValueError: num is negative, axis out of range, or start and stop do not broadcast.
    """
    count = int_of("logspace", "num", num, 0)
    powers = _ops["pow"](_wide(base), _linear(start, stop, count, endpoint))
    return _placed("logspace", powers, _float_type(start, stop) if dtype is None else dtype, axis)


@publish(
    "numpy.geomspace",
    numpy="np.geomspace(start, stop, num, endpoint, np.float32 if dtype is None else dtype, axis)",
    samples="1, 256, 9; 1, 256, 8, False; -1000.0, -1, 4; f32(2, 3) ** 2 + 1, f32(3) ** 2 + 2, 5, True, None, -1; 5, 9, 1",
    in_python=True,
)
def geomspace(
    start: Number,
    stop: Number,
    num: Any = 50,
    endpoint: bool = True,
    dtype: DType | None = None,
    axis: int = 0,
) -> Any:
    """Numbers from start to stop along a new axis, each the same multiple of the one before; computed in double precision.
    See numpy.linspace.

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
    numbers = _ended(first * _ops["pow"](ratio, shares), last, shares)
    return _placed("geomspace", numbers, _float_type(start, stop) if dtype is None else dtype, axis)


def _cosines(phase: Any, factors: tuple[float, ...]) -> Any:
    """factors[0] + factors[1] cos(phase) + ..."""
    total = _ops["zeros_like"](phase) + factors[0]
    for i, factor in enumerate(factors[1:], 1):
        total = total + _ops["cos"](phase * float(i)) * factor
    return total


def _bessel_i0(x: Any, largest: float) -> Any:
    """The modified Bessel function of order 0 by its power series, whose terms are positive (Abramowitz, Stegun 9.6.12)."""
    quarter = _ops["square"](x) * 0.25
    term = _ops["ones_like"](x)
    total = term
    for k in range(1, 32 + int(2 * largest)):
        term = term * quarter / float(k * k)
        total = total + term
    return total


def _window(function: str, length: Any, periodic: bool, kind: Any, shape: Any) -> Any:
    """`shape` of where each of `length` elements is, from 0 to 1."""
    if kind not in FLOATS:
        raise TypeError(f"For '{function}', 'dtype' must be one of floats, but got {kind}.")
    count = int_of(function, "window_length", length, 0)
    if count <= 1:
        return _ops["ones"]((count,), kind)
    return _ops["cast"](shape(_ops["arange"](count, dtype=core.float64) / ((count - 1 + periodic) * 1.0)), kind)


def _turns(factors: tuple[float, ...]) -> Any:
    return lambda place: _cosines(place * (2 * math.pi), factors)


def _tent(place: Any) -> Any:
    return 1.0 - _ops["abs"](2.0 * place - 1.0)


@publish(
    """ops.hamming_window(window_length, periodic, alpha, beta, *, dtype)
    ops.HammingWindow(periodic, alpha, beta, dtype: dtype = float32)(window_length)
    numpy.hamming(window_length as M, periodic := False)""",
    numpy="""(lambda n: np.ones(window_length) if window_length < 2 else alpha - beta * np.cos(2 * np.pi *
    np.arange(window_length) / n))(window_length - 1 + periodic)""",
    samples="7; 8, False; 1; 0; 5, True, 0.6, 0.3, float64",
    in_python=True,
)
def hamming_window(
    window_length: Any, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, dtype: DType | None = None
) -> Any:
    """Hamming's window: alpha - beta cos(2 pi n / N).

    Args:
        window_length: how many elements.
        periodic: whether N is their number, or one less, so that the window is symmetric.
        dtype: of the result, one of floats; None for float32.

    Raises:
        TypeError: window_length is no int, or dtype not of floats.
        ValueError: window_length is negative.
    """
    return _window("hamming_window", window_length, periodic, dtype or core.float32, _turns((alpha, -beta)))


_SHAPES = {
    "hann": ("hanning", "Hann's window: (1 - cos(2 pi n / N)) / 2", _turns((0.5, -0.5)), core.float64),
    "blackman": (
        "blackman",
        "Blackman's window: 0.42 - 0.5 cos(2 pi n / N) + 0.08 cos(4 pi n / N)",
        _turns((0.42, -0.5, 0.08)),
        core.float32,
    ),
    "bartlett": ("bartlett", "Bartlett's window, a triangle: 1 - abs(2 n / N - 1)", _tent, core.float32),
}


def _declare_window(name: str, numpy_name: str, formula: str, shape: Any, default: Any) -> None:
    def window(window_length: Any, periodic: bool = True, dtype: DType | None = None) -> Any:
        return _window(f"{name}_window", window_length, periodic, dtype or default, shape)

    window.__name__ = f"{name}_window"
    window.__doc__ = f"""{formula}.

    Args:
        window_length: how many elements.
        periodic: whether N is their number, or one less, so that the window is symmetric.
        dtype: of the result, one of floats; None for {default}.

    Raises:
        TypeError: window_length is no int, or dtype not of floats.
        ValueError: window_length is negative.
    """
    primitive = f"ops.{name.capitalize()}Window(periodic, dtype: dtype = float32)(window_length)" if name != "hann" else ""
    publish(
        f"""ops.{name}_window(window_length, periodic, *, dtype) {primitive}
        numpy.{numpy_name}(window_length as M, periodic := False, dtype := float32)""",
        numpy=f"np.{numpy_name}(window_length + (periodic and window_length > 1))[:window_length]",
        samples="7; 8, False; 1; 0; 5, True, float64; 2",
        in_python=True,
    )(window)


for _name, _row in _SHAPES.items():
    _declare_window(_name, *_row)


@publish(
    "ops.kaiser_window(window_length, periodic, beta, *, dtype)",
    numpy="np.kaiser(window_length + (periodic and window_length > 1), beta)[:window_length]",
    samples="7; 8, False; 1; 0; 5, True, 3.5, float64; 6, False, 0.0",
    in_python=True,
)
def kaiser_window(window_length: Any, periodic: bool = True, beta: float = 12.0, dtype: DType | None = None) -> Any:
    """Kaiser's window: I0(beta sqrt(1 - (2 n / N - 1)^2)) / I0(beta), of the modified Bessel function I0.

    Args:
        window_length: how many elements.
        periodic: whether N is their number, or one less, so that the window is symmetric.
        beta: how narrow it is.
        dtype: of the result, one of floats; None for float64.

    Raises:
        TypeError: window_length is no int, or dtype not of floats.
        ValueError: window_length is negative.
    """
    size = abs(float(beta))

    def shape(place: Any) -> Any:
        inside = _ops["sqrt"](_ops["maximum"](1.0 - _ops["square"](2.0 * place - 1.0), 0.0))
        return _bessel_i0(inside * size, size) / _bessel_i0(core.Tensor(size, core.float64), size)

    return _window("kaiser_window", window_length, periodic, dtype or core.float64, shape)
