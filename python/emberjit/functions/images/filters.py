"""Images (N, H, W, C) seen through filters: scaled and moved by kernels of resampling, or as glimpses of them."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_floating, check_rank, check_shape
from emberjit.functions.arguments import ints_of, working
from emberjit.functions.images import interpolation
from emberjit.publish.kinds import DType, Tensor
from emberjit.publish.registry import publish

_ops = core.ops


def _lanczos(radius: int) -> Any:
    def kernel(x: Tensor) -> Any:
        near = x < 1e-3
        turn = _ops.select(near, 1.0, x) * math.pi
        return _ops.select(near, 1.0, radius * _ops.sin(turn) * _ops.sin(turn / radius) / (turn * turn))

    return kernel


def _cubic(near: tuple[float, ...], far: tuple[float, ...]) -> Any:
    """The kernel of two cubic polynomials, of distances up to 1 and up to 2; coefficients from the highest power on."""

    def kernel(x: Tensor) -> Any:
        def value(coefficients: tuple[float, ...]) -> Any:
            a, b, c, d = coefficients
            return ((a * x + b) * x + c) * x + d

        return _ops.select(x < 1, value(near), value(far))

    return kernel


_KERNELS = {  # radius, value at a distance within it
    **{f"lanczos{radius}": (float(radius), _lanczos(radius)) for radius in (1, 3, 5)},
    "gaussian": (1.5, lambda x: _ops.exp(x * x * -2)),
    "box": (0.5, lambda x: _ops.select(x < 0.5, 1.0, 0.5)),
    "triangle": (1.0, lambda x: 1 - x),
    "keyscubic": (2.0, _cubic((1.5, -2.5, 0, 1), (-0.5, 2.5, -4, 2))),
    "mitchellcubic": (2.0, _cubic((7 / 6, -2, 0, 8 / 9), (-7 / 18, 2, -10 / 3, 16 / 9))),
}


def _weights(old: Any, new: Any, scale: Tensor, shift: Tensor, kernel_type: str, antialias: bool) -> Any:
    """How much of each old element each new one takes (new, old)."""
    radius, kernel = _KERNELS[kernel_type]
    step = 1 / scale
    at = _ops.expand_dims(_ops.cast(_ops.arange(new), scale.dtype) + 0.5, 1) * step - step * shift
    width = _ops.maximum(step, 1.0) if antialias else 1.0
    distance = _ops.abs(_ops.cast(_ops.arange(old), scale.dtype) + 0.5 - at) / width
    weights = _ops.select(distance <= radius, kernel(_ops.minimum(distance, radius)), 0.0)
    total = weights.sum(1, keepdims=True)
    known = _ops.abs(total) >= 1000 * 2.0**-126
    weights = _ops.select(known, weights / _ops.select(known, total, 1.0), weights)
    return _ops.select(_ops.logical_and(at >= 0, at <= old), weights, 0.0)


@publish(
    "ops.ScaleAndTranslate(kernel_type, antialias)(images, size, scale, translation)",
    numpy="pixels.scale_and_translate(images, size, scale, translation, kernel_type, antialias)",
    samples="""f64(1, 4, 5, 2), (3, 4), f64(2) * 0 + [0.7, 1.3], f64(2); f64(2, 3, 4, 1), (5, 2), f64(2) * 0 + [2, 0.4],
    f64(2), 'triangle'; f64(1, 4, 3, 1), (3, 3), f64(2) * 0 + [0.6, 0.8], f64(2), 'keyscubic', False; f64(1, 4, 3, 1),
    (2, 5), f64(2) * 0 + [0.5, 1.8], f64(2), 'mitchellcubic'; f32(1, 3, 3, 1), (2, 2), f32(2) * 0 + 1, f32(2) * 0 + 1,
    'gaussian'; i32(1, 4, 4, 1), (2, 2), f32(2) * 0 + 0.55, f32(2) * 0, 'box'; f64(1, 9, 3, 1), (4, 2), f64(2) * 0 + 0.45,
    f64(2), 'lanczos5'""",
)
def scale_and_translate(
    images: Tensor, size: Any, scale: Tensor, translation: Tensor, kernel_type: str = "lanczos3", antialias: bool = True
) -> Any:
    """Images (N, H, W, C) scaled, then moved: (N, *size, C). float64 of float64, else float32.

    Each new element is the mean of those around its place, with weights of a kernel: Lanczos's (1, 3, 5), a Gaussian, a
    box, a triangle, or cubic ones of Keys (1981) and of Mitchell and Netravali (1988). It is 0 outside of the image.

    Args:
        size: (height, width) of the result.
        scale, translation: by how much, down and across (2).
        kernel_type: "lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic" or "mitchellcubic".
        antialias: whether the kernel is wider where images become smaller.

    Raises:
        TypeError: size is not of ints, scale or translation not of floats.
        ValueError: images has not four axes, another shape does not fit, or another kernel.
    """
    name = "ScaleAndTranslate"
    check_rank(name, "images", images, 4)
    check_choice(name, "kernel_type", kernel_type, *_KERNELS)
    for argument, tensor in (("scale", scale), ("translation", translation)):
        check_floating(name, **{argument: tensor})
        check_shape(name, argument, tensor, (2,))
    height, width = ints_of(name, "size", size, 2, 1)
    x = working(images)
    n, h, w, c = x.shape
    moves = (_ops.cast(tensor, x.dtype) for tensor in (scale, translation))
    (down, across), (below, right) = ([_ops.select_at(move, i, 0) for i in range(2)] for move in moves)
    rows = _weights(h, height, down, below, kernel_type, antialias)
    columns = _weights(w, width, across, right, kernel_type, antialias)
    y = _ops.matmul(rows, x.reshape((n, h, w * c)))
    return _ops.matmul(columns, y.reshape((n, height, w, c)))


def _noise(kind: str, shape: tuple[Any, ...], dtype: DType) -> Any:
    makers = {"uniform": _ops.rand, "gaussian": _ops.randn, "zero": _ops.zeros}
    return makers[kind](shape, dtype)


@publish(
    "ops.ExtractGlimpse(centered, normalized, uniform_noise, noise)(x, size, offsets)",
    numpy="pixels.glimpses(x, size, offsets, centered, normalized)",
    samples="""f32(2, 4, 5, 2), (2, 3), f32(2, 2) / 2, True, True, False, 'zero'; f32(1, 4, 3, 1), (3, 2), f32(1, 2), False,
    False, False, 'zero'; f32(1, 4, 3, 1), (2, 2), f32(1, 2), True, False, False, 'zero'""",
)
def extract_glimpse(
    x: Tensor,
    size: Any,
    offsets: Tensor,
    centered: bool = True,
    normalized: bool = True,
    uniform_noise: bool = True,
    noise: str = "uniform",
) -> Any:
    """Windows of a size of images (N, H, W, C): (N, *size, C), with noise outside of the image.

    Args:
        size: (height, width).
        offsets: (y, x) of the middle of each window (N, 2).
        centered: whether they are those from the middle of the image, and twice as long; not from its first corner.
        normalized: whether they are parts of the image's height and width.
        uniform_noise: whether noise must be "uniform".
        noise: "uniform", of [0, 1), "gaussian" or "zero".

    Raises:
        TypeError: x or offsets are not of floats.
        ValueError: shapes do not fit, or another noise.
    """
    name = "ExtractGlimpse"
    check_rank(name, "x", x, 4)
    for argument, tensor in (("x", x), ("offsets", offsets)):
        check_floating(name, **{argument: tensor})
    check_choice(name, "noise", noise, "uniform", *(() if uniform_noise else ("gaussian", "zero")))
    sizes = ints_of(name, "size", size, 2, 1)
    n, h, w, c = x.shape
    if tuple(offsets.shape) != (n, 2) or 0 in (h, w):
        raise ValueError(
            f"For '{name}', 'x' must have elements and 'offsets' be of shape ({n}, 2), but are of {tuple(x.shape)} and "
            f"{tuple(offsets.shape)}."
        )
    inside: Any = None
    index = _ops.arange(n).reshape((n, 1, 1))
    for axis, (old, new) in enumerate(zip((h, w), sizes)):
        at = _ops.select_at(offsets, axis, 1) * (old if normalized else 1)
        at = at / 2 + old / 2 if centered else at
        places = _ops.trunc(at - new / 2).reshape((n, 1, 1))
        places = places + _ops.cast(_ops.arange(new), at.dtype).reshape((1, -1, 1) if axis == 0 else (1, 1, -1))
        within = _ops.logical_and(places >= 0, places < old)
        inside = within if inside is None else _ops.logical_and(inside, within)
        index = index * old + interpolation.bounded(places, old)
    pixels = _ops.gather(_ops.reshape(x, (n * h * w, c)), index, 0)
    return _ops.select(_ops.expand_dims(inside, 3), pixels, _noise(noise, (n, *sizes, c), x.dtype))
