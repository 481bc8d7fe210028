"""Cells of functions that MindSpore has under other names by now, and has kept."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.functions.checks import check_floating, check_rank
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops

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
