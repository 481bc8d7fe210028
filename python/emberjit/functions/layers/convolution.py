"""Convolutions of signals, images and volumes, transposed ones, and dilation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import by_axis, check_choice, check_floating, check_int, check_rank, check_shape
from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.transforms.precision_rules import has_rule

_ops = core.ops

publish_ops(
    __name__,
    """
conv1d: ops.conv1d
conv2d: ops.conv2d
conv3d: ops.conv3d
conv_transpose1d: ops.conv_transpose1d(input, weight, bias, stride, padding, output_padding, groups, dilation)
conv_transpose2d: ops.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
conv_transpose3d: ops.conv_transpose3d(input, weight, bias, stride, padding, output_padding, groups, dilation)
    ops.conv3d_transpose(input as inputs, weight, pad_mode = 'valid', padding, stride, dilation, groups as group,
    output_padding)
""",
)


def convolved(
    axes: int,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    pad_mode: str,
    padding: Any,
    dilation: Any,
    group: int,
) -> Any:
    """Convolution whose padding is one int, or a tuple of those before and after each axis."""
    if isinstance(padding, tuple) and pad_mode == "pad":
        y = _ops.conv_forward(x, weight, stride, padding, dilation, group)
        return y if bias is None else y + bias.reshape((-1,) + (1,) * axes)
    amount = max(padding) if isinstance(padding, tuple) else padding
    return core.op_table[f"conv{axes}d"](x, weight, bias, stride, pad_mode, amount, dilation, group)


def bias_apart(bias: Tensor | None) -> tuple[Any, Any]:
    """The bias for a product or convolution, and that to be added to its result, where that has a rule of precision of its
    own."""
    return (None, bias) if has_rule(_ops.bias_add) else (bias, None)


def _check(name: str, axes: int, weight: Tensor, channels: int, kernel_size: Any, mode: int, data_format: str) -> None:
    sizes = tuple(kernel_size) if isinstance(kernel_size, (tuple, list)) else (kernel_size,) * axes
    if tuple(weight.shape[2:]) != sizes or weight.shape[0] != channels:
        raise ValueError(
            f"For '{name}', the weight must begin with {channels} channels and be of size {sizes}, but its shape is "
            f"{tuple(weight.shape)}."
        )
    if mode != 1:
        raise ValueError(f"For '{name}', 'mode' must be 1, but got {mode}.")
    check_choice(name, "data_format", data_format, "NCHW" if axes == 2 else "NCDHW")


def _steps(name: str, axes: int, *steps: Any) -> tuple[Any, ...]:
    """Strides and dilations: of (N, C, ...) those of the axes after the channels, as the first two are 1.

    Raises:
        ValueError: they are not.
    """
    for one in steps:
        if isinstance(one, (tuple, list)) and len(one) == axes + 2 and tuple(one[:2]) != (1, 1):
            raise ValueError(f"For '{name}', strides and dilations of {axes + 2} ints must begin with 1, 1, but got {one}.")
    return tuple(one[2:] if isinstance(one, (tuple, list)) and len(one) == axes + 2 else one for one in steps)


@publish(
    "ops.Conv2D(out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format)(x, weight)",
    in_python=True,
)
def conv2d_primitive(
    x: Tensor,
    weight: Tensor,
    out_channel: int,
    kernel_size: Ints,
    mode: int = 1,
    pad_mode: str = "valid",
    pad: Ints = 0,
    stride: Ints = 1,
    dilation: Ints = 1,
    group: int = 1,
    data_format: str = "NCHW",
) -> Any:
    """Convolution of images (N, C, H, W). `pad` is one number or four (top, bottom, left, right), for pad_mode "pad".

    Args:
        x: of shape (N, C, H, W).
        weight: of shape (out_channel, C / group, height, width).
        out_channel: the number of channels of the result.
        kernel_size: the weight's height and width, or one int for both.
        mode: 1.
        pad_mode: "valid", "same" or "pad".
        pad: for pad_mode "pad", one number or four: (top, bottom, left, right).
        stride, dilation: ints or pairs of them.
        group: of channels.
        data_format: "NCHW".

    Raises:
        ValueError: out_channel and kernel_size are not the weight's, or another mode or data_format.

    Examples:
        >>> x, weight = ops.ones((1, 1, 4, 4)), ops.ones((1, 1, 3, 3))
        >>> print(ops.Conv2D(out_channel=1, kernel_size=3)(x, weight))
        [[[[9. 9.]
           [9. 9.]]]]
    """
    _check("Conv2D", 2, weight, out_channel, kernel_size, mode, data_format)
    stride, dilation = _steps("Conv2D", 2, stride, dilation)
    return convolved(2, x, weight, None, stride, pad_mode, pad, dilation, group)


@publish(
    "ops.Conv3D(out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format)(x, weight)",
    in_python=True,
)
def conv3d_primitive(
    x: Tensor,
    weight: Tensor,
    out_channel: int,
    kernel_size: Ints,
    mode: int = 1,
    pad_mode: str = "valid",
    pad: Ints = 0,
    stride: Ints = 1,
    dilation: Ints = 1,
    group: int = 1,
    data_format: str = "NCDHW",
) -> Any:
    """Convolution of volumes (N, C, D, H, W). `pad` is one number or six: before and after each axis, for pad_mode "pad".

    Args:
        x: of shape (N, C, D, H, W).
        weight: of shape (out_channel, C / group, depth, height, width).
        out_channel: the number of channels of the result.
        kernel_size: the weight's sizes, or one int for all.
        mode: 1.
        pad_mode: "valid", "same" or "pad".
        pad: for pad_mode "pad", one number or six: before and after each axis.
        stride, dilation: ints or triples of them.
        group: of channels.
        data_format: "NCDHW".

    Raises:
        ValueError: out_channel and kernel_size are not the weight's, or another mode or data_format.

    Examples:
        >>> x, weight = ops.ones((1, 1, 2, 3, 4)), ops.ones((1, 1, 2, 2, 2))
        >>> print(ops.Conv3D(out_channel=1, kernel_size=2)(x, weight))
        [[[[[8. 8. 8.]
            [8. 8. 8.]]]]]
    """
    _check("Conv3D", 3, weight, out_channel, kernel_size, mode, data_format)
    stride, dilation = _steps("Conv3D", 3, stride, dilation)
    return convolved(3, x, weight, None, stride, pad_mode, pad, dilation, group)


_TRANSPOSED = "(out_channel, kernel_size, pad_mode, pad, pad_list, mode, stride, dilation, group, data_format)"


@publish(
    f"""ops.Conv2DBackpropInput{_TRANSPOSED}(out_backprop, filter, input_sizes)
    ops.Conv2DTranspose{_TRANSPOSED}(out_backprop, filter, input_sizes)""",
    in_python=True,
)
def conv2d_input(
    out_backprop: Tensor,
    filter: Tensor,
    input_sizes: Ints,
    out_channel: int,
    kernel_size: Ints,
    pad_mode: str = "valid",
    pad: Ints = 0,
    pad_list: Ints | None = None,
    mode: int = 1,
    stride: Ints = 1,
    dilation: Ints = 1,
    group: int = 1,
    data_format: str = "NCHW",
) -> Any:
    """The gradient of the input, of shape `input_sizes`, of a convolution with `filter`: the transposed convolution. `pad`
    is one number or four (top, bottom, left, right), for pad_mode "pad".

    Args:
        out_backprop: the gradient by the result of the convolution.
        filter: the weight of the convolution.
        input_sizes: the shape of the result.
        out_channel: the number of channels of out_backprop.
        kernel_size: the filter's height and width, or one int for both.
        pad_mode: "valid", "same" or "pad".
        pad: for pad_mode "pad", one number or four: (top, bottom, left, right).
        pad_list: None.
        mode: 1.
        stride, dilation: ints or pairs of them.
        group: of channels.
        data_format: "NCHW".

    Raises:
        ValueError: out_channel and kernel_size are not the filter's, or input_sizes do not fit.

    Examples:
        >>> dout, weight = ops.ones((1, 1, 2, 2)), ops.ones((1, 1, 2, 2))
        >>> print(ops.Conv2DTranspose(out_channel=1, kernel_size=2)(dout, weight, (1, 1, 3, 3)))
        [[[[1. 2. 1.]
           [2. 4. 2.]
           [1. 2. 1.]]]]
    """
    _check("Conv2DBackpropInput", 2, filter, out_channel, kernel_size, mode, data_format)
    if pad_list is not None:
        raise ValueError(f"For 'Conv2DBackpropInput', 'pad_list' must be None: give 'pad', but got {pad_list!r}.")
    stride, dilation = _steps("Conv2DBackpropInput", 2, stride, dilation)
    window = stride, pad, 0, group, dilation, pad_mode
    return _ops.conv_transpose2d(out_backprop, filter, None, *window, tuple(input_sizes)[2:])


@publish(
    """ops.Conv3DTranspose(in_channel, out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group,
    output_padding, data_format)(dout, weight)""",
    in_python=True,
)
def conv3d_transpose(
    dout: Tensor,
    weight: Tensor,
    in_channel: int,
    out_channel: int,
    kernel_size: Ints,
    mode: int = 1,
    pad_mode: str = "valid",
    pad: Ints = 0,
    stride: Ints = 1,
    dilation: Ints = 1,
    group: int = 1,
    output_padding: Ints = 0,
    data_format: str = "NCDHW",
) -> Any:
    """Transposed convolution of volumes (N, C, D, H, W). `pad` is one number or six: before and after each axis, for
    pad_mode "pad"; output_padding leaves more of the result at the end of each axis.

    Args:
        dout: of shape (N, in_channel, D, H, W).
        weight: of shape (in_channel, out_channel / group, depth, height, width).
        in_channel: the number of channels of dout.
        out_channel: the number of channels of the result.
        kernel_size: the weight's sizes, or one int for all.
        mode: 1.
        pad_mode: "valid", "same" or "pad".
        pad: for pad_mode "pad", one number or six: before and after each axis.
        stride, dilation: ints or triples of them.
        group: of channels.
        output_padding: an int or a triple of them: elements more at the end of each axis.
        data_format: "NCDHW".

    Raises:
        ValueError: in_channel and kernel_size are not the weight's, or another mode or data_format.

    Examples:
        >>> dout, weight = ops.ones((1, 1, 1, 1, 2)), ops.ones((1, 1, 1, 2, 2))
        >>> print(ops.Conv3DTranspose(1, 1, (1, 2, 2))(dout, weight))
        [[[[[1. 2. 1.]
            [1. 2. 1.]]]]]
    """
    _check("Conv3DTranspose", 3, weight, in_channel, kernel_size, mode, data_format)
    if weight.shape[1] * group != out_channel:
        raise ValueError(
            f"For 'Conv3DTranspose', 'out_channel' must be the weight's, {weight.shape[1] * group}, but got {out_channel}."
        )
    stride, dilation = _steps("Conv3DTranspose", 3, stride, dilation)
    return _ops.conv_transpose3d(dout, weight, None, stride, pad, output_padding, group, dilation, pad_mode)


def in_batch(function: Callable[..., Any], x: Tensor, axes: int) -> Any:
    """function(x) of (N, C, ...); of one image, (C, ...), as of a batch of it."""
    if x.ndim != axes + 1:
        return function(x)
    out = function(_ops.expand_dims(x, 0))
    return tuple(_ops.squeeze(part, 0) for part in out) if isinstance(out, tuple) else _ops.squeeze(out, 0)


def around(function: str, axes: int, kernel: Any, stride: Any, padding: Any, dilation: Any) -> tuple[int, ...]:
    """Padding before and after each axis: of ints, or by name.

    Raises:
        TypeError: something else.
        ValueError: another name, other numbers than one for each axis, or "same" with a stride.
    """
    if not isinstance(padding, str):
        return tuple(n for n in by_axis(function, "padding", padding, axes, 0) for _ in range(2))
    check_choice(function, "padding", padding, "valid", "same")
    if padding == "valid":
        return (0, 0) * axes
    if max(stride) > 1:
        raise ValueError(f"For '{function}', 'padding' must not be 'same' with a stride, but 'stride' is {stride}.")
    whole = [(k - 1) * d for k, d in zip(kernel, dilation)]
    return tuple(n for both in whole for n in (both // 2, both - both // 2))


_CONVOLVED = """(lambda y: y if bias is None else y + bias.reshape(-1, *[1] * {axes}))(sum(np.einsum('nc...,oc->no...',
    np.pad(input, [(0, 0)] * 2 + [(padding, padding)] * {axes})[(..., *(slice(k, k + n, stride) for k, n in zip(tap, (m + 2
    * padding - w + 1 for m, w in zip(input.shape[2:], weight.shape[2:])))))], weight[(..., *tap)])
    for tap in np.ndindex(*weight.shape[2:])))"""


def _publish_convolution(axes: int, samples: str) -> None:
    name = f"conv{axes}d"

    def convolution(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Ints = 1,
        padding: Any = 0,
        dilation: Ints = 1,
        groups: int = 1,
    ) -> Any:
        check_floating(name, input=input, weight=weight, bias=bias)
        check_rank(name, "input", input, axes + 1, axes + 2)
        check_rank(name, "weight", weight, axes + 2)
        steps, apart = by_axis(name, "stride", stride, axes), by_axis(name, "dilation", dilation, axes)
        check_int(name, "groups", groups, 1)
        pads = around(name, axes, weight.shape[2:], steps, padding, apart)
        return in_batch(lambda x: convolved(axes, x, weight, bias, steps, "pad", pads, apart, groups), input, axes)

    convolution.__name__ = f"{name}_by_names"
    convolution.__doc__ = """Convolution of (N, C, ...) or (C, ...).

    Args:
        weight: of shape (out channels, C / groups, ...).
        bias: of shape (out channels).
        stride, dilation: ints or tuples of one for each axis.
        padding: an int or a tuple of one for each axis; or "valid": none, or "same": as much as keeps the sizes.
        groups: into how many parts channels are divided, each of which sees only itself.

    Raises:
        TypeError: an argument is not of floating point, or sizes that are no ints.
        ValueError: shapes or sizes that do not fit, another name of padding, or "same" with a stride.
    """
    publish(
        f"mint.nn.functional.{name}" + (" mint.conv2d" if axes == 2 else ""),
        numpy=_CONVOLVED.format(axes=axes),
        samples=samples,
        in_python=True,
    )(convolution)


_publish_convolution(1, "f64(2, 3, 8), f64(4, 3, 3); f64(2, 3, 8), f64(4, 3, 3), f64(4), 2, 1")
_publish_convolution(2, "f64(2, 3, 5, 4), f64(4, 3, 3, 2); f64(1, 2, 5, 4), f64(4, 2, 3, 2), f64(4), 2, 1")
_publish_convolution(3, "f64(1, 2, 5, 4, 3), f64(3, 2, 3, 2, 1), f64(3), 1, 1")


_TRANSPOSED_SUM = """(lambda y: y if input.ndim == {axes} + 2 else y[0])((0 if bias is None else bias.reshape(-1, *[1] *
    {axes})) + sum(np.pad(np.einsum('nc...,co->no...', input.reshape(-1, *input.shape[-{axes} - 1:]), weight[(..., *tap)]),
    [(0, 0)] * 2 + [(k, w - 1 - k) for k, w in zip(tap, weight.shape[2:])]) for tap in np.ndindex(*weight.shape[2:])))"""


def _publish_transposed(axes: int, samples: str) -> None:
    name = f"conv_transpose{axes}d"

    def convolution(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Ints = 1,
        padding: Ints = 0,
        output_padding: Ints = 0,
        groups: int = 1,
        dilation: Ints = 1,
    ) -> Any:
        check_rank(name, "input", input, axes + 1, axes + 2)
        window = weight, bias, stride, padding, output_padding, groups, dilation
        return in_batch(lambda x: core.op_table[name](x, *window), input, axes)

    convolution.__name__ = f"{name}_of_one"
    summary = str(core.op_table[name].__doc__).partition("\n")[0]
    convolution.__doc__ = f"""{summary} Of one image, (C, ...), as of a batch of it.

    Raises:
        TypeError: operands that are not of one floating dtype.
        ValueError: shapes or sizes that do not fit.
    """
    publish(f"mint.nn.functional.{name}", numpy=_TRANSPOSED_SUM.format(axes=axes), samples=samples, in_python=True)(
        convolution
    )


_publish_transposed(1, "f64(2, 3, 5), f64(3, 4, 2); f64(3, 5), f64(3, 2, 3), f64(2)")
_publish_transposed(2, "f64(1, 3, 4, 3), f64(3, 2, 2, 3), f64(2); f64(3, 3, 2), f64(3, 2, 2, 2)")
_publish_transposed(3, "f64(1, 2, 3, 2, 2), f64(2, 1, 2, 1, 2), f64(1); f64(2, 1, 2, 2), f64(2, 3, 1, 2, 2)")


@publish(
    "mint.conv_tbc",
    numpy="""sum(np.pad(input, ((pad, pad), (0, 0), (0, 0)))[k:k + len(input) + 2 * pad - len(weight) + 1] @ weight[k]
    for k in range(len(weight))) + bias""",
    samples="f64(6, 2, 3), f64(3, 3, 4), f64(4); f64(5, 1, 2), f64(2, 2, 3), f64(3), 1",
)
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Any:
    """Convolution along the first axis.

    Args:
        input: of shape (time, N, C).
        weight: of shape (kernel size, C, out channels).
        bias: of shape (out channels).
        pad: zeros before and after.

    Raises:
        TypeError: an argument is not of floating point.
        ValueError: the shapes do not fit, or pad is negative.
    """
    check_floating("conv_tbc", input=input, weight=weight, bias=bias)
    check_rank("conv_tbc", "input", input, 3)
    check_rank("conv_tbc", "weight", weight, 3)
    check_rank("conv_tbc", "bias", bias, 1)
    check_int("conv_tbc", "pad", pad, 0)
    x, w = _ops.transpose(input, (1, 2, 0)), _ops.transpose(weight, (2, 1, 0))
    return _ops.transpose(_ops.conv1d(x, w, bias, 1, "pad", pad), (2, 0, 1))


@publish(
    "ops.DepthwiseConv2dNative(channel_multiplier, kernel_size, mode, pad_mode, pad, stride, dilation, group)(x, weight)",
    numpy="""sum((x[:, :, None, i:i + 3, j:j + 4] * weight[:, :, i, j].T[:, :, None, None]).reshape(len(x), -1, 3, 4)
    for i in range(2) for j in range(2))""",
    samples="f64(2, 3, 4, 5), f64(1, 3, 2, 2), 1, 2; f64(1, 2, 4, 5), f64(3, 2, 2, 2), 3, (2, 2)",
)
def depthwise_conv2d(
    x: Tensor,
    weight: Tensor,
    channel_multiplier: int,
    kernel_size: Ints,
    mode: int = 3,
    pad_mode: str = "valid",
    pad: Ints = 0,
    stride: Ints = 1,
    dilation: Ints = 1,
    group: int = 1,
) -> Any:
    """Each channel of images (N, C, H, W) convolved with channel_multiplier kernels of its own.

    Args:
        weight: of shape (channel_multiplier, C, kernel_size).
        pad: one number or four (top, bottom, left, right), for pad_mode "pad".

    Raises:
        ValueError: shapes do not fit, or another mode or group.
    """
    name = "DepthwiseConv2dNative"
    check_rank(name, "x", x, 4)
    expected = (channel_multiplier, x.shape[1], *by_axis(name, "kernel_size", kernel_size, 2))
    check_shape(name, "weight", weight, expected)
    if (mode, group) != (3, 1):
        raise ValueError(f"For '{name}', 'mode' must be 3 and 'group' 1, but got {mode} and {group}.")
    kernels = _ops.reshape(_ops.swapaxes(weight, 0, 1), (expected[0] * expected[1], 1, *expected[2:]))
    return convolved(2, x, kernels, None, stride, pad_mode, pad, dilation, x.shape[1])


@publish(
    "ops.Dilation2D(stride, dilation, pad_mode, data_format)(x, filter)",
    numpy="""np.max([np.pad(x, ((0, 0), (0, 0), (0, 0 if pad_mode == 'VALID' else 1), (0, 0 if pad_mode == 'VALID' else 1)),
    constant_values=-np.inf)[:, :, i:i + x.shape[2] - (pad_mode == 'VALID'), j:j + x.shape[3] - (pad_mode == 'VALID')]
    + filter[:, i, j][:, None, None] for i in range(2) for j in range(2)], 0)""",
    samples="f64(2, 3, 4, 5), f64(3, 2, 2), 1, 1, 'VALID'; f32(2, 3, 4, 5), f32(3, 2, 2), 1, 1",
)
def dilation2d(
    x: Tensor, filter: Tensor, stride: Ints, dilation: Ints, pad_mode: str = "SAME", data_format: str = "NCHW"
) -> Any:
    """The largest sum of an element and the filter's in each window of images (N, C, H, W): greyscale dilation.

    Args:
        filter: of shape (C, height, width).
        stride, dilation: an int, or (1, 1, rows, columns), or (rows, columns).
        pad_mode: "SAME", as many windows as strides fit into the image, or "VALID".

    Raises:
        TypeError: x or filter is not of floating point.
        ValueError: shapes or sizes do not fit, another pad_mode or data_format.
    """
    check_floating("Dilation2D", x=x, filter=filter)
    check_rank("Dilation2D", "x", x, 4)
    check_choice("Dilation2D", "data_format", data_format, "NCHW")
    check_choice("Dilation2D", "pad_mode", pad_mode.upper(), "SAME", "VALID")
    if filter.ndim != 3 or filter.shape[0] != x.shape[1]:
        raise ValueError(
            f"For 'Dilation2D', 'filter' must have shape ({x.shape[1]}, height, width), but its shape is {filter.shape}."
        )
    steps, apart = (
        by_axis("Dilation2D", name, value[-2:] if isinstance(value, (tuple, list)) else value, 2)
        for name, value in (("stride", stride), ("dilation", dilation))
    )
    pads: list[int] = []
    ends: list[int] = []
    for size, k, step, d in zip(x.shape[2:], filter.shape[1:], steps, apart):
        reach = (k - 1) * d + 1
        count = -(-size // step) if pad_mode.upper() == "SAME" else (size - reach) // step + 1
        if count < 1:
            raise ValueError(f"For 'Dilation2D', a window of {reach} does not fit into a size of {size}.")
        room = max((count - 1) * step + reach - size, 0)
        pads = [room // 2, room - room // 2, *pads]
        ends.append((count - 1) * step + 1)
    wide = _ops.pad(x, pads, "constant", float("-inf"))
    result = None
    for i in range(filter.shape[1]):
        for j in range(filter.shape[2]):
            at = i * apart[0], j * apart[1]
            region = (*x.shape[:2], at[0] + ends[0], at[1] + ends[1])
            window = _ops.strided_slice(wide, (0, 0, *at), region, (1, 1, *steps))
            window = window + _ops.reshape(filter[:, i, j], (-1, 1, 1))
            result = window if result is None else _ops.maximum(result, window)
    return result
