"""Convolution and correlation of sequences."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice
from emberjit.functions.creation.arrays import asarray
from emberjit.functions.creation.dtypes import promoted
from emberjit.functions.shapes.reshaping import at_least
from emberjit.publish.kinds import FLOATS, Number, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def sequence_of(function: str, value: Number) -> Any:
    """A Tensor of one axis.

    Raises:
        ValueError: there are more, or it is empty.
    """
    x = at_least(1, asarray(value))
    if x.ndim > 1 or x.shape[0] == 0:
        raise ValueError(f"For '{function}', a Tensor of one axis that is not empty is needed, but got {tuple(x.shape)}.")
    return x


def whole_convolution(a: core.Tensor, v: core.Tensor) -> Any:
    """The whole convolution: of floats as one of images, else each element as a product of v with a row of a."""
    kind = promoted(a.dtype, v.dtype)
    a, v = (_ops.cast(x, kind) for x in ((v, a) if a.shape[0] < v.shape[0] else (a, v)))
    short = v.shape[0]
    padded, flipped = _ops.pad(a, (short - 1, short - 1)), _ops.flip(v, 0)
    if kind in FLOATS:
        image, kernel = (_ops.reshape(x, (1, 1, -1)) for x in (padded, flipped))
        return _ops.reshape(_ops.conv1d(image, kernel), (-1,))
    places = _ops.expand_dims(_ops.arange(a.shape[0] + short - 1), 1) + _ops.arange(short)
    return _ops.matmul(_ops.gather(padded, places, 0), flipped)


def _cut(function: str, whole: Tensor, mode: str, long: int, short: int) -> Any:
    """The part of a convolution that a mode names, of sequences of these lengths."""
    check_choice(function, "mode", mode, "full", "same", "valid")
    if mode == "full":
        return whole
    first, count = ((short - 1) // 2, long) if mode == "same" else (short - 1, long - short + 1)
    return whole[first : first + count]


@publish(
    "numpy.convolve",
    numpy="np.convolve(a, v, mode)",
    samples="f32(5), f32(3); i32(3), i32(6), 'same'; f32(5), f32(2), 'valid'; f32(4), f32(4), 'same'; c64(3), c64(2)",
    in_python=True,
)
def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    """The discrete convolution of two sequences: sum over m of a[m] v[n - m].

    Args:
        a, v: Tensors of one axis, or data for one.
        mode: "full": wherever they meet; "same": the middle, of the longer's size; "valid": where they overlap whole.

    Raises:
        ValueError: a or v has another number of axes than one, or no elements; or mode is something else.
    """
    a, v = sequence_of("convolve", a), sequence_of("convolve", v)
    long, short = max(a.shape[0], v.shape[0]), min(a.shape[0], v.shape[0])
    return _cut("convolve", whole_convolution(a, v), mode, long, short)


@publish(
    "numpy.correlate",
    numpy="np.correlate(a, v, mode)",
    samples="""f32(5), f32(3); i32(3), i32(6), 'same'; f32(2), f32(5), 'valid'; f32(5), f32(4), 'same';
    c64(3), c64(2), 'full'; f32(4), f32(7), 'same'""",
    in_python=True,
)
def correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    """The cross-correlation of two sequences: sum over n of a[n + k] times the conjugate of v[n].

    Args:
        a, v: Tensors of one axis, or data for one.
        mode: see numpy.convolve.

    Raises:
        ValueError: a or v has another number of axes than one, or no elements; or mode is something else.
    """
    a, v = sequence_of("correlate", a), sequence_of("correlate", v)
    n, m = a.shape[0], v.shape[0]
    flipped = _ops.flip(_ops.conj(v) if v.dtype in (core.complex64, core.complex128) else v, 0)
    whole = whole_convolution(a, flipped)
    if n >= m:
        return _cut("correlate", whole, mode, n, m)
    return _ops.flip(_cut("correlate", _ops.flip(whole, 0), mode, m, n), 0)
