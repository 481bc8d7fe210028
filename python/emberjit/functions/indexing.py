"""Elements by index and by condition: gathering, scattering, selecting, slices and padding."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import Ints, Number, Tensor
from emberjit.publish.registry import publish, publish_ops

_ops = core.op_table

publish_ops(
    __name__,
    """
gather: ops.gather ops.Gather(batch_dims)(input_params, input_indices, axis)
    Tensor.gather(input_indices: tensor, axis: int = ..., batch_dims)
    Tensor.index_select(axis|dim, input_indices as index)
    ops.index_select(input_params as input, axis, input_indices as index)
    mint.index_select(input_params as input, axis as dim, input_indices as index)
gather_d: ops.gather_d(x|input, dim, index) ops.gather_elements(x as input, dim, index) ops.GatherD()(x, dim, index)
    ops.GatherElements()(x, dim, index) Tensor.gather_d Tensor.gather_elements mint.gather(x as input, dim, index)
    Tensor.gather(dim: int, index)
index_add: ops.index_add ops.IndexAdd(axis, use_lock, check_index_bound)(x, indices, y)
select_at: Tensor.select(axis as dim|axis, index) mint.select(input, axis as dim, index) ops.SelectView()(input, index, axis)
slice: ops.slice ops.Slice()(input_x, begin, size) ops.tensor_slice(input_x as input, begin, size)
select: ops.select ops.where ops.Select Tensor.where(condition, input as self, other|y)
    mint.where
masked_fill: ops.masked_fill(input_x|input, mask, value) ops.MaskedFill Tensor.masked_fill
    mint.masked_fill(input_x as input, mask, value) Tensor.masked_fill_
tensor_scatter_elements: ops.tensor_scatter_elements ops.TensorScatterElements(axis, reduction)(input_x, indices, updates)
""",
)


@publish("mint.where", numpy="np.nonzero(condition)", samples="b1(2, 3); i32(3, 4); f32(5)", in_python=True)
def positions(condition: Tensor) -> Any:
    """The indices (int64) of the elements that are not 0, in row-major order, a Tensor for each axis."""
    from emberjit.functions.choosing import nonzero

    return nonzero(condition, True)


@publish(
    "Tensor.select(condition, input as self, other|y)",
    numpy="np.where(condition, input, other)",
    samples="b1(2, 3), f32(2, 3), f32(3); b1(3), i32(3), 2",
)
def selected(condition: Tensor, input: Tensor, other: Number) -> Any:
    """input where condition is true, other elsewhere, with broadcasting.

    Args:
        other: a Tensor; or an int, of an int32 input, or a float, of a float32 one.

    Raises:
        TypeError: condition is not of bools, or a number is not of input's dtype.
    """
    if not isinstance(other, core.Tensor):
        kind = "int" if core.Tensor(other).dtype in (core.bool_, core.int64) else "float"
        if input.dtype != (core.int32 if kind == "int" else core.float32):
            raise TypeError(
                f"For 'Tensor.select', if the argument 'y' is {kind}, then the tensor type should be {kind}32 but got "
                f"{input.dtype}: give a Tensor, or use where()."
            )
    return _ops["select"](condition, input, other)


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
