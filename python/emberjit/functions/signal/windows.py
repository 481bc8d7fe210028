"""Windows of signals, which numpy's functions give symmetric."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.arguments import int_of
from emberjit.publish.kinds import FLOATS, DType, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def _cosines(phase: core.Tensor, factors: tuple[float, ...]) -> Any:
    """factors[0] + factors[1] cos(phase) + ..."""
    total = _ops.zeros_like(phase) + factors[0]
    for i, factor in enumerate(factors[1:], 1):
        total = total + _ops.cos(phase * float(i)) * factor
    return total


def _bessel_i0(x: core.Tensor, largest: float) -> Any:
    """The modified Bessel function of order 0 by its power series, whose terms are positive (Abramowitz, Stegun 9.6.12)."""
    quarter = _ops.square(x) * 0.25
    term = _ops.ones_like(x)
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
        return _ops.ones((count,), kind)
    return _ops.cast(shape(_ops.arange(count, dtype=core.float64) / ((count - 1 + periodic) * 1.0)), kind)


def _turns(factors: tuple[float, ...]) -> Any:
    return lambda place: _cosines(place * (2 * math.pi), factors)


def _tent(place: Tensor) -> Any:
    return 1.0 - _ops.abs(2.0 * place - 1.0)


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
        inside = _ops.sqrt(_ops.maximum(1.0 - _ops.square(2.0 * place - 1.0), 0.0))
        return _bessel_i0(inside * size, size) / _bessel_i0(core.Tensor(size, core.float64), size)

    return _window("kaiser_window", window_length, periodic, dtype or core.float64, shape)
