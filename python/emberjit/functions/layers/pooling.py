"""Pooling: maxima, means and norms of windows, and of parts of equal sizes."""

from __future__ import annotations

import math
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import by_axis, check_choice, check_floating, check_int, check_rank
from emberjit.functions.layers.convolution import in_batch
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.ops

publish_ops(
    __name__,
    """
avg_pool1d: ops.avg_pool1d(input_x, kernel_size, stride, padding, ceil_mode, count_include_pad)
avg_pool2d: ops.avg_pool2d(input_x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
avg_pool3d: ops.avg_pool3d(input_x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
max_pool1d: ops.max_pool1d(x, kernel_size, stride, padding, dilation, ceil_mode)
""",
)


def _max_pool(axes: int, x: Tensor, kernel: Any, stride: Any, padding: Any, dilation: Any, ceil: bool, indices: bool) -> Any:
    name = f"max_pool{axes}d"
    check_rank(name, "input", x, axes + 1, axes + 2)
    op = _ops.max_pool_with_indices if indices else core.op_table[name]
    window = kernel, kernel if stride is None else stride, padding, dilation, ceil
    return in_batch(lambda batch: op(batch, *window), x, axes)


@publish(
    """ops.max_pool2d(x, kernel_size, stride, padding, dilation, return_indices, ceil_mode)
    mint.nn.functional.max_pool2d(x as input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)
    nn.MaxPool2dExt(kernel_size = 1, stride, padding, dilation, return_indices, ceil_mode)(x as input)
    mint.nn.MaxPool2d(kernel_size, stride, padding, dilation, return_indices, ceil_mode)(x as input)"""
)
def max_pool2d(
    x: Tensor,
    kernel_size: Ints,
    stride: Ints | None = None,
    padding: Ints = 0,
    dilation: Ints = 1,
    return_indices: bool = False,
    ceil_mode: bool = False,
) -> Any:
    """The largest element of each window of images (N, C, H, W) or (C, H, W).

    Args:
        kernel_size, stride, padding, dilation: ints or pairs of them; without stride the windows touch.
        return_indices: whether to return (values, indices within each image's plane) instead.
        ceil_mode: whether a last, partial window counts.

    Raises:
        ValueError: another number of axes, or sizes that do not fit.

    Examples:
        >>> x = ops.arange(16.0).reshape(1, 1, 4, 4)
        >>> print(ops.max_pool2d(x, kernel_size=2))
        [[[[ 5.  7.]
           [13. 15.]]]]
    """
    return _max_pool(2, x, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@publish("ops.max_pool3d(x, kernel_size, stride, padding, dilation, ceil_mode, return_indices)")
def max_pool3d(
    x: Tensor,
    kernel_size: Ints,
    stride: Ints | None = None,
    padding: Ints = 0,
    dilation: Ints = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window of volumes (N, C, D, H, W) or (C, D, H, W).

    Args:
        kernel_size, stride, padding, dilation: ints or triples of them; without stride the windows touch.
        ceil_mode: whether a last, partial window counts.
        return_indices: whether to return (values, indices within each channel's volume) instead.

    Raises:
        ValueError: another number of axes, or sizes that do not fit.

    Examples:
        >>> x = ops.arange(8.0).reshape(1, 1, 1, 2, 4)
        >>> print(ops.max_pool3d(x, kernel_size=(1, 2, 2)))
        [[[[[5. 7.]]]]]
    """
    return _max_pool(3, x, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def adaptive_sizes(name: str, output_size: Any, axes: int) -> tuple[int, ...]:
    """One int for all axes, or a tuple or Tensor of them, in which None keeps an axis, in the form that the ops take.

    Raises:
        TypeError: neither of them.
        ValueError: a tuple of another length, or a negative size.
    """
    if isinstance(output_size, core.Tensor):
        output_size = tuple(output_size.tolist()) if output_size.ndim else int(output_size)
    sizes = output_size if isinstance(output_size, tuple) else (output_size,) * axes
    if output_size is None or not all(
        size is None or (isinstance(size, int) and not isinstance(size, bool)) for size in sizes
    ):
        raise TypeError(f"For '{name}', 'output_size' must be an int or a tuple of ints and None, but got {output_size!r}.")
    if len(sizes) != axes or any(size is not None and size < 0 for size in sizes):
        raise ValueError(f"For '{name}', 'output_size' must be of {axes} sizes, none negative, but got {output_size}.")
    return tuple(-1 if size is None else size for size in sizes)


@publish(
    "ops.adaptive_avg_pool1d mint.nn.functional.adaptive_avg_pool1d mint.nn.AdaptiveAvgPool1d(output_size)(input)",
    numpy="""(lambda n: input.reshape(*input.shape[:-1], n, -1).mean(-1))(
    output_size[0] if isinstance(output_size, tuple) else output_size)""",
    samples="f32(2, 3, 8), 4; f64(2, 6), (3,)",
)
def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Any:
    """The means of windows of (N, C, L) or (C, L), which divide the axis as evenly as they can.

    Args:
        output_size: how many; an int, or a tuple or list of one, where None keeps the size.

    Raises:
        TypeError: output_size is neither.
        ValueError: output_size is negative, or not of one.
    """
    sizes = tuple(output_size) if isinstance(output_size, list) else output_size
    return _ops.adaptive_avg_pool1d(input, adaptive_sizes("adaptive_avg_pool1d", sizes, 1))


@publish(
    """ops.adaptive_avg_pool2d ops.adaptive_avg_pool2d_ext mint.nn.functional.adaptive_avg_pool2d
    ops.AdaptiveAvgPool2D(output_size)(input) mint.nn.AdaptiveAvgPool2d(output_size)(input)"""
)
def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Any:
    """The means of windows of (N, C, H, W) or (C, H, W), which divide rows and columns as evenly as they can.

    Args:
        output_size: how many; one int for both, or a tuple of two, where None keeps the size.

    Raises:
        TypeError: output_size is neither.
        ValueError: output_size is negative, or not of two.

    Examples:
        >>> x = ops.arange(16.0).reshape(1, 1, 4, 4)
        >>> print(ops.adaptive_avg_pool2d(x, (2, 2)))
        [[[[ 2.5  4.5]
           [10.5 12.5]]]]
    """
    return _ops.adaptive_avg_pool2d(input, adaptive_sizes("adaptive_avg_pool2d", output_size, 2))


@publish(
    """ops.adaptive_avg_pool3d mint.nn.functional.adaptive_avg_pool3d ops.AdaptiveAvgPool3D(output_size)(input)
    mint.nn.AdaptiveAvgPool3d(output_size)(input)"""
)
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Any:
    """The means of windows of (N, C, D, H, W) or (C, D, H, W), which divide each axis as evenly as they can.

    Args:
        output_size: how many; one int for all, or a tuple of three, where None keeps the size.

    Raises:
        TypeError: output_size is neither.
        ValueError: output_size is negative, or not of three.

    Examples:
        >>> x = ops.arange(8.0).reshape(1, 1, 2, 2, 2)
        >>> print(ops.adaptive_avg_pool3d(x, (1, 1, 2)))
        [[[[[3. 4.]]]]]
    """
    return _ops.adaptive_avg_pool3d(input, adaptive_sizes("adaptive_avg_pool3d", output_size, 3))


@publish("ops.MaxPool(kernel_size, strides, pad_mode, data_format)(x)")
def max_pool_primitive(
    x: Tensor, kernel_size: Ints = 1, strides: Ints = 1, pad_mode: str = "valid", data_format: str = "NCHW"
) -> Any:
    """The largest element of each window of images (N, C, H, W).

    Args:
        x: of shape (N, C, H, W).
        kernel_size, strides: of windows, ints or pairs of them.
        pad_mode: "valid" or "same".
        data_format: "NCHW".

    Raises:
        ValueError: data_format is not "NCHW", or pad_mode neither "valid" nor "same", in small or capital letters.

    Examples:
        >>> x = ops.arange(16.0).reshape(1, 1, 4, 4)
        >>> print(ops.MaxPool(kernel_size=2, strides=2)(x))
        [[[[ 5.  7.]
           [13. 15.]]]]
    """
    check_choice("MaxPool", "data_format", data_format, "NCHW")
    return _ops.max_pool(x, kernel_size, strides, pad_mode.lower())


@publish("ops.AvgPool(kernel_size, strides, pad_mode, data_format)(x)")
def avg_pool_primitive(
    x: Tensor, kernel_size: Ints = 1, strides: Ints = 1, pad_mode: str = "VALID", data_format: str = "NCHW"
) -> Any:
    """The mean of each window of images (N, C, H, W).

    Args:
        x: of shape (N, C, H, W).
        kernel_size, strides: of windows, ints or pairs of them.
        pad_mode: "valid" or "same".
        data_format: "NCHW".

    Raises:
        ValueError: data_format is not "NCHW", or pad_mode neither "valid" nor "same", in small or capital letters.

    Examples:
        >>> x = ops.arange(16.0).reshape(1, 1, 4, 4)
        >>> print(ops.AvgPool(kernel_size=2, strides=2)(x))
        [[[[ 2.5  4.5]
           [10.5 12.5]]]]
    """
    check_choice("AvgPool", "data_format", data_format, "NCHW")
    return _ops.avg_pool(x, kernel_size, strides, pad_mode.lower())


@publish("ops.MaxPool3D(kernel_size, strides, pad_mode, pad_list, ceil_mode, data_format)(x)", in_python=True)
def max_pool3d_primitive(
    x: Tensor,
    kernel_size: Ints = 1,
    strides: Ints = 1,
    pad_mode: str = "VALID",
    pad_list: Ints = 0,
    ceil_mode: bool | None = None,
    data_format: str = "NCDHW",
) -> Any:
    """The largest element of each window of volumes (N, C, D, H, W). `pad_list` is one number, three, or six: before and
    after each axis, for pad_mode "pad".

    Args:
        x: of shape (N, C, D, H, W).
        kernel_size, strides: of windows, ints or triples of them.
        pad_mode: "valid", "same" or "pad".
        pad_list: for pad_mode "pad", one number, three, or six: before and after each axis.
        ceil_mode: whether a last, partial window counts.
        data_format: "NCDHW".

    Examples:
        >>> x = ops.arange(8.0).reshape(1, 1, 1, 2, 4)
        >>> print(ops.MaxPool3D(kernel_size=(1, 2, 2), strides=(1, 2, 2))(x))
        [[[[[5. 7.]]]]]
    """
    check_choice("MaxPool3D", "data_format", data_format, "NCDHW")
    return _ops.max_pool3d(x, kernel_size, strides, pad_list, 1, bool(ceil_mode), pad_mode.lower())


@publish(
    """ops.AvgPool3D(kernel_size, strides, pad_mode, pad, ceil_mode, count_include_pad, divisor_override,
    data_format)(input)""",
    in_python=True,
)
def avg_pool3d_primitive(
    input: Tensor,
    kernel_size: Ints = 1,
    strides: Ints = 1,
    pad_mode: str = "valid",
    pad: Ints = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
    data_format: str = "NCDHW",
) -> Any:
    """The mean of each window of volumes (N, C, D, H, W), whose padding counts unless count_include_pad is False; or its
    sum over divisor_override. `pad` is one number or six: before and after each axis, for pad_mode "pad".

    Args:
        input: of shape (N, C, D, H, W).
        kernel_size, strides: of windows, ints or triples of them.
        pad_mode: "valid", "same" or "pad".
        pad: for pad_mode "pad", one number or six: before and after each axis.
        ceil_mode: whether a last, partial window counts.
        count_include_pad: whether padding counts as elements of 0.
        divisor_override: what sums are divided by instead of the number of elements; 0: that number.
        data_format: "NCDHW".

    Examples:
        >>> x = ops.arange(8.0).reshape(1, 1, 1, 2, 4)
        >>> print(ops.AvgPool3D(kernel_size=(1, 2, 2), strides=(1, 2, 2))(x))
        [[[[[2.5 4.5]]]]]
    """
    check_choice("AvgPool3D", "data_format", data_format, "NCDHW")
    options = ceil_mode, count_include_pad, divisor_override
    return _ops.avg_pool3d(input, kernel_size, strides, pad, *options, pad_mode.lower())


def _windows(function: str, axes: int, x: Tensor, kernel_size: Any, stride: Any) -> tuple[Any, Any]:
    check_floating(function, input=x)
    check_rank(function, "input", x, axes + 1, axes + 2)
    kernel = by_axis(function, "kernel_size", kernel_size, axes)
    return kernel, kernel if stride is None else by_axis(function, "stride", stride, axes)


def _taps(name: str, axes: int) -> str:
    """Reference text: the elements of windows of 2 along each axis, as the last axis."""
    starts = ([str(tap >> i & 1) for i in range(axes)] for tap in range(2**axes))
    return (
        "np.stack([" + ", ".join(f"{name}[..., {', '.join(f'{at}::2' for at in offsets)}]" for offsets in starts) + "], -1)"
    )


def _publish_avg_pool(axes: int, samples: str) -> None:
    name = f"avg_pool{axes}d"

    def pool(
        input: Tensor,
        kernel_size: Ints,
        stride: Ints | None = None,
        padding: Ints = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Any:
        kernel, steps = _windows(name, axes, input, kernel_size, stride)
        pads = by_axis(name, "padding", padding, axes, 0)
        if any(2 * pad > size for pad, size in zip(pads, kernel)):
            raise ValueError(f"For '{name}', 'padding' must be at most half of {kernel}, but got {padding}.")
        divisor = 0 if divisor_override is None else check_int(name, "divisor_override", divisor_override, 1)
        options = ceil_mode, count_include_pad, divisor
        return in_batch(lambda x: core.op_table[name](x, kernel, steps, pads, *options), input, axes)

    pool.__name__ = f"touching_{name}"
    pool.__doc__ = """The mean of each window, whose padding counts unless count_include_pad is False.

    Args:
        input: of shape (N, C, ...) or (C, ...).
        kernel_size, stride, padding: ints or tuples of one for each axis; without stride the windows touch.
        ceil_mode: whether a last, partial window counts.
        divisor_override: what sums are divided by instead of the number of elements.

    Raises:
        TypeError: input is not of floating point, or sizes that are no ints.
        ValueError: another number of axes, or sizes that do not fit.
    """
    options = "kernel_size, stride, padding, ceil_mode, count_include_pad"
    options += ", divisor_override" if axes > 1 else ""
    publish(
        f"""mint.nn.functional.{name}(input, {options}) mint.nn.AvgPool{axes}d({options})(input)
        nn.AvgPool{axes}dExt({options})(input)""",
        numpy=f"(lambda w: w.sum(-1) / (divisor_override or {2**axes}))({_taps('input', axes)})",
        samples=samples,
    )(pool)


_publish_avg_pool(1, "f32(2, 3, 8), 2; f64(2, 6), (2,), 2")
_publish_avg_pool(2, "f32(2, 3, 8, 6), 2; f64(2, 6, 4), (2, 2), 2, 0, True, False, 3")
_publish_avg_pool(3, "f32(1, 2, 4, 2, 4), 2; f64(2, 2, 4, 4), (2, 2, 2), None, 0, False, True, 5")


def _publish_lp_pool(axes: int, samples: str) -> None:
    name = f"lp_pool{axes}d"

    def pool(x: Tensor, norm_type: Number, kernel_size: Ints, stride: Ints | None = None, ceil_mode: bool = False) -> Any:
        kernel, steps = _windows(name, axes, x, kernel_size, stride)
        if norm_type == 0:
            raise ValueError(f"For '{name}', 'norm_type' must not be 0, but got {norm_type}.")
        means = in_batch(lambda y: core.op_table[f"avg_pool{axes}d"](y, kernel, steps, 0, ceil_mode), x**norm_type, axes)
        sums = means * math.prod(kernel)
        zero = _ops.equal(sums, 0)
        return _ops.masked_fill(_ops.masked_fill(sums, zero, 1) ** (1 / norm_type), zero, 0)

    pool.__name__ = name
    pool.__doc__ = """(sum of x**norm_type)**(1 / norm_type) of each window; where the sum is 0, its slope is, too.

    Args:
        x: of shape (N, C, ...) or (C, ...).
        norm_type: a number.
        kernel_size, stride: ints or tuples of one for each axis; without stride the windows touch.
        ceil_mode: whether a last, partial window counts: as if all of it had the same mean.

    Raises:
        TypeError: x is not of floating point, or sizes that are no ints.
        ValueError: another number of axes, norm_type is 0, or sizes that do not fit.
    """
    publish(
        f"ops.{name} nn.LPPool{axes}d(norm_type, kernel_size, stride, ceil_mode)(x)",
        numpy=f"({_taps('x', axes)}**norm_type).sum(-1)**(1 / norm_type)",
        samples=samples,
        in_python=True,
    )(pool)


_publish_lp_pool(1, "f32(2, 3, 8), 2, 2; f64(2, 6) + 3, 3.0, (2,), 2")
_publish_lp_pool(2, "f32(2, 3, 8, 6), 2.0, 2; f64(2, 6, 4) + 3, 1, (2, 2), 2, True")
