"""Elements by index and by condition: gathering, scattering, selecting, slices and padding."""

from __future__ import annotations

from typing import Any

from emberjit import _emberjit as core
from emberjit.publish.kinds import Ints, Tensor
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
one_hot: ops.one_hot ops.OneHot(axis)(indices, depth, on_value, off_value)
select_at: Tensor.select(axis as dim|axis, index) mint.select(input, axis as dim, index)
slice: ops.slice ops.Slice()(input_x, begin, size) ops.tensor_slice(input_x as input, begin, size)
select: ops.select ops.where ops.Select Tensor.where(condition, input as self, other|y)
    Tensor.select(condition, input as self, other|y) mint.where numpy.where(condition, input as x, other as y)
masked_fill: ops.masked_fill(input_x|input, mask, value) ops.MaskedFill Tensor.masked_fill
    mint.masked_fill(input_x as input, mask, value) Tensor.masked_fill_
tensor_scatter_elements: ops.tensor_scatter_elements ops.TensorScatterElements(axis, reduction)(input_x, indices, updates)
""",
)


@publish(
    "ops.pad mint.nn.functional.pad(input_x as input, padding as pad, mode, value)",
    numpy="np.pad(input_x, [tuple(padding[i : i + 2]) for i in range(0, len(padding), 2)][::-1], constant_values=value)",
    samples="c64(2, 3), (1, 2, 0, 1), 'constant', 1 - 2j; c128(3), (0, 2), 'constant', 0.1j",
)
def pad_with(input_x: Tensor, padding: Any, mode: str = "constant", value: Any = None) -> Any:
    """The same with a value of any kind, such as a complex number.

    Raises:
        TypeError: a complex value beside real numbers.
    """
    if not isinstance(value, complex):
        return _ops["pad"](input_x, padding, mode, value)
    within = _ops["pad"](_ops["ones_like"](input_x, core.bool_), padding, mode)
    return _ops["masked_fill"](_ops["pad"](input_x, padding, mode), _ops["logical_not"](within), value)


@publish("ops.Pad(paddings)(input_x)", numpy="np.pad(input_x, paddings)", samples="f32(2, 3), ((1, 2), (0, 1))")
def pad_pairs(input_x: Tensor, paddings: Any) -> Any:
    """Zeros before and after each axis, as many as `paddings` names pair by pair."""
    return _ops["pad"](input_x, tuple(n for pair in reversed(paddings) for n in pair))


@publish(
    "ops.PadV3(mode, paddings_contiguous)(input_x, paddings, constant_value)",
    numpy="np.pad(input_x, ((0, 0), tuple(paddings)), constant_values=constant_value or 0)",
    samples="f32(2, 3), (1, 2); f32(2, 3), (1, 0), 2.5",
)
def pad_from_last(
    input_x: Tensor, paddings: Any, constant_value: Any = None, mode: str = "constant", paddings_contiguous: bool = True
) -> Any:
    """Elements before and after axes, pair by pair from the last axis on; not contiguous: (all before, all after)."""
    sizes = [int(n) for n in paddings]
    if not paddings_contiguous:
        half = len(sizes) // 2
        sizes = [n for pair in zip(sizes[:half], sizes[half:]) for n in pair]
    if isinstance(constant_value, core.Tensor):
        constant_value = constant_value.item()
    return pad_with(input_x, tuple(sizes), mode, constant_value)


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
    "mint.nn.functional.one_hot",
    numpy="(tensor[..., None] == np.arange(tensor.max() + 1 if num_classes < 0 else num_classes)).astype(np.int64)",
    samples="i64(2, 3) % 4, 4; i32(5) % 3, 7; i64(3) % 4",
    in_python=True,
)
def one_hot_of_int64(tensor: Tensor, num_classes: int = -1) -> Any:
    """1 (int64) at each class along a new last axis, 0 elsewhere.

    Args:
        tensor: classes, integers.
        num_classes: the size of that axis; -1 for one more than the largest class.

    Raises:
        TypeError: the classes are no integers.
        ValueError: num_classes is not positive, or a class is out of range.
    """
    if num_classes < 1 and num_classes != -1:
        raise ValueError(f"For 'one_hot', 'num_classes' must be positive or -1, but got {num_classes}.")
    whole = _ops["cast"](tensor, core.int64)
    count = int(_ops["amax"](whole)) + 1 if num_classes == -1 else num_classes
    return _ops["cast"](_ops["one_hot"](whole, count, 1, 0), core.int64)
