"""Gradients of pooling: of windows from what they are taken of, of the largest from where they are."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice, check_floating, check_same_shape
from emberjit.functions.arguments import ints_of
from emberjit.functions.gradient_primitives.declarations import (
    GRAD,
    at_shape,
    dress,
    publish_gradients,
    publish_tangents,
    pulled,
)
from emberjit.functions.layers import max_pooling, pooling
from emberjit.functions.layers.fractional_pooling import reduced_regions
from emberjit.functions.layers.region_pooling import check_regions, position_sensitive_pooling
from emberjit.publish import signature
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish

_ops = core.ops

_WINDOWS = "kernel_size, strides, pad_mode"
_SAMPLE = "f32(1, 2, 2, 2), f32(1, 2, 4, 4), 2, 2"
_VOLUME = "f32(1, 2, 1, 2, 1), f32(1, 2, 2, 4, 2), 2, 2"
publish_gradients(
    __name__,
    (
        (
            pooling.max_pool_primitive,
            f"ops.MaxPoolGrad({_WINDOWS}, data_format)(x as x_origin, output as out_origin, grad)",
            _SAMPLE,
        ),
        (pooling.avg_pool_primitive, f"ops.AvgPoolGrad({_WINDOWS}, data_format)(x, output as out, grad as dout)", _SAMPLE),
        (
            pooling.max_pool3d_primitive,
            f"ops.MaxPool3DGrad({_WINDOWS}, pad_list, data_format)(x as x_origin, output as out_origin, grad)",
            _VOLUME,
        ),
    ),
)
publish_gradients(
    __name__,
    (
        (
            pooling.avg_pool3d_primitive,
            """ops.AvgPool3DGrad(kernel_size, strides, pad as pads, ceil_mode, count_include_pad, divisor_override,
            data_format, pad_mode = 'pad')(input as origin_input_shape, grad as grads)""",
            "f32(1, 2, 1, 2, 1), (1, 2, 2, 4, 2), 2, 2",
        ),
    ),
    linear=True,
)
publish_tangents(
    __name__,
    (
        (
            pooling.max_pool_primitive,
            f"ops.MaxPoolGradGrad({_WINDOWS})(x as x_origin, output as out_origin, grad)",
            "f32(1, 2, 4, 4), f32(1, 2, 4, 4), 2, 2",
        ),
        (
            pooling.max_pool3d_primitive,
            f"ops.MaxPool3DGradGrad({_WINDOWS}, data_format)(x as x_origin, output as out_origin, grad)",
            "f32(1, 2, 2, 4, 2), f32(1, 2, 2, 4, 2), 2, 2",
        ),
    ),
)


def _gather(x: Tensor, argmax: Tensor, lead: int = 2) -> Any:
    """The elements of (N, C, ...) at positions in what the first axes lead to, a channel, of the positions' shape."""
    flat, at = (_ops.reshape(part, (*part.shape[:lead], math.prod(part.shape[lead:]))) for part in (x, argmax))
    return _ops.reshape(_ops.gather_d(flat, lead, _ops.cast(at, core.int64)), argmax.shape)


def _gather_gradient(name: str, x: Tensor, grad: Tensor, argmax: Tensor, lead: int = 2) -> Any:
    check_same_shape(name, grad=grad, argmax=argmax)
    return pulled(name, lambda one: _gather(one, argmax, lead), grad, x)[0]


_FOUND = """{what}

Args:
    x: of shape (N, C, ...), of which the largest elements of windows were taken.
    grad: {grad}
    argmax: positions of the largest elements in {where}.
    {rest}

Raises:
    ValueError: shapes do not fit.

Examples:
    >>> x, grad = Tensor([1.0, 4.0, 3.0, 2.0]).reshape({shape}), Tensor({given}).reshape({of_given})
    >>> argmax = Tensor([1]).reshape({of_one})
    >>> print(ops.{label}({window})(x, grad, argmax).reshape(-1))
    {shown}
"""
_BACK = "The gradient by x of the largest elements of windows: sums of grad where they were, zeros elsewhere."
_OF_THEM = "the gradient by them, of argmax's shape."


def _publish_at(forward: Any, first: str, second: str = "", lead: int = 2) -> None:
    """Publishes the gradient, and the gradient of that by grad, of what returns the largest elements with positions.

    Args:
        lead: 2 if these are positions in a channel, 1 if in an image of all channels.
    """
    operand, *attributes = signature.definition_of(forward)
    label, name = first.partition("(")[0].rpartition(".")[2], forward.__name__

    def check(x: Any, argmax: Any, arguments: Any) -> None:
        expected = forward(x, *arguments)[1].shape
        if tuple(argmax.shape) != tuple(expected):
            raise ValueError(
                f"For '{label}', 'argmax' must have the shape of the result {tuple(expected)}, but its shape is "
                f"{tuple(argmax.shape)}."
            )

    def gradient(x: Any, grad: Any, argmax: Any, *arguments: Any) -> Any:
        check(x, argmax, arguments)
        return _gather_gradient(label, x, grad, argmax, lead)

    def tangent(x: Any, grad: Any, argmax: Any, *arguments: Any) -> Any:
        check(x, argmax, arguments)
        check_same_shape(label, x=x, grad=grad)
        return _gather(grad, argmax, lead)

    definition = (operand, GRAD, signature.Parameter("argmax", "tensor"), *attributes)
    rest = f"{', '.join(p.name for p in attributes)}: those of the pooling."
    where = "a channel" if lead == 2 else "an image (C, H, W)"
    axes = "1, " * (5 if "3d" in name else 4)
    shape, of_one, window = f"{axes[:-6]}2, 2", axes[:-2], "(1, 2, 2), (1, 2, 2), 0" if "3d" in name else "2, 2"
    told = {"where": where, "rest": rest, "shape": shape, "of_one": of_one, "window": window}
    back = {"label": label, "given": "[10.0]", "of_given": of_one, "shown": "[ 0. 10.  0.  0.]"}
    text = _FOUND.format(what=_BACK, grad=_OF_THEM, **told, **back)
    publish(first)(dress(gradient, f"{name}_gradient_at", text, definition))
    if second:
        what = "The elements of grad where pooling found the largest ones of x."
        along = {"label": second.partition("(")[0].removeprefix("ops."), "given": "[10.0, 20.0, 30.0, 40.0]"}
        text = _FOUND.format(what=what, grad="of x's shape.", **told, **along, of_given=shape, shown="[20.]")
        publish(second)(dress(tangent, f"{name}_tangent_at", text, definition))


_publish_at(
    max_pooling.max_pool_with_argmax,
    f"ops.MaxPoolGradWithArgmax({_WINDOWS}, data_format)(x, grad, argmax)",
    f"ops.MaxPoolGradGradWithArgmax({_WINDOWS})(x, grad, argmax)",
    lead=1,
)
_publish_at(
    max_pooling.max_pool_with_argmax_v2,
    "ops.MaxPoolGradWithArgmaxV2(kernel_size, strides, pads, dilation, ceil_mode, argmax_type)(x, grad, argmax)",
)
_publish_at(
    max_pooling.max_pool3d_with_argmax,
    "ops.MaxPool3DGradWithArgmax(ksize, strides, pads, dilation, ceil_mode, data_format)(x, grad as grads, argmax)",
)


@publish("ops.AdaptiveMaxPool2DGrad()(grad as y_grad, x, argmax) ops.AdaptiveMaxPool3DGrad()(grad as input_grad, x, argmax)")
def max_pool_gradient_at(grad: Tensor, x: Tensor, argmax: Tensor) -> Any:
    """The gradient by x, of shape (N, C, ...), of the largest elements of windows.

    Args:
        grad: the gradient by them.
        x: of shape (N, C, ...).
        argmax: their positions in a channel, of grad's shape.

    Raises:
        ValueError: grad and argmax have different shapes.

    Examples:
        >>> x, grad = Tensor([[[[1.0, 4.0], [3.0, 2.0]]]]), Tensor([[[[10.0]]]])
        >>> print(ops.AdaptiveMaxPool2DGrad()(grad, x, Tensor([[[[1]]]])))
        [[[[ 0. 10.]
           [ 0.  0.]]]]
    """
    return _gather_gradient("AdaptiveMaxPoolGrad", x, grad, argmax)


def _publish_fixed(name: str, format: str) -> None:
    def gradient(origin_input: Tensor, out_backprop: Tensor, argmax: Tensor, data_format: str = format) -> Any:
        check_choice(name, "data_format", data_format, format)
        like = _ops.zeros(tuple(origin_input.shape), out_backprop.dtype)
        return _gather_gradient(name, like, out_backprop, argmax)

    gradient.__name__ = f"fractional_max_pool{len(format) - 2}d_gradient_at"
    shape, ones = ("1, 1, 2, 2", "1, 1, 1, 1") if format == "NCHW" else ("1, 1, 1, 2, 2", "1, 1, 1, 1, 1")
    gradient.__doc__ = f"""The gradient by origin_input, of which only the shape {format} matters, of the largest elements.

    Args:
        data_format: "{format}".
        out_backprop: the gradient by them, whose dtype the result has.
        argmax: their positions in a channel, of out_backprop's shape.

    Raises:
        ValueError: shapes do not fit, or another data_format.

    Examples:
        >>> grad, argmax = Tensor([10.0]).reshape({ones}), Tensor([1]).reshape({ones})
        >>> print(ops.{name}()(ops.zeros(({shape})), grad, argmax).reshape(-1))
        [ 0. 10.  0.  0.]
    """
    publish(f"ops.{name}(data_format)(origin_input, out_backprop, argmax)")(gradient)


_publish_fixed("FractionalMaxPoolGradWithFixedKsize", "NCHW")
_publish_fixed("FractionalMaxPool3DGradWithFixedKsize", "NCDHW")


def _publish_unpool(axes: int) -> None:
    name = f"MaxUnpool{axes}DGrad"
    format = ("NCHW", "NCDHW")[axes - 2]

    def gradient(
        x: Tensor,
        grads: Tensor,
        argmax: Tensor,
        ksize: Ints,
        strides: Ints = 0,
        pads: Ints = 0,
        output_shape: Ints = (),
        data_format: str = format,
    ) -> Any:
        check_choice(name, "data_format", data_format, format)
        check_same_shape(name, x=x, argmax=argmax)
        if output_shape and tuple(output_shape) != tuple(grads.shape):
            raise ValueError(
                f"For '{name}', 'grads' must have the shape output_shape {output_shape}, but its shape is {grads.shape}."
            )
        return _gather(grads, argmax)

    ones, sizes = ", ".join("1" * axes), ", ".join("122"[3 - axes :])
    gradient.__name__ = f"max_unpool{axes}d_gradient"
    gradient.__doc__ = f"""The gradient of MaxUnpool{axes}D by x: the elements of grads at argmax.

    Args:
        x, argmax: what was put at positions of a channel, and these, of one shape.
        grads: the gradient by the result.
        ksize, strides, pads: those of the pooling, which argmax tells as well.
        output_shape: the shape of grads; () if it is not told.

    Raises:
        ValueError: shapes do not fit, or another data_format.

    Examples:
        >>> x, argmax = ops.zeros((1, 1, {ones})), Tensor([2]).reshape(1, 1, {ones})
        >>> grads = Tensor([10.0, 20.0, 30.0, 40.0]).reshape(1, 1, {sizes})
        >>> print(ops.{name}(ksize=({sizes}))(x, grads, argmax).reshape(-1))
        [30.]
    """
    publish(f"ops.{name}(ksize, strides, pads, output_shape, data_format)(x, grads, argmax)")(gradient)


_publish_unpool(2)
_publish_unpool(3)


for _axes, _spelled in (
    (2, "ops.AdaptiveAvgPool2DGrad()(grad as input_grad, input as orig_input_shape)"),
    (3, "ops.AdaptiveAvgPool3DGrad()(grad as y_grad, input as orig_input_shape)"),
):
    publish_gradients(
        __name__,
        (
            (
                getattr(pooling, f"adaptive_avg_pool{_axes}d"),
                _spelled,
                f"f32(1, 2, {'1, ' * (_axes - 2)}2, 3), (1, 2, {'2, ' * (_axes - 2)}3, 4)",
            ),
        ),
        linear=True,
        derived={"output_size": lambda grad, axes=_axes: tuple(grad.shape[-axes:])},
    )

_REGIONS = """The gradient of the {what} of regions of images (N, H, W, C) by these.

Args:
    orig_input, orig_output: the images, and what was made of them.
    orig_input_tensor_shape: the images' shape, a Tensor of ints or a tuple.
    out_backprop: the gradient by the result.
    row_pooling_sequence, col_pooling_sequence: where regions of rows, and of columns, begin, and where the last one ends.
    overlapping: whether a region has the first row and column of the next one, too.

Raises:
    ValueError: shapes do not fit.
"""


def _bounds(name: str, rows: Ints, columns: Ints) -> list[Any]:
    return [[*ints_of(name, f"{axis}_pooling_sequence", sequence)] for axis, sequence in (("row", rows), ("col", columns))]


@publish(
    """ops.FractionalAvgPoolGrad(overlapping)(orig_input_tensor_shape, out_backprop, row_pooling_sequence,
    col_pooling_sequence)""",
    in_python=True,
)
def means_of_random_regions_gradient(
    orig_input_tensor_shape: Any,
    out_backprop: Tensor,
    row_pooling_sequence: Any,
    col_pooling_sequence: Any,
    overlapping: bool = False,
) -> Any:
    bounds = _bounds("FractionalAvgPoolGrad", row_pooling_sequence, col_pooling_sequence)

    def means(x: Any) -> Any:
        return reduced_regions(x, bounds, overlapping, "means")

    return at_shape("FractionalAvgPoolGrad", means, out_backprop, orig_input_tensor_shape)


@publish(
    """ops.FractionalMaxPoolGrad(overlapping)(orig_input, orig_output, out_backprop, row_pooling_sequence,
    col_pooling_sequence)""",
    in_python=True,
)
def maxima_of_random_regions_gradient(
    orig_input: Tensor,
    orig_output: Tensor,
    out_backprop: Tensor,
    row_pooling_sequence: Any,
    col_pooling_sequence: Any,
    overlapping: bool = False,
) -> Any:
    bounds = _bounds("FractionalMaxPoolGrad", row_pooling_sequence, col_pooling_sequence)
    check_same_shape("FractionalMaxPoolGrad", orig_output=orig_output, out_backprop=out_backprop)

    def maxima(x: Any) -> Any:
        return reduced_regions(x, bounds, overlapping, "maxima")

    return pulled("FractionalMaxPoolGrad", maxima, out_backprop, orig_input)[0]


means_of_random_regions_gradient.__doc__ = f"""{_REGIONS.format(what="means")}
Examples:
    >>> edges, grad = Tensor([0, 2, 4]), Tensor([4.0, 8.0, 12.0, 16.0]).reshape(1, 2, 2, 1)
    >>> print(ops.FractionalAvgPoolGrad()(Tensor([1, 4, 4, 1]), grad, edges, edges).reshape(4, 4))
    [[1. 1. 2. 2.]
     [1. 1. 2. 2.]
     [3. 3. 4. 4.]
     [3. 3. 4. 4.]]
"""
maxima_of_random_regions_gradient.__doc__ = f"""{_REGIONS.format(what="largest elements")}
Examples:
    >>> x, edges = ops.arange(16.0).reshape(1, 4, 4, 1), Tensor([0, 2, 4])
    >>> maxima, grad = x[:, 1::2, 1::2], ops.ones((1, 2, 2, 1))
    >>> print(ops.FractionalMaxPoolGrad()(x, maxima, grad, edges, edges).reshape(4, 4))
    [[0. 0. 0. 0.]
     [0. 1. 0. 1.]
     [0. 0. 0. 0.]
     [0. 1. 0. 1.]]
"""


@publish("ops.PSROIPoolingGrad(input_size, spatial_scale, group_size, output_dim)(dy, rois)")
def position_sensitive_pooling_gradient(
    dy: Tensor, rois: Tensor, input_size: Ints, spatial_scale: float, group_size: int, output_dim: int
) -> Any:
    """The gradient of PSROIPooling by features: (N, output_dim * group_size**2, *input_size).

    Args:
        dy: the gradient by the result, of shape (N * K, output_dim, group_size, group_size).
        rois: the number of the image and (x0, y0, x1, y1) of K regions, of shape (N, 5, K).
        input_size: the height and width of features, or one number for both.
        spatial_scale: what coordinates are multiplied by.
        group_size: the number of parts along each side of a region.
        output_dim: the number of channels of the result.

    Raises:
        TypeError: dy or rois are not of floats.
        ValueError: shapes do not fit, or a number is not positive.
        IndexError: an image's number is out of range.

    Examples:
        >>> dy, rois = ops.ones((1, 1, 1, 1)), Tensor([[[0.0], [0.0], [0.0], [1.0], [1.0]]])
        >>> print(ops.PSROIPoolingGrad((2, 2), 1.0, 1, 1)(dy, rois))
        [[[[1. 0.]
           [0. 0.]]]]
    """
    name = "PSROIPoolingGrad"
    check_regions(name, spatial_scale, group_size, output_dim, rois)
    check_floating(name, dy=dy)
    sizes = ints_of(name, "input_size", input_size)
    shape = (rois.shape[0], output_dim * group_size * group_size, *(sizes * 2 if len(sizes) == 1 else sizes))

    def pooled(features: Any) -> Any:
        return position_sensitive_pooling(features, rois, spatial_scale, group_size, output_dim)

    return at_shape(name, pooled, dy, shape)
