"""Pooling as cells. Each takes images in a batch, (N, C, sizes), or one image, (C, sizes)."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import by_axis, check_choice, check_int
from emberjit.functions.layers.convolution import in_batch
from emberjit.functions.layers.pooling import adaptive_sizes
from emberjit.nn.cell import Cell
from emberjit.nn.layers.convolution import check_padding

_ops = core.ops


def _sizes(cell: str, name: str, value: Any, axes: int) -> tuple[int, ...]:
    return (check_int(cell, name, value, 1),) if axes == 1 else by_axis(cell, name, value, axes, kinds=tuple)


def _padding(cell: str, value: Any, axes: int) -> tuple[int, ...]:
    whole = tuple(value) if isinstance(value, (tuple, list)) else value
    return by_axis(
        cell, "padding", whole * axes if isinstance(whole, tuple) and len(whole) == 1 else whole, axes, 0, kinds=tuple
    )


class _Pool(Cell):
    _stateless = True
    axes = 2

    def __init__(self, kernel_size: Any, stride: Any, pad_mode: str, padding: Any, ceil_mode: bool):
        super().__init__()
        cell = type(self).__name__
        self.pad_mode = pad_mode.lower() if isinstance(pad_mode, str) else pad_mode
        check_choice(cell, "pad_mode", self.pad_mode, "same", "valid", "pad")
        self.kernel_size = _sizes(cell, "kernel_size", kernel_size, self.axes)
        self.stride = _sizes(cell, "stride", stride, self.axes)
        self.padding, self.ceil_mode = _padding(cell, padding, self.axes), ceil_mode
        check_padding(cell, self.padding, pad_mode)

    def construct(self, x: Any) -> Any:
        return in_batch(self._pool, x, self.axes)

    def _pool(self, x: core.Tensor) -> Any:
        raise NotImplementedError

    def extend_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode.upper()}"


class _MaxPool(_Pool):
    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ):
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode)
        cell = type(self).__name__
        self.dilation, self.return_indices = by_axis(cell, "dilation", dilation, self.axes, kinds=tuple), return_indices
        if self.pad_mode != "pad" and (return_indices or ceil_mode or set(self.dilation) != {1}):
            raise ValueError(
                f"For '{cell}', 'dilation', 'return_indices' and 'ceil_mode' need 'pad_mode' to be 'pad', but it is "
                f"{pad_mode!r}."
            )

    def _pool(self, x: core.Tensor) -> Any:
        window = self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode
        if self.return_indices:
            return _ops.max_pool_with_indices(x, *window)
        return core.op_table[f"max_pool{self.axes}d"](x, *window, self.pad_mode)


class MaxPool1d(_MaxPool):
    """The largest element of each window of sequences.

    Args:
        kernel_size: the size of the window, an int.
        stride: how far the window moves, an int.
        pad_mode: "same": the result has the input's size / stride, rounded up; "valid": no padding; "pad": as padding says.
        padding: how many elements, of minus infinity, are added on both sides for pad_mode "pad", an int.
        dilation: the distance of the window's elements, an int; other than 1 for pad_mode "pad" only.
        return_indices: whether the elements' indices are returned, too, for pad_mode "pad" only.
        ceil_mode: whether sizes of the result are rounded up, for pad_mode "pad" only.

    Inputs:
        x: a Tensor (N, C, L) or (C, L).

    Returns:
        A Tensor with the axes of x; with return_indices a pair of it and of each element's index, of int64.

    Raises:
        TypeError: sizes that are no ints.
        ValueError: sizes that are not positive, an unknown pad_mode; padding, dilation, return_indices or ceil_mode without
            pad_mode "pad".

    Examples:
        >>> pool = nn.MaxPool1d(kernel_size=2, stride=2)
        >>> print(pool(Tensor([[[1.0, 3.0, 2.0, 0.0]]])))
        [[[3. 2.]]]
    """

    axes = 1


class MaxPool2d(_MaxPool):
    """The largest element of each window of images.

    Args:
        kernel_size: the size of the window, an int or a tuple of two.
        stride: how far the window moves, an int or a tuple of two.
        pad_mode: "same": the result has the input's size / stride, rounded up; "valid": no padding; "pad": as padding says.
        padding: how many elements, of minus infinity, are added on both sides for pad_mode "pad", an int or a tuple of two.
        dilation: the distance of the window's elements, an int or a tuple of two; other than 1 for pad_mode "pad" only.
        return_indices: whether the elements' indices are returned, too, for pad_mode "pad" only.
        ceil_mode: whether sizes of the result are rounded up, for pad_mode "pad" only.
        data_format: "NCHW".

    Inputs:
        x: a Tensor (N, C, H, W) or (C, H, W).

    Returns:
        A Tensor with the axes of x; with return_indices a pair of it and of each element's index in its plane, of int64.

    Raises:
        TypeError: sizes that are no ints.
        ValueError: sizes that are not positive, an unknown pad_mode, another data_format; padding, dilation, return_indices
            or ceil_mode without pad_mode "pad".

    Examples:
        >>> pool = nn.MaxPool2d(kernel_size=2, stride=2)
        >>> print(pool(Tensor(np.arange(16).reshape(1, 4, 4), ms.float32)))
        [[[ 5.  7.]
          [13. 15.]]]
    """

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
    ):
        check_choice("MaxPool2d", "data_format", data_format, "NCHW")
        super().__init__(kernel_size, stride, pad_mode, padding, dilation, return_indices, ceil_mode)


class MaxPool3d(_MaxPool):
    """The largest element of each window of volumes.

    Args:
        kernel_size: the size of the window, an int or a tuple of three.
        stride: how far the window moves, an int or a tuple of three.
        pad_mode: "same": the result has the input's size / stride, rounded up; "valid": no padding; "pad": as padding says.
        padding: how many elements, of minus infinity, are added on both sides for pad_mode "pad", an int or a tuple of
            three.
        dilation: the distance of the window's elements, an int or a tuple of three; other than 1 for pad_mode "pad" only.
        return_indices: whether the elements' indices are returned, too, for pad_mode "pad" only.
        ceil_mode: whether sizes of the result are rounded up, for pad_mode "pad" only.

    Inputs:
        x: a Tensor (N, C, D, H, W) or (C, D, H, W).

    Returns:
        A Tensor with the axes of x; with return_indices a pair of it and of each element's index in its volume, of int64.

    Raises:
        TypeError: sizes that are no ints.
        ValueError: sizes that are not positive, an unknown pad_mode; padding, dilation, return_indices or ceil_mode without
            pad_mode "pad".

    Examples:
        >>> pool = nn.MaxPool3d(kernel_size=2, pad_mode="pad", return_indices=True)
        >>> values, indices = pool(Tensor(np.arange(8).reshape(1, 2, 2, 2), ms.float32))
        >>> print(values.reshape((-1,)), indices.reshape((-1,)))
        [7.] [7]
    """

    axes = 3


class _AvgPool(_Pool):
    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ):
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode)
        if divisor_override is not None:
            check_int(type(self).__name__, "divisor_override", divisor_override, 1)
        self.divisor_override = 0 if divisor_override is None else divisor_override
        # MindSpore's pad_mode "same" counts the padding only where one of these arguments is counts, or in volumes.
        counts = self.pad_mode == "pad" or ceil_mode or divisor_override is not None or self.axes == 3
        self.count_include_pad = count_include_pad and counts

    def _pool(self, x: core.Tensor) -> Any:
        options = self.ceil_mode, self.count_include_pad, self.divisor_override
        return core.op_table[f"avg_pool{self.axes}d"](
            x, self.kernel_size, self.stride, self.padding, *options, self.pad_mode
        )


class AvgPool1d(_AvgPool):
    """The mean of each window of sequences.

    Args:
        kernel_size: the size of the window, an int.
        stride: how far the window moves, an int.
        pad_mode: "same": the result has the input's size / stride, rounded up; "valid": no padding; "pad": as padding says.
        padding: how many zeros are added on both sides for pad_mode "pad", an int.
        ceil_mode: whether sizes of the result are rounded up.
        count_include_pad: whether padding counts among the elements of a window; that of pad_mode "same" does with ceil_mode
            only.

    Inputs:
        x: a Tensor (N, C, L) or (C, L).

    Returns:
        A Tensor with the axes of x.

    Raises:
        TypeError: sizes that are no ints.
        ValueError: sizes that are not positive, an unknown pad_mode, or padding without pad_mode "pad".

    Examples:
        >>> pool = nn.AvgPool1d(kernel_size=2, stride=2)
        >>> print(pool(Tensor([[[1.0, 3.0, 2.0, 0.0]]])))
        [[[2. 1.]]]
    """

    axes = 1

    def __init__(
        self,
        kernel_size: int = 1,
        stride: int = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ):
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad)


class AvgPool2d(_AvgPool):
    """The mean of each window of images.

    Args:
        kernel_size: the size of the window, an int or a tuple of two.
        stride: how far the window moves, an int or a tuple of two.
        pad_mode: "same": the result has the input's size / stride, rounded up; "valid": no padding; "pad": as padding says.
        padding: how many zeros are added on both sides for pad_mode "pad", an int or a tuple of two.
        ceil_mode: whether sizes of the result are rounded up.
        count_include_pad: whether padding counts among the elements of a window; that of pad_mode "same" does with ceil_mode
            or divisor_override only.
        divisor_override: by what the sum of a window is divided, a positive int; None: by the number of its elements.
        data_format: "NCHW".

    Inputs:
        x: a Tensor (N, C, H, W) or (C, H, W).

    Returns:
        A Tensor with the axes of x.

    Raises:
        TypeError: sizes that are no ints.
        ValueError: sizes that are not positive, an unknown pad_mode or data_format, padding without pad_mode "pad", or
            divisor_override that is not positive.

    Examples:
        >>> pool = nn.AvgPool2d(kernel_size=2, stride=2)
        >>> print(pool(Tensor(np.arange(16).reshape(1, 4, 4), ms.float32)))
        [[[ 2.5  4.5]
          [10.5 12.5]]]
    """

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
        data_format: str = "NCHW",
    ):
        check_choice("AvgPool2d", "data_format", data_format, "NCHW")
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad, divisor_override)


class AvgPool3d(_AvgPool):
    """The mean of each window of volumes.

    Args:
        kernel_size: the size of the window, an int or a tuple of three.
        stride: how far the window moves, an int or a tuple of three.
        pad_mode: "same": the result has the input's size / stride, rounded up; "valid": no padding; "pad": as padding says.
        padding: how many zeros are added on both sides for pad_mode "pad", an int or a tuple of three.
        ceil_mode: whether sizes of the result are rounded up.
        count_include_pad: whether padding counts among the elements of a window.
        divisor_override: by what the sum of a window is divided, a positive int; None: by the number of its elements.

    Inputs:
        x: a Tensor (N, C, D, H, W) or (C, D, H, W).

    Returns:
        A Tensor with the axes of x.

    Raises:
        TypeError: sizes that are no ints.
        ValueError: sizes that are not positive, an unknown pad_mode, padding without pad_mode "pad", or divisor_override
            that is not positive.

    Examples:
        >>> pool = nn.AvgPool3d(kernel_size=2, stride=2)
        >>> print(pool(Tensor(np.arange(8).reshape(1, 2, 2, 2), ms.float32)))
        [[[[3.5]]]]
    """

    axes = 3


class AdaptiveAvgPool1d(Cell):
    """The means of output_size windows, which divide sequences as evenly as they can.

    Args:
        output_size: how many windows there are, an int.

    Inputs:
        input: a Tensor (N, C, L) or (C, L).

    Returns:
        A Tensor (N, C, output_size) or (C, output_size).

    Raises:
        TypeError: output_size is no int.
        ValueError: output_size is not positive.

    Examples:
        >>> pool = nn.AdaptiveAvgPool1d(2)
        >>> print(pool(Tensor([[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]])))
        [[[2. 5.]]]
    """

    _stateless = True

    def __init__(self, output_size: int):
        super().__init__()
        self.output_size = check_int("AdaptiveAvgPool1d", "output_size", output_size, 1)

    def construct(self, input: Any) -> Any:
        return _ops.adaptive_avg_pool1d(input, self.output_size)


class _AdaptiveAvgPool(Cell):
    _stateless = True
    axes = 2

    def __init__(self, output_size: Any):
        super().__init__()
        self.output_size = adaptive_sizes(f"AdaptiveAvgPool{self.axes}d", output_size, self.axes)

    def construct(self, input: Any) -> Any:
        return core.op_table[f"adaptive_avg_pool{self.axes}d"](input, self.output_size)


class AdaptiveAvgPool2d(_AdaptiveAvgPool):
    """The means of windows, which divide rows and columns of images as evenly as they can.

    Args:
        output_size: how many rows and columns the result has: an int for both, or a tuple of two, where None keeps the size.

    Inputs:
        input: a Tensor (N, C, H, W) or (C, H, W).

    Returns:
        A Tensor with the axes of input.

    Raises:
        TypeError: output_size is neither.
        ValueError: output_size is negative, or not of two.

    Examples:
        >>> pool = nn.AdaptiveAvgPool2d((2, None))
        >>> print(pool(Tensor(np.arange(8).reshape(1, 4, 2), ms.float32)))
        [[[1. 2.]
          [5. 6.]]]
    """


class AdaptiveAvgPool3d(_AdaptiveAvgPool):
    """The means of windows, which divide each axis of volumes as evenly as they can.

    Args:
        output_size: the sizes of the result: an int for all axes, or a tuple of three, where None keeps the size.

    Inputs:
        input: a Tensor (N, C, D, H, W) or (C, D, H, W).

    Returns:
        A Tensor with the axes of input.

    Raises:
        TypeError: output_size is neither.
        ValueError: output_size is negative, or not of three.

    Examples:
        >>> pool = nn.AdaptiveAvgPool3d((1, 1, None))
        >>> print(pool(Tensor(np.arange(8).reshape(1, 2, 2, 2), ms.float32)))
        [[[[3. 4.]]]]
    """

    axes = 3
