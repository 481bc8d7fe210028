"""Cells of functions that MindSpore has under other names by now, and has kept."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.checks import check_floating, check_rank, check_same_dtype, check_same_shape
from emberjit.publish.kinds import FLOATS, Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import along

_ops = core.op_table

publish_ops(
    __name__,
    """
tril: nn.Tril()(input as x, diagonal as k = 0)
triu: nn.Triu()(input as x, diagonal as k = 0)
one_hot: nn.OneHot(axis, depth: int = 1, on_value = 1.0, off_value = 0.0, result as dtype = float32)(indices)
""",
)


@publish(
    "nn.MatMul(transpose_x1, transpose_x2)(x1, x2)",
    numpy="(x1.swapaxes(-1, -2) if transpose_x1 else x1) @ (x2.swapaxes(-1, -2) if transpose_x2 else x2)",
    samples="f32(2, 3), f32(3, 4); f32(3, 2), f32(5, 4, 3), True, True; f32(3), f32(3)",
)
def matmul_of_transposed(x1: Tensor, x2: Tensor, transpose_x1: bool = False, transpose_x2: bool = False) -> Any:
    """The product of matrices, of which either may be transposed first.

    Raises:
        ValueError: shapes do not fit, or one to be transposed has less than two axes.
    """
    first = _ops["swapaxes"](x1, -1, -2) if transpose_x1 else x1
    return _ops["matmul"](first, _ops["swapaxes"](x2, -1, -2) if transpose_x2 else x2)


@publish(
    "nn.Norm(axis, keep_dims)(x)",
    numpy="np.sqrt((x * x).sum(tuple(axis) or None if isinstance(axis, tuple) else axis, keepdims=keep_dims))",
    samples="f32(2, 3); f32(2, 3), 1, True; f32(2, 3, 4), (0, 2)",
)
def root_of_squares(x: Tensor, axis: Ints = (), keep_dims: bool = False) -> Any:
    """The square root of the sum of squares along axes; of all with ()."""
    return _ops["sqrt"](_ops["reduce_sum"](_ops["square"](x), axis, keep_dims))


@publish("nn.L1Regularizer(scale)(weights)", numpy="scale * np.abs(weights).sum()", samples="f32(2, 3), 0.5; f64(4), 2")
def l1_regularizer(weights: Tensor, scale: Any) -> Any:
    """scale times the sum of magnitudes, float32 at least.

    Raises:
        TypeError: weights is not of floating point, or scale no number.
        ValueError: scale is not positive and finite.
    """
    check_floating("L1Regularizer", weights=weights)
    if isinstance(scale, bool) or not isinstance(scale, (int, float)):
        raise TypeError(f"For 'L1Regularizer', 'scale' must be an int or a float, but got {scale!r}.")
    if not 0 < scale < math.inf:
        raise ValueError(f"For 'L1Regularizer', 'scale' must be positive and finite, but got {scale}.")
    wide = weights if weights.dtype == core.float64 else _ops["cast"](weights, core.float32)
    return _ops["sum"](_ops["abs"](wide)) * float(scale)


@publish(
    "nn.CentralCrop(central_fraction)(image)",
    numpy="""(lambda h, w: image[..., h:image.shape[-2] - h, w:image.shape[-1] - w])(
    *(int((n - n * central_fraction) / 2) for n in image.shape[-2:]))""",
    samples="f32(2, 4, 6), 0.5; f32(2, 3, 5, 7), 0.3; f32(1, 4, 4), 1.0",
)
def central_crop(image: Tensor, central_fraction: float) -> Any:
    """The middle of images (..., height, width), with a part of rows and of columns.

    Raises:
        ValueError: central_fraction is outside (0, 1], or image has neither three nor four axes.
    """
    if not 0 < central_fraction <= 1:
        raise ValueError(f"For 'CentralCrop', 'central_fraction' must be within (0, 1], but got {central_fraction}.")
    check_rank("CentralCrop", "image", image, 3, 4)
    edges = [int((size - size * central_fraction) / 2) for size in image.shape[-2:]]
    return image[(..., *(slice(edge, size - edge) for edge, size in zip(edges, image.shape[-2:])))]


@publish(
    "ops.bidense",
    numpy="np.einsum('...i,oij,...j->...o', input1, weight, input2) + (0 if bias is None else bias)",
    samples="""f32(3, 2), f32(3, 4), f32(5, 2, 4); f32(2, 3, 2), f32(2, 3, 4), f32(5, 2, 4), f32(5);
    f32(2), f32(4), f32(5, 2, 4)""",
)
def bidense(input1: Tensor, input2: Tensor, weight: Tensor, bias: Number | None = None) -> Any:
    """input1 @ weight[o] @ input2 + bias[o] for each output o.

    Args:
        input1: (..., in1), as many leading axes as input2.
        input2: (..., in2).
        weight: (out, in1, in2).
        bias: (out,), or a number.

    Returns:
        (..., out).

    Raises:
        ValueError: shapes do not fit.
    """
    check_rank("bidense", "weight", weight, 3)
    outer, *inner = weight.shape
    *leading, first = input1.shape
    if list(input2.shape[:-1]) != leading or [first, input2.shape[-1]] != inner:
        raise ValueError(
            f"For 'bidense', the inputs must be of shapes (..., {inner[0]}) and (..., {inner[1]}), the leading axes the "
            f"same, but got {tuple(input1.shape)} and {tuple(input2.shape)}."
        )
    pairs = _ops["expand_dims"](input1, input1.ndim) * _ops["expand_dims"](input2, input2.ndim - 1)
    flat = _ops["reshape"](pairs, (*leading, inner[0] * inner[1]))
    return _ops["dense"](flat, _ops["reshape"](weight, (outer, inner[0] * inner[1])), bias)


@publish(
    "nn.Moments(axis, keep_dims)(x)",
    numpy="[f(x, None if axis == () else axis, keepdims=bool(keep_dims)) for f in (np.mean, np.var)]",
    samples="f32(2, 3); f32(2, 3), 1, True; f32(2, 3, 4), (0, 2); f32(3), ()",
)
def moments(x: Tensor, axis: Ints | None = None, keep_dims: bool | None = None) -> Any:
    """(mean, variance) along axes, of all with None or ().

    Raises:
        TypeError: x is not of floating point.
        ValueError: an axis is out of range.
    """
    check_floating("Moments", x=x)
    axes = None if axis == () else axis
    mean = _ops["mean"](x, axes, True)
    found = mean, _ops["mean"](_ops["square"](x - mean), axes, True)
    return found if keep_dims else tuple(_ops["squeeze"](one, axes) for one in found)


@publish(
    "nn.LBeta()(x, y)",
    numpy="np.vectorize(lambda a, b: math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b))(x, y)",
    samples="abs(f64(2, 3)) + 1, abs(f64(3)) + 2; abs(f64(3)) + 0.5, abs(f64(3)) + 20",
)
def log_beta(x: Tensor, y: Tensor) -> Any:
    """The logarithm of the beta function, elementwise with broadcasting.

    Raises:
        TypeError: an argument is not of floating point.
    """
    check_floating("LBeta", x=x, y=y)
    return _ops["lgamma"](x) + _ops["lgamma"](y) - _ops["lgamma"](x + y)


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
        out.append(_ops["concat"]((rest - first, _ops["zeros_like"](last)), axis))
    return tuple(out)


_BITS = {core.uint8: 8, core.int8: 7, core.uint16: 16, core.int16: 15, core.int32: 31, core.int64: 63}


def unit_scaled(images: Tensor, max_val: float) -> tuple[Any, float]:
    """(images as float32 at least, max_val), both by the largest number of the dtype if that is of integers."""
    if images.dtype in FLOATS:
        return images if images.dtype == core.float64 else _ops["cast"](images, core.float32), max_val
    if images.dtype not in _BITS:
        raise TypeError(f"Images must be of floating point or integers, but are of {images.dtype}.")
    most = 2.0 ** _BITS[images.dtype] - 1
    return _ops["cast"](images, core.float32) / most, max_val / most


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
    check_peak("PSNR", max_val)
    check_rank("PSNR", "img1", img1, 4)
    check_same_shape("PSNR", img1=img1, img2=img2)
    check_same_dtype("PSNR", img1=img1, img2=img2)
    (first, most), (second, _) = unit_scaled(img1, max_val), unit_scaled(img2, max_val)
    error = _ops["mean"](_ops["square"](first - second), (1, 2, 3))
    return _ops["log"](most * most / error) * (10 / math.log(10))


def check_peak(name: str, max_val: Any) -> None:
    """Refuses what cannot be the largest value of images."""
    if isinstance(max_val, bool) or not isinstance(max_val, (int, float)):
        raise TypeError(f"For '{name}', 'max_val' must be an int or a float, but got {max_val!r}.")
    if max_val <= 0:
        raise ValueError(f"For '{name}', 'max_val' must be positive, but got {max_val}.")
