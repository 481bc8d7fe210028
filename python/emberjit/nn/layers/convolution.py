"""Convolution and its transposed form as cells. Those of one size are those of two with a height of 1, as are their
Parameters."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit import dtype as types
from emberjit.checks import by_axis, check_choice, check_int, check_rank
from emberjit.functions.layers.convolution import bias_apart, convolved
from emberjit.nn.cell import Cell
from emberjit.nn.layers.dense import add_weight_and_bias

_ops = core.ops


def check_padding(cell: str, padding: tuple[int, ...], pad_mode: str) -> None:
    """Refuses a padding of what pads by itself."""
    if pad_mode.lower() != "pad" and any(padding):
        raise ValueError(f"For '{cell}', 'padding' must be 0 unless 'pad_mode' is 'pad', which is {pad_mode!r}.")


class BaseConv(Cell):
    """What convolutions share: their sizes and Parameters."""

    axes = 2
    transposed = False
    bias: Any

    def _make(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        pad_mode: str,
        padding: Any,
        dilation: Any,
        group: int,
        has_bias: bool,
        weight_init: Any,
        bias_init: Any,
        dtype: Any,
    ) -> None:
        cell = type(self).__name__
        self._take_channels(in_channels, out_channels, group)
        self.kernel_size = by_axis(cell, "kernel_size", kernel_size, self.axes, kinds=tuple)
        self.stride = by_axis(cell, "stride", stride, self.axes, kinds=tuple)
        self.dilation = by_axis(cell, "dilation", dilation, self.axes, kinds=tuple)
        check_choice(cell, "pad_mode", pad_mode, "same", "valid", "pad")
        check_padding(cell, by_axis(cell, "padding", padding, 2 * self.axes, 0, kinds=tuple), pad_mode)
        self.pad_mode, self.padding, self.has_bias = pad_mode, padding, has_bias
        self._make_parameters(weight_init, bias_init, dtype)

    def _take_channels(self, in_channels: int, out_channels: int, group: int) -> None:
        cell = type(self).__name__
        self.in_channels = check_int(cell, "in_channels", in_channels, 1)
        self.out_channels = check_int(cell, "out_channels", out_channels, 1)
        self.group = check_int(cell, "group", group, 1)
        if in_channels % group or out_channels % group:
            raise ValueError(
                f"For '{cell}', 'group' ({group}) must divide 'in_channels' ({in_channels}) and 'out_channels' "
                f"({out_channels})."
            )

    def _make_parameters(self, weight_init: Any, bias_init: Any, dtype: Any) -> None:
        channels = self.out_channels, self.in_channels
        outer, inner = reversed(channels) if self.transposed else channels
        shape = (outer, inner // self.group, *self.kernel_size)
        add_weight_and_bias(self, shape, self.out_channels, weight_init, bias_init, self.has_bias, dtype)

    def construct(self, x: Any) -> Any:
        bias, added = bias_apart(self.bias)
        y = self._result(x, bias)
        return y if added is None else y + added.reshape((-1,) + (1,) * self.axes)

    def _result(self, x: core.Tensor, bias: core.Tensor | None) -> Any:
        if self.transposed:
            op, extra = core.op_table[f"conv_transpose{self.axes}d"], self._output_padding()
            return op(x, self.weight, bias, self.stride, self.padding, extra, self.group, self.dilation, self.pad_mode)
        window = self.stride, self.pad_mode, self.padding, self.dilation, self.group
        return convolved(self.axes, x, self.weight, bias, *window)

    def _output_padding(self) -> Any:
        return 0

    def _multiply_adds(self, inputs: tuple[Any, ...], output: Any) -> int:
        at, channels = (inputs[0], self.in_channels) if self.transposed else (output, self.out_channels)
        return int(at.size // channels * self.weight.size)

    def extend_repr(self) -> str:
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}"
        )


class _Conv(BaseConv):
    """What programs derive convolutions of their own from: sizes as they are given, and the Parameters.

    Raises:
        TypeError: channels or group that are no ints, or sizes that are no tuples or lists of them.
        ValueError: one is not positive, group does not divide the channels, or there is no such data_format.
        NotImplementedError: called, without a construct of the derived class.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, ...],
        stride: tuple[int, ...],
        pad_mode: str,
        padding: Any,
        dilation: tuple[int, ...],
        group: int,
        has_bias: bool,
        weight_init: Any,
        bias_init: Any,
        data_format: str = "NCHW",
        transposed: bool = False,
        dtype: Any = types.float32,
    ):
        super().__init__()
        cell = type(self).__name__
        for name, sizes in (("kernel_size", kernel_size), ("stride", stride), ("dilation", dilation)):
            if not isinstance(sizes, (tuple, list)):
                raise TypeError(f"For '{cell}', '{name}' must be a tuple of ints, but got {sizes!r}.")
            for size in sizes:
                check_int(cell, name, size, 1)
        check_choice(cell, "data_format", data_format, "NCHW", "NCDHW")
        self._take_channels(in_channels, out_channels, group)
        self.kernel_size, self.stride, self.dilation = kernel_size, stride, dilation
        self.pad_mode, self.padding, self.has_bias = pad_mode, padding, has_bias
        self.data_format, self.transposed = data_format, transposed
        self._make_parameters(weight_init, bias_init, dtype)

    def construct(self, *inputs: Any) -> Any:
        raise NotImplementedError(f"For '{type(self).__name__}', there is no construct.")


def _deconv_output_length(
    is_valid: bool,
    is_same: bool,
    is_pad: bool,
    input_length: int,
    filter_size: int,
    stride_size: int,
    dilation_size: int,
    padding: int,
) -> int:
    """The size along one axis of a transposed convolution's result; 0 if no mode of padding is given."""
    scaled, more = input_length * stride_size, dilation_size * (filter_size - 1) + 1 - stride_size
    if is_valid:
        return scaled + max(more, 0)
    if is_same:
        return scaled
    return scaled + more - padding if is_pad else 0


class _Conv1d(BaseConv):
    """Of (N, C, W), as one of (N, C, 1, W)."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        pad_mode: str = "same",
        padding: int = 0,
        dilation: int = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = types.float32,
    ):
        super().__init__()
        cell = type(self).__name__
        for name, value in (("kernel_size", kernel_size), ("stride", stride), ("dilation", dilation)):
            check_int(cell, name, value, 1)
        check_int(cell, "padding", padding, 0)
        if isinstance(weight_init, core.Tensor):
            check_rank(cell, "weight_init", weight_init, 3)
            weight_init = weight_init.expand_dims(2)
        window = (1, kernel_size), (1, stride), pad_mode, (0, 0, padding, padding), (1, dilation)
        self._make(in_channels, out_channels, *window, group, has_bias, weight_init, bias_init, dtype)

    def construct(self, x: Any) -> Any:
        if x.ndim != 3:
            raise ValueError(f"For '{type(self).__name__}', the input must have 3 axes, but got {x.ndim}.")
        return super().construct(x.expand_dims(2)).squeeze(2)


class Conv1d(_Conv1d):
    """1-D convolution (cross-correlation) of sequences of channels; weight is of shape (out_channels, in_channels / group,
    1, kernel_size).

    Args:
        in_channels: the number of channels of the input, C.
        out_channels: that of the result.
        kernel_size: the size of the window, an int.
        stride: how far the window moves, an int.
        pad_mode: "same": the result has the input's size / stride, rounded up; "valid": no padding; "pad": as padding says.
        padding: how many zeros are added on each side for pad_mode "pad", an int.
        dilation: the distance of the kernel's elements, an int.
        group: into how many groups channels are divided, each of which is convolved by itself.
        has_bias: whether there is a bias, (out_channels,).
        weight_init, bias_init: initial values: an initializer, its name, a number or a Tensor; None: uniform within 1 /
            sqrt(fan in), as in PyTorch.
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (N, in_channels, L).

    Returns:
        A Tensor (N, out_channels, L').

    Raises:
        TypeError: channels or sizes that are no ints.
        ValueError: channels that group does not divide, sizes that are not positive, an unknown pad_mode, or padding without
            pad_mode "pad"; when called: a shape does not fit.

    Examples:
        >>> conv = nn.Conv1d(1, 1, kernel_size=3, weight_init="ones")
        >>> print(conv(Tensor([[[1.0, 2.0, 3.0, 4.0]]])))
        [[[3. 6. 9. 7.]]]
    """


class Conv1dTranspose(_Conv1d):
    """Transposed 1-D convolution of sequences of channels, the gradient of Conv1d by its input; weight is of shape
    (in_channels, out_channels / group, 1, kernel_size).

    Args:
        in_channels: the number of channels of the input, C.
        out_channels: that of the result.
        kernel_size: the size of the window, an int.
        stride: how far apart the input's elements are put in the result, an int.
        pad_mode: "same": the result has the input's size * stride; "valid": as much more as the dilated kernel exceeds
            stride; "pad": that less the padding of both sides.
        padding: how many elements are cut off on each side for pad_mode "pad", an int.
        dilation: the distance of the kernel's elements, an int.
        group: into how many groups channels are divided, each of which is convolved by itself.
        has_bias: whether there is a bias, (out_channels,).
        weight_init, bias_init: initial values: an initializer, its name, a number or a Tensor; None: uniform within 1 /
            sqrt(fan in), as in PyTorch.
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (N, in_channels, L).

    Returns:
        A Tensor (N, out_channels, L').

    Raises:
        TypeError: channels or sizes that are no ints.
        ValueError: channels that group does not divide, sizes that are not positive, an unknown pad_mode, or padding without
            pad_mode "pad"; when called: a shape does not fit.

    Examples:
        >>> conv = nn.Conv1dTranspose(1, 1, kernel_size=3, stride=2, pad_mode="valid", weight_init="ones")
        >>> print(conv(Tensor([[[1.0, 2.0]]])))
        [[[1. 1. 3. 2. 2.]]]
    """

    transposed = True


class Conv2d(BaseConv):
    """2-D convolution (cross-correlation) of images; weight is of shape (out_channels, in_channels / group, kernel height,
    kernel width).

    Args:
        in_channels: the number of channels of the input, C.
        out_channels: that of the result.
        kernel_size: the size of the window, an int or a tuple of two.
        stride: how far the window moves, an int or a tuple of two.
        pad_mode: "same": the result has the input's size / stride, rounded up; "valid": no padding; "pad": as padding says.
        padding: how many zeros are added for pad_mode "pad": an int for all sides, or (top, bottom, left, right).
        dilation: the distance of the kernel's elements, an int or a tuple of two.
        group: into how many groups channels are divided, each of which is convolved by itself.
        has_bias: whether there is a bias, (out_channels,).
        weight_init, bias_init: initial values: an initializer, its name, a number or a Tensor; None: uniform within 1 /
            sqrt(fan in), as in PyTorch.
        data_format: "NCHW".
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (N, in_channels, H, W).

    Returns:
        A Tensor (N, out_channels, H', W').

    Raises:
        TypeError: channels or sizes that are no ints.
        ValueError: channels that group does not divide, sizes that are not positive, an unknown pad_mode or data_format, or
            padding without pad_mode "pad"; when called: a shape does not fit.

    Examples:
        >>> conv = nn.Conv2d(1, 2, kernel_size=2, pad_mode="valid", weight_init="ones")
        >>> x = Tensor(np.arange(9).reshape(1, 1, 3, 3), ms.float32)
        >>> print(conv(x)[0, 0])
        [[ 8. 12.]
         [20. 24.]]
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCHW",
        dtype: Any = types.float32,
    ):
        super().__init__()
        check_choice("Conv2d", "data_format", data_format, "NCHW")
        window = kernel_size, stride, pad_mode, padding, dilation
        self._make(in_channels, out_channels, *window, group, has_bias, weight_init, bias_init, dtype)


class Conv3d(BaseConv):
    """3-D convolution (cross-correlation) of volumes; weight is of shape (out_channels, in_channels / group, kernel depth,
    kernel height, kernel width).

    Args:
        in_channels: the number of channels of the input, C.
        out_channels: that of the result.
        kernel_size: the size of the window, an int or a tuple of three.
        stride: how far the window moves, an int or a tuple of three.
        pad_mode: "same": the result has the input's size / stride, rounded up; "valid": no padding; "pad": as padding says.
        padding: how many zeros are added for pad_mode "pad": an int for all sides, or six: before and after depth, height
            and width.
        dilation: the distance of the kernel's elements, an int or a tuple of three.
        group: into how many groups channels are divided, each of which is convolved by itself.
        has_bias: whether there is a bias, (out_channels,).
        weight_init, bias_init: initial values: an initializer, its name, a number or a Tensor; None: uniform within 1 /
            sqrt(fan in), as in PyTorch.
        data_format: "NCDHW".
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (N, in_channels, D, H, W).

    Returns:
        A Tensor (N, out_channels, D', H', W').

    Raises:
        TypeError: channels or sizes that are no ints.
        ValueError: channels that group does not divide, sizes that are not positive, an unknown pad_mode or data_format, or
            padding without pad_mode "pad"; when called: a shape does not fit.

    Examples:
        >>> conv = nn.Conv3d(1, 2, kernel_size=2, pad_mode="valid", weight_init="ones")
        >>> print(conv(Tensor(np.ones((1, 1, 3, 3, 3)), ms.float32))[0, 0, 0])
        [[8. 8.]
         [8. 8.]]
    """

    axes = 3

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCDHW",
        dtype: Any = types.float32,
    ):
        super().__init__()
        check_choice("Conv3d", "data_format", data_format, "NCDHW")
        window = kernel_size, stride, pad_mode, padding, dilation
        self._make(in_channels, out_channels, *window, group, has_bias, weight_init, bias_init, dtype)


def _check_extra(cell: BaseConv, output_padding: Any) -> tuple[int, ...]:
    name = type(cell).__name__
    extra = by_axis(name, "output_padding", output_padding, cell.axes, 0, kinds=tuple)
    if any(n >= max(s, d) for n, s, d in zip(extra, cell.stride, cell.dilation)):
        raise ValueError(
            f"For '{name}', 'output_padding' must be less than 'stride' or 'dilation', but got {output_padding}."
        )
    if any(extra) and cell.pad_mode != "pad":
        raise ValueError(f"For '{name}', 'output_padding' must be 0 unless 'pad_mode' is 'pad'.")
    return extra


class Conv2dTranspose(BaseConv):
    """Transposed 2-D convolution of images, the gradient of Conv2d by its input; weight is of shape (in_channels,
    out_channels / group, kernel height, kernel width).

    Args:
        in_channels: the number of channels of the input, C.
        out_channels: that of the result.
        kernel_size: the size of the window, an int or a tuple of two.
        stride: how far apart the input's elements are put in the result, an int or a tuple of two.
        pad_mode: "same": the result has the input's size * stride; "valid": as much more as the dilated kernel exceeds
            stride; "pad": that less the padding of both sides.
        padding: how much is cut off for pad_mode "pad": an int for all sides, or (top, bottom, left, right).
        output_padding: how many rows and columns of zeros are added at the end, as in MindSpore, for pad_mode "pad": an int
            or a tuple of two.
        dilation: the distance of the kernel's elements, an int or a tuple of two.
        group: into how many groups channels are divided, each of which is convolved by itself.
        has_bias: whether there is a bias, (out_channels,).
        weight_init, bias_init: initial values: an initializer, its name, a number or a Tensor; None: uniform within 1 /
            sqrt(fan in), as in PyTorch.
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (N, in_channels, H, W).

    Returns:
        A Tensor (N, out_channels, H', W').

    Raises:
        TypeError: channels or sizes that are no ints.
        ValueError: channels that group does not divide, sizes that are not positive, an unknown pad_mode, or padding without
            pad_mode "pad", or output_padding that is not less than stride or dilation; when called: a shape does not fit.

    Examples:
        >>> conv = nn.Conv2dTranspose(1, 1, kernel_size=2, stride=2, pad_mode="valid", weight_init="ones")
        >>> print(conv(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]))[0, 0])
        [[1. 1. 2. 2.]
         [1. 1. 2. 2.]
         [3. 3. 4. 4.]
         [3. 3. 4. 4.]]
    """

    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        output_padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = types.float32,
    ):
        super().__init__()
        window = kernel_size, stride, pad_mode, padding, dilation
        self._make(in_channels, out_channels, *window, group, has_bias, weight_init, bias_init, dtype)
        self.output_padding = _check_extra(self, output_padding)

    def construct(self, x: Any) -> Any:
        y, (rows, columns) = super().construct(x), self.output_padding
        return _ops.pad(y, (0, columns, 0, rows)) if rows or columns else y


class Conv3dTranspose(BaseConv):
    """Transposed 3-D convolution of volumes, the gradient of Conv3d by its input; weight is of shape (in_channels,
    out_channels / group, kernel depth, kernel height, kernel width).

    Args:
        in_channels: the number of channels of the input, C.
        out_channels: that of the result.
        kernel_size: the size of the window, an int or a tuple of three.
        stride: how far apart the input's elements are put in the result, an int or a tuple of three.
        pad_mode: "same": the result has the input's size * stride; "valid": as much more as the dilated kernel exceeds
            stride; "pad": that less the padding of both sides.
        padding: how much is cut off for pad_mode "pad": an int for all sides, or six: before and after depth, height and
            width.
        dilation: the distance of the kernel's elements, an int or a tuple of three.
        group: into how many groups channels are divided, each of which is convolved by itself.
        output_padding: how much more of the result stays at the end of each axis, for pad_mode "pad": an int or a tuple of
            three.
        has_bias: whether there is a bias, (out_channels,).
        weight_init, bias_init: initial values: an initializer, its name, a number or a Tensor; None: uniform within 1 /
            sqrt(fan in), as in PyTorch.
        data_format: "NCDHW".
        dtype: of the Parameters.

    Inputs:
        x: a Tensor (N, in_channels, D, H, W).

    Returns:
        A Tensor (N, out_channels, D', H', W').

    Raises:
        TypeError: channels or sizes that are no ints.
        ValueError: channels that group does not divide, sizes that are not positive, an unknown pad_mode or data_format, or
            padding without pad_mode "pad", or output_padding that is not less than stride or dilation; when called: a shape
            does not fit.

    Examples:
        >>> conv = nn.Conv3dTranspose(1, 1, kernel_size=2, stride=2, weight_init="ones")
        >>> print(conv(Tensor(np.ones((1, 1, 2, 3, 4)), ms.float32)).shape)
        (1, 1, 4, 6, 8)
    """

    axes = 3
    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        output_padding: Any = 0,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCDHW",
        dtype: Any = types.float32,
    ):
        super().__init__()
        check_choice("Conv3dTranspose", "data_format", data_format, "NCDHW")
        window = kernel_size, stride, pad_mode, padding, dilation
        self._make(in_channels, out_channels, *window, group, has_bias, weight_init, bias_init, dtype)
        self.output_padding = _check_extra(self, output_padding)

    def _output_padding(self) -> Any:
        return self.output_padding
