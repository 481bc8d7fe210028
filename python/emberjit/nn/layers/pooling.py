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
    """The largest element of each window of (N, C, L). With return_indices also its index (int64).

    Raises:
        TypeError: sizes that are no ints.
        ValueError: sizes that are not positive, an unknown pad_mode; padding, dilation, return_indices or ceil_mode without
            pad_mode "pad".
    """

    axes = 1


class MaxPool2d(_MaxPool):
    """The largest element of each window of (N, C, H, W). With return_indices also its index in the plane (int64).

    Raises: as MaxPool1d does; ValueError for another data_format than NCHW.
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
    """The largest element of each window of (N, C, D, H, W). With return_indices also its index in the volume (int64).

    Raises: as MaxPool1d does.
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
    """The mean of each window of (N, C, L), whose padding counts unless count_include_pad is False.

    Raises:
        TypeError: sizes that are no ints.
        ValueError: sizes that are not positive, an unknown pad_mode, padding without pad_mode "pad".
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
    """The mean of each window of (N, C, H, W), whose padding counts unless count_include_pad is False; or its sum over
    divisor_override.

    Raises: as AvgPool1d does; ValueError for another data_format than NCHW.
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
    """The mean of each window of (N, C, D, H, W), whose padding counts unless count_include_pad is False; or its sum over
    divisor_override.

    Raises: as AvgPool1d does.
    """

    axes = 3


class AdaptiveAvgPool1d(Cell):
    """The means of output_size windows of (N, C, L), which divide it as evenly as they can.

    Raises:
        TypeError: output_size is no int.
        ValueError: output_size is not positive.
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
    """The means of windows of (N, C, H, W) or (C, H, W), which divide rows and columns as evenly as they can.

    Args:
        output_size: how many; one int for both, or a tuple of two, where None keeps the size.

    Raises:
        TypeError: output_size is neither.
        ValueError: output_size is negative, or not of two.
    """


class AdaptiveAvgPool3d(_AdaptiveAvgPool):
    """The means of windows of (N, C, D, H, W) or (C, D, H, W), which divide each axis as evenly as they can.

    Args and Raises: as AdaptiveAvgPool2d, of three axes.
    """

    axes = 3
