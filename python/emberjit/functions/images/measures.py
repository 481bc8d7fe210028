"""What is measured of images: how much neighbours differ, and how near images are to others."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_number, check_rank, check_same_dtype, check_same_shape
from emberjit.publish.kinds import FLOATS, Tensor
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import along

_ops = core.ops


@publish(
    "nn.ImageGradients()(images)",
    numpy="[np.diff(images, axis=i, append=np.take(images, [-1], i)) for i in (2, 3)]",
    samples="f32(2, 3, 4, 5); i32(1, 2, 1, 3); f32(1, 1, 3, 1)",
)
def image_gradients(images: Tensor) -> Any:
    """(dy, dx) of images (N, C, H, W): how much the next row, and the next column, is more; 0 in the last.

    Raises:
        ValueError: images has not four axes.
    """
    check_rank("ImageGradients", "images", images, 4)
    out = []
    for axis in (2, 3):
        size = images.shape[axis]
        first, rest, last = (images[along(axis, slice(*cut))] for cut in ((size - 1,), (1, None), (size - 1, None)))
        out.append(_ops.concat((rest - first, _ops.zeros_like(last)), axis))
    return tuple(out)


_BITS = {core.uint8: 8, core.int8: 7, core.uint16: 16, core.int16: 15, core.int32: 31, core.int64: 63}


def unit_scaled(images: Tensor, max_val: float) -> tuple[Any, float]:
    """(images as float32 at least, max_val), both by the largest number of the dtype if that is of integers."""
    if images.dtype in FLOATS:
        return images if images.dtype == core.float64 else _ops.cast(images, core.float32), max_val
    if images.dtype not in _BITS:
        raise TypeError(f"Images must be of floating point or integers, but are of {images.dtype}.")
    most = 2.0 ** _BITS[images.dtype] - 1
    return _ops.cast(images, core.float32) / most, max_val / most


@publish(
    "nn.PSNR(max_val)(img1, img2)",
    numpy="10 * np.log10(max_val ** 2 / ((img1 - img2) ** 2).mean((1, 2, 3)))",
    samples="f32(2, 3, 4, 5), f32(2, 3, 4, 5); f32(1, 1, 2, 2), f32(1, 1, 2, 2), 255",
)
def peak_signal_to_noise(img1: Tensor, img2: Tensor, max_val: Any = 1.0) -> Any:
    """10 * log10(max_val ** 2 / mean of squared differences) of each pair of images (N, C, H, W).

    Args:
        max_val: the largest value that there may be.

    Raises:
        TypeError: max_val is no number, or dtypes differ.
        ValueError: max_val is not positive; images have not four axes, or not one shape.
    """
    check_number("PSNR", "max_val", max_val, above=0)
    check_rank("PSNR", "img1", img1, 4)
    check_same_shape("PSNR", img1=img1, img2=img2)
    check_same_dtype("PSNR", img1=img1, img2=img2)
    (first, most), (second, _) = unit_scaled(img1, max_val), unit_scaled(img2, max_val)
    error = _ops.mean(_ops.square(first - second), (1, 2, 3))
    return _ops.log(most * most / error) * (10 / math.log(10))
