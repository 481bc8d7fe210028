"""Slices of axes, from one position to another. Views."""

from __future__ import annotations

from typing import Any

from emberjit.publish.kinds import Ints, Tensor
from emberjit.publish.registry import publish, publish_ops
from emberjit.tensors.indexing import along, checked_axis

publish_ops(
    __name__,
    """
slice: ops.slice ops.Slice()(input_x, begin, size) ops.tensor_slice(input_x as input, begin, size)
""",
)


@publish(
    """ops.StridedSlice(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)(input_x, begin, end, strides)
    ops.strided_slice""",
    numpy="input_x[tuple(slice(b, e, s) for b, e, s in zip(begin, end, strides))]",
    samples="f32(4, 5), (1, 0), (3, 5), (1, 2); f32(4, 5), (3, 4), (0, 0), (-1, -2)",
    in_python=True,
)
def strided_slice(
    input_x: Tensor,
    begin: Ints,
    end: Ints,
    strides: Ints,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Any:
    """The region begin[i]:end[i]:strides[i] of each axis; bit i of a mask changes what entry i means. A view."""
    index: list[Any] = []
    for i, (start, stop, step) in enumerate(zip(begin, end, strides)):
        if ellipsis_mask >> i & 1:
            index.append(...)
        elif new_axis_mask >> i & 1:
            index.append(None)
        elif shrink_axis_mask >> i & 1:
            index.append(start)
        else:
            index.append(slice(None if begin_mask >> i & 1 else start, None if end_mask >> i & 1 else stop, step))
    return input_x[tuple(index)]


@publish(
    "Tensor.narrow(dim as axis|dim, start, length) ops.narrow(input, dim as axis, start, length) mint.narrow",
    numpy="np.take(input, range(start, start + length), dim)",
    samples="f32(3, 5), 1, 2, 2; f32(4, 3), 0, 0, 4; i32(6), -1, 1, 3",
    in_python=True,
)
def narrow(input: Tensor, dim: int, start: int, length: int) -> Any:
    """The elements from start on along an axis, as many as length. A view.

    Raises:
        ValueError: dim is out of range, or the part reaches beyond the axis.
    """
    at = checked_axis("narrow", input, dim)
    size = input.shape[at]
    first = start + size if start < 0 else start
    if not 0 <= first <= first + length <= size:
        raise ValueError(
            f"For 'narrow', {length} elements from {start} on reach beyond the axis {dim} of {tuple(input.shape)}."
        )
    return input[along(at, slice(first, first + length))]
