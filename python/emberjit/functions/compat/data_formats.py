"""Axes of images in the orders NHWC and NCHW."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_choice
from emberjit.publish.kinds import Tensor
from emberjit.publish.registry import publish

_ops = core.ops


@publish(
    "ops.DataFormatDimMap(src_format, dst_format)(input_x)",
    numpy="np.array([src_format.index(c) for c in dst_format])[input_x]",
    samples="i32(6) % 4; i32(3) % 4, 'NCHW', 'NHWC'",
)
def data_format_dim_map(input_x: Tensor, src_format: str = "NHWC", dst_format: str = "NCHW") -> Any:
    """Where axes of one order of images are in another.

    Args:
        input_x: indices of axes, which may count from the end.
        src_format: the order in which they are looked for, "NHWC" or "NCHW".
        dst_format: the order that they mean.

    Raises:
        ValueError: a format is unknown.
        IndexError: an index is out of range.
    """
    return _ops.gather(core.Tensor(_places("DataFormatDimMap", src_format, dst_format), input_x.dtype), input_x, 0)


def _places(function: str, src_format: str, dst_format: str) -> list[int]:
    """Where the axes of one order of images are in another.

    Raises:
        ValueError: a format is unknown.
    """
    for name, order in (("src_format", src_format), ("dst_format", dst_format)):
        check_choice(function, name, order, "NHWC", "NCHW")
    return [src_format.index(axis) for axis in dst_format]


@publish(
    "ops.DataFormatVecPermute(src_format, dst_format)(input_x)",
    numpy="input_x[[src_format.index(c) for c in dst_format]]",
    samples="i32(4); i64(4, 2), 'NCHW', 'NHWC'",
)
def data_format_vec_permute(input_x: Tensor, src_format: str = "NHWC", dst_format: str = "NCHW") -> Any:
    """What is said of each axis of images, in another order of them.

    Args:
        input_x: a number for each axis, of shape (4,), or two, of (4, 2).
        src_format: the order in which they are, "NHWC" or "NCHW".
        dst_format: the order that is wanted.

    Raises:
        ValueError: a format is unknown, or the shape another.
    """
    if tuple(input_x.shape) not in ((4,), (4, 2)):
        shape = tuple(input_x.shape)
        raise ValueError(f"For 'DataFormatVecPermute', the shape of 'input_x' must be (4,) or (4, 2), but is {shape}.")
    return _ops.gather(input_x, core.Tensor(_places("DataFormatVecPermute", src_format, dst_format)), 0)
