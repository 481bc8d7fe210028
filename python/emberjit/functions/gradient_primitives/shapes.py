"""Gradients of what moves elements: slices, padding, gathering, diagonals; of sparse segments, and of products."""

from __future__ import annotations

import itertools
from typing import Any

from emberjit import _emberjit as core
from emberjit.checks import check_rank, check_same_shape
from emberjit.functions.arguments import int_of
from emberjit.functions.gradient_primitives.declarations import at_shape, publish_gradients, pulled
from emberjit.functions.indexing import selection, slices
from emberjit.functions.layers import convolution
from emberjit.functions.linalg import least_squares
from emberjit.functions.shapes import diagonals, padding
from emberjit.publish.kinds import Ints, Tensor, Tensors
from emberjit.publish.registry import publish
from emberjit.tensors.indexing import checked_axis

_ops = core.ops
_MASKED = """
Examples:
    >>> x, mask, grad = Tensor([1.0, 2.0, 3.0]), Tensor([True, False, True]), Tensor([10.0, 20.0])
    >>> print(ops.MaskedSelectGrad()(x, mask, grad))
    [10.  0. 20.]
"""

publish_gradients(
    __name__,
    (
        (_ops.slice, "ops.SliceGrad()(grad as dy, input_x as x, begin, size)", "f32(1, 2), f32(2, 3), (0, 1), (1, 2)"),
        (_ops.gather_d, "ops.GatherDGradV2()(x, dim, index, grad as dout)", "f32(2, 2), f32(2, 3), 1, i64(2, 2) * 0 + 1"),
        (selection.masked_select, "ops.MaskedSelectGrad()(input, mask, grad)", "", _MASKED),
    ),
)
publish_gradients(
    __name__,
    (
        (
            slices.strided_slice,
            """ops.StridedSliceGrad(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)(grad as dy,
            input_x as shapex, begin, end, strides)""",
            "f32(2, 2), (2, 3), (0, 0), (2, 3), (1, 2)",
        ),
        (diagonals.trace, "ops.TraceGrad()(grad as y_grad, input as x_shape)", "f32(1), (2, 3)"),
        (
            diagonals.trace_of_axes,
            """ops.TraceV2Grad()(grad as dout, input as shape, offset, axis1 = 1, axis2 = 0)
            ops.tracev2_grad_op(grad as dout, input as shape, offset, axis1 = 1, axis2 = 0)""",
            "f32(2), (2, 3, 3), 1, 1, 2",
        ),
    ),
    linear=True,
)
publish_gradients(
    __name__,
    (
        (
            convolution.conv2d_primitive,
            """ops.Conv2DBackpropFilter(out_channel, kernel_size, pad_mode, pad, mode, stride, dilation, group,
            data_format)(grad as out_backprop, x as input, weight as filter_sizes)""",
            "f32(1, 2, 3, 3), f32(1, 1, 4, 4), (2, 1, 2, 2), 2, 2",
        ),
        (
            convolution.conv3d_primitive,
            """ops.Conv3DBackpropFilter(out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group,
            data_format)(x, grad as out_backprop, weight as filter_size)""",
            "f32(1, 2, 2, 2, 1), f32(1, 1, 3, 3, 2), (2, 1, 2, 2, 2), 2, 2",
        ),
    ),
    by=("weight",),
    linear=True,
)
publish_gradients(
    __name__,
    ((least_squares.lstsq, "ops.LstsqV2Grad()(grad as gX, input as A, A as B)", "f32(3, 1), f32(4, 3), f32(4, 1)"),),
    by=("input", "A"),
)


def _unpadded(name: str, shape: Ints, pairs: Any) -> tuple[int, ...]:
    sizes = tuple(size - before - after for size, (before, after) in zip(shape, pairs))
    if min(sizes, default=0) < 0:
        raise ValueError(f"For '{name}', the paddings {pairs} are more than the shape {tuple(shape)} has.")
    return sizes


@publish(
    "ops.MirrorPadGrad(mode)(dy, paddings)",
    numpy="""(dy[:, 1:3] + np.stack([dy[:, 3] * (mode == 'SYMMETRIC') + dy[:, 0] * 0, dy[:, 3] * 0], 1) +
    np.stack([dy[:, 0] * (mode == 'SYMMETRIC'), dy[:, 0] * (mode == 'REFLECT')], 1) +
    np.stack([dy[:, 3] * (mode == 'REFLECT') - dy[:, 3] * (mode == 'SYMMETRIC'), dy[:, 3] * (mode == 'SYMMETRIC')], 1))""",
    samples="f32(3, 4), ((0, 0), (1, 1)); f32(3, 4), ((0, 0), (1, 1)), 'SYMMETRIC'",
    in_python=True,
)
def mirror_pad_gradient(dy: Tensor, paddings: Any, mode: str = "REFLECT") -> Any:
    """The gradient of MirrorPad by what it pads.

    Args:
        dy: the gradient by the result.
        paddings: how many before and after each axis, an integer Tensor of shape (axes, 2), or a tuple of pairs.
        mode: "REFLECT": the mirror is the first, or last, element; "SYMMETRIC": it is beyond it.

    Raises:
        ValueError: mode is something else, or there is not a pair for each axis.
    """
    pairs = padding.pairs_of("MirrorPadGrad", "paddings", paddings, dy.ndim)
    shape = _unpadded("MirrorPadGrad", dy.shape, pairs)
    return at_shape("MirrorPadGrad", lambda x: padding.mirror_pad(x, tuple(pairs), mode), dy, shape)


@publish(
    "ops.PadV3Grad(mode, paddings_contiguous)(x, paddings)",
    numpy="""(lambda y: (np.add.at(y.T, np.pad(np.arange(3), (1, 2), {'circular': 'wrap'}.get(mode, mode)), x.T), y)[1])(
    np.zeros((2, 3)))""",
    samples="f32(2, 6), (1, 2); f32(2, 6), (1, 2), 'edge'; f32(2, 6), (1, 2), 'circular'",
    in_python=True,
)
def pad_from_last_gradient(x: Tensor, paddings: Any, mode: str = "reflect", paddings_contiguous: bool = True) -> Any:
    """The gradient of PadV3 by what it pads.

    Args:
        x: the gradient by the result.
        paddings: how many before and after axes, pair by pair from the last axis on; not contiguous: (all before, all
            after).
        mode: "constant", "reflect", "edge" or "circular".

    Raises:
        TypeError: paddings are no ints.
        ValueError: another mode, or paddings that do not fit.
    """
    name = "PadV3Grad"
    sizes = padding.from_last(name, paddings, paddings_contiguous)
    pairs = [*zip(sizes[::2], sizes[1::2])][::-1]
    if len(sizes) % 2 or len(pairs) > x.ndim:
        raise ValueError(f"For '{name}', 'paddings' must be pairs for at most {x.ndim} axes, but got {paddings}.")
    shape = _unpadded(name, x.shape, [(0, 0)] * (x.ndim - len(pairs)) + pairs)
    return at_shape(name, lambda y: padding.pad_from_last(y, sizes, None, mode), x, shape)


@publish(
    "ops.LuUnpackGrad(L_grad_flag, U_grad_flag)(L_grad, U_grad, LU_data)",
    numpy="(np.pad(np.tril(L_grad, -1), ((0, 0), (0, 1))), np.pad(np.triu(U_grad), ((0, 0), (0, 0))))",
    samples="f32(2, 2), f32(2, 3), f32(2, 3)",
)
def lu_unpack_gradient(
    L_grad: Tensor, U_grad: Tensor, LU_data: Tensor, L_grad_flag: bool = True, U_grad_flag: bool = True
) -> Any:
    """The gradients of LuUnpack's L, and of its U, by LU_data, each of its shape.

    Args:
        L_grad, U_grad: the gradients by L and U.
        L_grad_flag, U_grad_flag: both are returned, whether they are wanted or not.

    Raises:
        ValueError: the shapes do not fit.
    """
    rows, columns = LU_data.shape[-2:]
    least = min(rows, columns)
    for name, gradient, sizes in (("L_grad", L_grad, (rows, least)), ("U_grad", U_grad, (least, columns))):
        if tuple(gradient.shape) != (*LU_data.shape[:-2], *sizes):
            raise ValueError(f"For 'LuUnpackGrad', '{name}' must end with sizes {sizes}, but its shape is {gradient.shape}.")
    below = _ops.pad(_ops.tril(L_grad, -1), (0, columns - least, 0, 0))
    return below, _ops.pad(_ops.triu(U_grad), (0, 0, 0, rows - least))


@publish(
    "ops.MedianGrad(global_median, axis, keep_dims)(y_grad, x, y, indices)",
    numpy="""((x == y) / (x == y).sum() * y_grad if global_median else
    (np.arange(3) == indices[:, None]) * y_grad[:, None])""",
    samples="""f32(2), f32(2, 3), f32(2), i64(2) * 0 + 1, False, 1;
    f32(1), f32(2, 3) * 0 + ((1, 2, 3), (2, 5, 6)), f32(1) * 0 + 2, i64(1), True""",
)
def median_gradient(
    y_grad: Tensor,
    x: Tensor,
    y: Tensor,
    indices: Tensor,
    global_median: bool = False,
    axis: int = 0,
    keep_dims: bool = False,
) -> Any:
    """The gradient of Median by x.

    Args:
        y_grad: the gradient by the medians.
        x: what they are of.
        y, indices: the medians and where they are along the axis; one of all elements is where these equal it, and its
            gradient is shared by them.
        global_median: whether it is of all elements.
        keep_dims: whether the axis stays, of size 1.

    Raises:
        ValueError: shapes do not fit.
    """
    if global_median:
        equal = _ops.cast(_ops.equal(x, _ops.reshape(y, ())), x.dtype)
        return equal * (_ops.reshape(y_grad, ()) / _ops.sum(equal))

    def taken(of: Any) -> Any:
        at = indices if keep_dims else _ops.expand_dims(indices, axis)
        elements = _ops.gather_d(of, axis, at)
        return elements if keep_dims else _ops.squeeze(elements, axis)

    return pulled("MedianGrad", taken, y_grad, x)[0]


_SEGMENTS = """The gradient of the {what} of slices of segments by what these are slices of.

Args:
    x: the gradient by the {what}, of shape (segments, ...).
    indices: which slices there were, along the first axis, of shape (K,).
    segment_ids: the segment of each (K,).
    output_dim0: the size of the first axis: an int, or a Tensor of one.

Raises:
    ValueError: shapes do not fit.
"""


def _publish_segments(word: str, what: str, power: float) -> None:
    name = f"SparseSegment{word}Grad"

    def gradient(x: Tensor, indices: Tensor, segment_ids: Tensor, output_dim0: Any) -> Any:
        check_same_shape(name, indices=indices, segment_ids=segment_ids)
        ones = _ops.ones(tuple(segment_ids.shape), x.dtype)
        counts = _ops.index_add(_ops.zeros(tuple(x.shape[:1]), x.dtype), segment_ids, ones, 0)
        weights = _ops.maximum(counts, 1) ** -power
        scaled = x * _ops.reshape(weights, (-1, *[1] * (x.ndim - 1)))
        empty = _ops.zeros((int_of(name, "output_dim0", output_dim0, 0), *x.shape[1:]), x.dtype)
        return _ops.index_add(empty, indices, _ops.gather(scaled, segment_ids, 0), 0)

    gradient.__name__, gradient.__doc__ = f"sparse_segment_{what.replace(' ', '_')}_gradient", _SEGMENTS.format(what=what)
    publish(
        f"ops.{name}",
        numpy=f"""(lambda y: (np.add.at(y, indices, (x / np.maximum(np.bincount(segment_ids, minlength=len(x)), 1)[:, None]
        ** {power})[segment_ids]), y)[1])(np.zeros((output_dim0, *x.shape[1:])))""",
        samples="f32(2, 3), i32(4) % 3, i32(4) * 0 + (0, 0, 1, 1), 3",
    )(gradient)


_publish_segments("Mean", "means", 1.0)
_publish_segments("SqrtN", "sums by root", 0.5)


@publish(
    "ops.SparseFillEmptyRowsGrad",
    numpy="(grad_values[reverse_index_map], grad_values.sum() - grad_values[reverse_index_map].sum())",
    samples="i64(3) * 0 + (0, 2, 3), f32(5)",
)
def sparse_fill_empty_rows_gradient(reverse_index_map: Tensor, grad_values: Tensor) -> Any:
    """(the gradient by the values, that by the default value) of filling empty rows.

    Args:
        reverse_index_map: where each value is in the result.
        grad_values: the gradient by the result's values (K,).

    Raises:
        ValueError: an operand has another number of axes.
    """
    check_rank("SparseFillEmptyRowsGrad", "reverse_index_map", reverse_index_map, 1)
    check_rank("SparseFillEmptyRowsGrad", "grad_values", grad_values, 1)
    places = _ops.zeros_like(grad_values, core.int64)
    ones = _ops.ones_like(reverse_index_map, core.int64)
    added = _ops.equal(_ops.index_add(places, reverse_index_map, ones, 0), 0)
    return _ops.gather(grad_values, reverse_index_map, 0), _ops.sum(_ops.select(added, grad_values, 0))


@publish(
    "ops.SparseSliceGrad",
    numpy="((indices[:, None] == new_indices + start).all(-1) * backprop_val_grad).sum(1)",
    samples="f32(2), i64(3, 2) * 0 + ((0, 1), (1, 2), (2, 0)), i64(2) * 0 + (0, 1), i64(2, 2) * 0 + ((0, 0), (1, 1))",
)
def sparse_slice_gradient(backprop_val_grad: Tensor, indices: Tensor, start: Tensor, new_indices: Tensor) -> Any:
    """The gradient of a slice of a sparse tensor by the values: of those in the slice that by the value there, else 0.

    Args:
        backprop_val_grad: the gradient by the slice's values (K,).
        indices: of the tensor's values (N, axes).
        start: where the slice begins (axes,).
        new_indices: of the slice's values (K, axes).

    Raises:
        ValueError: shapes do not fit.
    """
    name = "SparseSliceGrad"
    check_rank(name, "indices", indices, 2)
    check_same_shape(name, backprop_val_grad=backprop_val_grad, **{"new_indices[:, 0]": new_indices[:, 0]})
    there = _ops.equal(_ops.expand_dims(indices, 1), _ops.add(new_indices, start))
    return _ops.sum(_ops.select(_ops.all(there, -1), backprop_val_grad, 0), 1)


@publish("ops.ConcatOffset(N, axis)(input_x)", in_python=True)
def concat_offset(input_x: Tensors, N: int = 2, axis: int = 0) -> Any:
    """Where each of N Tensors begins in their concatenation: an int64 Tensor (N, axes), of zeros but along the axis.

    Args:
        input_x: Tensors of one shape, but along the axis.
        N: the number of Tensors.
        axis: the axis, from the end if negative.

    Raises:
        ValueError: there are not N, the axis is out of range, or the numbers of axes differ.

    Examples:
        >>> print(ops.ConcatOffset(2, 1)((ops.zeros((2, 3)), ops.zeros((2, 5)))))
        [[0 0]
         [0 3]]
    """
    if len(input_x) != N or len({x.ndim for x in input_x}) != 1:
        raise ValueError(f"For 'ConcatOffset', 'input_x' must be {N} Tensors of as many axes, but got {len(input_x)}.")
    at = checked_axis("ConcatOffset", input_x[0], axis)
    if len({(*x.shape[:at], *x.shape[at + 1 :]) for x in input_x}) != 1:
        raise ValueError(f"For 'ConcatOffset', 'input_x' must be of one shape but along axis {at}.")
    starts = itertools.accumulate((x.shape[at] for x in input_x[:-1]), initial=0)
    return core.Tensor([[start * (i == at) for i in range(input_x[0].ndim)] for start in starts], core.int64)
